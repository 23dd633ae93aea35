#include "cover.h"

enum { LOOK = 512 }; /* rows looked at for a cheaper way, once there is one */

static void number_slots(Cover *c, int32_t n_groups)
{
    c->slot[0] = 0;
    for (int32_t t = 0; t < c->t.n; t++) {
        c->open[t] = (int32_t)c->t.weight[t];
        c->slot[t + 1] = c->slot[t] + c->t.weight[t];
        for (int64_t s = c->slot[t]; s < c->slot[t + 1]; s++)
            c->tuple[s] = t, c->owner[s] = -1;
    }
    for (int32_t i = 0; i < n_groups; i++)
        c->unused[i] = n_groups - 1 - i;
    c->n_unused = n_groups;
}

void cover_new(Cover *c, const shoal_table *t, int32_t k, Bag *bag)
{
    *c = (Cover){.t = *t, .k = k, .cap = 2 * k - 1, .most = 2 * k - 1};
    for (int64_t i = 0; i < t->n; i++)
        c->n_open += t->weight[i];
    int64_t n = c->n_open, g = n / k + 2;
    TAKE(bag, c->open, t->n), TAKE(bag, c->slot, t->n), TAKE(bag, c->tuple, n), TAKE(bag, c->owner, n), TAKE_ZEROS(bag, c->size, g);
    TAKE(bag, c->member, g * c->cap), TAKE(bag, c->closure, g * t->q), TAKE_ZEROS(bag, c->cost, g), TAKE(bag, c->unused, g);
    TAKE_ZEROS(bag, c->taken, g), TAKE_ZEROS(bag, c->met, g), TAKE(bag, c->fresh, c->cap), TAKE(bag, c->filler, c->cap);
    TAKE(bag, c->joined, t->q);
    if (!bag->failed)
        number_slots(c, (int32_t)g);
}

/* Join the slots' leaves into node; node[0] < 0 stands for nothing yet. */
static void join_slots(const Cover *c, const int32_t *slots, int32_t m, int32_t *node)
{
    for (int32_t i = 0; i < m; i++) {
        if (node[0] < 0)
            memcpy(node, row_of(&c->t, c->tuple[slots[i]]), (size_t)c->t.q * sizeof *node);
        else
            join_row(&c->t, node, c->tuple[slots[i]]);
    }
}

static void close_group(Cover *c, int32_t g)
{
    if (!c->t.codes)
        return;
    int32_t *node = c->closure + (int64_t)g * c->t.q;
    node[0] = -1;
    join_slots(c, c->member + (int64_t)g * c->cap, c->size[g], node);
    c->cost[g] = price_of_nodes(&c->t, node);
}

static void put(Cover *c, int32_t g, int32_t slot)
{
    c->member[(int64_t)g * c->cap + c->size[g]++] = slot;
    c->owner[slot] = g;
}

static void drop(Cover *c, int32_t slot)
{
    int32_t g = c->owner[slot], *member = c->member + (int64_t)g * c->cap, i = 0;
    while (member[i] != slot)
        i++;
    member[i] = member[--c->size[g]];
}

/* Mark as many rows of these tuples that no group holds as a set may bring; fresh says which. */
static int32_t take_open(Cover *c, const int32_t *tuples, int64_t from, int64_t m)
{
    int32_t a = 0;
    for (int64_t i = from; i < m && a < c->most; i++) {
        int32_t t = tuples[i];
        while (c->open[t] > 0 && a < c->most)
            c->fresh[a++] = (int32_t)(c->slot[t] + cover_held(c, t)), c->open[t]--;
    }
    c->n_open -= a;
    return a;
}

/* A new group of `a` fresh rows and the fillers. */
static void found_group(Cover *c, int32_t a, int32_t n_filler)
{
    int32_t g = c->unused[--c->n_unused];
    c->size[g] = 0;
    for (int32_t i = 0; i < n_filler; i++) {
        int32_t from = c->owner[c->filler[i]];
        if (from != DELETED) {
            drop(c, c->filler[i]);
            close_group(c, from);
        }
        put(c, g, c->filler[i]);
    }
    for (int32_t i = 0; i < a; i++)
        put(c, g, c->fresh[i]);
    close_group(c, g);
}

/* The two ways to place fewer than k rows: fillers from groups that can spare them, or one group that takes the rows in. */
typedef struct {
    int32_t a, need, n_filler, into;
    double least, spared; /* what joining `into` adds; what the fillers paid */
} Ways;

static double added_by_joining(const Cover *c, int32_t g, int32_t a)
{
    double joined = 0;
    if (!c->t.codes)
        return 0;
    for (int32_t j = 0; j < c->t.q; j++)
        joined += prices_of(&c->t, j)[join_in(&c->t, j, c->closure[(int64_t)g * c->t.q + j], c->joined[j])];
    return (c->size[g] + a) * joined - c->size[g] * c->cost[g];
}

static void meet_group(Cover *c, Ways *w, int32_t g)
{
    c->met[g] = c->n_picks;
    c->taken[g] = 0;
    if (c->size[g] + w->a > c->cap || (!c->t.codes && w->into >= 0))
        return;
    double more = added_by_joining(c, g, w->a);
    if (w->into < 0 || more < w->least)
        w->into = g, w->least = more;
}

static void find_ways(Cover *c, Ways *w, const int32_t *tuples, int64_t m)
{
    int64_t seen = 0;
    for (int64_t i = 0; i < m; i++) {
        int64_t begin = c->slot[tuples[i]], end = begin + cover_held(c, tuples[i]);
        for (int64_t s = begin; s < end; s++) {
            int32_t g = c->owner[s];
            if (g == DELETED && w->n_filler < w->need)
                c->filler[w->n_filler++] = (int32_t)s, w->spared += c->deletion;
            if (g < 0)
                continue;
            if (c->met[g] != c->n_picks)
                meet_group(c, w, g);
            if (w->n_filler < w->need && c->size[g] - c->taken[g] > c->k)
                c->filler[w->n_filler++] = (int32_t)s, c->taken[g]++, w->spared += c->cost[g];
            if (++seen >= LOOK && (w->into >= 0 || w->n_filler == w->need))
                return;
        }
    }
}

void cover_delete(Cover *c, int32_t tuple)
{
    for (int64_t s = c->slot[tuple] + cover_held(c, tuple); s < c->slot[tuple + 1]; s++)
        c->owner[s] = DELETED;
    c->n_open -= c->open[tuple];
    c->open[tuple] = 0;
}

void cover_add(Cover *c, const int32_t *tuples, int64_t from, int64_t m)
{
    Ways w = {.a = take_open(c, tuples, from, m), .into = -1};
    w.need = c->k - w.a;
    c->n_picks++;
    if (w.a == 0)
        return;
    if (w.need <= 0) {
        found_group(c, w.a, 0);
        return;
    }
    c->joined[0] = -1;
    if (c->t.codes)
        join_slots(c, c->fresh, w.a, c->joined);
    find_ways(c, &w, tuples, m);
    if (w.n_filler == w.need && w.into >= 0 && c->t.codes) {
        join_slots(c, c->filler, w.n_filler, c->joined);
        if (c->k * price_of_nodes(&c->t, c->joined) - w.spared > w.least)
            w.n_filler = 0;
    }
    if (w.n_filler == w.need) {
        found_group(c, w.a, w.n_filler);
        return;
    }
    for (int32_t i = 0; i < w.a; i++)
        put(c, w.into, c->fresh[i]);
    close_group(c, w.into);
}
