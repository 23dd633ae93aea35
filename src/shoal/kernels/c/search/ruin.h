/* Taking groups apart: which groups around a unit, and which rows of others, a try pools. Inlined into improve.c, where it is hot. */
#ifndef SHOAL_RUIN_H
#define SHOAL_RUIN_H
#include "bunch.h"

/* Some unit of a near tuple, of nearer ones more often; -1 where there is none. */
static inline int32_t some_neighbour(search *s, int32_t unit)
{
    const int32_t *near = s->near + (int64_t)s->tuple[unit] * s->n_near;
    int32_t n = 0;
    while (n < s->n_near && near[n] >= 0)
        n++;
    if (!n)
        return -1;
    int64_t a = below(s, n), b = below(s, n);
    int32_t t = near[a < b ? a : b];
    return s->unit_of[s->first[t] + below(s, s->first[t + 1] - s->first[t])];
}

/* What it costs to leave a unit out. */
static inline double leave_of(const search *s, int32_t unit) { return s->weight[unit] * s->leave[s->tuple[unit]]; }

static inline void pool_unit(search *s, int32_t unit)
{
    s->mark[unit] = s->epoch;
    s->pool[s->n_pool++] = unit;
    if (s->group[unit] < 0)
        s->left_before += leave_of(s, unit);
}

/* Take a group apart. Units that stand for many rows stay together as one open bunch. Of a very large group only `most` units
 * are taken out, from a random place on; of one that pays nothing only some that it can spare. */
static inline void ruin_group(search *s, int32_t g, int32_t most)
{
    bunch *b = s->groups + g, *core = NULL;
    if (b->price <= 0 && b->n > s->k)
        most = b->n - s->k < s->k ? b->n - s->k : s->k;
    s->stamp[g] = s->epoch;
    s->ruined[s->n_ruined++] = g;
    int64_t start = b->n > most ? below(s, b->n) : 0;
    for (int32_t i = 0; i < b->n && !s->failed; i++) {
        int32_t at = (int32_t)((i + start) % b->n), unit = b->unit[at];
        if (s->weight[unit] == 1 && i < most) {
            pool_unit(s, unit);
            continue;
        }
        if (!core)
            core = new_fresh(s);
        if (core)
            add_unit(s, core, unit);
    }
    if (!core || s->failed)
        return;
    core->price = shape_price(s, core->shape);
    if (core->size < s->k) { /* too few to stay */
        for (int32_t i = 0; i < core->n; i++)
            pool_unit(s, core->unit[i]);
        s->n_fresh--;
    }
}

/* Take groups (and withheld rows) around a unit apart, so many at most. */
static inline void ruin_near(search *s, int32_t unit, int32_t breadth, int32_t most)
{
    if (s->group[unit] < 0)
        pool_unit(s, unit);
    else
        ruin_group(s, s->group[unit], most);
    for (int32_t i = 0; i < 2 * breadth && s->n_ruined < breadth && !s->failed; i++) {
        int32_t other = some_neighbour(s, unit);
        if (other < 0)
            return;
        int32_t g = s->group[other];
        if (g < 0) {
            if (s->mark[other] != s->epoch)
                pool_unit(s, other);
        } else if (s->stamp[g] != s->epoch && s->n_pool + s->groups[g].n <= most) {
            ruin_group(s, g, most);
        }
    }
}

/* Whether a unit's group can spare it: one that pays something, has more rows than it needs, and is not too large to be made anew. */
static inline int is_spare(const search *s, int32_t unit, int32_t most)
{
    int32_t g = s->group[unit];
    if (g < 0 || s->weight[unit] > 1 || (s->stamp[g] == s->epoch && !s->lent[g]))
        return 0;
    const bunch *b = s->groups + g;
    return b->price > 0 && b->size - s->lent[g] > s->k && b->n <= most;
}

/* What is left of a group that lends the marked units is one of the fresh ones. */
static inline void keep_rest(search *s, int32_t g)
{
    const bunch *b = s->groups + g;
    bunch *rest = new_fresh(s);
    s->lent[g] = 0;
    for (int32_t i = 0; rest && i < b->n && !s->failed; i++)
        if (s->mark[b->unit[i]] != s->epoch)
            add_unit(s, rest, b->unit[i]);
    if (rest && !s->failed)
        rest->price = shape_price(s, rest->shape);
}

/* Units of a tuple that their groups can spare come into the pool, as long as there is room. Of very many some are looked at, from a random one on. */
static inline void borrow_of(search *s, int32_t tuple, int32_t most, int64_t room)
{
    int64_t i = s->first[tuple], end = s->first[tuple + 1], enough = 2 * (int64_t)s->k;
    if (end - i > enough) {
        i += below(s, end - i - enough + 1);
        end = i + enough;
    }
    s->work += 2 * (end - i);
    for (; i < end && s->n_pool < room; i++) {
        int32_t unit = s->unit_of[i], g = s->group[unit];
        if (!is_spare(s, unit, most))
            continue;
        pool_unit(s, unit);
        if (!s->lent[g]++) {
            s->stamp[g] = s->epoch;
            s->ruined[s->n_ruined++] = g;
        }
    }
}

/* Up to k units come into the pool that their groups can spare: equal ones first, then the nearest. */
static inline void borrow(search *s, int32_t unit, int32_t most)
{
    const int32_t *near = s->near + (int64_t)s->tuple[unit] * s->n_near;
    int32_t lenders = s->n_ruined;
    int64_t room = s->most_pool - s->n_pool < s->k ? s->most_pool : s->n_pool + s->k;
    borrow_of(s, s->tuple[unit], most, room);
    for (int32_t a = 0; a < s->n_near && near[a] >= 0 && s->n_pool < room; a++)
        borrow_of(s, near[a], most, room);
    for (; lenders < s->n_ruined; lenders++)
        keep_rest(s, s->ruined[lenders]);
}

/* Choose groups around a unit and take them apart: two or more; or one or more, with rows that others can spare. */
static inline void ruin(search *s, int32_t unit, const shoal_effort *e)
{
    int32_t borrows = below(s, 16) < e->borrows, least = borrows ? 1 : 2;
    ruin_near(s, unit, least + (int32_t)below(s, e->breadth + 1 - least), e->pool);
    if (borrows && !s->failed)
        borrow(s, unit, e->pool);
}
#endif
