/* The lowest node that covers all rows of a group, per quasi-identifier. */
#include "trees.h"

int64_t shoal_closures(const shoal_table *t, const int32_t *tuples, const int32_t *group, int64_t n, int32_t *out)
{
    const int32_t q = t->q; /* local copies: the compiler cannot know that the writes below do not change the table */
    const int32_t *codes = t->codes, *parent = t->parent;
    const int64_t *first = t->first;
    for (int64_t i = 0; i < n; i++) {
        const int32_t *row = codes + (int64_t)tuples[i] * q;
        int32_t *node = out + (int64_t)group[i] * q;
        for (int32_t j = 0; j < q; j++)
            node[j] = node[j] < 0 ? row[j] : join(parent + first[j], node[j], row[j]);
    }
    return 0;
}

/* From the root down: a node takes its parent's price where that is lower. */
int64_t shoal_cheapest_ancestors(const int32_t *parent, int64_t n, double *price, int32_t *which)
{
    for (int64_t v = n - 2; v >= 0; v--) {
        int32_t up = parent[v];
        if (price[up] < price[v])
            price[v] = price[up], which[v] = which[up];
    }
    return 0;
}
