/* Top-down cuts: a group is cut along one quasi-identifier, into the children of its node or at the median, where that saves most. */
#include <stdlib.h>
#include <string.h>
#include "mondrian.h"
#include "tree.inc"

typedef struct {
    const int32_t *parent, *codes, *n_leaves, *ordered;
    const int64_t *first, *weight;
    const double *price;
    int32_t q;
    int64_t k;
    int32_t *rows, *spare; /* tuples, group after group */
    int32_t *part, *best;  /* the part of each tuple of the group at hand, under this cut and under the best */
    int64_t *rows_in;      /* rows below each node of the column at hand */
    int32_t *lowest;       /* lowest node of the rows below each child */
    int32_t *seen;         /* children met */
} Cutter;

/* Cut rows[a .. b) into the children of their node; children of fewer than k rows stay together with the node.
   Returns what that saves, or -1 where there is no cut; *n_parts parts. */
static double cut_tree(Cutter *c, int32_t j, int64_t a, int64_t b, int32_t *n_parts)
{
    const int32_t *parent = c->parent + c->first[j];
    const double *price = c->price + c->first[j];
    int32_t node = c->codes[(int64_t)c->rows[a] * c->q + j], n_seen = 0;
    int64_t all = 0, rest = 0;
    for (int64_t i = a; i < b; i++)
        node = join(parent, node, c->codes[(int64_t)c->rows[i] * c->q + j]);
    for (int64_t i = a; i < b; i++) {
        int32_t leaf = c->codes[(int64_t)c->rows[i] * c->q + j], child = leaf;
        while (child != node && parent[child] != node)
            child = parent[child];
        if (child == node)
            return -1; /* all rows are the same leaf */
        if (c->rows_in[child] == 0)
            c->seen[n_seen++] = child, c->lowest[child] = leaf;
        else
            c->lowest[child] = join(parent, c->lowest[child], leaf);
        c->rows_in[child] += c->weight[c->rows[i]];
        c->part[i - a] = child;
        all += c->weight[c->rows[i]];
    }
    int32_t big = 0;
    for (int32_t i = 0; i < n_seen; i++) {
        if (c->rows_in[c->seen[i]] < c->k)
            rest += c->rows_in[c->seen[i]];
        else
            c->seen[big++] = c->seen[i];
    }
    /* seen[0 .. big) are the children that may stand alone; the smallest of them join the rest while it is below k */
    for (; rest > 0 && rest < c->k && big > 0; big--) {
        int32_t least = 0;
        for (int32_t i = 1; i < big; i++)
            if (c->rows_in[c->seen[i]] < c->rows_in[c->seen[least]])
                least = i;
        rest += c->rows_in[c->seen[least]];
        int32_t turn = c->seen[least];
        c->seen[least] = c->seen[big - 1], c->seen[big - 1] = turn;
    }
    double saved = (double)all * price[node] - (double)rest * price[node];
    *n_parts = big + (rest > 0);
    for (int32_t i = 0; i < big; i++)
        saved -= (double)c->rows_in[c->seen[i]] * price[c->lowest[c->seen[i]]];
    for (int32_t i = 0; i < big; i++)
        c->lowest[c->seen[i]] = -1 - i; /* part number of those that stand alone */
    for (int64_t i = 0; i < b - a; i++) {
        int32_t child = c->part[i];
        c->part[i] = c->lowest[child] < 0 ? -1 - c->lowest[child] : big;
        c->rows_in[child] = 0;
    }
    return *n_parts >= 2 ? saved : -1;
}

typedef struct {
    int32_t leaf;
    int64_t rows;
} Value;

static int by_leaf(const void *x, const void *y)
{
    int32_t a = ((const Value *)x)->leaf, b = ((const Value *)y)->leaf;
    return (a > b) - (a < b);
}

