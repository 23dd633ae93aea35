#include "walk.h"
#include <float.h>

void walk_new(Walk *w, const shoal_table *t, int64_t k, int64_t cap, Bag *bag)
{
    int64_t n = t->n + 1, q = t->q, nodes = t->first[q];
    *w = (Walk){.t = *t, .k = k, .cap = cap};
    TAKE(bag, w->order, q), TAKE(bag, w->node, q), TAKE(bag, w->rank, nodes), TAKE(bag, w->end, nodes);
    TAKE(bag, w->rows, (q + 1) * n), TAKE(bag, w->held, q * n), TAKE(bag, w->opened, q * n);
    TAKE(bag, w->bucket, widest_tree(t) + 1), TAKE(bag, w->spare, n);
    if (bag->failed)
        return;
    for (int32_t j = 0; j < q; j++) {
        rank_tree(tree_of(t, j), n_nodes_of(t, j), w->rank + t->first[j], w->end + t->first[j], w->bucket);
        int32_t i = j; /* dearest column first */
        double p = t->price[t->first[j + 1] - 1];
        for (; i > 0 && t->price[t->first[w->order[i - 1] + 1] - 1] < p; i--)
            w->order[i] = w->order[i - 1];
        w->order[i] = j;
    }
}

void walk_offsets(Walk *w, const double *offset, double *of_tuple, Bag *bag)
{
    const shoal_table *t = &w->t;
    TAKE(bag, w->taken, t->q), TAKE_ZEROS(bag, w->off, t->first[t->q]);
    if (bag->failed)
        return;
    w->taken[0] = 0.0;
    for (int32_t d = 0; d < t->q; d++) { /* sums in the order of the walk, so that rounding keeps them below its prices */
        const double *each = offset + t->first[w->order[d]];
        double *most = w->off + t->first[w->order[d]];
        for (int64_t i = 0; i < t->n; i++) {
            int32_t leaf = leaf_of(t, i, w->order[d]);
            of_tuple[i] = (d ? of_tuple[i] : 0.0) + each[leaf];
            most[leaf] = each[leaf];
        }
        for (int64_t v = 0; v + 1 < n_nodes_of(t, w->order[d]); v++) {
            int32_t up = tree_of(t, w->order[d])[v];
            most[up] = most[v] > most[up] ? most[v] : most[up];
        }
    }
}

static inline int32_t key_of(const Walk *w, int32_t tuple, int32_t j) { return w->rank[w->t.first[j] + leaf_of(&w->t, tuple, j)]; }

static void sort_few(const Walk *w, const int32_t *in, int32_t m, int32_t j, int32_t *out)
{
    for (int32_t i = 0; i < m; i++) {
        int32_t tuple = in[i], key = key_of(w, tuple, j), at = i;
        for (; at > 0 && key_of(w, out[at - 1], j) > key; at--)
            out[at] = out[at - 1];
        out[at] = tuple;
    }
}

static void sort_by_buckets(Walk *w, const int32_t *in, int32_t m, int32_t j, int64_t leaves, int32_t *out)
{
    memset(w->bucket, 0, (size_t)(leaves + 1) * sizeof *w->bucket);
    for (int32_t i = 0; i < m; i++)
        w->bucket[key_of(w, in[i], j) + 1]++;
    for (int64_t r = 0; r < leaves; r++)
        w->bucket[r + 1] += w->bucket[r];
    for (int32_t i = 0; i < m; i++)
        out[w->bucket[key_of(w, in[i], j)]++] = in[i];
}

static void sort_by_merging(Walk *w, const int32_t *in, int32_t m, int32_t j, int32_t *out)
{
    memcpy(out, in, (size_t)m * sizeof *out);
    int32_t *from = out, *to = w->spare;
    for (int32_t width = 1; width < m; width *= 2) {
        for (int32_t lo = 0; lo < m; lo += 2 * width) {
            int32_t mid = lo + width < m ? lo + width : m, hi = mid + width < m ? mid + width : m, a = lo, b = mid;
            for (int32_t at = lo; at < hi; at++)
                to[at] = a < mid && (b >= hi || key_of(w, from[a], j) <= key_of(w, from[b], j)) ? from[a++] : from[b++];
        }
        SWAP(int32_t *, from, to);
    }
    if (from != out)
        memcpy(out, from, (size_t)m * sizeof *out);
}

