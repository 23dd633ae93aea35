/* The cheapest set of a box where its rows pay differently: each the price of the box less what its own leaves take off.
 *
 * A set brings open rows, and held ones to fill it up to k. The best takes the cheapest of both: a open rows and k - a held ones, for the a that
 * makes it cheapest per open row. More than k open rows only raise the mean. */
#ifndef SHOAL_PRICED_H
#define SHOAL_PRICED_H
#include <float.h>
#include "../base/memory.h"
#include "../base/shortlist.h"

typedef struct {
    const int32_t *open;   /* open rows of each tuple */
    const int64_t *weight; /* all its rows */
    int32_t k;
    Listed *of_open, *of_held;
    double *sum; /* of the cheapest held rows: none, one, two ... */
} Priced;

typedef struct {
    double each, whole; /* what the set costs per open row, and in all */
    int32_t fresh;      /* open rows in it */
} Pick;

static inline void priced_new(Priced *p, const int32_t *open, const int64_t *weight, int32_t k, Bag *bag)
{
    *p = (Priced){.open = open, .weight = weight, .k = k};
    TAKE(bag, p->of_open, k + 1), TAKE(bag, p->of_held, k + 1), TAKE(bag, p->sum, k + 1);
}

/* The best of the rows that are listed. */
static inline Pick best_pick(const Priced *p, const Shortlist *open, const Shortlist *held)
{
    Pick best = {DBL_MAX, DBL_MAX, 0};
    int64_t n = 0;
    p->sum[0] = 0.0;
    for (int64_t i = 0; i < held->n; i++)
        for (int32_t r = 0; r < held->item[i].rows && n < p->k; r++, n++)
            p->sum[n + 1] = p->sum[n] + held->item[i].value;
    double paid = 0.0;
    int32_t a = 0;
    for (int64_t i = 0; i < open->n; i++)
        for (int32_t r = 0; r < open->item[i].rows && a < p->k; r++) {
            paid += open->item[i].value;
            if (p->k - ++a > n)
                continue;
            double whole = paid + p->sum[p->k - a], each = whole / (double)a;
            if (each <= best.each)
                best = (Pick){each, whole, a};
        }
    return best;
}

/* The best set of these tuples, which hold at least k rows. */
static inline Pick pick_rows(const Priced *p, const double *off, const int32_t *tuples, int64_t m, double price)
{
    Shortlist open = {p->of_open, 0, 0, p->k}, held = {p->of_held, 0, 0, p->k};
    for (int64_t i = 0; i < m; i++) {
        int32_t t = tuples[i];
        double net = price - off[t];
        int64_t n_open = p->open[t], n_held = p->weight[t] - n_open;
        if (n_open && !is_behind(&open, net))
            list_value(&open, net, t, n_open);
        if (n_held && !is_behind(&held, net))
            list_value(&held, net, t, n_held);
    }
    return best_pick(p, &open, &held);
}
#endif
