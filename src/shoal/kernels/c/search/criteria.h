/* Whether a group keeps the promises about its sensitive values. The same formulas as in privacy/, on counts of one group. */
#ifndef SHOAL_CRITERIA_H
#define SHOAL_CRITERIA_H
#include <math.h>
#include "../base/memory.h"
#include "search.h"

enum { DISTINCT, ENTROPY, RECURSIVE, CLOSE, CLOSE_ORDERED };
#define TOLERANCE 1e-9

/* Bring the `l` commonest of the values met to the front. */
static inline void commonest_first(const int32_t *count, int32_t *met, int32_t n_met, int32_t l)
{
    for (int32_t i = 0; i < l; i++) {
        int32_t most = i;
        for (int32_t j = i + 1; j < n_met; j++)
            if (count[met[j]] > count[met[most]])
                most = j;
        SWAP(int32_t, met[i], met[most]);
    }
}

static inline int is_recursive(const shoal_demand *d, const int32_t *count, int32_t *met, int32_t n_met)
{
    double sum = 0;
    int32_t l = (int32_t)d->l;
    if (n_met < l)
        return 0;
    commonest_first(count, met, n_met, l);
    for (int32_t i = l - 1; i < n_met; i++)
        sum += count[met[i]];
    return count[met[0]] < d->c * sum;
}

/* Earth mover's distance between values in a row, over their number. */
static inline int is_close_in_order(const shoal_demand *d, const int32_t *count, int64_t size)
{
    double ahead = 0, sum = 0;
    for (int32_t v = 0; v < d->n_values; v++)
        ahead += (double)count[v] / (double)size - d->share[v], sum += fabs(ahead);
    return d->n_values < 2 || sum / (d->n_values - 1) <= d->t + TOLERANCE;
}

/* count[] is zero everywhere but for the values listed in met[]. */
static inline int keeps_promise(const shoal_demand *d, const int32_t *count, int32_t *met, int32_t n_met, int64_t size)
{
    double sum = 0;
    switch (d->kind) {
    case DISTINCT:
        return n_met >= d->l;
    case ENTROPY:
        for (int32_t i = 0; i < n_met; i++)
            sum += count[met[i]] * log2((double)count[met[i]]);
        return exp2(log2((double)size) - sum / (double)size) >= d->l * (1 - TOLERANCE);
    case RECURSIVE:
        return is_recursive(d, count, met, n_met);
    case CLOSE:
        for (int32_t i = 0; i < n_met; i++) {
            double more = (double)count[met[i]] / (double)size - d->share[met[i]];
            sum += more > 0 ? more : 0;
        }
        return sum <= d->t + TOLERANCE;
    default:
        return is_close_in_order(d, count, size);
    }
}

/* Whether one more row with this value would bring the group nearer to the promise (a guess that guides, not a proof). */
static inline int is_wanted(const shoal_demand *d, const int32_t *count, int32_t value, int64_t size)
{
    if (d->kind == CLOSE || d->kind == CLOSE_ORDERED)
        return (double)count[value] < d->share[value] * (double)(size + 1);
    return count[value] == 0 || (d->kind != DISTINCT && (double)count[value] * d->l < (double)size);
}
#endif
