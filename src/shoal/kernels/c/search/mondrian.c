/* Top-down cuts: a group is cut along one quasi-identifier, into the children of its node or at the median, where that saves most. */
#include "../base/heap.h"
#include "../base/memory.h"
#include "../table/trees.h"
#include "search.h"

typedef struct {
    int32_t leaf;
    int64_t rows;
} Value;

typedef struct {
    shoal_table t;
    const int32_t *n_leaves, *ordered;
    int64_t k;
    int32_t *rows, *spare; /* tuples, group after group */
    int32_t *part, *best;  /* the part of each tuple of the current group, under this cut and under the best */
    int64_t *rows_in;      /* rows below each node of the current column */
    int32_t *lowest;       /* lowest node of the rows below each child */
    int32_t *seen;         /* children met */
    Value *value;          /* leaves of the current group */
    int64_t *stack, *start, depth;
} Cutter;

/* Sorts the current rows by the children of `node`; returns the number of children, -1 where all rows are the same leaf. */
static int32_t meet_children(Cutter *c, int32_t j, int64_t a, int64_t b, int32_t node, int64_t *all)
{
    const int32_t *parent = tree_of(&c->t, j);
    int32_t n_seen = 0;
    for (int64_t i = a; i < b; i++) {
        int32_t leaf = leaf_of(&c->t, c->rows[i], j), child = leaf;
        while (child != node && parent[child] != node)
            child = parent[child];
        if (child == node)
            return -1;
        if (c->rows_in[child] == 0) {
            c->seen[n_seen++] = child;
            c->lowest[child] = leaf;
        } else
            c->lowest[child] = join(parent, c->lowest[child], leaf);
        c->rows_in[child] += c->t.weight[c->rows[i]];
        c->part[i - a] = child;
        *all += c->t.weight[c->rows[i]];
    }
    return n_seen;
}

/* Brings the children that may stand alone to the front of `seen`; the smallest of them join the rest while it is below k. Returns how many
   stand alone; *rest is the number of the other rows. */
static int32_t choose_children(Cutter *c, int32_t n_seen, int64_t *rest)
{
    int32_t big = 0;
    for (int32_t i = 0; i < n_seen; i++) {
        if (c->rows_in[c->seen[i]] < c->k)
            *rest += c->rows_in[c->seen[i]];
        else
            c->seen[big++] = c->seen[i];
    }
    for (; *rest > 0 && *rest < c->k && big > 0; big--) {
        int32_t least = 0;
        for (int32_t i = 1; i < big; i++)
            if (c->rows_in[c->seen[i]] < c->rows_in[c->seen[least]])
                least = i;
        *rest += c->rows_in[c->seen[least]];
        SWAP(int32_t, c->seen[least], c->seen[big - 1]);
    }
    return big;
}

/* Cut rows[a .. b) into the children of their node; children of fewer than k rows stay together with the node. Returns what that saves, or
   -1 where there is no cut; *n_parts parts. */
