/* The vantage-point tree, and what is asked of it point by point. */
#include "near.h"

void shoal_list_free(shoal_list *list)
{
    free(list->at);
    free(list->d);
    *list = (shoal_list){0};
}

void shoal_space_distances(const shoal_space *s, const int32_t *a, const int32_t *b, int64_t n, double *out)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = distance(s, a[i], b[i], INFINITY);
}

/* ---- the tree ---- */

/* Put the `k` smallest of order[from, to) by distance first (Hoare's selection; equal distances by number). */
static void select_nearest(int32_t *order, double *d, int32_t from, int32_t to, int32_t k)
{
    while (to - from > 1) {
        int32_t pivot_at = from + (to - from) / 2, pivot = order[pivot_at];
        double at = d[pivot_at];
        int32_t i = from, j = to - 1;
        while (i <= j) {
            while (d[i] < at || (d[i] == at && order[i] < pivot))
                i++;
            while (d[j] > at || (d[j] == at && order[j] > pivot))
                j--;
            if (i <= j) {
                SWAP(int32_t, order[i], order[j]);
                SWAP(double, d[i], d[j]);
                i++, j--;
            }
        }
        if (k <= j)
            to = j + 1;
        else if (k >= i)
            from = i;
        else
            return;
    }
}

/* Bring a point at the rim to the front: it splits best. */
static void choose_vantage(const shoal_space *s, int32_t *order, int32_t from, int32_t to)
{
    int32_t farthest = from, first = order[from];
    double most = -1;
    for (int32_t i = from; i < to; i++) {
        double x = distance(s, first, order[i], INFINITY);
        if (x > most)
            most = x, farthest = i;
    }
    order[from] = order[farthest];
    order[farthest] = first;
}

static int32_t add_node(shoal_tree *t, int32_t from, int32_t to, int32_t up)
{
    int32_t node = t->n_nodes++;
    t->start[node] = from;
    t->end[node] = to;
    t->up[node] = up;
    t->left[node] = t->right[node] = -1;
    memset(t->bounds + 4 * (int64_t)node, 0, 4 * sizeof *t->bounds);
    return node;
}

static void split_node(const shoal_space *s, shoal_tree *t, int32_t node, double *d)
{
    int32_t from = t->start[node], to = t->end[node], half = from + 1 + (to - from - 1) / 2;
    double *b = t->bounds + 4 * (int64_t)node;
    choose_vantage(s, t->order, from, to);
    t->leaf_of[from] = node;
    for (int32_t i = from + 1; i < to; i++)
        d[i] = distance(s, t->order[from], t->order[i], INFINITY);
    select_nearest(t->order, d, from + 1, to, half);
    b[0] = b[2] = INFINITY;
    for (int32_t i = from + 1; i < to; i++) {
        double *side = i < half ? b : b + 2;
        side[0] = d[i] < side[0] ? d[i] : side[0];
        side[1] = d[i] > side[1] ? d[i] : side[1];
    }
    t->left[node] = add_node(t, from + 1, half, node);
    t->right[node] = add_node(t, half, to, node);
}

int64_t shoal_space_build_tree(shoal_space *s, int32_t leaf)
{
    shoal_tree *t = &s->tree;
    double *d = malloc((size_t)(s->n + 1) * sizeof *d);
    if (!d)
        return SHOAL_NO_MEMORY;
    for (int32_t i = 0; i < s->n; i++)
        t->order[i] = i;
    t->n_nodes = 0;
    add_node(t, 0, s->n, -1);
    for (int32_t node = 0; node < t->n_nodes; node++) {
        if (t->end[node] - t->start[node] > leaf)
            split_node(s, t, node, d);
        else
            for (int32_t i = t->start[node]; i < t->end[node]; i++)
                t->leaf_of[i] = node;
    }
    free(d);
    return t->n_nodes;
}

void shoal_space_node_weights(const shoal_space *s, const int64_t *weight, int64_t *node_weight)
{
    for (int32_t node = s->tree.n_nodes - 1; node >= 0; node--) {
        node_weight[node] = 0;
        for (int32_t p = s->tree.start[node]; p < end_of_own(s, node); p++)
            node_weight[node] += weight[p];
        if (!is_leaf(s, node))
            node_weight[node] += node_weight[s->tree.left[node]] + node_weight[s->tree.right[node]];
    }
}

/* ---- around each of some points ---- */

int64_t shoal_space_rth_distance(const shoal_space *s, const shoal_load *load, shoal_points which, int64_t r, double *out)
{
    Near *heap = malloc((size_t)((r < s->n ? r : s->n) + 2) * sizeof *heap);
    if (!heap)
        return SHOAL_NO_MEMORY;
    for (int64_t i = 0; i < which.n; i++)
        out[i] = nearest_by_weight(s, load, which.point[i], r, heap) > 0 ? heap[0].d : INFINITY;
    free(heap);
    return SHOAL_OK;
}

