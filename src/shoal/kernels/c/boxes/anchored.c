/* Walks the closed sets of rows that may be tight for given prices, without a lattice: for columns of any kind, and any number of them.
 *
 * A set is found from its dearest tuple, its anchor (of equal prices, the one with the least number). Its other tuples lie no farther from the
 * anchor than its price allows: a set of tightness t that costs d has k·d·t of prices, all of them at most the anchor's. From the
 * anchor alone the set grows by the dearest tuple that is still outside; the closure takes in what it covers. A child that covers a
 * tuple that was passed over before, or one dearer than the anchor, is left out: it is met elsewhere. So each closed set is met once.
 * A set is left with all above it when the k highest prices inside it and among what may still come in do not suffice for what it costs.
 *
 * Prices are net where tuples have own parts (net.h): tuples are then ordered by the net price and `least` times the own part, and sums are of these.
 *
 * An anchor that takes more than its share of work is put off. Those that were put off are walked again with more work for each, as long as the whole walk is
 * within what it may take. The others share the rest. From one that takes more than that, only sets of tightness 1 and more are walked, and all tuples it could
 * reach answer with the tightness up to which sets were left out. If that does not help, it is walked with a lower price of its own: the sets that hold it and a
 * dearer tuple were walked with the price it had, which is the safe side. An anchor without a price is in no way dearer than others: of its sets only those
 * matter that lack k other rows, because k others that cost no more are met from one of them. At last only sets of ever higher tightness are walked. Prices that
 * are lowered so and divided by their answers are feasible. */
#include <math.h>
#include "../base/heap.h"
#include "../base/memory.h"
#include "../base/threads.h"
#include "../table/cells.h"
#include "boxes.h"
#include "net.h"
#include "tuple_tree.h"

#define LARGEST_PAIRS 512 /* columns of up to so many leaves get a table of the distances of pairs of leaves */
#define CACHED 4096       /* prices of subsets that are remembered, for each column and thread; a power of two */
#define LOWER 0.6         /* what is left of an anchor's price at a time ... */
#define LOWEST 0.25       /* ... down to this share, and then to nothing */
#define MORE 8            /* so many times the work is allowed from an anchor that was put off */
#define MOST_WALKS 24     /* walks from all anchors or from those put off: the work of one cannot be multiplied more often */
#define LOOKS 4           /* so many cells are looked at for near tuples in the time of one in the walk */
#define NEARLY 1e-9       /* a price that was added up in another order is as good as the same */
#define SLACK 1e-12       /* sums are compared with this tolerance, so that rounding loses no set */

typedef struct {
    double price, tightness;
    int64_t length;
} Found;

typedef struct {
    int32_t *tuples;
    int64_t n_tuples, room_tuples;
    Found *box;
    int64_t n, room;
} Listing;

/* Where the boxes of an anchor lie. */
typedef struct {
    int32_t slot, n;
    int64_t box, tuple;
} Share;

struct shoal_found {
    Listing *listing; /* of each thread */
    Share *share;     /* of each anchor */
    int64_t n;
    Counter n_slots, n_boxes;
};

typedef struct {
    int32_t at;
    double distance;
} Spot;

typedef struct {
    int32_t q;
    const shoal_columns *space;
    shoal_anchored_ask *ask;
    int32_t *order;   /* columns, those that separate tuples most first */
    int32_t *tuple;   /* the tuples by falling price */
    int32_t *codes;   /* n x q, in these orders */
    double *y, *own;  /* net prices and own parts; without any, own is NULL */
    double *w;        /* what tuples are ordered by */
    int32_t *rows;    /* of each tuple, k at most */
    TupleTree tree;   /* the tuples by their codes in the first columns */
    double **pair;    /* of each column, the prices of pairs of leaves; or NULL */
    int32_t **common; /* of a subset column, its leaves by falling count */
    shoal_found *found;
    int32_t *anchors, *later; /* those to walk from, and those that were put off */
    int is_last;              /* whether none is put off any more */
    int64_t most;             /* work from one anchor */
    Counter work, n_later;
    Flag failed;
    Bag bag;
} Plan;

typedef struct {
    uint64_t mask;
    double price;
} Memo;

typedef struct {
    Bag bag;
    Plan *plan;
    int32_t slot;
    Memo **memo;
    double *value;       /* the tightness of each tuple's tightest set */
    double *floor;       /* and the tightness up to which sets with it were left out */
    int32_t *near, n_near; /* tuples that may be in a set with the anchor, the anchor first */
    int32_t *above, n_above; /* dearer ones that no set may hold */
    Spot *spot;            /* tuples within a radius, in no order */
    int64_t n_spots, looked;
    double *distance, *far; /* of each near tuple, and of each dearer one, from the anchor */
    const double **row;  /* of each column, what the anchor's leaf costs with each other */
    double *leaf;        /* and alone */
    double theta;        /* the tightness from which on sets are met */
    double *y, *w;       /* net prices with the anchor's as it is now, and the same with theta times the own part */
    int32_t anchor;
    int is_sorted;       /* whether tuples after the anchor come by falling w */
    Shortlist top;
    double limit;        /* what the dearest set that was thinned out last may cost */
    int32_t *list;       /* lists of tuples, end to end */
    double *cost;        /* beside each of them, what the set with it costs */
    int64_t n_list, room_list, room_cost;
    cell *cells;
    int64_t *place;      /* beside each cell, where it is noted what each leaf would add to its price; -1 if that is noted nowhere */
    double *added;       /* these notes; not a number where it is not known yet */
    int64_t room_cells, room_place, n_added, room_added;
    int32_t *changed;    /* columns */
    int64_t work, most;
    int cut, is_listed;
} Walker;

