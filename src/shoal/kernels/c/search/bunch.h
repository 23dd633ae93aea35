/* The state of a local search, and its groups: their units, what they show, what they cost. Inlined into improve.c, where it is hot. */
#ifndef SHOAL_BUNCH_H
#define SHOAL_BUNCH_H
#include "../base/memory.h"
#include "../base/random.h"
#include "../base/status.h"
#include "../table/cells.h"
#include "criteria.h"
#include "search.h"

typedef struct {
    int32_t *unit;
    int32_t n;
    int64_t room;
    int64_t size;
    double price;
    cell *shape;
} bunch;

typedef struct {
    shoal_column *column; /* those whose joins are priced by one look come first */
    int32_t *order;       /* the number of each of them in the table */
    const shoal_demand *demand;
    int32_t n_demands, q, n_quick, width, k, n_near, has_long;
    int64_t n, n_tuples;
    int32_t *tuple, *weight, *group, *row; /* per unit: its tuple, its rows, its group or -1, its number in the table */
    int64_t *mark;                         /* per unit: the try that pooled it, where rows may leave */
    int32_t *codes, *near;                 /* per tuple */
    double *worth, *leave;
    int64_t *first; /* the units of tuple t are unit_of[first[t]] … */
    int32_t *unit_of;
    bunch *groups;
    int64_t n_slots, n_spare;
    int32_t *spare;
    int64_t *stamp, epoch; /* per group: the try that touched it, */
    int64_t *seen, glance; /* the unit that was last tried in it, */
    int32_t *lent;         /* and how many units it lends to this try */
    bunch *fresh;          /* the groups that a try makes */
    int32_t n_fresh, n_made;
    int64_t room_fresh;
    int32_t *pool, *ruined, *leaving;
    int64_t most_pool;      /* units of a pool, at most: those of the groups taken apart, and of one more that is too small to stay */
    int32_t *leaf, stride;  /* the leaves of the pool, column by column */
    double *added, *fit;    /* what the bunch that grows costs with each unit of the pool: in each column, in sum */
    double *gain;           /* how much the worth of each unit of the pool counts */
    cell *was;              /* what the bunch showed before it grew */
    int32_t n_pool, n_ruined, n_leaving;
    double left_before;
    cell *before, *after; /* joins of the first and of the last units of a group */
    int32_t *count, *met; /* sensitive values of one group */
    uint64_t state;
    int64_t work;
    int failed;
    Bag bag;
} search;

/* Takes the units of one part of the table and their groups; the bag says whether there was memory. */
void set_up(search *s, const shoal_columns *space, const shoal_rows *rows, const int32_t *group, const int32_t *part, int64_t n,
            const shoal_effort *e);
/* Tells the groups that there are now, and takes the search down. Returns how many groups, or that there was no memory. */
int64_t hand_over(search *s, int32_t *out, shoal_outcome *outcome);

static inline int64_t below(search *s, int64_t n) { return random_below(&s->state, n); }

static inline const int32_t *codes_of(const search *s, int32_t unit) { return s->codes + (int64_t)s->tuple[unit] * s->q; }
static inline double cost_of(const bunch *b) { return (double)b->size * b->price; }

/* Sums of long subsets lie in cells as the bits of a double. */
typedef union {
    cell bits;
    double number;
} Bits;
static inline double as_double(cell c) { return (Bits){.bits = c}.number; }
static inline cell as_cell(double d) { return (Bits){.number = d}.bits; }

static inline int has_leaf(const search *s, const bunch *b, int32_t j, int32_t leaf)
{
    for (int32_t i = 0; i < b->n; i++)
        if (codes_of(s, b->unit[i])[j] == leaf)
            return 1;
    return 0;
}

/* What a bunch costs with one more leaf in a column. */
static inline double price_with_leaf(const search *s, const bunch *b, int32_t j, int32_t leaf)
{
    const shoal_column *c = s->column + j;
    cell v = b->shape[j];
    switch (c->kind) {
    case SHOAL_CELL_TABLED:
        return c->price[c->table[(int64_t)v * c->n_leaves + leaf]];
    case SHOAL_CELL_CLIMBED:
        return c->price[join(c->parent, (int32_t)v, leaf)];
    case SHOAL_CELL_INTERVAL:
        return interval_price(c, leaf < low_of(v) ? leaf : low_of(v), leaf > high_of(v) ? leaf : high_of(v));
    case SHOAL_CELL_SUBSET:
        return mask_price(c, v | 1ULL << leaf);
    default: {
        double weight = as_double(b->shape[c->extra]), spent = as_double(b->shape[c->extra + 1]);
        int64_t leaves = (int64_t)v;
        if (!has_leaf(s, b, j, leaf))
            weight += weight_of(c, leaf), spent += spent_of(c, leaf), leaves++;
        return free_price(c, weight, spent, leaves, 0.0);
    }
    }
}

