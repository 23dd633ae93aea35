/* Local search over groups: take a few neighbouring groups apart, cut their rows again, keep what is better.
 *
 * A unit is a row, or many equal rows that stay together (weight above 1). The search sees one part of the table: units, their
 * groups, and the near tuples of each tuple. Nothing outside of the part is touched, so parts may run at the same time, and the
 * result depends on the seed and on the work that is allowed, not on the clock. A worse try is accepted with a probability that
 * falls as the temperature does (simulated annealing); at temperature 0 nothing ever gets worse. */
#include "pool.h"
#include "ruin.h"

enum { DROPPED = 2 }; /* search.failed: this try gives nothing and is dropped */

/* The unit of the pool that fits best and brings the bunch nearer to a demand; -1 if there is none. */
static int32_t best_wanted(search *s, const bunch *b, const shoal_demand *lacks)
{
    double best = INFINITY;
    int32_t which = -1, n_met = count_values(s, b, lacks);
    for (int32_t i = 0; i < s->n_pool; i++)
        if (s->fit[i] < best && is_wanted(lacks, s->count, lacks->value[s->row[s->pool[i]]], b->size)) {
            best = s->fit[i];
            which = i;
        }
    s->work += s->n_pool;
    clear_values(s, n_met);
    return which;
}

static const shoal_demand *broken_demand(search *s, const bunch *b)
{
    const shoal_demand *broken = NULL;
    for (int32_t d = 0; d < s->n_demands && !broken; d++) {
        int32_t n_met = count_values(s, b, s->demand + d);
        if (!keeps_promise(s->demand + d, s->count, s->met, n_met, b->size))
            broken = s->demand + d;
        clear_values(s, n_met);
    }
    return broken;
}

/* Cut the pool into bunches: start anywhere, take the unit that costs least, until the bunch is large enough (and keeps every
 * promise). Now and then the last bunch is not made, so that its rows find places elsewhere. */
static void recreate(search *s, double bonus)
{
    for (int32_t i = s->n_pool - 1; i > 0; i--) {
        int32_t j = (int32_t)below(s, i + 1);
        SWAP(int32_t, s->pool[i], s->pool[j]);
    }
    if (s->n_pool > s->most_pool) {
        s->failed = DROPPED;
        return;
    }
    lay_out(s, bonus);
    int32_t stop = below(s, 8) ? s->k : 2 * s->k;
    while (s->n_pool >= stop && !s->failed) {
        bunch *b = new_fresh(s);
        if (!b)
            return;
        begin_with(s, b, s->n_pool - 1);
        const shoal_demand *lacks = NULL;
        while (b->size < s->k || (lacks = broken_demand(s, b))) {
            int32_t which = b->size < s->k ? best_fit(s) : best_wanted(s, b, lacks);
            if (which < 0)
                break;
            grow_with(s, b, which);
        }
        if (b->size < s->k || lacks) { /* the pool cannot give what it needs: its units are placed one by one */
            for (int32_t i = 0; i < b->n; i++)
                s->pool[s->n_pool++] = b->unit[i];
            s->n_fresh--;
            return;
        }
        b->price = shape_price(s, b->shape);
    }
}

/* What one more unit adds to the cost of a bunch, if that is less than `least`; else `least` or more. */
static double added_cost(search *s, const bunch *b, int32_t unit, double least, double *price)
{
    double size = (double)(b->size + s->weight[unit]), limit = (least + cost_of(b)) / size;
    if (b->price >= limit)
        return INFINITY;
    *price = price_with(s, b, codes_of(s, unit), limit);
    return *price < limit ? size * *price - cost_of(b) : INFINITY;
}

/* The group of a near tuple in which a unit costs least, if that is less than `best`, which falls to it; -1 if there is none. */
static int32_t best_near(search *s, int32_t unit, double *best, double *price)
{
    const int32_t *near = s->near + (int64_t)s->tuple[unit] * s->n_near;
    int32_t found = -1;
    double p = 0;
    s->glance++;
    for (int32_t a = 0; a < s->n_near && near[a] >= 0; a++) {
        int64_t first = s->first[near[a]], units = s->first[near[a] + 1] - first;
        int32_t g = s->group[s->unit_of[first + (units > 1 ? below(s, units) : 0)]];
        if (g < 0 || s->stamp[g] == s->epoch || s->seen[g] == s->glance)
            continue;
        s->seen[g] = s->glance;
        double more = added_cost(s, s->groups + g, unit, *best, &p);
        if (more < *best)
            *best = more, found = g, *price = p;
    }
    return found;
}