static inline void keep_higher(double *best, double value) { *best = value > *best ? value : *best; }

/* ---- prices ---- */

static inline const shoal_column *column_of(const Plan *p, int32_t j) { return p->space->column + p->order[j]; }
static inline const int32_t *codes_of(const Plan *p, int32_t i) { return p->codes + (int64_t)i * p->q; }

/* The least entropy of a set that holds a mask: with the most frequent others added, for some number of them. */
static double least_entropy(const shoal_column *c, const int32_t *common, uint64_t mask)
{
    double weight = 0, spent = 0, least;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        int v = __builtin_ctzll(rest);
        weight += weight_of(c, v), spent += spent_of(c, v);
    }
    least = (mask & (mask - 1)) ? log2(weight > 1 ? weight : 1) - spent / (weight > 1 ? weight : 1) : 0.0;
    for (int32_t i = 0; i < c->n_leaves && least > 0.0; i++)
        if (!(mask >> common[i] & 1)) {
            weight += weight_of(c, common[i]), spent += spent_of(c, common[i]);
            double bits = log2(weight) - spent / weight;
            least = bits < least ? bits : least;
        }
    return c->scale * (least > 0.0 ? least : 0.0);
}

static double subset_price(Walker *w, int32_t j, uint64_t mask)
{
    const shoal_column *c = column_of(w->plan, j);
    if (c->table_price)
        return c->table_price[mask];
    if (c->formula != SHOAL_FORMULA_BITS)
        return mask_price(c, mask);
    Memo *m = w->memo[j] + ((mask * 0x9e3779b97f4a7c15ULL) >> 52);
    if (m->mask != mask)
        w->work += c->n_leaves, *m = (Memo){mask, least_entropy(c, w->plan->common[j], mask)};
    return m->price;
}

static inline double price_in(Walker *w, int32_t j, cell v)
{
    const shoal_column *c = column_of(w->plan, j);
    return c->kind == SHOAL_CELL_SUBSET ? subset_price(w, j, v) : cell_price(c, v);
}

static inline int covers(const shoal_column *c, cell v, int32_t leaf)
{
    switch (c->kind) {
    case SHOAL_CELL_TABLED:
        return c->table[(int64_t)v * c->n_leaves + leaf] == v;
    case SHOAL_CELL_INTERVAL:
        return low_of(v) <= leaf && leaf <= high_of(v);
    case SHOAL_CELL_SUBSET:
        return (int)(v >> leaf & 1);
    default:
        return join_leaf(c, v, leaf) == v;
    }
}

static inline int holds(const Plan *p, const cell *set, int32_t i)
{
    const int32_t *code = codes_of(p, i);
    for (int32_t j = 0; j < p->q; j++)
        if (!covers(column_of(p, j), set[j], code[j]))
            return 0;
    return 1;
}

/* Find out what a leaf adds to the price of the cell at a place, and note it. */
static double find_added(Walker *w, int32_t j, int64_t at, int32_t leaf)
{
    const shoal_column *c = column_of(w->plan, j);
    cell v = w->cells[at];
    double more = covers(c, v, leaf) ? 0.0 : price_in(w, j, join_leaf(c, v, leaf)) - price_in(w, j, v);
    more = more > 0.0 ? more : 0.0;
    w->work += LOOKS;
    if (w->place[at] >= 0)
        w->added[w->place[at] + leaf] = more;
    return more;
}

static inline double added_by(Walker *w, int32_t j, int64_t at, int32_t leaf)
{
    double more = w->place[at] < 0 ? -1.0 : w->added[w->place[at] + leaf];
    return more >= 0.0 ? more : find_added(w, j, at, leaf);
}

/* What the set with its cells at a place costs when a tuple comes in, as far as it is below the limit. */
static double price_with(Walker *w, int64_t cells, double price, int32_t i, double limit)
{
    const int32_t *code = codes_of(w->plan, i);
    for (int32_t j = 0, q = w->plan->q; j < q && price <= limit; j++)
        price += added_by(w, j, cells + j, code[j]);
    return price;
}

/* The columns in which a set shows more than the one that it grew from. */
static int32_t list_changed(Walker *w, int64_t cells, int64_t from)
{
    int32_t n = 0;
    for (int32_t j = 0; j < w->plan->q; j++)
        if (w->cells[from + j] != w->cells[cells + j])
            w->changed[n++] = j;
    return n;
}

/* What a tuple adds to a set beyond what it added to the one that that grew from. */
static inline double changed_by(Walker *w, int64_t cells, int64_t from, int32_t n_changed, int32_t i)
{
    const int32_t *code = codes_of(w->plan, i);
    double more = 0.0;
    for (int32_t c = 0; c < n_changed; c++) {
        int32_t j = w->changed[c];
        more += added_by(w, j, cells + j, code[j]) - added_by(w, j, from + j, code[j]);
    }
    return more;
}

