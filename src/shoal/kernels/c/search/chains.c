/* Rows move along chains of groups, while every group keeps the cells that it shows.
 *
 * A row may stand in any group whose cells hold it, and pays what that group pays. So a chain of moves, each of one row from a group to
 * the next, changes the cost by the price of the group where the chain ends less that of the group where it begins. The groups between
 * keep their size; the first must have a row to spare. Groups are filled from the cheapest on, each time from the dearest group that leads
 * to it. Where none is dearer, none of the groups that lead there will ever take part in a chain again, so they are left alone from then on.
 * In the end no chain is worth moving along: for these cells there is no cheaper way to place the rows.
 *
 * Where the work does not suffice, the cells of the dearest groups are not looked at, and no row moves there. */
#include "../base/heap.h"
#include "../base/listing.h"
#include "bunch.h"

typedef struct {
    int64_t *first; /* of each leaf of a column, */
    int32_t *tuple; /* the tuples that have it */
} leaves;

typedef struct {
    double price;
    int32_t group;
} priced;
ORDER(cheapest_first, priced, a->price < b->price || (a->price == b->price && a->group < b->group))

enum { MOST_HELD = 1 << 24 }; /* units listed, at most: 64 MiB of them */

typedef struct {
    leaves *column;
    priced *order; /* the groups, the cheapest first */
    int64_t n_groups;
    int64_t *from, *to; /* the units that the cells of group g hold are held[from[g]] … held[to[g] - 1]; only those that stand for one row */
    int32_t *held;
    int64_t room;
    int32_t *queue;         /* the groups that were reached, */
    int32_t *unit, *onward; /* and which unit of each moves on, and to which group */
    char *is_reached, *is_settled;
} chains;

static int holds_leaf(const search *s, const bunch *b, int32_t j, int32_t leaf)
{
    const shoal_column *c = s->column + j;
    return c->kind == SHOAL_CELL_LONG ? has_leaf(s, b, j, leaf) : join_leaf(c, b->shape[j], leaf) == b->shape[j];
}

static int holds(const search *s, const bunch *b, int32_t tuple)
{
    const int32_t *row = s->codes + (int64_t)tuple * s->q;
    for (int32_t j = 0; j < s->q; j++)
        if (!holds_leaf(s, b, j, row[j]))
            return 0;
    return 1;
}

/* The column in whose cell the fewest tuples fit. */
static int32_t narrowest(search *s, const chains *c, const bunch *b)
{
    int64_t fewest = s->n_tuples + 1;
    int32_t which = 0;
    for (int32_t j = 0; j < s->q; j++) {
        int64_t n = 0, n_leaves = s->column[j].n_leaves;
        for (int32_t v = 0; v < n_leaves && n < fewest; v++) {
            int64_t many = c->column[j].first[v + 1] - c->column[j].first[v];
            if (many && holds_leaf(s, b, j, v))
                n += many;
        }
        s->work += n_leaves / 4; /* most leaves are passed over, or noted in one line of a table */
        if (n < fewest)
            fewest = n, which = j;
    }
    return which;
}

/* List the units of a tuple that can move. */
static int list_units(search *s, chains *c, int32_t tuple, int64_t *n)
{
    int64_t from = s->first[tuple], to = s->first[tuple + 1];
    if (!grow(&c->held, &c->room, *n + to - from, sizeof *c->held))
        return 0;
    for (int64_t i = from; i < to; i++)
        if (s->weight[s->unit_of[i]] == 1 && s->group[s->unit_of[i]] >= 0)
            c->held[(*n)++] = s->unit_of[i];
    return 1;
}

/* The groups, the cheapest first. */
static void order_groups(const search *s, chains *c)
{
    for (int64_t g = 0; g < s->n_slots; g++)
        if (s->groups[g].n)
            c->order[c->n_groups++] = (priced){s->groups[g].price, (int32_t)g};
    qsort(c->order, (size_t)c->n_groups, sizeof *c->order, cheapest_first);
}

/* Which units the cells of each group hold, as far as the work allows. */
static int list_held(search *s, chains *c, int64_t work)
{
    int64_t n = 0;
    for (int64_t i = 0; i < c->n_groups && s->work < work && n < MOST_HELD; i++) {
        const bunch *b = s->groups + c->order[i].group;
        int32_t j = narrowest(s, c, b), n_leaves = s->column[j].n_leaves;
        const leaves *by = c->column + j;
        c->from[c->order[i].group] = n;
        for (int32_t v = 0; v < n_leaves; v++) {
            if (by->first[v] == by->first[v + 1] || !holds_leaf(s, b, j, v))
                continue;
            for (int64_t a = by->first[v]; a < by->first[v + 1]; a++)
                if (holds(s, b, by->tuple[a]) && !list_units(s, c, by->tuple[a], &n))
                    return 0;
            s->work += 2 * (by->first[v + 1] - by->first[v]);
        }
        c->to[c->order[i].group] = n;
    }
    return 1;
}

