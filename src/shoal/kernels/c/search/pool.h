/* The units that a try has taken apart, and what the bunch that grows would cost with each of them.
 *
 * A unit that joins a bunch changes what it shows in one or two columns, or in none. So what each unit of the pool would cost is noted
 * column by column, and only the columns that changed are looked up again. */
#ifndef SHOAL_POOL_H
#define SHOAL_POOL_H
#include "bunch.h"

/* Note the leaves of the pool, and how much the worth of each unit counts. */
static inline void lay_out(search *s, double bonus)
{
    s->stride = s->n_pool;
    for (int32_t i = 0; i < s->n_pool; i++) {
        const int32_t *row = codes_of(s, s->pool[i]);
        for (int32_t j = 0; j < s->q; j++)
            s->leaf[(int64_t)j * s->stride + i] = row[j];
        s->gain[i] = bonus * s->worth[s->tuple[s->pool[i]]];
    }
    s->work += s->n_pool;
}

/* What the bunch costs in one column with each unit of the pool. */
static inline void look_up(search *s, const bunch *b, int32_t j)
{
    const int32_t *leaf = s->leaf + (int64_t)j * s->stride;
    const double *line = j < s->n_quick ? s->column[j].joined + (int64_t)b->shape[j] * s->column[j].n_leaves : NULL;
    double *added = s->added + (int64_t)j * s->stride;
    for (int32_t i = 0; i < s->n_pool; i++) {
        double now = line ? line[leaf[i]] : price_with_leaf(s, b, j, leaf[i]);
        s->fit[i] += now - added[i];
        added[i] = now;
    }
    s->work += s->n_pool;
}

/* A unit leaves the pool, and the last one takes its place. */
static inline int32_t leave_pool(search *s, int32_t which)
{
    int32_t unit = s->pool[which], last = --s->n_pool;
    s->pool[which] = s->pool[last];
    s->gain[which] = s->gain[last];
    s->fit[which] = s->fit[last];
    for (int64_t j = 0, at = 0; j < s->q; j++, at += s->stride) {
        s->leaf[at + which] = s->leaf[at + last];
        s->added[at + which] = s->added[at + last];
    }
    return unit;
}

/* The unit of the pool that fits best, the first of equal ones; -1 if the pool is empty. */
static inline int32_t best_fit(search *s)
{
    enum { LANES = 4 }; /* compared side by side, which compilers do at once */
    const double *fit = s->fit;
    double least[LANES] = {INFINITY, INFINITY, INFINITY, INFINITY}, best = INFINITY;
    int32_t n = s->n_pool, i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int32_t l = 0; l < LANES; l++)
            least[l] = fit[i + l] < least[l] ? fit[i + l] : least[l];
    for (; i < n; i++)
        best = fit[i] < best ? fit[i] : best;
    for (int32_t l = 0; l < LANES; l++)
        best = least[l] < best ? least[l] : best;
    s->work += n / 4; /* in the time of a cell some four are compared */
    for (i = 0; i < n; i++)
        if (fit[i] == best)
            return i;
    return -1;
}

/* An empty bunch begins with a unit of the pool. */
static inline void begin_with(search *s, bunch *b, int32_t which)
{
    add_unit(s, b, leave_pool(s, which));
    for (int32_t i = 0; i < s->n_pool; i++)
        s->fit[i] = -s->gain[i];
    for (int32_t j = 0; j < s->q && !s->failed; j++) {
        memset(s->added + (int64_t)j * s->stride, 0, (size_t)s->n_pool * sizeof *s->added);
        look_up(s, b, j);
    }
}

/* The bunch takes one more unit of the pool. */
static inline void grow_with(search *s, bunch *b, int32_t which)
{
    memcpy(s->was, b->shape, (size_t)s->q * sizeof *s->was);
    add_unit(s, b, leave_pool(s, which));
    for (int32_t j = 0; j < s->q && !s->failed; j++)
        if (b->shape[j] != s->was[j])
            look_up(s, b, j);
}
#endif