/* Room for a set's cells at a place, and for what leaves add to them. */
static int make_cells(Walker *w, int64_t cells)
{
    int64_t need = cells + w->plan->q;
    if (grow(&w->cells, &w->room_cells, need, sizeof *w->cells) && grow(&w->place, &w->room_place, need, sizeof *w->place))
        return 1;
    set_flag(&w->plan->failed, SHOAL_NO_MEMORY);
    return 0;
}

/* Begin notes for the cells of a set; where they are those of the set that it grew from, with that one's. */
static int begin_notes(Walker *w, int64_t cells, int64_t from)
{
    for (int32_t j = 0; j < w->plan->q; j++) {
        int64_t n = column_of(w->plan, j)->n_leaves;
        w->place[cells + j] = -1;
        if (from >= 0 && w->cells[from + j] == w->cells[cells + j])
            w->place[cells + j] = w->place[from + j];
        else if (n <= LARGEST_PAIRS) {
            if (!grow(&w->added, &w->room_added, w->n_added + n, sizeof *w->added)) {
                set_flag(&w->plan->failed, SHOAL_NO_MEMORY);
                return 0;
            }
            memset(w->added + w->n_added, 0xff, sizeof *w->added * (size_t)n); /* no numbers */
            w->place[cells + j] = w->n_added;
            w->n_added += n;
            w->work += n / 64;
        }
    }
    return 1;
}

static double price_of_set(Walker *w, const cell *set)
{
    double price = 0;
    for (int32_t j = 0; j < w->plan->q; j++)
        price += price_in(w, j, set[j]);
    return price;
}

/* ---- the walk from one anchor ---- */

/* The next tuple of two lists by falling price, -1 behind the last. */
static inline int32_t next_of(const int32_t **a, const int32_t *a_end, const int32_t **b, const int32_t *b_end, int is_taken)
{
    const int32_t **from = *b == b_end || (*a != a_end && **a < **b) ? a : b;
    if (*a == a_end && *b == b_end)
        return -1;
    return is_taken ? *(*from)++ : **from;
}

/* The k highest values of two lists that are in no order. */
static double highest_of_all(Walker *w, const int32_t *a, int64_t n_a, const int32_t *b, int64_t n_b, int64_t *held)
{
    const Plan *p = w->plan;
    w->top.n = w->top.held = 0;
    w->work += n_a + n_b;
    for (int64_t i = 0; i < n_a + n_b; i++) {
        int32_t at = i < n_a ? a[i] : b[i - n_a];
        if (!is_behind(&w->top, -w->w[at]))
            list_value(&w->top, -w->w[at], at, p->rows[at]);
    }
    *held = w->top.held < p->ask->k ? w->top.held : p->ask->k;
    return -sum_listed(&w->top);
}

/* Whether the anchor's price counts for nothing. */
static inline int is_free(const Walker *w) { return !w->plan->own && w->y[w->anchor] <= 0.0; }

/* The k highest values of two lists, of which the first begins with the anchor; `held` is how many rows there were for them. */
static double highest(Walker *w, const int32_t *a, int64_t n_a, const int32_t *b, int64_t n_b, int64_t *held)
{
    const Plan *p = w->plan;
    const int32_t *a_end = a + n_a, *b_end = b + n_b;
    if (!w->is_sorted)
        return highest_of_all(w, a, n_a, b, n_b, held);
    int64_t left = p->ask->k, of_anchor = p->rows[*a++];
    double sum = 0, own = w->w[w->anchor];
    if (is_free(w)) /* sets with k others are spared: one of the k is the anchor */
        left--, of_anchor--;
    while (left) {
        int32_t i = next_of(&a, a_end, &b, b_end, 0);
        int is_anchor = of_anchor && (i < 0 || own >= w->w[i]); /* it may come later where its price was lowered */
        if (i < 0 && !is_anchor)
            break;
        int64_t rows = is_anchor ? of_anchor : p->rows[next_of(&a, a_end, &b, b_end, 1)], taken = rows < left ? rows : left;
        sum += (double)taken * (is_anchor ? own : w->w[i]);
        of_anchor = is_anchor ? 0 : of_anchor;
        left -= taken;
    }
    *held = p->ask->k - left;
    return sum;
}

static int keep_set(Walker *w, int32_t anchor, const int32_t *inside, int64_t n_in, double price, double tightness)
{
    const Plan *p = w->plan;
    Listing *l = p->found->listing + w->slot;
    Share *s = p->found->share + anchor;
    double more = 1.0 / p->ask->reach - 1.0, last = 0.0;
    int64_t held = 0, first = l->n_tuples;
    if (!grow(&l->tuples, &l->room_tuples, l->n_tuples + n_in, sizeof *l->tuples) || !grow(&l->box, &l->room, l->n + 1, sizeof *l->box))
        return 0;
    for (int64_t i = 0; i < n_in; i++) {
        int32_t at = inside[i];
        if (held < p->ask->k)
            held += p->rows[at], last = p->w[at];
        else if (p->own ? p->w[at] + more * p->y[at] < last : p->y[at] < p->ask->reach * last)
            continue;
        l->tuples[l->n_tuples++] = p->tuple[at];
    }
    l->box[l->n++] = (Found){price, tightness, l->n_tuples - first};
    s->n++;
    return 1;
}