static double cut_tree(Cutter *c, int32_t j, int64_t a, int64_t b, int32_t *n_parts)
{
    const double *price = prices_of(&c->t, j);
    int32_t node = leaf_of(&c->t, c->rows[a], j);
    int64_t all = 0, rest = 0;
    for (int64_t i = a; i < b; i++)
        node = join_in(&c->t, j, node, leaf_of(&c->t, c->rows[i], j));
    int32_t n_seen = meet_children(c, j, a, b, node, &all);
    if (n_seen < 0)
        return -1;
    int32_t big = choose_children(c, n_seen, &rest);
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

ORDER(by_leaf, Value, a->leaf < b->leaf)

/* Where n sorted values are cut nearest to the middle, with k rows on both sides; -1 for nowhere. *left rows are before the cut. */
static int64_t median_of(const Value *value, int64_t n, int64_t k, int64_t all, int64_t *left)
{
    int64_t below = 0, best = -1, distance = 0;
    for (int64_t i = 0; i + 1 < n; i++) {
        below += value[i].rows;
        if (value[i].leaf == value[i + 1].leaf || below < k || all - below < k)
            continue;
        int64_t off = llabs(2 * below - all);
        if (best < 0 || off < distance)
            best = i, distance = off, *left = below;
    }
    return best;
}

/* Cut rows[a .. b) at the median of an ordered column; equal values stay together. */
static double cut_median(Cutter *c, int32_t j, int64_t a, int64_t b, int32_t *n_parts)
{
    Value *value = c->value;
    int64_t n = b - a, all = 0, left = 0;
    for (int64_t i = 0; i < n; i++)
        value[i] = (Value){leaf_of(&c->t, c->rows[a + i], j), c->t.weight[c->rows[a + i]]}, all += value[i].rows;
    qsort(value, (size_t)n, sizeof *value, by_leaf);
    int64_t best = median_of(value, n, c->k, all, &left);
    if (best < 0)
        return -1;
    double unit = c->t.price[c->t.first[j + 1] - 1] / (c->n_leaves[j] > 1 ? c->n_leaves[j] - 1 : 1);
    for (int64_t i = a; i < b; i++)
        c->part[i - a] = leaf_of(&c->t, c->rows[i], j) > value[best].leaf;
    *n_parts = 2;
    return unit * ((double)all * (value[n - 1].leaf - value[0].leaf) - (double)left * (value[best].leaf - value[0].leaf) -
                   (double)(all - left) * (value[n - 1].leaf - value[best + 1].leaf));
}

/* The best cut of rows[a .. b): how many parts, their numbers in `best`; fewer than two for none. */
static int32_t choose_cut(Cutter *c, int64_t a, int64_t b)
{
    double most = -1;
    int32_t n_best = 0, n_parts = 0;
    for (int32_t j = 0; j < c->t.q; j++) {
        double saved = c->ordered[j] ? cut_median(c, j, a, b, &n_parts) : cut_tree(c, j, a, b, &n_parts);
        if (saved > most) {
            most = saved, n_best = n_parts;
            SWAP(int32_t *, c->best, c->part);
        }
    }
    return n_best;
}

/* Lay rows[a .. b) out by their parts, and put the parts onto the stack, the first on top. */
static void cut(Cutter *c, int64_t a, int64_t b, int32_t n_parts)
{
    int64_t *start = c->start;
    memset(start, 0, ((size_t)n_parts + 1) * sizeof *start);
    for (int64_t i = 0; i < b - a; i++)
        start[c->best[i] + 1]++;
    for (int32_t p = 0; p < n_parts; p++)
        start[p + 1] += start[p];
    for (int32_t p = n_parts; p-- > 0; c->depth++)
        c->stack[2 * c->depth] = a + start[p], c->stack[2 * c->depth + 1] = a + start[p + 1];
    for (int64_t i = 0; i < b - a; i++)
        c->spare[start[c->best[i]]++] = c->rows[a + i];
    memcpy(c->rows + a, c->spare, (size_t)(b - a) * sizeof *c->rows);
}

int64_t shoal_mondrian(const shoal_table *t, const int32_t *n_leaves, const int32_t *ordered, int64_t k, int32_t *group)
{
    Bag bag = {0};
    int64_t n = t->n, nodes = t->first[t->q], found = 0;
    Cutter c = {.t = *t, .n_leaves = n_leaves, .ordered = ordered, .k = k};
    TAKE(&bag, c.rows, n), TAKE(&bag, c.spare, n), TAKE(&bag, c.part, n), TAKE(&bag, c.best, n), TAKE(&bag, c.value, n);
    TAKE_ZEROS(&bag, c.rows_in, nodes), TAKE(&bag, c.lowest, nodes), TAKE(&bag, c.seen, nodes), TAKE(&bag, c.stack, 2 * n + 1);
    TAKE(&bag, c.start, n + 1);
    for (int64_t i = 0; !bag.failed && i < n; i++)
        c.rows[i] = (int32_t)i;
    if (!bag.failed && n)
        c.stack[0] = 0, c.stack[1] = n, c.depth = 1;
    while (c.depth > 0) {
        c.depth--;
        int64_t a = c.stack[2 * c.depth], b = c.stack[2 * c.depth + 1];
        int32_t n_parts = choose_cut(&c, a, b);
        if (n_parts >= 2) {
            cut(&c, a, b, n_parts);
            continue;
        }
        for (int64_t i = a; i < b; i++)
            group[c.rows[i]] = (int32_t)found;
        found++;
    }
    return bag_end(&bag, found);
}