/* What is left joins the group where it costs least, one of the fresh ones or one of a near tuple; or it leaves. */
static void place_rest(search *s)
{
    while (s->n_pool) {
        int32_t unit = s->pool[--s->n_pool], into = -1, pull = -1;
        double best = s->leave ? leave_of(s, unit) : INFINITY, price = 0, p = 0;
        for (int32_t i = 0; i < s->n_fresh; i++) {
            double more = added_cost(s, s->fresh + i, unit, best, &p);
            if (more < best) {
                best = more;
                into = i;
                price = p;
            }
        }
        pull = best_near(s, unit, &best, &price);
        if (pull >= 0) {
            s->stamp[pull] = s->epoch;
            s->ruined[s->n_ruined++] = pull;
            into = s->n_fresh;
            if (!copy_fresh(s, pull))
                return;
        }
        if (into >= 0) {
            add_unit(s, s->fresh + into, unit);
            s->fresh[into].price = price;
        } else if (s->leave) {
            s->leaving[s->n_leaving++] = unit;
        } else {
            s->failed = DROPPED;
            return;
        }
    }
}

/* Groups that cost more than their rows cost outside leave whole. */
static void leave_whole(search *s)
{
    for (int32_t i = s->n_fresh - 1; i >= 0; i--) {
        bunch *b = s->fresh + i;
        double outside = 0;
        for (int32_t u = 0; u < b->n; u++)
            outside += leave_of(s, b->unit[u]);
        if (cost_of(b) <= outside)
            continue;
        for (int32_t u = 0; u < b->n; u++)
            s->leaving[s->n_leaving++] = b->unit[u];
        s->n_fresh--;
        SWAP(bunch, *b, s->fresh[s->n_fresh]);
    }
}

/* Joins of the first i and of the last n − i units of a group, each with one more row. */
static void join_all_but_one(search *s, const bunch *b, const int32_t *row)
{
    int32_t q = s->q, n = b->n;
    for (int32_t j = 0; j < q; j++) {
        const shoal_column *c = s->column + j;
        cell v = leaf_cell(c, row[j]), w = v;
        s->before[j] = v;
        s->after[(int64_t)n * q + j] = w;
        for (int32_t i = 0; i < n; i++) {
            s->before[(int64_t)(i + 1) * q + j] = v = join_leaf(c, v, codes_of(s, b->unit[i])[j]);
            s->after[(int64_t)(n - 1 - i) * q + j] = w = join_leaf(c, w, codes_of(s, b->unit[n - 1 - i])[j]);
        }
    }
    s->work += 2 * (int64_t)n * q;
}

static double price_without(search *s, int32_t i)
{
    double total = 0;
    for (int32_t j = 0; j < s->q; j++) {
        const shoal_column *c = s->column + j;
        total += cell_price(c, join_cells(c, s->before[(int64_t)i * s->q + j], s->after[(int64_t)(i + 1) * s->q + j]));
    }
    s->work += s->q;
    return total;
}

/* Which unit of `b` best changes places with a row that leaves `rest`; -1 if the row had better just move. */
static int32_t best_exchange(search *s, const bunch *b, const bunch *rest, const int32_t *row, double best)
{
    int32_t which = -1;
    join_all_but_one(s, b, row);
    for (int32_t i = 0; i < b->n; i++) {
        if (s->weight[b->unit[i]] > 1)
            continue;
        double cost = (double)b->size * price_without(s, i);
        if (cost >= best)
            continue;
        double limit = (best - cost) / (double)(rest->size + 1);
        double p = price_with(s, rest, codes_of(s, b->unit[i]), limit);
        cost += (double)(rest->size + 1) * p;
        if (p < limit && cost < best)
            best = cost, which = i;
    }
    return which;
}

/* What the two groups cost if the unit just moves; infinite where its own group cannot spare it. */
static double cost_of_moving(search *s, const bunch *rest, const bunch *to, int32_t unit)
{
    if (rest->size < s->k)
        return INFINITY;
    return (double)rest->size * shape_price(s, rest->shape) + (double)(to->size + 1) * price_with(s, to, codes_of(s, unit), INFINITY);
}

/* Whether two groups are different ones, and small enough to look at all of their units; and the first does not end without its unit (k = 1). */
static int can_exchange(const search *s, int32_t a, int32_t b, int32_t most)
{
    return a >= 0 && b >= 0 && a != b && s->groups[a].n > 1 && s->groups[a].n <= most && s->groups[b].n <= most;
}

