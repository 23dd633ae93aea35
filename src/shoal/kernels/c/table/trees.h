/* Small functions on the coded table, for every kernel. */
#ifndef SHOAL_TREES_H
#define SHOAL_TREES_H
#include "table.h"

/* Lowest common node: lift the smaller until they meet. */
static inline int32_t join(const int32_t *parent, int32_t a, int32_t b)
{
    while (a != b) {
        if (a < b)
            a = parent[a];
        else
            b = parent[b];
    }
    return a;
}

static inline const int32_t *row_of(const shoal_table *t, int64_t tuple) { return t->codes + tuple * t->q; }
static inline int32_t leaf_of(const shoal_table *t, int64_t tuple, int32_t j) { return t->codes[tuple * t->q + j]; }
static inline int64_t rows_of(const shoal_table *t, int64_t tuple) { return t->weight ? t->weight[tuple] : 1; }
static inline const int32_t *tree_of(const shoal_table *t, int32_t j) { return t->parent + t->first[j]; }
static inline const double *prices_of(const shoal_table *t, int32_t j) { return t->price + t->first[j]; }
static inline int64_t n_nodes_of(const shoal_table *t, int32_t j) { return t->first[j + 1] - t->first[j]; }
static inline int32_t root_of(const shoal_table *t, int32_t j) { return (int32_t)n_nodes_of(t, j) - 1; }
static inline int32_t join_in(const shoal_table *t, int32_t j, int32_t a, int32_t b) { return join(tree_of(t, j), a, b); }

/* Widen the nodes until they cover a tuple. */
static inline void join_row(const shoal_table *t, int32_t *node, int64_t tuple)
{
    const int32_t *row = row_of(t, tuple);
    for (int32_t j = 0; j < t->q; j++)
        node[j] = join_in(t, j, node[j], row[j]);
}

static inline double price_of_nodes(const shoal_table *t, const int32_t *node)
{
    double total = 0;
    for (int32_t j = 0; j < t->q; j++)
        total += prices_of(t, j)[node[j]];
    return total;
}

/* The number of nodes of the largest tree. */
static inline int64_t widest_tree(const shoal_table *t)
{
    int64_t widest = 1;
    for (int32_t j = 0; j < t->q; j++)
        widest = n_nodes_of(t, j) > widest ? n_nodes_of(t, j) : widest;
    return widest;
}

/* One more than the greatest leaf of column j that occurs. */
static inline int32_t n_leaves_met(const shoal_table *t, int32_t j)
{
    int32_t n = 0;
    for (int64_t i = 0; i < t->n; i++)
        n = leaf_of(t, i, j) >= n ? leaf_of(t, i, j) + 1 : n;
    return n;
}

/* Places along the hierarchy: node v has the places rank[v] .. end[v], one for each leaf below it, and among children the one with
   the largest number comes first. `given` is room for as many numbers as there are nodes. */
static inline void rank_tree(const int32_t *parent, int64_t n, int32_t *rank, int32_t *end, int32_t *given)
{
    for (int64_t v = 0; v < n; v++)
        end[v] = given[v] = 0;
    for (int64_t v = 0; v < n; v++) { /* end: leaves below */
        end[v] += end[v] == 0;
        if (v + 1 < n)
            end[parent[v]] += end[v];
    }
    rank[n - 1] = 0;
    for (int64_t v = n - 2; v >= 0; v--)
        rank[v] = rank[parent[v]] + given[parent[v]], given[parent[v]] += end[v], end[v] += rank[v];
}

/* The child of `node` that a leaf below it is under. */
static inline int32_t child_above(const int32_t *parent, int32_t leaf, int32_t node)
{
    while (parent[leaf] != node)
        leaf = parent[leaf];
    return leaf;
}
#endif