static void visit(Walker *w, const int32_t *inside, int64_t n_in, double price)
{
    Plan *p = w->plan;
    int64_t held, k = p->ask->k;
    double sum = highest(w, inside, n_in, NULL, 0, &held), tightness = sum > 0.0 ? sum / ((double)k * price) : 0.0;
    w->work += n_in;
    if (held >= k && tightness >= w->theta && p->own)
        tightness = net_tightness(&(Nets){w->y, p->own, p->rows, k}, inside, n_in, price, w->theta, &w->top, &w->work);
    if (held < k || tightness < w->theta)
        return;
    for (int64_t i = 0; i < n_in; i++)
        if (tightness > w->value[inside[i]])
            w->value[inside[i]] = tightness;
    if (tightness < p->ask->keep || !p->ask->most_kept || w->is_listed)
        return;
    if (atomic_fetch_add(&p->found->n_boxes, 1) >= p->ask->most_kept)
        set_flag(&p->failed, SHOAL_TOO_LARGE);
    else if (!keep_set(w, inside[0], inside, n_in, price, tightness))
        set_flag(&p->failed, SHOAL_NO_MEMORY);
}

typedef struct {
    int64_t in, n_in, out, n_out; /* tuples inside, and those that may come in: places in the lists */
    int64_t cells;
    double price, limit; /* what it costs, and what a set above it may cost at most */
} Set;

static int make_room(Walker *w, int64_t n)
{
    if (grow(&w->list, &w->room_list, w->n_list + n, sizeof *w->list) && grow(&w->cost, &w->room_cost, w->n_list + n, sizeof *w->cost))
        return 1;
    set_flag(&w->plan->failed, SHOAL_NO_MEMORY);
    return 0;
}

/* Whether a set holds a tuple that it must not: one dearer than the anchor, or one that was passed over. */
static int is_elsewhere(Walker *w, const cell *set, const int32_t *passed, int64_t n_passed)
{
    const Plan *p = w->plan;
    w->work += w->n_above + n_passed;
    for (int64_t i = 0; i < n_passed; i++)
        if (holds(p, set, passed[i]))
            return 1;
    for (int64_t i = 0; i < w->n_above; i++)
        if (holds(p, set, w->above[i]))
            return 1;
    return 0;
}

/* Leave out what would cost more than the prices that are left can pay for, again and again. Whether the set may still be tight. */
static int thin_out(Walker *w, Set *s)
{
    const Plan *p = w->plan;
    double each = w->theta * (double)p->ask->k;
    int64_t held;
    for (;;) {
        double sum = highest(w, w->list + s->in, s->n_in, w->list + s->out, s->n_out, &held) * (1.0 + SLACK);
        if (held < p->ask->k || sum < each * s->price)
            return 0;
        s->limit = sum / each;
        int64_t n = 0;
        for (int64_t i = 0; i < s->n_out; i++)
            if (w->cost[s->out + i] <= s->limit) {
                w->list[s->out + n] = w->list[s->out + i];
                w->cost[s->out + n++] = w->cost[s->out + i];
            }
        w->work += s->n_out;
        w->limit = s->limit;
        if (n == s->n_out)
            return 1;
        s->n_out = n;
    }
}

/* The set with the tuple at a place of its list of those that may come in: what it covers, and what may still come in. */
static int extend(Walker *w, const Set *s, int64_t at, double limit, Set *child)
{
    int64_t n = s->n_out - at - 1, a = 0, n_in = s->n_in;
    if (!make_room(w, 2 * s->n_in + 3 * n + 4) || !begin_notes(w, child->cells, s->cells))
        return 0;
    int32_t *list = w->list, came = list[s->out + at];
    /* what comes in is written behind the room of the list that it is merged into */
    int64_t first_in = w->n_list, first_new = w->n_list + s->n_in + n + 1, first_out = first_new + n + 1;
    int64_t n_new = 0, n_out = 0;
    int32_t n_changed = list_changed(w, child->cells, s->cells);
    double most = limit + s->price - child->price + NEARLY * limit;
    list[first_new + n_new++] = came;
    w->work += n;
    for (int64_t i = 0; i < n; i++) {
        int32_t t = list[s->out + at + 1 + i];
        if (w->cost[s->out + at + 1 + i] + changed_by(w, child->cells, s->cells, n_changed, t) > most)
            continue;
        w->work += 2;
        double price = price_with(w, child->cells, child->price, t, limit);
        if (price <= child->price && holds(w->plan, w->cells + child->cells, t))
            list[first_new + n_new++] = t;
        else if (price <= limit)
            list[first_out + n_out] = t, w->cost[first_out + n_out++] = price;
    }
    for (int64_t i = 0, b = 0; i < n_in + n_new; i++)
        list[first_in + i] = b == n_new || (a < n_in && list[s->in + a] < list[first_new + b]) ? list[s->in + a++] : list[first_new + b++];
    child->in = first_in, child->n_in = n_in + n_new, child->out = first_out, child->n_out = n_out;
    w->n_list = first_out + n_out;
    return 1;
}