/* Stable sort of tuples by their place in column j, into out. */
static void sort_tuples(Walk *w, const int32_t *in, int32_t m, int32_t j, int32_t *out)
{
    int64_t leaves = w->end[w->t.first[j + 1] - 1];
    if (m <= 24)
        sort_few(w, in, m, j, out);
    else if (leaves <= 4 * (int64_t)m)
        sort_by_buckets(w, in, m, j, leaves, out);
    else
        sort_by_merging(w, in, m, j, out);
}

/* Whether the nodes chosen so far are still the lowest that cover these tuples. */
static int is_closed(const Walk *w, int32_t depth, const int32_t *rows, int32_t m)
{
    for (int32_t i = 0; i < depth; i++) {
        int32_t j = w->order[i], node = w->node[j], reached = leaf_of(&w->t, rows[0], j);
        for (int32_t r = m - 1; reached != node; r--) {
            if (r <= 0)
                return 0;
            reached = join_in(&w->t, j, reached, leaf_of(&w->t, rows[r], j));
        }
    }
    return 1;
}

static void walk_layer(Walk *w, int32_t depth, const int32_t *in, int32_t m, double price, int64_t opened);

static void walk_run(Walk *w, int32_t depth, int32_t a, int32_t b, double price)
{
    int32_t j = w->order[depth];
    int64_t layer = (int64_t)depth * (w->t.n + 1);
    const int32_t *rows = w->rows + layer, *parent = tree_of(&w->t, j);
    int64_t held = w->held[layer + b] - w->held[layer + a], opened = w->opened[layer + b] - w->opened[layer + a];
    if (w->stop || held < w->k || opened <= 0 || !is_closed(w, depth, rows + a, b - a))
        return;
    int32_t low = leaf_of(&w->t, rows[a], j), high = leaf_of(&w->t, rows[b - 1], j), node = join(parent, low, high);
    double p = price + prices_of(&w->t, j)[node], each = p;
    if (w->off) {
        w->taken[depth + 1] = w->taken[depth] + w->off[w->t.first[j] + node];
        each = (double)w->k * (p - w->taken[depth + 1]);
    }
    each /= (double)(opened < w->cap ? opened : w->cap);
    if (each < w->limit) {
        w->node[j] = node;
        walk_layer(w, depth + 1, rows + a, b - a, p, opened);
    } else if (each < w->least)
        w->least = each;
    if (low == high)
        return;
    for (int32_t from = a; from < b;) { /* the children of the node that have tuples here */
        int32_t last = w->end[w->t.first[j] + child_above(parent, leaf_of(&w->t, rows[from], j), node)], to = from + 1;
        while (to < b && key_of(w, rows[to], j) < last)
            to++;
        walk_run(w, depth, from, to, price);
        from = to;
    }
}

static void walk_layer(Walk *w, int32_t depth, const int32_t *in, int32_t m, double price, int64_t opened)
{
    if (depth == w->t.q) {
        w->visit(w, in, m, price, opened);
        return;
    }
    int64_t layer = (int64_t)depth * (w->t.n + 1);
    int32_t *rows = w->rows + layer;
    int64_t *h = w->held + layer, *o = w->opened + layer;
    sort_tuples(w, in, m, w->order[depth], rows);
    h[0] = o[0] = 0;
    for (int32_t i = 0; i < m; i++)
        h[i + 1] = h[i] + w->t.weight[rows[i]], o[i + 1] = o[i] + (w->open ? w->open[rows[i]] : w->t.weight[rows[i]]);
    walk_run(w, depth, 0, m, price);
}

void walk_all(Walk *w)
{
    int32_t *all = w->rows + w->t.q * (w->t.n + 1), n = (int32_t)w->t.n;
    for (int32_t tuple = 0; tuple < n; tuple++)
        all[tuple] = tuple;
    w->least = DBL_MAX;
    w->stop = 0;
    if (n)
        walk_layer(w, 0, all, n, 0.0, 0);
}
