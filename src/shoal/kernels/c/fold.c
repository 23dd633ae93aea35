/* Ranks of keys: equal keys fold into one. */
#include "fold.h"
#include <stdlib.h>

enum { BITS = 11, BUCKETS = 1 << BITS };

typedef struct {
    int64_t key;
    int32_t row;
} item;

/* One pass of a stable sort, by the digit at `shift`. */
static void sort_by_digit(const item *from, item *to, int64_t n, int shift)
{
    int64_t start[BUCKETS] = {0};
    for (int64_t i = 0; i < n; i++)
        start[(from[i].key >> shift) & (BUCKETS - 1)]++;
    int64_t sum = 0;
    for (int b = 0; b < BUCKETS; b++) {
        int64_t size = start[b];
        start[b] = sum;
        sum += size;
    }
    for (int64_t i = 0; i < n; i++)
        to[start[(from[i].key >> shift) & (BUCKETS - 1)]++] = from[i];
}

/* Ranks of n keys in [0, greatest]: first row and number of rows of each distinct key in ascending order, and each row's rank.
 * first and count have room for n. Returns how many distinct keys there are, or -1 without memory. */
int64_t shoal_rank_keys(const int64_t *key, int64_t n, int64_t greatest, int32_t *first, int64_t *count, int32_t *rank)
{
    item *here = malloc((size_t)n * sizeof *here), *there = malloc((size_t)n * sizeof *there);
    if (!here || !there) {
        free(here);
        free(there);
        return -1;
    }
    for (int64_t i = 0; i < n; i++)
        here[i] = (item){key[i], (int32_t)i};
    for (int shift = 0; shift < 63 && greatest >> shift; shift += BITS) {
        sort_by_digit(here, there, n, shift);
        item *swap = here;
        here = there;
        there = swap;
    }
    int64_t distinct = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || here[i].key != here[i - 1].key) {
            first[distinct] = here[i].row;
            count[distinct++] = 0;
        }
        count[distinct - 1]++;
        rank[here[i].row] = (int32_t)(distinct - 1);
    }
    free(here);
    free(there);
    return distinct;
}
