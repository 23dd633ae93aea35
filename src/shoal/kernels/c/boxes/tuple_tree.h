/* A tree of tuples: those with the same codes in the first columns share the nodes of these columns.
 *
 * Whoever looks for tuples near one goes down only where the columns so far are near enough. */
#ifndef SHOAL_TUPLE_TREE_H
#define SHOAL_TUPLE_TREE_H
#include <stdint.h>
#include <stdlib.h>
#include "../base/memory.h"

#define DEEPEST 12 /* columns of the tree; with so many behind them, hardly two tuples share a node */

typedef struct {
    int32_t depth;             /* columns */
    int32_t *first[DEEPEST];   /* of each node after so many columns: where those below it begin; and where the last ones end */
    int32_t *code[DEEPEST];    /* of each of those below, its code in the next column */
    int32_t *tuple;            /* of each of the last nodes */
} TupleTree;

/* Sort tuples by the codes of one column; those of equal codes stay in their order. Whether there was memory. */
static int sort_by_column(const int32_t *codes, int64_t n, int64_t q, int32_t j, const int32_t *from, int32_t *to)
{
    int32_t highest = 0;
    for (int64_t i = 0; i < n; i++)
        highest = codes[i * q + j] > highest ? codes[i * q + j] : highest;
    int64_t *start = calloc((size_t)highest + 2, sizeof *start);
    if (!start)
        return 0;
    for (int64_t i = 0; i < n; i++)
        start[codes[i * q + j] + 1]++;
    for (int32_t v = 0; v < highest; v++)
        start[v + 1] += start[v];
    for (int64_t i = 0; i < n; i++)
        to[start[codes[from[i] * q + j]]++] = from[i];
    free(start);
    return 1;
}

/* The nodes below one column: a new one wherever the node or the code changes; after the last column, one for each tuple. */
static void make_level(TupleTree *t, const int32_t *codes, int64_t n, int64_t q, int32_t j, int32_t *node)
{
    int32_t below = 0, before = -1, last = -1;
    for (int64_t i = 0; i < n; i++) {
        int32_t code = codes[t->tuple[i] * q + j];
        int is_new = node[i] != before;
        if (is_new)
            t->first[j][node[i]] = below;
        if (is_new || j == t->depth - 1 || code != last)
            t->code[j][below++] = code;
        before = node[i], last = code;
        node[i] = below - 1;
    }
    t->first[j][before + 1] = below;
}

/* Make the tree; if there is not enough memory, the bag says so. */
static void make_tuple_tree(TupleTree *t, const int32_t *codes, int64_t n, int64_t q, Bag *bag)
{
    int32_t *node = take(bag, n, sizeof *node), *other = take(bag, n, sizeof *other);
    TAKE(bag, t->tuple, n);
    t->depth = q < DEEPEST ? (int32_t)q : DEEPEST;
    for (int64_t i = 0; !bag->failed && i < n; i++)
        t->tuple[i] = (int32_t)i, node[i] = 0;
    for (int32_t j = t->depth - 1; !bag->failed && j >= 0; j--) {
        bag->failed = !sort_by_column(codes, n, q, j, t->tuple, other);
        int32_t *sorted = other;
        other = t->tuple, t->tuple = sorted;
    }
    for (int32_t j = 0; j < t->depth; j++) {
        TAKE(bag, t->first[j], n + 1), TAKE(bag, t->code[j], n);
        if (bag->failed)
            return;
        make_level(t, codes, n, q, j, node);
    }
}
#endif
