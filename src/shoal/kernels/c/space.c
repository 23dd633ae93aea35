/* Points of a metric space in a vantage-point tree: neighbours, counts, covers. Points are numbered in the tree's order. */
#include "space.h"
#include "near.inc"

void shoal_space_list_free(shoal_list *list)
{
    free(list->at);
    free(list->d);
    memset(list, 0, sizeof *list);
}

void shoal_space_distances(const shoal_space *s, const int32_t *a, const int32_t *b, int64_t n, double *out)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = distance(s, a[i], b[i], INFINITY);
}

/* Put the `k` smallest of order[from, to) by distance first (Hoare's selection; equal distances by number). */
static void split(int32_t *order, double *d, int32_t from, int32_t to, int32_t k)
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
                int32_t o = order[i];
                double x = d[i];
                order[i] = order[j];
                d[i] = d[j];
                order[j] = o;
                d[j] = x;
                i++;
                j--;
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

/* The points of a leaf in a row; of any other node, its vantage point, then the nearer half, then the farther. Returns the number of nodes, -1 for no memory. */
int32_t shoal_space_build_tree(const shoal_space *s, int32_t leaf, int32_t *order, int32_t *start, int32_t *end, int32_t *mid, int32_t *left,
                         int32_t *right, int32_t *up, double *bounds, int32_t *leaf_of)
{
    double *d = malloc((size_t)(s->n ? s->n : 1) * sizeof *d);
    if (!d)
        return -1;
    for (int32_t i = 0; i < s->n; i++)
        order[i] = i;
    int32_t n_nodes = 1;
    start[0] = 0;
    end[0] = s->n;
    up[0] = -1;
    for (int32_t node = 0; node < n_nodes; node++) {
        int32_t from = start[node], to = end[node];
        left[node] = right[node] = -1;
        mid[node] = to;
        memset(bounds + 4 * (int64_t)node, 0, 4 * sizeof *bounds);
        if (to - from <= leaf) {
            for (int32_t i = from; i < to; i++)
                leaf_of[i] = node;
            continue;
        }
        int32_t farthest = from; /* from the first point: a point at the rim splits best */
        double most = -1;
        for (int32_t i = from; i < to; i++) {
            double x = distance(s, order[from], order[i], INFINITY);
            if (x > most) {
                most = x;
                farthest = i;
            }
        }
        int32_t o = order[from];
        order[from] = order[farthest];
        order[farthest] = o;
        leaf_of[from] = node;
        for (int32_t i = from + 1; i < to; i++)
            d[i] = distance(s, order[from], order[i], INFINITY);
        int32_t half = from + 1 + (to - from - 1) / 2;
        split(order, d, from + 1, to, half);
        double *b = bounds + 4 * (int64_t)node;
        b[0] = b[2] = INFINITY;
        for (int32_t i = from + 1; i < to; i++) {
            double *side = i < half ? b : b + 2;
            if (d[i] < side[0])
                side[0] = d[i];
            if (d[i] > side[1])
                side[1] = d[i];
        }
        mid[node] = half;
        left[node] = n_nodes;
        start[n_nodes] = from + 1;
        end[n_nodes] = half;
        up[n_nodes++] = node;
        right[node] = n_nodes;
        start[n_nodes] = half;
        end[n_nodes] = to;
        up[n_nodes++] = node;
    }
    free(d);
    return n_nodes;
}

void shoal_space_node_weights(const shoal_space *s, const int64_t *w, int64_t *nw)
{
    for (int32_t node = s->n_nodes - 1; node >= 0; node--) {
        nw[node] = 0;
        if (s->left[node] < 0)
            for (int32_t p = s->start[node]; p < s->end[node]; p++)
                nw[node] += w[p];
        else
            nw[node] = w[s->start[node]] + nw[s->left[node]] + nw[s->right[node]];
    }
}

/* The least radius of a ball around each point that weighs r; infinity where all points weigh less. */
int32_t shoal_space_rth_distance(const shoal_space *s, const int64_t *w, const int64_t *nw, const int32_t *which, int64_t n_which, int64_t r,
                           double *out)
{
    int64_t room = r < s->n ? r : s->n;
    near_one *heap = malloc((size_t)(room + 2) * sizeof *heap);
    if (!heap)
        return -1;
    for (int64_t i = 0; i < n_which; i++) {
        int64_t n = nearest_of(s, w, nw, which[i], r, 0, heap);
        out[i] = n > 0 ? heap[0].d : INFINITY;
    }
    free(heap);
    return 0;
}

