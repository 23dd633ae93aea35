/* Prices that prove a lower bound: in every ball that holds r rows, the r highest prices may average at most its radius. */
#include "space_prices.h"
#include <math.h>
#include <stdlib.h>

/* The r highest prices met so far, by weight: a heap with the lowest on top. */
typedef struct {
    double y;
    int64_t w;
    int32_t at;
} dear;

typedef struct {
    dear *heap;
    int64_t n, weight, r;
    double sum; /* of y * w over the heap */
} dearest;

static void down(dearest *h, int64_t i)
{
    for (;;) {
        int64_t child = 2 * i + 1;
        if (child >= h->n)
            return;
        if (child + 1 < h->n && h->heap[child + 1].y < h->heap[child].y)
            child++;
        if (h->heap[child].y >= h->heap[i].y)
            return;
        dear x = h->heap[i];
        h->heap[i] = h->heap[child];
        h->heap[child] = x;
        i = child;
    }
}

static void meet(dearest *h, int32_t at, double y, int64_t w)
{
    if (h->weight >= h->r && y <= h->heap[0].y)
        return;
    int64_t i = h->n++;
    dear one = {y, w, at};
    h->heap[i] = one;
    while (i && h->heap[(i - 1) / 2].y > h->heap[i].y) {
        dear x = h->heap[i];
        h->heap[i] = h->heap[(i - 1) / 2];
        h->heap[(i - 1) / 2] = x;
        i = (i - 1) / 2;
    }
    h->weight += w;
    h->sum += y * (double)w;
    while (h->weight - h->heap[0].w >= h->r) {
        h->weight -= h->heap[0].w;
        h->sum -= h->heap[0].y * (double)h->heap[0].w;
        h->heap[0] = h->heap[--h->n];
        down(h, 0);
    }
}

static double top_sum(const dearest *h)
{
    return h->sum - (double)(h->weight - h->r) * h->heap[0].y;
}

static int64_t longest(int32_t n, const int64_t *first)
{
    int64_t most = 1;
    for (int32_t v = 0; v < n; v++)
        if (first[v + 1] - first[v] > most)
            most = first[v + 1] - first[v];
    return most;
}

/* strain[i]: the largest (sum of the r highest prices) / (r * radius) over the listed balls that hold point i, 0 if there is none;
   tightest[i]: the last entry of that ball in its list, -1 for none. Lists are sorted by distance; balls narrower than t[v] do not count. */
int32_t shoal_space_price_pass(int32_t n, const int64_t *first, const int32_t *at, const double *d, const double *t, const int64_t *w, int64_t r,
                         const double *y, double *strain, int64_t *tightest)
{
    int64_t room = longest(n, first);
    dearest h = {malloc((size_t)(room + 1) * sizeof(dear)), 0, 0, r, 0};
    double *at_end = malloc((size_t)room * sizeof *at_end);
    if (!h.heap || !at_end) {
        free(h.heap);
        free(at_end);
        return -1;
    }
    for (int32_t i = 0; i < n; i++) {
        strain[i] = 0;
        tightest[i] = -1;
    }
    for (int32_t v = 0; v < n; v++) {
        h.n = h.weight = 0;
        h.sum = 0;
        int64_t from = first[v], to = first[v + 1];
        for (int64_t e = from; e < to; e++) {
            meet(&h, at[e], y[at[e]], w[at[e]]);
            at_end[e - from] = -1;
            if (d[e] < t[v] || (e + 1 < to && d[e + 1] == d[e]) || h.weight < r)
                continue;
            double sum = top_sum(&h);
            at_end[e - from] = sum <= 0 ? 0 : d[e] > 0 ? sum / ((double)r * d[e]) : INFINITY;
        }
        double most = 0;
        int64_t which = -1;
        for (int64_t e = to - 1; e >= from; e--) {
            if (at_end[e - from] > most) {
                most = at_end[e - from];
                which = e;
            }
            if (most > strain[at[e]]) {
                strain[at[e]] = most;
                tightest[at[e]] = which;
            }
        }
    }
    free(h.heap);
    free(at_end);
    return 0;
}

/* given[e]: weight handed to the ball that ends at entry e; it passes it on to its r highest-priced rows. cover[i] is per row. */
int32_t shoal_space_price_cover(int32_t n, const int64_t *first, const int32_t *at, const int64_t *w, int64_t r, const double *y,
                          const double *given, double *cover)
{
    int64_t room = longest(n, first);
    dearest h = {malloc((size_t)(room + 1) * sizeof(dear)), 0, 0, r, 0};
    if (!h.heap)
        return -1;
    for (int32_t i = 0; i < n; i++)
        cover[i] = 0;
    for (int32_t v = 0; v < n; v++) {
        h.n = h.weight = 0;
        h.sum = 0;
        for (int64_t e = first[v]; e < first[v + 1]; e++) {
            meet(&h, at[e], y[at[e]], w[at[e]]);
            if (given[e] <= 0)
                continue;
            for (int64_t j = 0; j < h.n; j++) {
                int64_t rows = j ? h.heap[j].w : h.heap[0].w - (h.weight - r);
                cover[h.heap[j].at] += given[e] / (double)r * (double)rows / (double)h.heap[j].w;
            }
        }
    }
    free(h.heap);
    return 0;
}