/* The price of a bunch with one more row; may stop early once it is at least `limit`. */
static inline double price_with(search *s, const bunch *b, const int32_t *row, double limit)
{
    double total = 0;
    int32_t j = 0, quick = s->n_quick;
    s->work += s->q;
    for (; j < quick && total < limit; j++)
        total += s->column[j].joined[(int64_t)b->shape[j] * s->column[j].n_leaves + row[j]];
    for (; j < s->q && total < limit; j++)
        total += price_with_leaf(s, b, j, row[j]);
    return total;
}

static inline double shape_price(const search *s, const cell *shape)
{
    double total = 0;
    for (int32_t j = 0; j < s->q; j++) {
        const shoal_column *c = s->column + j;
        if (c->kind == SHOAL_CELL_LONG)
            total += free_price(c, as_double(shape[c->extra]), as_double(shape[c->extra + 1]), (int64_t)shape[j], 0.0);
        else
            total += cell_price(c, shape[j]);
    }
    return total;
}

static inline int make_room(search *s, bunch *b, int32_t n)
{
    if (grow(&b->unit, &b->room, n, sizeof *b->unit))
        return 1;
    s->failed = 1;
    return 0;
}

/* Put a unit into a bunch: the shape grows; the price is the caller's to set. */
static inline void add_unit(search *s, bunch *b, int32_t unit)
{
    const int32_t *row = codes_of(s, unit);
    if (!make_room(s, b, b->n + 1))
        return;
    s->work += s->q;
    for (int32_t j = 0; j < s->q; j++) {
        const shoal_column *c = s->column + j;
        if (c->kind != SHOAL_CELL_LONG) {
            b->shape[j] = b->n ? join_leaf(c, b->shape[j], row[j]) : leaf_cell(c, row[j]);
        } else if (b->n == 0 || !has_leaf(s, b, j, row[j])) {
            double weight = b->n ? as_double(b->shape[c->extra]) : 0, spent = b->n ? as_double(b->shape[c->extra + 1]) : 0;
            b->shape[j] = b->n ? b->shape[j] + 1 : 1;
            b->shape[c->extra] = as_cell(weight + weight_of(c, row[j]));
            b->shape[c->extra + 1] = as_cell(spent + spent_of(c, row[j]));
        }
    }
    b->unit[b->n++] = unit;
    b->size += s->weight[unit];
}

/* Count the sensitive values of a bunch for one demand; the caller clears them again. */
static inline int32_t count_values(search *s, const bunch *b, const shoal_demand *d)
{
    int32_t n_met = 0;
    for (int32_t i = 0; i < b->n; i++) {
        int32_t v = d->value[s->row[b->unit[i]]];
        if (s->count[v] == 0)
            s->met[n_met++] = v;
        s->count[v] += s->weight[b->unit[i]];
    }
    s->work += b->n;
    return n_met;
}
static inline void clear_values(search *s, int32_t n_met)
{
    for (int32_t i = 0; i < n_met; i++)
        s->count[s->met[i]] = 0;
}

/* A fresh, empty bunch of this try; NULL without memory. */
static inline bunch *new_fresh(search *s)
{
    if (s->n_fresh == s->n_made) {
        bunch made = {.shape = take(&s->bag, s->width, sizeof(cell))};
        if (!made.shape || !grow(&s->fresh, &s->room_fresh, s->n_made + 1, sizeof *s->fresh)) {
            s->failed = 1;
            return NULL;
        }
        s->fresh[s->n_made++] = made;
    }
    bunch *b = s->fresh + s->n_fresh++;
    b->n = 0;
    b->size = 0;
    b->price = 0;
    return b;
}

/* A fresh copy of a group, to be changed instead of it. */
static inline bunch *copy_fresh(search *s, int32_t g)
{
    bunch *b = new_fresh(s), *from = s->groups + g;
    if (!b || !make_room(s, b, from->n))
        return NULL;
    memcpy(b->unit, from->unit, (size_t)from->n * sizeof *b->unit);
    memcpy(b->shape, from->shape, (size_t)s->width * sizeof(cell));
    b->n = from->n;
    b->size = from->size;
    b->price = from->price;
    return b;
}
#endif