static int by_distance(const void *a, const void *b)
{
    const near_one *x = a, *y = b;
    return farther(x, y) - farther(y, x);
}

/* The `many` nearest points of each, nearest first; -1 where there are no more. */
int32_t shoal_space_nearest(const shoal_space *s, const int64_t *w, const int64_t *nw, const int32_t *which, int64_t n_which, int64_t many,
                      int32_t *at, double *d)
{
    near_one *heap = malloc((size_t)(many + 2) * sizeof *heap);
    if (!heap)
        return -1;
    for (int64_t i = 0; i < n_which; i++) {
        int64_t n = nearest_of(s, w, nw, which[i], many, 1, heap);
        qsort(heap, (size_t)n, sizeof *heap, by_distance);
        for (int64_t j = 0; j < many; j++) {
            at[i * many + j] = j < n ? heap[j].at : -1;
            d[i * many + j] = j < n ? heap[j].d : INFINITY;
        }
    }
    free(heap);
    return 0;
}

/* The points within radius[i] of centres[i], one list after the other. */
int32_t shoal_space_balls(const shoal_space *s, const int64_t *w, const int64_t *nw, const int32_t *centres, const double *radius,
                    int64_t n_centres, int64_t *first, shoal_list *out)
{
    first[0] = 0;
    for (int64_t i = 0; i < n_centres; i++) {
        if (!collect(s, w, nw, centres[i], radius[i], out))
            return -1;
        first[i + 1] = out->n;
    }
    return 0;
}

int32_t shoal_space_counts(const shoal_space *s, const int64_t *w, const int64_t *nw, const int32_t *which, int64_t n_which,
                     const double *radius, int64_t stop, int64_t *out)
{
    for (int64_t i = 0; i < n_which; i++)
        out[i] = weight_within(s, w, nw, which[i], radius[i], stop);
    return 0;
}

/* For each point p the least max(distance to c, t(c)) over all points c: the cheapest ball that holds p and enough others. */
int32_t shoal_space_cheapest_ball(const shoal_space *s, const double *t, double *value, int32_t *which)
{
    double *least = malloc((size_t)s->n_nodes * sizeof *least);
    if (!least)
        return -1;
    for (int32_t node = s->n_nodes - 1; node >= 0; node--) {
        least[node] = INFINITY;
        for (int32_t p = s->start[node]; p < (s->left[node] < 0 ? s->end[node] : s->start[node] + 1); p++)
            if (t[p] < least[node])
                least[node] = t[p];
        for (int turn = 0; turn < 2 && s->left[node] >= 0; turn++) {
            double below = least[turn ? s->right[node] : s->left[node]];
            if (below < least[node])
                least[node] = below;
        }
    }
    for (int32_t q = 0; q < s->n; q++) {
        int32_t stack[DEPTH];
        double from_below[DEPTH];
        int top = 0;
        double best = t[q];
        int32_t at = q;
        stack[top] = 0;
        from_below[top++] = 0;
        while (top) {
            int32_t node = stack[--top];
            if (from_below[top] >= best || least[node] >= best)
                continue;
            int is_leaf = s->left[node] < 0;
            const double *b = around(s, node);
            double widest = b[1] > b[3] ? b[1] : b[3], dq = 0;
            for (int32_t p = s->start[node]; p < (is_leaf ? s->end[node] : s->start[node] + 1); p++) {
                if (is_leaf && t[p] >= best)
                    continue;
                dq = distance(s, q, p, is_leaf ? best : best + widest + slack(widest, 0));
                double ball = dq > t[p] ? dq : t[p];
                if (ball < best) {
                    best = ball;
                    at = p;
                }
            }
            if (is_leaf)
                continue;
            double a_left = at_least(dq, b[0], b[1]) - slack(dq, b[1]), a_right = at_least(dq, b[2], b[3]) - slack(dq, b[3]);
            int left_last = a_left < a_right || (a_left == a_right && dq <= b[1]);
            for (int turn = 0; turn < 2; turn++) {
                int left = turn == 1 ? left_last : !left_last;
                stack[top] = left ? s->left[node] : s->right[node];
                from_below[top++] = left ? a_left : a_right;
            }
        }
        value[q] = best;
        which[q] = at;
    }
    free(least);
    return 0;
}

/* Remove points until every one left has weight r within `reach` among those left. Returns the weight removed, -1 once it
   passes `most`, -2 for no memory. t holds each point's r-th distance among all points. */
