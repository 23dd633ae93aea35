/* What the exact algorithm needs: all closed boxes with their tuples, how tight prices are in them, and the program over subsets. */
#include <float.h>
#include "../base/shortlist.h"
#include "boxes.h"
#include "walk.h"

static void keep(Walk *w, const int32_t *tuples, int32_t m, double price, int64_t opened)
{
    shoal_closed_boxes_out *out = w->about;
    (void)opened;
    if (out->n_boxes >= out->most_boxes || out->n_entries + m > out->most_entries) {
        out->n_boxes = out->most_boxes + 1;
        w->stop = 1;
        return;
    }
    memcpy(out->tuples + out->n_entries, tuples, (size_t)m * sizeof *tuples);
    out->price[out->n_boxes] = price;
    out->n_entries += m;
    out->start[++out->n_boxes] = out->n_entries;
}

int64_t shoal_closed_boxes(const shoal_table *t, int64_t k, double dearest, shoal_closed_boxes_out *out)
{
    Walk w;
    Bag bag = {0};
    walk_new(&w, t, k, 1, &bag);
    w.limit = dearest;
    w.visit = keep;
    w.about = out;
    out->n_boxes = out->n_entries = out->start[0] = 0;
    if (!bag.failed)
        walk_all(&w);
    return bag_end(&bag, out->n_boxes > out->most_boxes ? SHOAL_TOO_LARGE : out->n_boxes);
}

int64_t shoal_box_slack(const shoal_boxes *boxes, const int64_t *weight, int64_t k, const double *y, double *slack, double *kth)
{
    Listed room[SHOAL_MOST_SLACK_K + 2];
    if (k > SHOAL_MOST_SLACK_K)
        return SHOAL_BAD_ARGUMENT;
    for (int64_t b = 0; b < boxes->n; b++) {
        Shortlist top = {room, 0, 0, k}; /* the highest prices are the least negatives */
        const int32_t *tuples = boxes->tuples;
        for (int64_t i = boxes->start[b], end = boxes->start[b + 1]; i < end; i++) {
            int32_t tuple = tuples[i];
            if (!is_behind(&top, -y[tuple]))
                list_value(&top, -y[tuple], tuple, weight[tuple]);
        }
        slack[b] = (double)k * boxes->price[b] + sum_listed(&top);
        kth[b] = top.n ? -top.item[top.n - 1].value : 0.0;
    }
    return 0;
}

/* Row by row: the closure of a subset is that of the subset without its highest row, and that row. */
int64_t shoal_subset_prices(const shoal_table *t, int32_t *node, double *out)
{
    for (int32_t j = 0; j < t->q; j++)
        for (int64_t i = 0; i < t->n; i++) {
            int32_t leaf = leaf_of(t, i, j);
            for (uint32_t below = 0, bit = (uint32_t)1 << i; below < bit; below++) {
                node[bit | below] = below ? join_in(t, j, node[below], leaf) : leaf;
                out[bit | below] += prices_of(t, j)[node[bit | below]];
            }
        }
    return 0;
}

int64_t shoal_subset_optimum(const double *group_price, int32_t n, double *best, uint32_t *taken)
{
    uint32_t all = (uint32_t)1 << n;
    best[0] = 0;
    taken[0] = 0;
    for (uint32_t mask = 1; mask < all; mask++) {
        uint32_t first = mask & -mask, rest = mask ^ first, part = rest;
        best[mask] = DBL_MAX;
        taken[mask] = 0;
        for (;;) {
            double p = group_price[part | first];
            if (p < best[mask] && best[rest ^ part] < DBL_MAX && p + best[rest ^ part] < best[mask])
                best[mask] = p + best[rest ^ part], taken[mask] = part | first;
            if (!part)
                break;
            part = (part - 1) & rest;
        }
    }
    return 0;
}
