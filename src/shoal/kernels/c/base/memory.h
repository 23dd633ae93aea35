/* Memory: a bag of blocks that are freed together, and arrays that grow.
 *
 * A kernel takes all it needs from one bag, looks at `failed` once, and frees the bag once. Nothing else calls malloc. */
#ifndef SHOAL_MEMORY_H
#define SHOAL_MEMORY_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "status.h"

typedef struct {
    void **block;
    int64_t n, room;
    int failed;
} Bag;

#define SWAP(Type, a, b) do { Type swapped = (a); (a) = (b); (b) = swapped; } while (0)

/* Make room for `need` items in an array (`place` is the address of its pointer). Returns 0 without memory; the array stays. */
static inline int grow(void *place, int64_t *room, int64_t need, size_t each)
{
    if (need <= *room)
        return 1;
    void *items;
    memcpy(&items, place, sizeof items);
    int64_t more = need + need / 2 + 16;
    items = realloc(items, (size_t)more * each);
    if (!items)
        return 0;
    memcpy(place, &items, sizeof items);
    *room = more;
    return 1;
}

static inline void *bag_put(Bag *bag, void *block)
{
    if (block && grow(&bag->block, &bag->room, bag->n + 1, sizeof *bag->block)) {
        bag->block[bag->n++] = block;
        return block;
    }
    free(block);
    bag->failed = 1;
    return NULL;
}

/* Room for n items and one more (so that a range may end behind the last), not cleared; NULL without memory. */
static inline void *take(Bag *bag, int64_t n, size_t each) { return bag_put(bag, malloc((size_t)(n + 1) * each)); }
/* The same, all zero, with one more item still. */
static inline void *take_zeros(Bag *bag, int64_t n, size_t each) { return bag_put(bag, calloc((size_t)n + 2, each)); }

/* The same for a pointer, which knows how large its items are. */
#define TAKE(bag, pointer, n) ((pointer) = take((bag), (n), sizeof *(pointer)))
#define TAKE_ZEROS(bag, pointer, n) ((pointer) = take_zeros((bag), (n), sizeof *(pointer)))

/* Free everything, and return what a kernel made, or the status that there was not enough memory. */
static inline int64_t bag_end(Bag *bag, int64_t answer)
{
    answer = bag->failed ? SHOAL_NO_MEMORY : answer;
    while (bag->n)
        free(bag->block[--bag->n]);
    free(bag->block);
    *bag = (Bag){0};
    return answer;
}
#endif
