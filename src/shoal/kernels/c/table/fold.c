/* Ranks of keys: equal keys fold into one. A radix sort over the digits that the keys use. */
#include "../base/memory.h"
#include "table.h"

enum { BITS = 11, BUCKETS = 1 << BITS };

typedef struct {
    int64_t key;
    int32_t row;
} Item;

/* One pass of a stable sort, by the digit at `shift`. */
static void sort_by_digit(const Item *from, Item *to, int64_t n, int shift)
{
    int64_t start[BUCKETS] = {0}, sum = 0;
    for (int64_t i = 0; i < n; i++)
        start[(from[i].key >> shift) & (BUCKETS - 1)]++;
    for (int b = 0; b < BUCKETS; b++) {
        int64_t size = start[b];
        start[b] = sum;
        sum += size;
    }
    for (int64_t i = 0; i < n; i++)
        to[start[(from[i].key >> shift) & (BUCKETS - 1)]++] = from[i];
}

int64_t shoal_rank_keys(const int64_t *key, int64_t n, int64_t greatest, int32_t *first, int64_t *count, int32_t *rank)
{
    Bag bag = {0};
    Item *here = take(&bag, n, sizeof *here), *there = take(&bag, n, sizeof *there);
    int64_t distinct = 0;
    for (int64_t i = 0; i < n && !bag.failed; i++)
        here[i] = (Item){key[i], (int32_t)i};
    for (int shift = 0; shift < 63 && greatest >> shift && !bag.failed; shift += BITS) {
        sort_by_digit(here, there, n, shift);
        SWAP(Item *, here, there);
    }
    for (int64_t i = 0; i < n && !bag.failed; i++) {
        if (i == 0 || here[i].key != here[i - 1].key)
            first[distinct] = here[i].row, count[distinct++] = 0;
        count[distinct - 1]++;
        rank[here[i].row] = (int32_t)(distinct - 1);
    }
    return bag_end(&bag, distinct);
}
