/* Prices that prove a lower bound: in every ball that holds r rows, the r highest prices may average at most its radius. */
#include <math.h>
#include "../base/heap.h"
#include "../base/memory.h"
#include "metric.h"

typedef struct {
    double y;
    int64_t w;
    int32_t at;
} Dear;

HEAP(dears, Dear, const void *, a->y < b->y)

/* The r highest prices met so far, by weight: a heap with the lowest on top. */
typedef struct {
    Dear *heap;
    int64_t n, weight, r;
    double sum; /* of y * w over the heap */
} Dearest;

static void clear(Dearest *h)
{
    h->n = h->weight = 0;
    h->sum = 0;
}

static inline void meet(Dearest *h, int32_t at, double y, int64_t w)
{
    if (h->weight >= h->r && y <= h->heap[0].y)
        return;
    dears_up(NULL, h->heap, h->n++, (Dear){y, w, at});
    h->weight += w;
    h->sum += y * (double)w;
    while (h->weight - h->heap[0].w >= h->r) {
        h->weight -= h->heap[0].w;
        h->sum -= h->heap[0].y * (double)h->heap[0].w;
        dears_drop(NULL, h->heap, --h->n);
    }
}

/* The strain of the ball that holds what was met, at radius d. */
static double strain_of(const Dearest *h, double d)
{
    double sum = h->sum - (double)(h->weight - h->r) * h->heap[0].y;
    return sum <= 0 ? 0 : d > 0 ? sum / ((double)h->r * d) : INFINITY;
}

static int64_t longest(const shoal_price_lists *lists)
{
    int64_t most = 1;
    for (int32_t v = 0; v < lists->n; v++)
        most = lists->first[v + 1] - lists->first[v] > most ? lists->first[v + 1] - lists->first[v] : most;
    return most;
}

/* The strain of each ball of one list at the ball's last entry; -1 where no ball ends. */
static void strain_list(Dearest *h, const shoal_price_lists *lists, int32_t v, double least, double *at_end)
{
    const int32_t *at = lists->at;
    const double *d = lists->d, *y = lists->y;
    const int64_t *w = lists->weight, from = lists->first[v], to = lists->first[v + 1];
    clear(h);
    for (int64_t e = from; e < to; e++) {
        meet(h, at[e], y[at[e]], w[at[e]]);
        int ends = d[e] >= least && (e + 1 == to || d[e + 1] != d[e]) && h->weight >= h->r;
        at_end[e - from] = ends ? strain_of(h, d[e]) : -1;
    }
}

int64_t shoal_space_price_pass(const shoal_price_lists *lists, const double *t, double *strain, int64_t *tightest)
{
    Bag bag = {0};
    int64_t room = longest(lists);
    Dearest h = {take(&bag, room, sizeof(Dear)), 0, 0, lists->r, 0};
    double *at_end = take(&bag, room, sizeof *at_end);
    for (int32_t i = 0; i < lists->n; i++)
        strain[i] = 0, tightest[i] = -1;
    for (int32_t v = 0; v < lists->n && !bag.failed; v++) {
        double most = 0;
        int64_t which = -1, from = lists->first[v];
        strain_list(&h, lists, v, t[v], at_end);
        for (int64_t e = lists->first[v + 1] - 1; e >= from; e--) {
            int32_t at = lists->at[e];
            if (at_end[e - from] > most)
                most = at_end[e - from], which = e;
            if (most > strain[at])
                strain[at] = most, tightest[at] = which;
        }
    }
    return bag_end(&bag, SHOAL_OK);
}

int64_t shoal_space_price_cover(const shoal_price_lists *lists, const double *given, double *cover)
{
    Bag bag = {0};
    const int32_t *at = lists->at;
    int64_t r = lists->r;
    Dearest h = {take(&bag, longest(lists), sizeof(Dear)), 0, 0, r, 0};
    for (int32_t i = 0; i < lists->n; i++)
        cover[i] = 0;
    for (int32_t v = 0; v < lists->n && !bag.failed; v++) {
        clear(&h);
        for (int64_t e = lists->first[v]; e < lists->first[v + 1]; e++) {
            meet(&h, at[e], lists->y[at[e]], lists->weight[at[e]]);
            if (given[e] <= 0)
                continue;
            for (int64_t j = 0; j < h.n; j++) {
                int64_t rows = j ? h.heap[j].w : h.heap[0].w - (h.weight - r);
                cover[h.heap[j].at] += given[e] / (double)r * (double)rows / (double)h.heap[j].w;
            }
        }
    }
    return bag_end(&bag, SHOAL_OK);
}