/* Whether the anchor's price counts for nothing and the set has k rows without it. */
static int is_spared(const Walker *w, const Set *s)
{
    const Plan *p = w->plan;
    int64_t held = 0;
    if (!is_free(w))
        return 0;
    for (int64_t i = 1; i < s->n_in && held < p->ask->k; i++)
        held += p->rows[w->list[s->in + i]];
    return held >= p->ask->k;
}

/* Whether the walk from this anchor has to end: it took too much work, or all walks end. */
static int is_over(Walker *w)
{
    Plan *p = w->plan;
    if (p->ask->stop && *p->ask->stop)
        set_flag(&p->failed, SHOAL_STOPPED);
    return w->work > w->most || get_flag(&p->failed);
}

static void spread(Walker *w, const Set *s, int64_t passed)
{
    Plan *p = w->plan;
    int32_t q = p->q;
    double each = w->theta * (double)p->ask->k;
    if (is_spared(w, s))
        return;
    visit(w, w->list + s->in, s->n_in, s->price);
    if (!make_cells(w, s->cells + q))
        return;
    int64_t n_passed = passed, keep_list = w->n_list, keep_added = w->n_added;
    for (int64_t at = 0; at < s->n_out; at++) {
        int64_t held;
        double sum = highest(w, w->list + s->in, s->n_in, w->list + s->out + at, s->n_out - at, &held) * (1.0 + SLACK);
        if (held < p->ask->k || sum < each * s->price)
            break;
        if ((w->cut = is_over(w)))
            break;
        double limit = sum / each < s->limit ? sum / each : s->limit;
        if (w->cost[s->out + at] > limit)
            continue;
        int32_t came = w->list[s->out + at];
        cell *set = w->cells + s->cells + q;
        for (int32_t j = 0; j < q; j++)
            set[j] = join_leaf(column_of(p, j), w->cells[s->cells + j], codes_of(p, came)[j]);
        Set child = {.cells = s->cells + q, .price = price_of_set(w, set)};
        if (!is_elsewhere(w, set, w->near + w->n_near, n_passed) && extend(w, s, at, limit, &child) && thin_out(w, &child))
            spread(w, &child, n_passed);
        w->n_list = keep_list, w->n_added = keep_added;
        if (w->cut)
            break;
        w->near[w->n_near + n_passed++] = came; /* passed over from here on */
    }
}

/* ---- anchors ---- */

ORDER(by_rank, Spot, a->at < b->at)

/* What two leaves of a column cost together, the first of them the anchor's, beyond what that costs alone. */
static inline double added_in(Walker *w, int32_t j, int32_t leaf)
{
    double both = w->row[j] ? w->row[j][leaf] : price_in(w, j, join_leaf(column_of(w->plan, j), w->cells[j], leaf));
    return both - w->leaf[j];
}

/* What a tuple costs with the anchor, given what it costs in the first columns; as far as it is within the radius. */
static void look_at(Walker *w, int32_t j, int32_t at, double d, double radius)
{
    const int32_t *code = codes_of(w->plan, at);
    for (; j < w->plan->q && d <= radius; j++, w->looked++)
        d += added_in(w, j, code[j]);
    if (d <= radius)
        w->spot[w->n_spots++] = (Spot){at, d};
}

/* Go down the tree of tuples from a node that costs so much, to those within the radius. */
static void look_below(Walker *w, int32_t j, int32_t node, double d, double radius)
{
    const TupleTree *t = &w->plan->tree;
    if (j == t->depth) {
        look_at(w, j, t->tuple[node], d, radius);
        return;
    }
    const int32_t *code = t->code[j];
    for (int32_t i = t->first[j][node]; i < t->first[j][node + 1]; i++) {
        double more = d + added_in(w, j, code[i]);
        w->looked++;
        if (more <= radius)
            look_below(w, j + 1, i, more, radius);
    }
}

/* The tuples within a radius of the anchor. */
static void measure_near(Walker *w, int32_t anchor, double radius)
{
    const Plan *p = w->plan;
    const int32_t *own = codes_of(p, anchor);
    double alone = 0.0;
    for (int32_t j = 0; j < p->q; j++) {
        const shoal_column *c = column_of(p, j);
        w->row[j] = p->pair[j] ? p->pair[j] + (int64_t)own[j] * c->n_leaves : NULL;
        w->cells[j] = leaf_cell(c, own[j]);
        w->leaf[j] = price_in(w, j, w->cells[j]);
        alone += w->leaf[j];
    }
    w->n_near = w->n_above = 0, w->n_spots = 0, w->looked = 0;
    look_below(w, 0, 0, alone, radius);
    qsort(w->spot, (size_t)w->n_spots, sizeof *w->spot, by_rank);
    for (int64_t i = 0; i < w->n_spots; i++)
        if (w->spot[i].at < anchor)
            w->far[w->n_above] = w->spot[i].distance, w->above[w->n_above++] = w->spot[i].at;
        else
            w->distance[w->n_near] = w->spot[i].distance, w->near[w->n_near++] = w->spot[i].at;
    atomic_fetch_add(&w->plan->work, w->looked / LOOKS + w->n_spots);
}

