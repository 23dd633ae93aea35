/* Setting a search up over one part of the table, and taking it down. */
#include "../base/listing.h"
#include "../base/numbers.h"
#include "bunch.h"

/* The tuples of the part get numbers of their own, which `local` tells. */
static void take_units(search *s, const shoal_rows *rows, const int32_t *group, const int32_t *part, Numbers *local)
{
    for (int64_t i = 0; i < s->n; i++) {
        s->tuple[i] = give_number(local, rows->tuple[part[i]], &s->n_tuples);
        s->weight[i] = rows->weight[part[i]];
        s->group[i] = group[part[i]];
        s->row[i] = part[i];
    }
    TAKE_ZEROS(&s->bag, s->codes, s->n_tuples * s->q), TAKE_ZEROS(&s->bag, s->near, s->n_tuples * s->n_near);
    TAKE_ZEROS(&s->bag, s->first, s->n_tuples + 2), TAKE_ZEROS(&s->bag, s->worth, s->n_tuples);
    s->leave = rows->leave ? take_zeros(&s->bag, s->n_tuples, sizeof *s->leave) : NULL;
}

static void take_tuples(search *s, const shoal_rows *rows, const int32_t *part, const Numbers *local)
{
    list_by_label(s->tuple, s->n, s->n_tuples, s->first, s->unit_of);
    for (int64_t t = 0; t < s->n_tuples; t++) {
        int32_t from = rows->tuple[part[s->unit_of[s->first[t]]]], kept = 0;
        int32_t *mine = s->near + t * s->n_near;
        for (int32_t j = 0; j < s->q; j++)
            s->codes[t * s->q + j] = rows->codes[(int64_t)from * s->q + s->order[j]];
        s->worth[t] = rows->worth[from];
        if (s->leave)
            s->leave[t] = rows->leave[from];
        for (int32_t a = 0; a < s->n_near; a++) {
            int32_t other = rows->near[(int64_t)from * s->n_near + a];
            int32_t number = other >= 0 && other != from ? number_of(local, other) : -1;
            if (number >= 0)
                mine[kept++] = number;
        }
        while (kept < s->n_near)
            mine[kept++] = -1;
    }
}

/* Room for as many groups as there can be. */
static void make_slots(search *s)
{
    int64_t small = 0, large = 0;
    for (int64_t i = 0; i < s->n; i++) {
        if (s->weight[i] < s->k)
            small += s->weight[i];
        else
            large++;
    }
    s->n_slots = small / s->k + large + 1; /* a group has a unit of k rows or more, or k rows of smaller units */
    TAKE_ZEROS(&s->bag, s->groups, s->n_slots), TAKE_ZEROS(&s->bag, s->spare, s->n_slots);
    TAKE_ZEROS(&s->bag, s->ruined, s->n_slots), TAKE_ZEROS(&s->bag, s->stamp, s->n_slots);
    TAKE_ZEROS(&s->bag, s->seen, s->n_slots), TAKE_ZEROS(&s->bag, s->lent, s->n_slots);
    cell *shapes = take(&s->bag, s->n_slots * s->width, sizeof *shapes);
    for (int64_t g = 0; !s->bag.failed && g < s->n_slots; g++)
        s->groups[g].shape = shapes + g * s->width;
}

static void take_groups(search *s)
{
    int64_t used = 0;
    Numbers slot = make_numbers(&s->bag, s->n);
    make_slots(s);
    for (int64_t i = 0; !s->bag.failed && i < s->n; i++) {
        if (s->group[i] < 0)
            continue;
        s->group[i] = give_number(&slot, s->group[i], &used);
        if (used > s->n_slots) { /* a group below k would make more groups than there can be */
            s->failed = 1;
            return;
        }
        add_unit(s, s->groups + s->group[i], (int32_t)i);
    }
    if (s->bag.failed)
        return;
    for (int64_t g = 0; g < used; g++)
        s->groups[g].price = shape_price(s, s->groups[g].shape);
    for (int64_t g = s->n_slots - 1; g >= used; g--)
        s->spare[s->n_spare++] = (int32_t)g;
}

