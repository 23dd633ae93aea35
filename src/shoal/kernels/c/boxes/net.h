/* Net prices: what rows are charged beyond what their own values cost.
 *
 * Row i of a group that pays d cannot pay less than its own part o_i, so d - o_i is what the group adds. The tightness of k rows S is
 * their net prices over what the group adds to them, sum y / (k d - sum o), and that of a box is the highest of any k of its rows. It is at
 * least t exactly if some k of its rows have sum (y + t o) >= t k d. So the rows are ordered by y + t o, and t is raised to the tightness of the
 * first k until they stay the same (Dinkelbach). Without own parts one order serves every t. */
#ifndef SHOAL_NET_H
#define SHOAL_NET_H
#include <math.h>
#include <stdint.h>
#include "../base/shortlist.h"

#define NOTHING 1e-12  /* a group that adds no more than this share of its price adds nothing: rounding hides what it adds */
#define MOST_ORDERS 60 /* far more than are needed; beyond them the highest answer is given, which is safe */

/* The tightness of k rows with such a sum of net prices and of own parts. */
static inline double tightness_of_rows(double net, double own, double k, double price)
{
    double added = k * price - own;
    if (added > NOTHING * k * price)
        return net / added;
    return net > 0.0 ? INFINITY : 0.0;
}

typedef struct {
    const double *y, *own;
    const int32_t *rows; /* of each tuple, k at most */
    int64_t k;
} Nets;

/* The first k rows of some tuples by y + t * own, on `top`. */
static inline void list_first(const Nets *n, const int32_t *tuples, int64_t size, double t, Shortlist *top)
{
    top->n = top->held = 0;
    for (int64_t i = 0; i < size; i++) {
        int32_t at = tuples[i];
        double value = -n->y[at] - t * n->own[at];
        if (!is_behind(top, value))
            list_value(top, value, at, n->rows[at]);
    }
}

/* The tightness of the k rows on a list. */
static inline double tightness_of_first(const Nets *n, const Shortlist *top, double price)
{
    double net = 0.0, own = 0.0;
    int64_t left = n->k;
    for (int64_t i = 0; i < top->n && left; i++) {
        int64_t taken = top->item[i].rows < left ? top->item[i].rows : left;
        net += (double)taken * n->y[top->item[i].at];
        own += (double)taken * n->own[top->item[i].at];
        left -= taken;
    }
    return tightness_of_rows(net, own, (double)n->k, price);
}

/* The tightness of a box of some tuples, if it is at least `least`; else something below. */
static inline double net_tightness(const Nets *n, const int32_t *tuples, int64_t size, double price, double least, Shortlist *top, int64_t *work)
{
    double t = least;
    for (int round = 0; round < MOST_ORDERS; round++) {
        list_first(n, tuples, size, t, top);
        *work += size;
        double next = tightness_of_first(n, top, price);
        if (next == INFINITY || next <= t * (1.0 + 1e-13))
            return round == 0 || next > t ? next : t;
        t = next;
    }
    return INFINITY;
}
#endif
