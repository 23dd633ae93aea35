#include "near.h"
#include "../base/heap.h"

HEAP(farthest, Near, const void *, a->d > b->d || (a->d == b->d && a->at > b->at))

int by_distance(const void *a, const void *b)
{
    return farthest_before(NULL, a, b) - farthest_before(NULL, b, a);
}

int collect(const shoal_space *s, const shoal_load *load, int32_t q, double reach, shoal_list *out)
{
    int32_t stack[DEPTH];
    stack[0] = 0;
    for (int top = 1; top;) {
        int32_t node = stack[--top], from = s->tree.start[node], to = s->tree.end[node];
        if (!load->node[node])
            continue;
        if (!grow_list(out, is_leaf(s, node) ? to - from : 1))
            return 0;
        if (is_leaf(s, node)) {
            for (int32_t p = from; p < to; p++) {
                double d;
                if (load->point[p] && (d = distance(s, q, p, reach)) <= reach)
                    append(out, p, d);
            }
            continue;
        }
        const double *b = around(s, node);
        double widest = widest_of(b), dq = distance(s, q, from, reach + widest + slack(reach, widest));
        if (load->point[from] && dq <= reach)
            append(out, from, dq);
        if (at_least(dq, b[0], b[1]) <= reach + slack(dq, b[1]))
            stack[top++] = s->tree.left[node];
        if (at_least(dq, b[2], b[3]) <= reach + slack(dq, b[3]))
            stack[top++] = s->tree.right[node];
    }
    return 1;
}

static int64_t weight_in_leaf(const shoal_space *s, const shoal_load *load, int32_t node, int32_t q, double reach)
{
    int64_t total = 0;
    for (int32_t p = s->tree.start[node]; p < s->tree.end[node]; p++)
        if (load->point[p] && distance(s, q, p, reach) <= reach)
            total += load->point[p];
    return total;
}

int64_t weight_within(const shoal_space *s, const shoal_load *load, int32_t q, double reach, int64_t stop)
{
    int32_t stack[DEPTH];
    int64_t total = 0;
    stack[0] = 0;
    for (int top = 1; top && total < stop;) {
        int32_t node = stack[--top], from = s->tree.start[node];
        if (!load->node[node])
            continue;
        if (is_leaf(s, node)) {
            total += weight_in_leaf(s, load, node, q, reach);
            continue;
        }
        const double *b = around(s, node);
        double widest = widest_of(b), dq = distance(s, q, from, reach + widest + slack(reach, widest));
        if (dq <= reach)
            total += load->point[from];
        int near_first = dq <= b[1];
        for (int turn = 0; turn < 2; turn++) {
            int right = turn == 0 ? near_first : !near_first; /* the nearer child goes on the stack last */
            int32_t child = right ? s->tree.right[node] : s->tree.left[node];
            double low = b[right ? 2 : 0], high = b[right ? 3 : 1];
            if (at_least(dq, low, high) > reach + slack(dq, high))
                continue;
            if (dq + high + slack(dq, high) <= reach)
                total += load->node[child];
            else
                stack[top++] = child;
        }
    }
    return total;
}

/* The nearest points met so far: a heap with the farthest on top, as few as make up `r`. */
typedef struct {
    Near *heap;
    int64_t n, total, r;
    int by_number;
} Nearest;

static ALWAYS_INLINE double limit_of(const Nearest *z) { return z->total >= z->r ? z->heap[0].d : INFINITY; }

static ALWAYS_INLINE void meet(Nearest *z, int32_t p, double d, int64_t w)
{
    w = z->by_number ? 1 : w;
    z->total += w;
    farthest_up(NULL, z->heap, z->n++, (Near){d, p, w});
    while (z->n && z->total - z->heap[0].w >= z->r) {
        z->total -= z->heap[0].w;
        farthest_drop(NULL, z->heap, --z->n);
    }
}

/* Meet the points that a node lists itself; returns the distance of the last that was looked at. */
static ALWAYS_INLINE double look_at_own(const shoal_space *s, const shoal_load *load, int32_t node, int32_t q, Nearest *z)
{
    double widest = widest_of(around(s, node)), dq = 0;
    int32_t leaf = is_leaf(s, node), to = end_of_own(s, node);
    for (int32_t p = s->tree.start[node]; p < to; p++) {
        double limit = limit_of(z);
        if (leaf && !load->point[p])
            continue;
        dq = distance(s, q, p, leaf ? limit : limit + widest + slack(limit < INFINITY ? limit : 0, widest));
        if (load->point[p] && dq <= limit)
            meet(z, p, dq, load->point[p]);
    }
    return dq;
}

static ALWAYS_INLINE void look_around(const shoal_space *s, const shoal_load *load, int32_t q, Nearest *z)
{
    Waiting stack[DEPTH];
    int top = 0;
    stack[top++] = (Waiting){0, 0};
    while (top) {
        Waiting w = stack[--top];
        double limit = limit_of(z);
        if (!load->node[w.node] || w.least > limit + slack(limit < INFINITY ? limit : 0, w.least))
            continue;
        double dq = look_at_own(s, load, w.node, q, z);
        if (!is_leaf(s, w.node))
            top = push_children(s, w.node, dq, 0.0, 0.0, stack, top);
    }
}

int64_t nearest_by_weight(const shoal_space *s, const shoal_load *load, int32_t q, int64_t r, Near *heap)
{
    Nearest z = {heap, 0, 0, r, 0};
    look_around(s, load, q, &z);
    return z.total >= r ? z.n : -z.n - 1;
}

int64_t nearest_by_number(const shoal_space *s, const shoal_load *load, int32_t q, int64_t r, Near *heap)
{
    Nearest z = {heap, 0, 0, r, 1};
    look_around(s, load, q, &z);
    return z.n;
}
