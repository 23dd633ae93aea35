/* A binary heap of any type, as functions that the compiler can inline.
 *
 *     HEAP(name, Item, Context, before)
 *
 * defines name_up, name_down, name_drop and name_make over an array of Item. `before` is an expression: whether item *a comes out before item *b. It
 * may use `c`, the context that the functions are given (NULL where the items know their own order). */
#ifndef SHOAL_HEAP_H
#define SHOAL_HEAP_H
#include <stdint.h>
#if defined(__GNUC__)
#define SHOAL_UNUSED __attribute__((unused))
#define ALWAYS_INLINE inline __attribute__((always_inline)) /* for what is called once and must keep its state in registers */
#else
#define SHOAL_UNUSED
#define ALWAYS_INLINE inline
#endif

/* ORDER(name, Item, before) defines a comparison for qsort by the same kind of expression. */
#define ORDER(name, Item, before)                                                                      \
    static inline int name##_before(const Item *a, const Item *b) { return before; }                   \
    static int name(const void *a, const void *b) { return name##_before(b, a) - name##_before(a, b); }

#define HEAP(name, Item, Context, before)                                                              \
    static inline int name##_before(Context c, const Item *a, const Item *b)                           \
    {                                                                                                  \
        (void)c;                                                                                       \
        return before;                                                                                 \
    }                                                                                                  \
    /* An item goes to place i, or below where it comes out later than the children there. */          \
    static inline void name##_sink(Context c, Item *heap, int64_t n, int64_t i, Item moved)            \
    {                                                                                                  \
        for (int64_t child; (child = 2 * i + 1) < n; i = child) {                                      \
            if (child + 1 < n && name##_before(c, heap + child + 1, heap + child))                     \
                child++;                                                                               \
            if (!name##_before(c, heap + child, &moved))                                               \
                break;                                                                                 \
            heap[i] = heap[child];                                                                     \
        }                                                                                              \
        heap[i] = moved;                                                                               \
    }                                                                                                  \
    /* Item i may come out later than before. */                                                       \
    static SHOAL_UNUSED inline void name##_down(Context c, Item *heap, int64_t n, int64_t i)           \
    {                                                                                                  \
        if (i < n)                                                                                     \
            name##_sink(c, heap, n, i, heap[i]);                                                       \
    }                                                                                                  \
    /* The first item is gone, and n are left: the last takes its place. */                            \
    static SHOAL_UNUSED inline void name##_drop(Context c, Item *heap, int64_t n)                      \
    {                                                                                                  \
        if (n > 0)                                                                                     \
            name##_sink(c, heap, n, 0, heap[n]);                                                       \
    }                                                                                                  \
    /* An item comes in at the end, place i: let it rise. */                                           \
    static SHOAL_UNUSED inline void name##_up(Context c, Item *heap, int64_t i, Item moved)            \
    {                                                                                                  \
        for (; i > 0 && name##_before(c, &moved, heap + (i - 1) / 2); i = (i - 1) / 2)                 \
            heap[i] = heap[(i - 1) / 2];                                                               \
        heap[i] = moved;                                                                               \
    }                                                                                                  \
    static SHOAL_UNUSED inline void name##_make(Context c, Item *heap, int64_t n)                      \
    {                                                                                                  \
        for (int64_t i = n / 2; i-- > 0;)                                                              \
            name##_down(c, heap, n, i);                                                                \
    }
#endif