/* A unit changes places with one of a near group, or just moves there where its own group can spare it. */
static int exchange(search *s, int32_t unit, int32_t most)
{
    int32_t other = some_neighbour(s, unit), a = s->group[unit], b = other < 0 ? -1 : s->group[other], which;
    if (s->weight[unit] > 1 || !can_exchange(s, a, b, most))
        return 0;
    bunch *from = s->groups + a, *to = s->groups + b;
    if (!new_fresh(s) || !new_fresh(s))
        return 0;
    bunch *rest = s->fresh, *into = s->fresh + 1;
    s->ruined[s->n_ruined++] = a;
    s->ruined[s->n_ruined++] = b;
    for (int32_t i = 0; i < from->n; i++)
        if (from->unit[i] != unit)
            add_unit(s, rest, from->unit[i]);
    double best = cost_of_moving(s, rest, to, unit);
    if (s->has_long)
        which = rest->size >= s->k ? -1 : (int32_t)below(s, to->n);
    else
        which = best_exchange(s, to, rest, codes_of(s, unit), best);
    if (which < 0 ? rest->size < s->k : s->weight[to->unit[which]] > 1)
        return 0;
    for (int32_t i = 0; i < to->n; i++)
        add_unit(s, i == which ? rest : into, to->unit[i]);
    add_unit(s, into, unit);
    rest->price = shape_price(s, rest->shape);
    into->price = shape_price(s, into->shape);
    return !s->failed;
}

/* The fresh bunches take the place of the groups that were taken apart. */
static void commit(search *s)
{
    for (int32_t i = 0; i < s->n_ruined; i++)
        s->groups[s->ruined[i]].n = 0, s->spare[s->n_spare++] = s->ruined[i];
    for (int32_t i = 0; i < s->n_fresh; i++) {
        int32_t g = s->spare[--s->n_spare];
        SWAP(bunch, s->groups[g], s->fresh[i]);
        for (int32_t u = 0; u < s->groups[g].n; u++)
            s->group[s->groups[g].unit[u]] = g;
    }
    for (int32_t i = 0; i < s->n_leaving; i++)
        s->group[s->leaving[i]] = -1;
}

/* How much worse the fresh bunches are than what they would replace; infinite if they break a demand. */
static double change(search *s)
{
    double before = s->left_before, after = 0;
    for (int32_t i = 0; i < s->n_ruined; i++)
        before += cost_of(s->groups + s->ruined[i]);
    for (int32_t i = 0; i < s->n_leaving; i++)
        after += leave_of(s, s->leaving[i]);
    for (int32_t i = 0; i < s->n_fresh; i++) {
        after += cost_of(s->fresh + i);
        if (s->n_demands && (s->fresh[i].size < s->k || broken_demand(s, s->fresh + i)))
            return INFINITY;
    }
    return after - before;
}

/* What a unit pays beyond what it is worth. */
static double excess(const search *s, int32_t unit)
{
    int32_t g = s->group[unit];
    return (g < 0 ? s->leave[s->tuple[unit]] : s->groups[g].price) - s->worth[s->tuple[unit]];
}

static double mean_excess(const search *s)
{
    double total = 0;
    for (int64_t i = 0; i < s->n; i++) {
        double x = excess(s, (int32_t)i);
        total += x > 0 ? x : 0;
    }
    return s->n ? total / (double)s->n : 0;
}

static int try_once(search *s, int32_t unit, const shoal_effort *e)
{
    s->n_fresh = s->n_pool = s->n_ruined = s->n_leaving = 0;
    s->left_before = 0;
    s->epoch++;
    if (below(s, 16) < e->swaps)
        return exchange(s, unit, e->pool);
    ruin(s, unit, e);
    if (!s->failed)
        recreate(s, e->bonus);
    if (!s->failed)
        place_rest(s);
    if (s->leave && !s->failed)
        leave_whole(s);
    if (s->failed == DROPPED) {
        s->failed = 0;
        return 0;
    }
    return !s->failed;
}

static void run(search *s, const shoal_effort *e, shoal_outcome *o)
{
    double temperature = e->hot, sharp = e->sharp * mean_excess(s);
    int64_t idle = 0, patience = 64 * s->n + 4096;
    while (s->work < e->work && !s->failed && idle < patience && sharp > 0) {
        int32_t unit = (int32_t)below(s, s->n);
        double x = excess(s, unit);
        s->work++;
        idle++;
        if (x <= 1e-9 || x < sharp * random_unit(&s->state))
            continue;
        idle = 0;
        if ((o->tries++ & 255) == 0)
            temperature = e->hot > 0 ? e->hot * pow(e->cold / e->hot, (double)s->work / (double)e->work) : 0.0;
        if (!try_once(s, unit, e))
            continue;
        double allowed = temperature > 0 ? -temperature * log(random_unit(&s->state)) : 0.0;
        double worse = change(s);
        if (worse > 1e-9 && worse < INFINITY)
            o->uphill += worse, o->n_uphill++;
        if (worse <= allowed) {
            commit(s);
            o->accepted++;
        }
    }
}

int64_t shoal_improve(const shoal_columns *space, const shoal_rows *rows, const int32_t *group, const int32_t *part, int64_t n,
                      const shoal_effort *effort, int32_t *out, shoal_outcome *outcome)
{
    search s = {0};
    *outcome = (shoal_outcome){0};
    set_up(&s, space, rows, group, part, n, effort);
    if (!s.failed)
        run(&s, effort, outcome);
    return hand_over(&s, out, outcome);
}
