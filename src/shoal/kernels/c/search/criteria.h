/* Whether a group keeps the promises about its sensitive values. The same formulas as in privacy/, on counts of one group. */
#ifndef SHOAL_CRITERIA_H
#define SHOAL_CRITERIA_H
#include <math.h>
#include "../base/memory.h"
#include "search.h"

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

/* Missing cells are no value of their own to l-diversity: move them to the end of the values met, and leave them out of the number. */
static inline int32_t without_missing(const shoal_demand *d, int32_t *met, int32_t n_met)
{
    for (int32_t i = 0; i < n_met; i++)
        if (met[i] == d->missing) {
            SWAP(int32_t, met[i], met[n_met - 1]);
            return n_met - 1;
        }
    return n_met;
}

/* The entropy of the values as so many equally likely ones; missing cells count as the commonest value. */
static inline int is_uncertain(const shoal_demand *d, const int32_t *count, int32_t *met, int32_t n_met, int64_t size)
{
    double sum = 0;
    int32_t n = without_missing(d, met, n_met);
    int64_t hidden = n < n_met ? count[met[n]] : 0;
    if (n == 0)
        return d->l <= 1;
    commonest_first(count, met, n, 1);
    for (int32_t i = 0; i < n; i++) {
        double c = (double)(count[met[i]] + (i == 0 ? hidden : 0));
        sum += c * log2(c);
    }
    return exp2(log2((double)size) - sum / (double)size) >= d->l * (1 - TOLERANCE);
}

static inline int is_recursive(const shoal_demand *d, const int32_t *count, int32_t *met, int32_t n_met)
{
    double sum = 0;
    int32_t l = (int32_t)d->l, n = without_missing(d, met, n_met);
    int64_t hidden = n < n_met ? count[met[n]] : 0;
    if (n == 0)
        return l <= 1 && d->c > 1; /* nothing but missing cells: one value */
    if (n < l)
        return 0;
    commonest_first(count, met, n, l);
    for (int32_t i = l - 1; i < n; i++)
        sum += (double)(count[met[i]] + (i == 0 ? hidden : 0));
    return (double)(count[met[0]] + hidden) < d->c * sum;
}

/* Earth mover's distance between values in a row, over their number; what is missing lies one range beyond the last of them. */
static inline int is_close_in_order(const shoal_demand *d, const int32_t *count, int64_t size)
{
    double ahead = 0, sum = 0;
    int32_t n = d->missing < 0 ? d->n_values : d->missing;
    for (int32_t v = 0; v < n; v++)
        ahead += (double)count[v] / (double)size - d->share[v], sum += fabs(ahead);
    double apart = d->missing < 0 ? 0 : fabs(ahead), along = n < 2 ? 0 : (sum - apart) / (n - 1);
    return along + apart <= d->t + TOLERANCE;
}

/* No value has more than its cap (`share`) of the group, even with the missing cells; where `c` is above 0, each has at least that part of it. */
static inline int is_capped(const shoal_demand *d, const int32_t *count, const int32_t *met, int32_t n_met, int64_t size)
{
    for (int32_t i = 0; i < n_met; i++) {
        int32_t hidden = d->missing < 0 || d->missing == met[i] ? 0 : count[d->missing];
        if ((double)(count[met[i]] + hidden) > d->share[met[i]] * (double)size + TOLERANCE)
            return 0;
    }
    for (int32_t v = 0; d->c > 0 && v < d->n_values; v++)
        if ((double)count[v] < d->c * d->share[v] * (double)size - TOLERANCE)
            return 0;
    return 1;
}

/* count[] is zero everywhere except for the values listed in met[]; what is missing means the same as in privacy/meaning.py. */
static inline int keeps_promise(const shoal_demand *d, const int32_t *count, int32_t *met, int32_t n_met, int64_t size)
{
    double sum = 0;
    switch (d->kind) {
    case SHOAL_CRITERION_DISTINCT:
        return without_missing(d, met, n_met) >= d->l;
    case SHOAL_CRITERION_ENTROPY:
        return is_uncertain(d, count, met, n_met, size);
    case SHOAL_CRITERION_RECURSIVE:
        return is_recursive(d, count, met, n_met);
    case SHOAL_CRITERION_CLOSE:
        for (int32_t i = 0; i < n_met; i++) {
            double more = (double)count[met[i]] / (double)size - d->share[met[i]];
            sum += more > 0 ? more : 0;
        }
        return sum <= d->t + TOLERANCE;
    case SHOAL_CRITERION_CAPPED:
        return is_capped(d, count, met, n_met, size);
    default:
        return is_close_in_order(d, count, size);
    }
}

/* Whether one more row with this value would bring the group nearer to the promise (a guess that guides, not a proof). */
static inline int is_wanted(const shoal_demand *d, const int32_t *count, int32_t value, int64_t size)
{
    if (d->kind == SHOAL_CRITERION_CLOSE || d->kind == SHOAL_CRITERION_CLOSE_ORDERED)
        return (double)count[value] < d->share[value] * (double)(size + 1);
    if (value == d->missing)
        return 0;
    if (d->kind == SHOAL_CRITERION_CAPPED)
        return (double)(count[value] + 1) <= d->share[value] * (double)(size + 1) + TOLERANCE;
    return count[value] == 0 || (d->kind != SHOAL_CRITERION_DISTINCT && (double)count[value] * d->l < (double)size);
}
#endif