int64_t shoal_space_peel(const shoal_space *s, int64_t *w, int64_t *nw, const int32_t *leaf_of, const double *t, double reach, int64_t r,
                   int64_t most, uint8_t *gone)
{
    int32_t *queue = malloc((size_t)(s->n ? s->n : 1) * sizeof *queue);
    shoal_list near = {0};
    if (!queue)
        return -2;
    int64_t n_queue = 0, removed = 0, answer = 0;
    for (int32_t p = 0; p < s->n; p++)
        if ((gone[p] = w[p] && t[p] > reach))
            queue[n_queue++] = p, removed += w[p];
    if (removed > most)
        answer = -1;
    for (int64_t i = 0; i < n_queue && !answer; i++)
        take_out(s, w, nw, leaf_of, queue[i]);
    for (int64_t i = 0; i < n_queue && !answer; i++) {
        near.n = 0;
        if (!collect(s, w, nw, queue[i], reach, &near))
            answer = -2;
        for (int64_t j = 0; j < near.n && !answer; j++) {
            int32_t u = near.at[j];
            if (weight_within(s, w, nw, u, reach, r) >= r)
                continue;
            gone[u] = 1;
            queue[n_queue++] = u;
            removed += w[u];
            take_out(s, w, nw, leaf_of, u);
            if (removed > most)
                answer = -1;
        }
    }
    free(queue);
    shoal_space_list_free(&near);
    return answer ? answer : removed;
}

/* Go through `order`: a point not yet taken that has weight `least` of untaken points within `reach` becomes a centre and takes
   them. Returns the number of centres, -1 for no memory. What is not taken keeps its weight and centre -1. */
int64_t shoal_space_mark(const shoal_space *s, int64_t *w, int64_t *nw, const int32_t *leaf_of, const int32_t *order, int64_t n_order,
                   double reach, int64_t least, int32_t *centre_of, int32_t *centres)
{
    shoal_list near = {0};
    int64_t n_centres = 0;
    for (int64_t i = 0; i < n_order; i++) {
        int32_t p = order[i];
        if (!w[p] || (least > 1 && weight_within(s, w, nw, p, reach, least) < least))
            continue;
        near.n = 0;
        if (!collect(s, w, nw, p, reach, &near)) {
            n_centres = -1;
            break;
        }
        for (int64_t j = 0; j < near.n; j++) {
            centre_of[near.at[j]] = (int32_t)n_centres;
            take_out(s, w, nw, leaf_of, near.at[j]);
        }
        centres[n_centres++] = p;
    }
    shoal_space_list_free(&near);
    return n_centres;
}

/* Each next centre is the point farthest from those before it (the lowest number among equals). */
int64_t shoal_space_farthest_first(const shoal_space *s, int64_t most, int32_t *centres, double *apart, int32_t *nearest, double *d)
{
    int32_t next = 0;
    int64_t n_centres = 0;
    double gap = INFINITY;
    for (int32_t p = 0; p < s->n; p++)
        d[p] = INFINITY;
    while (n_centres < most && gap > 0) {
        centres[n_centres] = next;
        apart[n_centres] = gap;
        int32_t from = next;
        gap = -1;
        for (int32_t p = 0; p < s->n; p++) {
            double x = distance(s, from, p, d[p]);
            if (x < d[p]) {
                d[p] = x;
                nearest[p] = (int32_t)n_centres;
            }
            if (d[p] > gap) {
                gap = d[p];
                next = p;
            }
        }
        n_centres++;
    }
    return n_centres;
}

/* A heap of nodes and points by how much weight one of theirs may have within reach, most first. */
typedef struct {
    int64_t most;
    int32_t at; /* a point, or -1 - node */
    int32_t step;
} hope;

static inline int better(const hope *a, const hope *b)
{
    return a->most > b->most || (a->most == b->most && a->at > b->at);
}

typedef struct {
    hope *heap;
    int64_t n, room;
} hopes;

static int push_hope(hopes *h, hope one)
{
    if (h->n == h->room) {
        int64_t room = h->room ? 2 * h->room : 256;
        hope *heap = realloc(h->heap, (size_t)room * sizeof *heap);
        if (!heap)
            return 0;
        h->heap = heap;
        h->room = room;
    }
    int64_t i = h->n++;
    h->heap[i] = one;
    while (i && better(h->heap + i, h->heap + (i - 1) / 2)) {
        hope x = h->heap[i];
        h->heap[i] = h->heap[(i - 1) / 2];
        h->heap[(i - 1) / 2] = x;
        i = (i - 1) / 2;
    }
    return 1;
}