static int begin_at(Walker *w, Set *s)
{
    w->n_list = 0;
    if (!make_room(w, w->n_near + 1))
        return 0;
    double price = price_of_set(w, w->cells);
    *s = (Set){0, 1, 1, 0, 0, price, 0};
    for (int32_t i = 0; i < w->n_near; i++)
        if (i == 0)
            w->list[0] = w->near[0];
        else
            w->list[1 + s->n_out] = w->near[i], w->cost[1 + s->n_out++] = w->distance[i];
    w->n_list = 1 + s->n_out;
    return thin_out(w, s);
}

/* Of the tuples near the anchor, keep those that may share a set of tightness `theta` with it. Whether there may be one. */
static int narrow(Walker *w)
{
    Set s;
    int32_t n = 0;
    if (!begin_at(w, &s))
        return 0;
    w->n_near = 1;
    for (int64_t i = 0; i < s.n_out; i++, w->n_near++) {
        w->near[w->n_near] = w->list[s.out + i];
        w->distance[w->n_near] = w->cost[s.out + i];
    }
    for (int32_t i = 0; i < w->n_above; i++)
        if (w->far[i] <= w->limit)
            w->above[n++] = w->above[i];
    w->n_above = n;
    return 1;
}

/* Price the anchor and the tuples near it anew: a share of the anchor's net price, and own parts theta times. */
static void price_near(Walker *w, double theta, double share)
{
    const Plan *p = w->plan;
    w->theta = theta, w->is_sorted = !p->own || theta == p->ask->least;
    w->y[w->anchor] = share * p->y[w->anchor];
    for (int32_t i = 0; p->own && i < w->n_near; i++)
        w->w[w->near[i]] = w->y[w->near[i]] + theta * p->own[w->near[i]];
    if (!p->own)
        w->w[w->anchor] = w->y[w->anchor];
}

static int walk_from(Walker *w, double theta, double share)
{
    Set s;
    price_near(w, theta, share);
    w->cut = 0, w->work = 0, w->n_added = 0;
    if (begin_at(w, &s) && begin_notes(w, 0, -1))
        spread(w, &s, 0);
    atomic_fetch_add(&w->plan->work, w->work);
    return !w->cut;
}

/* All tuples that may be in a set with the anchor, of whatever tightness, at the price that is left of it. */
static void raise_floors(Walker *w, double theta, double share)
{
    Set s;
    price_near(w, w->plan->ask->least, share);
    if (!begin_at(w, &s))
        return;
    keep_higher(w->floor + w->anchor, theta);
    for (int64_t i = 0; i < s.n_out; i++)
        keep_higher(w->floor + w->list[s.out + i], theta);
}

/* Walk from an anchor again and again, with its price lowered and then for tighter sets only, until that takes no more than is allowed. */
static void insist(Walker *w)
{
    Plan *p = w->plan;
    double theta = p->ask->least, step = p->ask->step, lowered = 1.0;
    w->is_listed = 0;
    while (!walk_from(w, theta, lowered) && !get_flag(&p->failed)) {
        w->is_listed = 1; /* another walk meets the same sets, and more of them */
        if (theta < 1.0)
            theta = 1.0;
        else if (lowered > 0.0)
            lowered = lowered > LOWEST ? lowered * LOWER : 0.0;
        else
            theta += step, step *= 2.0;
    }
    w->is_listed = 0;
    p->ask->walked[p->tuple[w->anchor]] = theta, p->ask->lowered[p->tuple[w->anchor]] = lowered;
    if (theta > p->ask->least)
        raise_floors(w, theta, lowered);
}

static void answer_for(Walker *w, int32_t anchor)
{
    Plan *p = w->plan;
    Listing *l = p->found->listing + w->slot;
    Share *share = p->found->share + anchor;
    measure_near(w, anchor, p->w[anchor] / p->ask->least * (1.0 + SLACK));
    w->anchor = anchor;
    if (w->n_near == 0 || w->near[0] != anchor) /* its own leaves may cost more than its price already */
        return;
    price_near(w, p->ask->least, 1.0);
    if (!narrow(w))
        return;
    *share = (Share){w->slot, 0, l->n, l->n_tuples};
    int is_done = 1;
    if (p->is_last)
        insist(w);
    else
        is_done = walk_from(w, p->ask->least, 1.0);
    price_near(w, p->ask->least, 1.0);
    if (is_done)
        return;
    p->later[atomic_fetch_add(&p->n_later, 1)] = anchor;
    atomic_fetch_sub(&p->found->n_boxes, share->n);
    l->n = share->box, l->n_tuples = share->tuple, share->n = 0;
}

static void open_walker(void *shared, void *own)
{
    Plan *p = shared;
    Walker *w = own;
    int64_t n = p->ask->n;
    w->plan = p, w->most = p->most;
    w->slot = (int32_t)atomic_fetch_add(&p->found->n_slots, 1);
    TAKE(&w->bag, w->value, n), TAKE(&w->bag, w->floor, n), TAKE(&w->bag, w->near, 2 * n + 2), TAKE(&w->bag, w->above, n), TAKE(&w->bag, w->distance, n), TAKE(&w->bag, w->far, n), TAKE(&w->bag, w->spot, n);
    TAKE_ZEROS(&w->bag, w->memo, p->q), TAKE(&w->bag, w->row, p->q), TAKE(&w->bag, w->leaf, p->q), TAKE(&w->bag, w->changed, p->q), TAKE(&w->bag, w->y, n), TAKE(&w->bag, w->w, n);
    w->top = (Shortlist){take(&w->bag, (p->ask->k < n ? p->ask->k : n) + 1, sizeof *w->top.item), 0, 0, p->ask->k};
    for (int32_t j = 0; !w->bag.failed && j < p->q; j++)
        if (p->common[j])
            TAKE_ZEROS(&w->bag, w->memo[j], CACHED);
    if (!make_cells(w, 0))
        w->bag.failed = 1;
    for (int64_t i = 0; !w->bag.failed && i < n; i++)
        w->value[i] = w->floor[i] = p->ask->least, w->y[i] = p->y[i], w->w[i] = p->w[i];
}

