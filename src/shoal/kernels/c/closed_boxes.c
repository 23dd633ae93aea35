/* What the exact algorithm needs: all closed boxes with their tuples, how tight prices are in them, and the program over subsets. */
#include "closed_boxes.h"
#include "closed.inc"

typedef struct {
    int64_t n_boxes, n_entries, most_boxes, most_entries;
    double *price;
    int64_t *start;
    int32_t *tuples;
} Kept;

static void keep(Walk *w, const int32_t *tuples, int32_t m, double price, int64_t held, int64_t opened)
{
    Kept *kept = w->about;
    (void)held, (void)opened;
    if (kept->n_boxes >= kept->most_boxes || kept->n_entries + m > kept->most_entries) {
        kept->n_boxes = kept->most_boxes + 1;
        w->stop = 1;
        return;
    }
    memcpy(kept->tuples + kept->n_entries, tuples, (size_t)m * sizeof *tuples);
    kept->price[kept->n_boxes] = price;
    kept->n_entries += m;
    kept->start[++kept->n_boxes] = kept->n_entries;
}

/* Every closed box of at least k rows cheaper than `dearest`. Returns their number, -1 where memory is short, -2 where they are too many. */
int64_t shoal_closed_boxes(const int32_t *parent, const int64_t *first, const double *price, int32_t q, const int32_t *codes,
                           const int64_t *weight, int32_t n, int32_t k, double dearest, int64_t most_boxes, int64_t most_entries,
                           double *box_price, int64_t *start, int32_t *tuples)
{
    Kept kept = {.most_boxes = most_boxes, .most_entries = most_entries, .price = box_price, .start = start, .tuples = tuples};
    Walk w = {.n = n, .q = q, .k = k, .cap = 1, .codes = codes, .parent = parent, .first = first, .weight = weight, .price = price,
              .limit = dearest, .visit = keep, .about = &kept};
    start[0] = 0;
    if (walk_new(&w))
        return -1;
    walk_all(&w);
    walk_free(&w);
    return kept.n_boxes > most_boxes ? -2 : kept.n_boxes;
}

/* For each box, k times its price less its k highest prices y, and the k-th highest. A tuple's price counts for each of its rows. */
void shoal_box_slack(const double *box_price, const int64_t *start, const int32_t *tuples, int64_t n_boxes, const int64_t *weight,
                     int64_t k, const double *y, double *slack, double *kth)
{
    for (int64_t b = 0; b < n_boxes; b++) {
        double top[64], sum = 0, least = 0;
        int64_t rows[64], n_top = 0, held = 0; /* highest first, holding just at least k rows */
        for (int64_t i = start[b]; i < start[b + 1]; i++) {
            double p = y[tuples[i]];
            int64_t w = weight[tuples[i]] < k ? weight[tuples[i]] : k;
            if (held >= k && p <= top[n_top - 1])
                continue;
            int64_t at = n_top++;
            for (; at > 0 && top[at - 1] < p; at--)
                top[at] = top[at - 1], rows[at] = rows[at - 1];
            top[at] = p, rows[at] = w, held += w;
            while (n_top > 1 && held - rows[n_top - 1] >= k)
                held -= rows[--n_top];
        }
        int64_t left = k;
        for (int64_t i = 0; i < n_top && left > 0; i++) {
            int64_t w = rows[i] < left ? rows[i] : left;
            sum += (double)w * top[i], left -= w, least = top[i];
        }
        slack[b] = (double)k * box_price[b] - sum, kth[b] = least;
    }
}

/* What a row of each subset of n rows pays: the price of the subset's closure. node has room for 2^n closures of one column. */
void shoal_subset_prices(const int32_t *parent, const int64_t *first, const double *price, int32_t q, const int32_t *codes, int32_t n,
                         int32_t *node, double *out)
{
    for (int32_t j = 0; j < q; j++)
        for (int32_t i = 0; i < n; i++) {
            int32_t leaf = codes[(int64_t)i * q + j];
            for (uint32_t below = 0, bit = (uint32_t)1 << i; below < bit; below++) {
                node[bit | below] = below ? join(parent + first[j], node[below], leaf) : leaf;
                out[bit | below] += price[first[j] + node[bit | below]];
            }
        }
}

/* The cheapest partition of every subset into groups of finite price. taken: the group of the lowest row. */
void shoal_subset_optimum(const double *group_price, int32_t n, double *best, uint32_t *taken)
{
    uint32_t all = (uint32_t)1 << n;
    best[0] = 0, taken[0] = 0;
    for (uint32_t mask = 1; mask < all; mask++) {
        uint32_t first = mask & -mask, rest = mask ^ first, part = rest;
        best[mask] = DBL_MAX, taken[mask] = 0;
        for (;;) {
            double p = group_price[part | first];
            if (p < best[mask] && best[rest ^ part] < DBL_MAX && p + best[rest ^ part] < best[mask])
                best[mask] = p + best[rest ^ part], taken[mask] = part | first;
            if (!part)
                break;
            part = (part - 1) & rest;
        }
    }
}