/* Cut rows[a .. b) at the median of an ordered column; equal values stay together. */
static double cut_median(Cutter *c, int32_t j, int64_t a, int64_t b, int32_t *n_parts)
{
    Value *value = malloc((size_t)(b - a) * sizeof *value);
    if (!value)
        return -2;
    int64_t all = 0, below = 0, best = -1, distance = 0;
    for (int64_t i = a; i < b; i++) {
        value[i - a].leaf = c->codes[(int64_t)c->rows[i] * c->q + j];
        value[i - a].rows = c->weight[c->rows[i]];
        all += value[i - a].rows;
    }
    qsort(value, (size_t)(b - a), sizeof *value, by_leaf);
    for (int64_t i = 0; i + 1 < b - a; i++) {
        below += value[i].rows;
        if (value[i].leaf == value[i + 1].leaf || below < c->k || all - below < c->k)
            continue;
        int64_t off = llabs(2 * below - all);
        if (best < 0 || off < distance)
            best = i, distance = off;
    }
    double saved = -1;
    if (best >= 0) {
        double unit = c->price[c->first[j + 1] - 1] / (c->n_leaves[j] > 1 ? c->n_leaves[j] - 1 : 1);
        int64_t left = 0;
        for (int64_t i = 0; i <= best; i++)
            left += value[i].rows;
        saved = unit * ((double)all * (value[b - a - 1].leaf - value[0].leaf) - (double)left * (value[best].leaf - value[0].leaf) -
                        (double)(all - left) * (value[b - a - 1].leaf - value[best + 1].leaf));
        for (int64_t i = a; i < b; i++)
            c->part[i - a] = c->codes[(int64_t)c->rows[i] * c->q + j] > value[best].leaf;
        *n_parts = 2;
    }
    free(value);
    return saved;
}

/* Fills the group of each tuple; returns the number of groups, or -1 where memory is short. */
int64_t shoal_mondrian(const int32_t *parent, const int64_t *first, const double *price, const int32_t *n_leaves, const int32_t *ordered,
                       int32_t q, const int32_t *codes, const int64_t *weight, int64_t n, int64_t k, int32_t *group)
{
    size_t m = (size_t)n + 1, nodes = (size_t)first[q] + 1;
    Cutter c = {.parent = parent, .codes = codes, .n_leaves = n_leaves, .ordered = ordered, .first = first, .weight = weight, .price = price, .q = q, .k = k};
    c.rows = malloc(m * sizeof *c.rows), c.spare = malloc(m * sizeof *c.spare), c.part = malloc(m * sizeof *c.part);
    c.best = malloc(m * sizeof *c.best), c.rows_in = calloc(nodes, sizeof *c.rows_in), c.lowest = malloc(nodes * sizeof *c.lowest);
    c.seen = malloc(nodes * sizeof *c.seen);
    int64_t *stack = malloc(2 * m * sizeof *stack), *start = malloc((m + 1) * sizeof *start), depth = 0, found = 0;
    if (!c.rows || !c.spare || !c.part || !c.best || !c.rows_in || !c.lowest || !c.seen || !stack || !start)
        found = -1;
    for (int64_t i = 0; found == 0 && i < n; i++)
        c.rows[i] = (int32_t)i;
    if (found == 0 && n)
        stack[0] = 0, stack[1] = n, depth = 1;
    while (depth > 0) {
        int64_t a = stack[2 * depth - 2], b = stack[2 * depth - 1];
        depth--;
        double most = -1;
        int32_t n_best = 0, n_parts = 0;
        for (int32_t j = 0; j < q; j++) {
            double saved = ordered[j] ? cut_median(&c, j, a, b, &n_parts) : cut_tree(&c, j, a, b, &n_parts);
            if (saved == -2) {
                found = -1;
                goto end;
            }
            if (saved > most) {
                int32_t *turn = c.best;
                most = saved, n_best = n_parts, c.best = c.part, c.part = turn;
            }
        }
        if (n_best < 2) {
            for (int64_t i = a; i < b; i++)
                group[c.rows[i]] = (int32_t)found;
            found++;
            continue;
        }
        memset(start, 0, ((size_t)n_best + 1) * sizeof *start);
        for (int64_t i = 0; i < b - a; i++)
            start[c.best[i] + 1]++;
        for (int32_t p = 0; p < n_best; p++)
            start[p + 1] += start[p];
        for (int32_t p = n_best; p-- > 0;) {
            stack[2 * depth] = a + start[p], stack[2 * depth + 1] = a + start[p + 1];
            depth++;
        }
        for (int64_t i = 0; i < b - a; i++)
            c.spare[start[c.best[i]]++] = c.rows[a + i];
        memcpy(c.rows + a, c.spare, (size_t)(b - a) * sizeof *c.rows);
    }
end:
    free(c.rows), free(c.spare), free(c.part), free(c.best), free(c.rows_in), free(c.lowest), free(c.seen), free(stack), free(start);
    return found;
}
