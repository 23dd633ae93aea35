/* Numbers for keys, as they come: a small hash table, so that what a part takes does not grow with the whole table. Keys are not negative. */
#ifndef SHOAL_NUMBERS_H
#define SHOAL_NUMBERS_H
#include "memory.h"

typedef struct {
    int32_t *key, *number; /* a key of -1 is a free place */
    uint32_t last;         /* one less than the number of places, which is a power of two */
} Numbers;

/* Room for so many different keys; the bag says whether there was memory. */
static inline Numbers make_numbers(Bag *bag, int64_t most)
{
    int64_t n = 16;
    while (n < 2 * most)
        n *= 2;
    Numbers made = {take(bag, n, sizeof *made.key), take(bag, n, sizeof *made.number), (uint32_t)(n - 1)};
    for (int64_t i = 0; !bag->failed && i < n; i++)
        made.key[i] = -1;
    return made;
}

/* Where a key is, or the free place where it would be. */
static inline uint32_t place_of(const Numbers *n, int32_t key)
{
    uint32_t at = ((uint32_t)key * 2654435769u >> 7) & n->last;
    while (n->key[at] >= 0 && n->key[at] != key)
        at = (at + 1) & n->last;
    return at;
}

/* The number of a key; -1 if it has none. */
static inline int32_t number_of(const Numbers *n, int32_t key)
{
    uint32_t at = place_of(n, key);
    return n->key[at] < 0 ? -1 : n->number[at];
}

/* The number of a key, which gets the next one if it has none. */
static inline int32_t give_number(Numbers *n, int32_t key, int64_t *next)
{
    uint32_t at = place_of(n, key);
    if (n->key[at] < 0)
        n->key[at] = key, n->number[at] = (int32_t)(*next)++;
    return n->number[at];
}
#endif