int64_t shoal_space_nearest(const shoal_space *s, const shoal_load *load, shoal_points which, int64_t many, int32_t *at, double *d)
{
    Near *heap = malloc((size_t)(many + 2) * sizeof *heap);
    if (!heap)
        return SHOAL_NO_MEMORY;
    for (int64_t i = 0; i < which.n; i++) {
        int64_t n = nearest_by_number(s, load, which.point[i], many, heap);
        qsort(heap, (size_t)n, sizeof *heap, by_distance);
        for (int64_t j = 0; j < many; j++)
            at[i * many + j] = j < n ? heap[j].at : -1, d[i * many + j] = j < n ? heap[j].d : INFINITY;
    }
    free(heap);
    return SHOAL_OK;
}

int64_t shoal_space_balls(const shoal_space *s, const shoal_load *load, shoal_points centres, const double *radius, int64_t *first,
                          shoal_list *out)
{
    first[0] = 0;
    for (int64_t i = 0; i < centres.n; i++) {
        if (!collect(s, load, centres.point[i], radius[i], out))
            return SHOAL_NO_MEMORY;
        first[i + 1] = out->n;
    }
    return out->n;
}

int64_t shoal_space_counts(const shoal_space *s, const shoal_load *load, shoal_points which, const double *radius, int64_t stop, int64_t *out)
{
    for (int64_t i = 0; i < which.n; i++)
        out[i] = weight_within(s, load, which.point[i], radius[i], stop);
    return SHOAL_OK;
}

/* ---- between all points ---- */

/* The pairs of q with a later point: the distances between low and high. */
static int distances_from(const shoal_space *s, int32_t q, double low, double high, shoal_list *out)
{
    int32_t stack[DEPTH];
    stack[0] = 0;
    for (int top = 1; top;) {
        int32_t node = stack[--top];
        if (s->tree.end[node] <= q)
            continue;
        int leaf = is_leaf(s, node);
        const double *b = around(s, node);
        double widest = widest_of(b), dq = 0, limit = leaf ? high : high + widest + slack(high, widest);
        int32_t from = s->tree.start[node], to = end_of_own(s, node);
        if (!grow_list(out, to - from))
            return 0;
        for (int32_t p = from; p < to; p++) {
            dq = distance(s, q, p, limit);
            if (p > q && dq > low && dq < high)
                append(out, p, dq);
        }
        for (int turn = 0; turn < 2 && !leaf; turn++) {
            double rim = b[2 * turn + 1];
            if (at_least(dq, b[2 * turn], rim) < high + slack(dq, rim) && dq + rim + slack(dq, rim) > low)
                stack[top++] = turn ? s->tree.right[node] : s->tree.left[node];
        }
    }
    return 1;
}

int64_t shoal_space_between(const shoal_space *s, double low, double high, int64_t most, shoal_list *out)
{
    for (int32_t q = 0; q < s->n && out->n < most; q++)
        if (!distances_from(s, q, low, high, out))
            return SHOAL_NO_MEMORY;
    return out->n;
}

/* The least t of a point in each node. */
static void least_by_node(const shoal_space *s, const double *t, double *least)
{
    for (int32_t node = s->tree.n_nodes - 1; node >= 0; node--) {
        least[node] = INFINITY;
        for (int32_t p = s->tree.start[node]; p < end_of_own(s, node); p++)
            least[node] = t[p] < least[node] ? t[p] : least[node];
        for (int turn = 0; turn < 2 && !is_leaf(s, node); turn++) {
            double below = least[turn ? s->tree.right[node] : s->tree.left[node]];
            least[node] = below < least[node] ? below : least[node];
        }
    }
}

static double cheapest_around(const shoal_space *s, const double *t, const double *least, int32_t q, int32_t *which)
{
    Waiting stack[DEPTH];
    double best = t[q];
    int top = 0;
    *which = q;
    stack[top++] = (Waiting){0, 0};
    while (top) {
        Waiting w = stack[--top];
        if (w.least >= best || least[w.node] >= best)
            continue;
        int leaf = is_leaf(s, w.node);
        const double *b = around(s, w.node);
        double widest = widest_of(b), dq = 0;
        for (int32_t p = s->tree.start[w.node]; p < end_of_own(s, w.node); p++) {
            if (leaf && t[p] >= best)
                continue;
            dq = distance(s, q, p, leaf ? best : best + widest + slack(widest, 0));
            double ball = dq > t[p] ? dq : t[p];
            if (ball < best)
                best = ball, *which = p;
        }
        if (!leaf)
            top = push_children(s, w.node, dq, slack(dq, b[1]), slack(dq, b[3]), stack, top);
    }
    return best;
}

int64_t shoal_space_cheapest_ball(const shoal_space *s, const double *t, double *value, int32_t *which)
{
    double *least = malloc((size_t)(s->tree.n_nodes + 1) * sizeof *least);
    if (!least)
        return SHOAL_NO_MEMORY;
    least_by_node(s, t, least);
    for (int32_t q = 0; q < s->n; q++)
        value[q] = cheapest_around(s, t, least, q, which + q);
    free(least);
    return SHOAL_OK;
}
