/* Cells of r rows by a greedy cover along prices. */
#include "../base/heap.h"
#include "near.h"

typedef struct {
    double worth;
    int32_t v;
} Bid;

HEAP(bids, Bid, const void *, a->worth > b->worth || (a->worth == b->worth && a->v < b->v))

/* The prices of the r nearest rows left around v over what their cell would cost; -1 where there are not so many. *n of them are in `near`. */
static double worth_of(const shoal_space *s, const shoal_load *load, const shoal_greedy_cells *a, int32_t v, Near *near, int64_t *n)
{
    *n = nearest_by_weight(s, load, v, a->r, near);
    if (*n <= 0)
        return -1;
    qsort(near, (size_t)*n, sizeof *near, by_distance);
    double sum = 0;
    int64_t left = a->r;
    for (int64_t i = 0; i < *n; i++) {
        int64_t rows = near[i].w < left ? near[i].w : left;
        sum += a->y[near[i].at] * (double)rows;
        left -= rows;
    }
    double cost = (double)a->r * near[*n - 1].d + a->setup[v];
    return cost > 0 ? sum / cost : INFINITY;
}

static int take_cell(const shoal_space *s, shoal_load *load, int64_t r, const Near *near, int64_t n, shoal_list *taken)
{
    if (!grow_list(taken, n))
        return 0;
    for (int64_t i = 0; i < n; i++) {
        int32_t p = near[i].at;
        int64_t rows = load->point[p] < r ? load->point[p] : r;
        r -= rows;
        append(taken, p, (double)rows);
        take_weight(s, load, p, rows);
    }
    return 1;
}

int64_t shoal_space_cells_greedy(const shoal_space *s, shoal_load *load, shoal_greedy_cells *ask, shoal_list *taken)
{
    Bag bag = {0};
    Near *near = take(&bag, (ask->r < s->n ? ask->r : s->n) + 1, sizeof *near);
    Bid *heap = take(&bag, s->n, sizeof *heap);
    int64_t n_heap = 0, cells = 0, n;
    int fine = !bag.failed;
    for (int32_t v = 0; v < s->n && fine; v++) {
        Bid one = {worth_of(s, load, ask, v, near, &n), v};
        if (one.worth >= ask->least)
            heap[n_heap++] = one;
    }
    if (fine)
        bids_make(NULL, heap, n_heap);
    ask->first[0] = 0;
    while (fine && n_heap && load->node[0] >= ask->r) {
        int32_t v = heap[0].v;
        double worth = worth_of(s, load, ask, v, near, &n);
        heap[0] = worth < ask->least ? heap[--n_heap] : (Bid){worth, v};
        bids_down(NULL, heap, n_heap, 0);
        if (worth < ask->least || heap[0].v != v)
            continue;
        fine = take_cell(s, load, ask->r, near, n, taken);
        ask->centre[cells++] = v;
        ask->first[cells] = taken->n;
    }
    return bag_end(&bag, fine ? cells : SHOAL_NO_MEMORY);
}