/* The columns whose joins are priced by one look come first. */
static void take_columns(search *s, const shoal_columns *space)
{
    TAKE_ZEROS(&s->bag, s->column, s->q), TAKE_ZEROS(&s->bag, s->order, s->q);
    if (s->bag.failed)
        return;
    for (int32_t j = 0; j < s->q; j++)
        if (space->column[j].joined)
            s->order[s->n_quick++] = j;
    for (int32_t j = 0, next = s->n_quick; j < s->q; j++)
        if (!space->column[j].joined)
            s->order[next++] = j;
    for (int32_t j = 0; j < s->q; j++)
        s->column[j] = space->column[s->order[j]];
}

void set_up(search *s, const shoal_columns *space, const shoal_rows *rows, const int32_t *group, const int32_t *part, int64_t n,
            const shoal_effort *e)
{
    Numbers local = make_numbers(&s->bag, n);
    int32_t most_values = 0;
    s->demand = rows->demand;
    s->n_demands = rows->n_demands;
    s->q = space->n_columns;
    s->width = space->width;
    s->has_long = space->width > space->n_columns;
    s->k = e->k;
    s->n = n;
    s->n_near = rows->n_near;
    s->state = e->seed;
    for (int32_t d = 0; d < s->n_demands; d++)
        most_values = s->demand[d].n_values > most_values ? s->demand[d].n_values : most_values;
    TAKE_ZEROS(&s->bag, s->tuple, n), TAKE_ZEROS(&s->bag, s->weight, n), TAKE_ZEROS(&s->bag, s->group, n);
    TAKE_ZEROS(&s->bag, s->row, n), TAKE_ZEROS(&s->bag, s->mark, n), TAKE_ZEROS(&s->bag, s->pool, n);
    TAKE_ZEROS(&s->bag, s->leaving, n), TAKE_ZEROS(&s->bag, s->unit_of, n), TAKE_ZEROS(&s->bag, s->count, most_values);
    TAKE_ZEROS(&s->bag, s->met, most_values);
    take_columns(s, space);
    int64_t most = (int64_t)e->pool + s->k + 2 * (int64_t)e->breadth;
    s->most_pool = most < n ? most : n;
    TAKE_ZEROS(&s->bag, s->leaf, s->most_pool * s->q), TAKE_ZEROS(&s->bag, s->added, s->most_pool * s->q);
    TAKE_ZEROS(&s->bag, s->fit, s->most_pool), TAKE_ZEROS(&s->bag, s->gain, s->most_pool), TAKE_ZEROS(&s->bag, s->was, s->q);
    s->before = take_zeros(&s->bag, (int64_t)(e->pool + 2) * s->width, sizeof(cell));
    s->after = take_zeros(&s->bag, (int64_t)(e->pool + 2) * s->width, sizeof(cell));
    if (!s->bag.failed)
        take_units(s, rows, group, part, &local);
    if (!s->bag.failed)
        take_tuples(s, rows, part, &local);
    if (!s->bag.failed)
        take_groups(s);
    s->failed |= s->bag.failed;
    s->work = 0;
}

static void take_down(search *s)
{
    for (int64_t g = 0; s->groups && g < s->n_slots; g++)
        free(s->groups[g].unit);
    for (int32_t i = 0; i < s->n_made; i++)
        free(s->fresh[i].unit);
    free(s->fresh);
    bag_end(&s->bag, 0);
}

int64_t hand_over(search *s, int32_t *out, shoal_outcome *outcome)
{
    if (!s->failed) {
        for (int64_t g = 0; g < s->n_slots; g++) {
            outcome->cost += s->groups[g].n ? cost_of(s->groups + g) : 0.0;
            s->spare[g] = s->groups[g].n ? (int32_t)outcome->n_groups++ : -1;
        }
        for (int64_t i = 0; i < s->n; i++)
            out[i] = s->group[i] < 0 ? -1 : s->spare[s->group[i]];
        outcome->work = s->work;
    }
    int failed = s->failed;
    take_down(s);
    return failed ? SHOAL_NO_MEMORY : outcome->n_groups;
}