/* The dearest group with a row to spare that leads to `to` and is dearer; -1 if there is none. All that lead there are in the queue. */
static int32_t dearest_before(search *s, chains *c, int32_t to, int64_t *n_reached)
{
    int64_t n = 0;
    int32_t found = -1;
    double most = s->groups[to].price + 1e-9;
    c->queue[n++] = to;
    c->is_reached[to] = 1;
    for (int64_t i = 0; i < n; i++) {
        int32_t onward = c->queue[i];
        s->work += c->to[onward] - c->from[onward];
        for (int64_t a = c->from[onward]; a < c->to[onward]; a++) {
            int32_t unit = c->held[a], g = s->group[unit];
            if (c->is_reached[g] || c->is_settled[g])
                continue;
            c->is_reached[g] = 1;
            c->queue[n++] = g;
            c->unit[g] = unit;
            c->onward[g] = onward;
            if (s->groups[g].size > s->k && s->groups[g].price > most)
                most = s->groups[g].price, found = g;
        }
    }
    for (int64_t i = 0; i < n; i++)
        c->is_reached[c->queue[i]] = 0;
    *n_reached = n;
    return found;
}

/* Fill the groups, the cheapest first. Sizes are kept; what the groups hold, and show, is for later. Returns how many chains. */
static int64_t fill(search *s, chains *c, int64_t work)
{
    int64_t moved = 0, n_reached = 0;
    for (int64_t i = 0; i < c->n_groups && s->work < work; i++) {
        int32_t to = c->order[i].group, from;
        if (c->is_settled[to])
            continue;
        while ((from = dearest_before(s, c, to, &n_reached)) >= 0 && s->work < work) {
            s->groups[from].size--;
            s->groups[to].size++;
            for (int32_t g = from; g != to; g = c->onward[g])
                s->group[c->unit[g]] = c->onward[g];
            moved++;
        }
        for (int64_t a = 0; a < n_reached; a++)
            c->is_settled[c->queue[a]] = 1;
    }
    return moved;
}

/* The groups as the units tell. Returns what they cost. */
static double gather_again(search *s)
{
    double cost = 0;
    for (int64_t g = 0; g < s->n_slots; g++)
        s->groups[g].n = 0, s->groups[g].size = 0;
    for (int64_t i = 0; i < s->n && !s->failed; i++)
        if (s->group[i] >= 0)
            add_unit(s, s->groups + s->group[i], (int32_t)i);
    for (int64_t g = 0; g < s->n_slots; g++)
        if (s->groups[g].n) {
            s->groups[g].price = shape_price(s, s->groups[g].shape);
            cost += cost_of(s->groups + g);
        }
    return cost;
}

static void take_room(search *s, chains *c)
{
    int32_t *label = take(&s->bag, s->n_tuples, sizeof *label);
    TAKE(&s->bag, c->order, s->n_slots), TAKE(&s->bag, c->queue, s->n_slots), TAKE_ZEROS(&s->bag, c->column, s->q);
    TAKE_ZEROS(&s->bag, c->from, s->n_slots), TAKE_ZEROS(&s->bag, c->to, s->n_slots);
    TAKE(&s->bag, c->unit, s->n_slots), TAKE(&s->bag, c->onward, s->n_slots);
    TAKE_ZEROS(&s->bag, c->is_reached, s->n_slots), TAKE_ZEROS(&s->bag, c->is_settled, s->n_slots);
    for (int32_t j = 0; j < s->q && !s->bag.failed; j++) {
        leaves *by = c->column + j;
        TAKE_ZEROS(&s->bag, by->first, s->column[j].n_leaves + 1), TAKE(&s->bag, by->tuple, s->n_tuples);
        for (int64_t t = 0; t < s->n_tuples; t++)
            label[t] = s->codes[t * s->q + j];
        if (!s->bag.failed)
            list_by_label(label, s->n_tuples, s->column[j].n_leaves, by->first, by->tuple);
    }
    s->failed |= s->bag.failed;
}

/* A cell that shows less costs no more, but in measures that are not monotone: what would cost more is taken back. */
static void settle(search *s, int64_t work, shoal_outcome *o)
{
    chains c = {0};
    int32_t *was = take(&s->bag, s->n, sizeof *was);
    take_room(s, &c);
    if (s->failed)
        return;
    double before = 0;
    for (int64_t g = 0; g < s->n_slots; g++)
        before += s->groups[g].n ? cost_of(s->groups + g) : 0;
    memcpy(was, s->group, (size_t)s->n * sizeof *was);
    order_groups(s, &c);
    s->failed |= !list_held(s, &c, work / 2);
    if (!s->failed)
        o->accepted = fill(s, &c, work);
    free(c.held);
    if (o->accepted && gather_again(s) > before) {
        memcpy(s->group, was, (size_t)s->n * sizeof *was);
        o->accepted = 0;
        gather_again(s);
    }
}

int64_t shoal_settle(const shoal_columns *space, const shoal_rows *rows, const int32_t *group, const int32_t *part, int64_t n,
                     const shoal_effort *effort, int32_t *out, shoal_outcome *outcome)
{
    search s = {0};
    *outcome = (shoal_outcome){0};
    set_up(&s, space, rows, group, part, n, effort);
    if (!s.failed)
        settle(&s, effort->work, outcome);
    return hand_over(&s, out, outcome);
}