static shoal_status serve(void *shared, void *own, int64_t begin, int64_t end)
{
    Plan *p = shared;
    for (int64_t i = begin; i < end && !get_flag(&p->failed); i++) {
        int32_t anchor = p->anchors[i];
        if (p->ask->stop && *p->ask->stop)
            set_flag(&p->failed, SHOAL_STOPPED);
        else if (p->w[anchor] > 0.0)
            answer_for(own, anchor);
    }
    return (shoal_status)get_flag(&p->failed);
}

static void close_walker(void *shared, void *own)
{
    Plan *p = shared;
    Walker *w = own;
    for (int64_t i = 0; i < p->ask->n; i++)
        keep_higher(p->ask->answer + p->tuple[i], w->value[i]), keep_higher(p->ask->floor + p->tuple[i], w->floor[i]);
    free(w->list);
    free(w->cost);
    free(w->cells);
    free(w->place);
    free(w->added);
}

/* ---- making the plan ---- */

typedef struct {
    double y;
    int32_t tuple;
} Priced;

ORDER(by_number, int32_t, *a < *b)
ORDER(by_price, Priced, a->y > b->y || (a->y == b->y && a->tuple < b->tuple))

static void order_tuples(Plan *p)
{
    int64_t n = p->ask->n;
    Priced *priced = take(&p->bag, n, sizeof *priced);
    if (p->bag.failed)
        return;
    for (int64_t i = 0; i < n; i++)
        priced[i] = (Priced){p->ask->y[i] + (p->ask->own ? p->ask->least * p->ask->own[i] : 0.0), (int32_t)i};
    qsort(priced, (size_t)n, sizeof *priced, by_price);
    for (int64_t i = 0; i < n; i++) {
        int64_t rows = p->ask->weight[priced[i].tuple];
        p->tuple[i] = priced[i].tuple, p->w[i] = priced[i].y, p->y[i] = p->ask->y[p->tuple[i]];
        if (p->own)
            p->own[i] = p->ask->own[p->tuple[i]];
        p->rows[i] = (int32_t)(rows < p->ask->k ? rows : p->ask->k);
    }
}

static double cost_of(const shoal_column *c, cell v) { return c->kind == SHOAL_CELL_SUBSET ? mask_price(c, v) : cell_price(c, v); }

/* Columns by what a tuple pays for them beyond its own value when another comes in, dearest first. */
static void order_columns(Plan *p, double *step)
{
    for (int32_t j = 0; j < p->q; j++)
        p->order[j] = j;
    for (int32_t j = 0; j < p->q; j++) {
        const shoal_column *c = p->space->column + j;
        double sum = 0.0;
        for (int64_t i = 0, n = p->ask->n; i < n; i += 1 + n / 4096) {
            int32_t a = p->ask->codes[i * p->q + j], b = p->ask->codes[(i * 7919 + 13) % n * p->q + j];
            cell both = join_leaf(c, leaf_cell(c, a), b);
            sum += cost_of(c, both) - cost_of(c, leaf_cell(c, a));
        }
        int32_t at = j;
        for (; at > 0 && step[at - 1] < sum; at--)
            step[at] = step[at - 1], p->order[at] = p->order[at - 1];
        step[at] = sum, p->order[at] = j;
    }
}

static void make_common(Plan *p, int32_t j)
{
    const shoal_column *c = column_of(p, j);
    if (c->kind != SHOAL_CELL_SUBSET || c->table_price || c->formula != SHOAL_FORMULA_BITS)
        return;
    int32_t *common = TAKE(&p->bag, p->common[j], c->n_leaves);
    for (int32_t v = 0; common && v < c->n_leaves; v++) {
        int32_t at = v;
        for (; at > 0 && weight_of(c, common[at - 1]) < weight_of(c, v); at--)
            common[at] = common[at - 1];
        common[at] = v;
    }
}

static void make_pairs(Plan *p, Walker *w, int32_t j)
{
    const shoal_column *c = column_of(p, j);
    int64_t n = c->n_leaves;
    if (n > LARGEST_PAIRS || !TAKE(&p->bag, p->pair[j], n * n))
        return;
    for (int32_t a = 0; a < n; a++)
        for (int32_t b = 0; b < n; b++)
            p->pair[j][a * n + b] = price_in(w, j, join_leaf(c, leaf_cell(c, a), b));
}