static hope pop_hope(hopes *h)
{
    hope top = h->heap[0];
    h->heap[0] = h->heap[--h->n];
    for (int64_t i = 0;;) {
        int64_t child = 2 * i + 1;
        if (child >= h->n)
            break;
        if (child + 1 < h->n && better(h->heap + child + 1, h->heap + child))
            child++;
        if (!better(h->heap + child, h->heap + i))
            break;
        hope x = h->heap[i];
        h->heap[i] = h->heap[child];
        h->heap[child] = x;
        i = child;
    }
    return top;
}

/* Up to `most` times: the untaken point with the most untaken weight within `reach` takes all untaken within `wide`. */
int64_t shoal_space_cover(const shoal_space *s, int64_t *w, int64_t *nw, const int32_t *leaf_of, double reach, double wide, int64_t most,
                    int64_t enough, int32_t *centres)
{
    hopes h = {0};
    shoal_list near = {0};
    hope root = {INT64_MAX, -1, 0};
    int64_t n_centres = 0, taken = 0;
    int ok = push_hope(&h, root);
    while (ok && h.n && n_centres < most && taken < enough) {
        hope one = pop_hope(&h);
        if (one.at < 0) {
            int32_t node = -1 - one.at;
            if (!nw[node])
                continue;
            int is_leaf = s->left[node] < 0;
            for (int32_t p = s->start[node]; ok && p < (is_leaf ? s->end[node] : s->start[node] + 1); p++) {
                hope point = {one.most, p, -1};
                if (w[p])
                    ok = push_hope(&h, point);
            }
            for (int turn = 0; ok && !is_leaf && turn < 2; turn++) {
                int32_t child = turn ? s->right[node] : s->left[node];
                hope below = {one.most, -1 - child, 0};
                if (!nw[child])
                    continue;
                if (s->left[child] >= 0) {
                    const double *b = around(s, child);
                    double widest = b[1] > b[3] ? b[1] : b[3];
                    double limit = reach + widest + slack(reach, widest);
                    int64_t bound = weight_within(s, w, nw, s->start[child], limit, one.most);
                    if (bound < below.most)
                        below.most = bound;
                }
                ok = push_hope(&h, below);
            }
            continue;
        }
        if (!w[one.at])
            continue;
        if (one.step != n_centres) {
            one.most = weight_within(s, w, nw, one.at, reach, INT64_MAX);
            one.step = (int32_t)n_centres;
            if (h.n && better(h.heap, &one)) {
                ok = push_hope(&h, one);
                continue;
            }
        }
        near.n = 0;
        ok = collect(s, w, nw, one.at, wide, &near);
        for (int64_t j = 0; ok && j < near.n; j++) {
            taken += w[near.at[j]];
            take_out(s, w, nw, leaf_of, near.at[j]);
        }
        centres[n_centres++] = one.at;
    }
    free(h.heap);
    shoal_space_list_free(&near);
    return ok ? n_centres : -1;
}

/* The distances of two points above `low` and below `high`, each pair once, until there are `most`. Returns 0, or -1 for no memory. */
int32_t shoal_space_between(const shoal_space *s, double low, double high, int64_t most, shoal_list *out)
{
    for (int32_t q = 0; q < s->n && out->n < most; q++) {
        int32_t stack[DEPTH];
        int top = 0;
        stack[top++] = 0;
        while (top) {
            int32_t node = stack[--top];
            if (s->end[node] <= q)
                continue;
            int is_leaf = s->left[node] < 0;
            const double *b = around(s, node);
            double widest = b[1] > b[3] ? b[1] : b[3], dq = 0;
            if (!grow(out, is_leaf ? s->end[node] - s->start[node] : 1))
                return -1;
            for (int32_t p = s->start[node]; p < (is_leaf ? s->end[node] : s->start[node] + 1); p++) {
                dq = distance(s, q, p, is_leaf ? high : high + widest + slack(high, widest));
                if (p > q && dq > low && dq < high) {
                    out->at[out->n] = p;
                    out->d[out->n++] = dq;
                }
            }
            for (int turn = 0; turn < 2 && !is_leaf; turn++) {
                double rim = b[2 * turn + 1];
                if (at_least(dq, b[2 * turn], rim) < high + slack(dq, rim) && dq + rim + slack(dq, rim) > low)
                    stack[top++] = turn ? s->right[node] : s->left[node];
            }
        }
    }
    return 0;
}