static void make_plan(Plan *p)
{
    int64_t n = p->ask->n, q = p->q;
    Walker w = {.plan = p};
    double *step = take(&p->bag, q, sizeof *step);
    TAKE(&p->bag, p->order, q), TAKE(&p->bag, p->tuple, n), TAKE(&p->bag, p->codes, n * q), TAKE(&p->bag, p->y, n), TAKE(&p->bag, p->rows, n), TAKE(&p->bag, p->later, n), TAKE(&p->bag, p->anchors, n);
    TAKE_ZEROS(&p->bag, p->pair, q), TAKE_ZEROS(&p->bag, p->common, q), TAKE_ZEROS(&p->bag, w.memo, q);
    TAKE(&p->bag, p->w, n);
    if (p->ask->own)
        TAKE(&p->bag, p->own, n);
    if (p->bag.failed)
        return;
    order_tuples(p);
    order_columns(p, step);
    for (int32_t j = 0; j < q; j++) {
        make_common(p, j);
        if (p->common[j])
            TAKE_ZEROS(&p->bag, w.memo[j], CACHED);
        if (!p->bag.failed)
            make_pairs(p, &w, j);
        for (int64_t i = 0; i < n && !p->bag.failed; i++)
            p->codes[i * q + j] = p->ask->codes[(int64_t)p->tuple[i] * q + p->order[j]];
    }
    if (!p->bag.failed)
        make_tuple_tree(&p->tree, p->codes, n, q, &p->bag);
}

/* Walk from the anchors that were put off; those that are put off again take their places. */
static shoal_status walk_later(Plan *p)
{
    int64_t n = atomic_exchange(&p->n_later, 0);
    int32_t *again = p->later;
    qsort(again, (size_t)n, sizeof *again, by_number);
    p->later = p->anchors, p->anchors = again;
    return run_job(&(Job){p, sizeof(Walker), open_walker, serve, close_walker, 0, n, 1, p->ask->n_threads});
}

/* Walk from all anchors, each with no more work than `p->most`, and again from those that took more, with ever more, as long as that is within what all may take. */
static shoal_status walk_all(Plan *p)
{
    for (int64_t i = 0; i < p->ask->n; i++)
        p->anchors[i] = (int32_t)i;
    shoal_status status = run_job(&(Job){p, sizeof(Walker), open_walker, serve, close_walker, 0, p->ask->n, 8, p->ask->n_threads});
    for (int walks = 2; !status && walks < MOST_WALKS; walks++) {
        int64_t n = atomic_load(&p->n_later), left = p->ask->most_walk - atomic_load(&p->work);
        if (n == 0 || left <= 0 || p->most > left / n / MORE * 3)
            break;
        p->most *= MORE;
        status = walk_later(p);
    }
    return status;
}

int64_t shoal_anchored(const shoal_columns *space, shoal_anchored_ask *ask, shoal_found **found)
{
    shoal_found *f = *found = calloc(1, sizeof *f);
    if (!f)
        return SHOAL_NO_MEMORY;
    f->n = ask->n;
    f->share = calloc((size_t)ask->n + 1, sizeof *f->share);
    f->listing = calloc(MOST_WALKS * ((size_t)ask->n_threads + 1), sizeof *f->listing);
    if (!f->share || !f->listing)
        return SHOAL_NO_MEMORY;
    Plan p = {.q = space->n_columns, .space = space, .ask = ask, .found = f};
    shoal_status status = SHOAL_OK;
    make_plan(&p);
    p.most = ask->most_each;
    if (!p.bag.failed)
        status = walk_all(&p);
    int64_t n_later = atomic_load(&p.n_later);
    if (!p.bag.failed && !status && n_later) {
        p.is_last = 1;
        p.most = ask->most_later / n_later > p.most ? ask->most_later / n_later : p.most;
        status = walk_later(&p);
    }
    ask->work = atomic_load(&p.work);
    ask->n_later = n_later;
    return bag_end(&p.bag, status);
}

int64_t shoal_found_boxes(const shoal_found *found, int64_t *n_entries)
{
    int64_t n = *n_entries = 0;
    for (int64_t i = 0; i < found->n; i++) {
        const Share *s = found->share + i;
        n += s->n;
        for (int64_t b = 0; b < s->n; b++)
            *n_entries += found->listing[s->slot].box[s->box + b].length;
    }
    return n;
}

int64_t shoal_found_copy(const shoal_found *found, double *tightness, shoal_boxes *out)
{
    int64_t box = 0, entry = 0;
    out->start[0] = 0;
    for (int64_t i = 0; i < found->n; i++) {
        const Share *s = found->share + i;
        const Listing *l = found->listing + s->slot;
        int64_t first = entry;
        for (int64_t b = 0; b < s->n; b++, box++) {
            const Found *one = l->box + s->box + b;
            out->price[box] = one->price;
            tightness[box] = one->tightness;
            entry += one->length;
            out->start[box + 1] = entry;
        }
        if (s->n)
            memcpy(out->tuples + first, l->tuples + s->tuple, sizeof(int32_t) * (size_t)(entry - first));
    }
    return box;
}

void shoal_found_free(shoal_found *found)
{
    if (!found)
        return;
    for (int64_t i = 0; found->listing && i < atomic_load(&found->n_slots); i++) {
        free(found->listing[i].tuples);
        free(found->listing[i].box);
    }
    free(found->listing);
    free(found->share);
    free(found);
}
