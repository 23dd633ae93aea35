/* Walks all closed boxes that hold at least k rows, for prices.
 *
 * A box is one node per column; it is closed if no node could be lower without losing a tuple. Columns are fixed one after the other, in
 * each from the root down, so a box's tuples are found by splitting its predecessor's. A box whose tuples would allow a lower node in
 * a column that is fixed already is left out with all below it: the same tuples are met with that lower node elsewhere
 * (prefix-preserving closure). A box of fewer than k rows, or of fewer different sensitive values than asked for, is left out with all below it
 * (a-priori).
 *
 * Two questions are answered. Cheapest: y_i = least price of a box that holds tuple i; what costs no less than the dearest y of its
 * tuples is left out. Tight: for given y, with the tuples sorted from high to low, the tightness of a box is the sum of its k highest y
 * over k times its price (net.h, where tuples have own parts; with cuts, any k to 2k - 1 rows count, over what they pay and the cuts around); what cannot reach `least` any more is left out. Both answers are a minimum or a maximum over boxes, and kept
 * boxes are listed by task: nothing depends on the number of threads. */
#include <math.h>
#include "../base/heap.h"
#include "../base/memory.h"
#include "../base/shortlist.h"
#include "../base/threads.h"
#include "../table/trees.h"
#include "boxes.h"
#include "net.h"

#define TASKS 96                 /* columns are fixed ahead until there are so many tasks for the threads */
#define WORK_AT_ONCE (1 << 22)   /* a thread tells the others after so much work */

typedef struct {
    int32_t n_leaves, depth;
    int32_t *above;  /* above[h * n_leaves + leaf]: the ancestor of a leaf at depth h from the root, -1 below the leaf */
    int32_t *height; /* depth of each node from the root */
    const double *price;
} Column;

typedef struct {
    int32_t *items;
    int64_t size, room;
} Ints;

typedef struct {
    double price, tightness;
    int64_t length;
} Kept;

typedef struct {
    Ints nodes, tuples;
    Kept *box;
    int64_t n, room;
} Boxes;

typedef struct {
    int32_t *nodes, *tuples;
    int64_t size;
    double price;
    Boxes kept;
} Task;

struct shoal_kept {
    int32_t q;
    int64_t n_tasks, room;
    Task *task;
};

typedef struct {
    shoal_table t;
    shoal_price_walk *ask;
    int tight;
    int32_t *order, *codes; /* columns, and codes, in the order in which columns are fixed */
    Column *column;
    int32_t ahead; /* columns that are fixed before tasks are handed out */
    shoal_kept tasks;
    Counter work, n_kept;
    Flag failed;
    int32_t *list; /* the tuples, in the order in which boxes list them */
    const double *w; /* what they are ordered by: the net price and `least` times the own part */
    Nets nets;       /* tight, where tuples have own parts; else without them */
    int32_t *cut_depth; /* of the nodes of each cut, in the order of columns */
    double *after; /* after[c * n + i]: what the leaves of tuple i cost in column c and those fixed later; NULL if nothing */
    double *initial;
    Bag bag;
} Plan;

typedef struct {
    Bag bag;
    Plan *plan;
    Shortlist top;
    int collecting;
    double *value;  /* in this task. Cheapest: y so far; tight: tightness so far */
    double *merged; /* over all tasks of this walker */
    int32_t *nodes;
    int32_t *count, *begin; /* per node of the widest column */
    int32_t *seen, stamp;   /* the look at a box that saw each sensitive value last */
    Ints arena, touched;
    int64_t work;
    Boxes *kept;
} Walker;

static inline int grow_ints(Ints *a, int64_t more) { return grow(&a->items, &a->room, a->size + more, sizeof *a->items); }

static inline int32_t code_of(const Plan *p, int32_t tuple, int32_t c) { return p->codes[(int64_t)tuple * p->t.q + c]; }

/* The ancestors at depth h of the leaves of a column. */
static inline const int32_t *at_depth(const Column *c, int32_t h) { return c->above + (int64_t)h * c->n_leaves; }

/* ---- what is asked of a box ---- */

static double highest(const Plan *p, const int32_t *list, int64_t size)
{
    double sum = 0.0;
    int64_t left = p->ask->k;
    for (int64_t i = 0; i < size && left; i++) {
        int64_t taken = p->t.weight[list[i]] < left ? p->t.weight[list[i]] : left;
        sum += (double)taken * p->w[list[i]];
        left -= taken;
    }
    return sum;
}

/* The k highest values of w less what the tuple's own leaves cost later, `least` times. Any k rows of a box inside pay at least the price
   so far and, in each later column, at least the mean of what their leaves cost. */
static double highest_less(Walker *w, const int32_t *list, int64_t size, const double *after)
{
    const Plan *p = w->plan;
    const double *of = p->w;
    w->work += size;
    w->top.n = w->top.held = 0;
    for (int64_t i = 0; i < size; i++) {
        double value = p->ask->least * after[list[i]] - of[list[i]]; /* the highest are the least negatives */
        if (!is_behind(&w->top, value))
            list_value(&w->top, value, list[i], p->t.weight[list[i]]);
    }
    return -sum_listed(&w->top);
}

/* Whether no box inside these tuples that costs at least this much in its first c columns can matter. */
static int is_idle(Walker *w, const int32_t *list, int64_t size, double price, int32_t c)
{
    const Plan *p = w->plan;
    const double *after = p->after && c < p->t.q ? p->after + (int64_t)c * p->t.n : NULL;
    if (p->tight) {
        double enough = p->ask->least * (double)p->ask->k * price;
        return highest(p, list, size) < enough || (after && highest_less(w, list, size, after) < enough - 1e-9 * (1.0 + enough));
    }
    if (price >= p->ask->limit)
        return 1;
    for (int64_t i = 0; i < size; i++)
        if (w->value[list[i]] > price + (after ? after[list[i]] : 0.0)) {
            w->work += i;
            return 0;
        }
    w->work += size;
    return 1;
}

/* The tuples of a sorted list that are, or may come, among the k highest when net prices rise. Returns how many. */
static int64_t list_reached(const Plan *p, const int32_t *list, int64_t size, int32_t *out)
{
    const double *y = p->ask->y;
    double more = 1.0 / p->ask->reach - 1.0, last = 0.0;
    int64_t held = 0, length = 0;
    for (int64_t i = 0; i < size; i++) {
        if (held < p->ask->k)
            held += p->t.weight[list[i]], last = p->w[list[i]];
        else if (p->nets.own ? p->w[list[i]] + more * y[list[i]] < last : y[list[i]] < p->ask->reach * last)
            continue;
        out[length++] = list[i];
    }
    return length;
}

static int keep_box(Walker *w, const int32_t *list, int64_t size, double price, double tightness)
{
    const Plan *p = w->plan;
    Boxes *b = w->kept;
    if (!grow_ints(&b->nodes, p->t.q) || !grow_ints(&b->tuples, size) || !grow(&b->box, &b->room, b->n + 1, sizeof *b->box))
        return 0;
    for (int32_t j = 0; j < p->t.q; j++)
        b->nodes.items[b->nodes.size + p->order[j]] = w->nodes[j];
    b->nodes.size += p->t.q;
    int64_t length = list_reached(p, list, size, b->tuples.items + b->tuples.size);
    b->tuples.size += length;
    b->box[b->n++] = (Kept){price, tightness, length};
    return 1;
}

/* By how much a group inside of this box may be overcharged. A cut that holds one of its tuples, and whose nodes are no lower, holds all. */
static double allowed_by_cuts(Walker *w, int32_t tuple)
{
    const Plan *p = w->plan;
    const shoal_rank_cuts *cuts = p->ask->cuts;
    double sum = 0.0;
    for (int64_t i = cuts->start[tuple]; i < cuts->start[tuple + 1]; i++) {
        const int32_t *depth = p->cut_depth + (int64_t)cuts->cut[i] * p->t.q;
        int32_t c = 0;
        while (c < p->t.q && depth[c] <= p->column[c].height[w->nodes[c]])
            c++;
        if (c == p->t.q)
            sum += cuts->price[cuts->cut[i]];
    }
    w->work += cuts->start[tuple + 1] - cuts->start[tuple];
    return sum;
}

/* The largest sum of k to 2k - 1 prices over what so many rows pay and the cuts around them. */
static double tightness_with_cuts(Walker *w, const int32_t *list, int64_t size, double price)
{
    const Plan *p = w->plan;
    double allowed = allowed_by_cuts(w, list[0]), sum = 0.0, tightest = 0.0;
    int64_t held = 0, most = 2 * p->ask->k - 1;
    for (int64_t i = 0; i < size && held < most; i++) {
        int64_t rows = p->t.weight[list[i]] < most - held ? p->t.weight[list[i]] : most - held;
        for (int64_t r = 0; r < rows; r++) {
            sum += p->w[list[i]], held++;
            double tight = sum > 0.0 ? sum / ((double)held * price + allowed) : 0.0;
            if (held >= p->ask->k && tight > tightest)
                tightest = tight;
        }
    }
    return tightest;
}

static double tightness_of(Walker *w, const int32_t *list, int64_t size, double price)
{
    const Plan *p = w->plan;
    double sum = highest(p, list, size), tightness = sum > 0.0 ? sum / ((double)p->ask->k * price) : 0.0;
    if (tightness < p->ask->least)
        return tightness;
    if (p->nets.own)
        return net_tightness(&p->nets, list, size, price, p->ask->least, &w->top, &w->work);
    return p->ask->cuts ? tightness_with_cuts(w, list, size, price) : tightness;
}

static void visit(Walker *w, const int32_t *list, int64_t size, double price)
{
    Plan *p = w->plan;
    w->work += size;
    if (!p->tight) {
        for (int64_t i = 0; i < size; i++)
            if (price < w->value[list[i]])
                w->value[list[i]] = price;
        return;
    }
    double tightness = tightness_of(w, list, size, price);
    if (tightness < p->ask->least)
        return;
    for (int64_t i = 0; i < size; i++)
        if (tightness > w->value[list[i]])
            w->value[list[i]] = tightness;
    if (tightness >= p->ask->keep && p->ask->most_kept) {
        if (atomic_fetch_add(&p->n_kept, 1) >= p->ask->most_kept)
            set_flag(&p->failed, SHOAL_TOO_LARGE);
        else if (!keep_box(w, list, size, price, tightness))
            set_flag(&p->failed, SHOAL_NO_MEMORY);
    }
}

/* ---- the walk ---- */

static void fix(Walker *w, int32_t c, int64_t at, int64_t size, double price);

/* How many tuples from the first on have the same ancestor at a depth. */
static inline int64_t count_alike(const Plan *p, const int32_t *list, int64_t size, int32_t c, const int32_t *above, int32_t one)
{
    int64_t i = 1;
    while (i < size && above[code_of(p, list[i], c)] == one)
        i++;
    return i;
}

static int is_closed(Walker *w, int32_t before, const int32_t *list, int64_t size)
{
    const Plan *p = w->plan;
    for (int32_t j = 0; j < before; j++) {
        const Column *column = p->column + j;
        int32_t h = column->height[w->nodes[j]] + 1;
        if (h > column->depth)
            continue;
        const int32_t *above = at_depth(column, h);
        int32_t one = above[code_of(p, list[0], j)];
        if (one < 0)
            continue; /* the node is a leaf */
        int64_t alike = count_alike(p, list, size, j, above, one);
        w->work += alike;
        if (alike == size)
            return 0;
    }
    return 1;
}

/* The depth of the lowest node of column c, from depth h on, that covers the list. */
static int32_t lowest_depth(const Plan *p, int32_t c, int32_t h, const int32_t *list, int64_t size)
{
    const Column *column = p->column + c;
    for (; h < column->depth; h++) {
        const int32_t *above = at_depth(column, h + 1);
        int32_t child = above[code_of(p, list[0], c)];
        if (child < 0 || count_alike(p, list, size, c, above, child) < size)
            break;
    }
    return h;
}

/* Lay the tuples of a list out by the children at a depth, behind the arena's end. The children and then the sizes of their parts go onto `touched`.
   Returns the number of children, -1 without memory. */
static int64_t part_list(Walker *w, int32_t c, const int32_t *above, int64_t at, int64_t size)
{
    const Plan *p = w->plan;
    int64_t first = w->touched.size, base = w->arena.size;
    if (!grow_ints(&w->arena, size))
        return -1;
    const int32_t *list = w->arena.items + at;
    for (int64_t i = 0; i < size; i++) {
        int32_t child = above[code_of(p, list[i], c)];
        if (w->count[child]++ == 0) {
            if (!grow_ints(&w->touched, 2))
                return -1;
            w->touched.items[w->touched.size++] = child;
        }
    }
    int64_t last = w->touched.size, next = 0;
    for (int64_t t = first; t < last; t++) {
        int32_t child = w->touched.items[t];
        w->begin[child] = (int32_t)next;
        next += w->count[child];
    }
    w->arena.size += size;
    for (int64_t i = 0; i < size; i++)
        w->arena.items[base + w->begin[above[code_of(p, list[i], c)]]++] = list[i];
    if (!grow_ints(&w->touched, last - first))
        return -1;
    for (int64_t t = first; t < last; t++) { /* sizes, before deeper splits use the counters */
        int32_t child = w->touched.items[t];
        w->touched.items[w->touched.size++] = w->count[child];
        w->count[child] = 0;
    }
    return last - first;
}

static int holds_enough(const Plan *p, const int32_t *list, int64_t size)
{
    int64_t held = 0;
    for (int64_t i = 0; i < size && held < p->ask->k; i++)
        held += p->t.weight[list[i]];
    return held >= p->ask->k;
}

/* Whether these tuples have as many different sensitive values as asked for. */
static int is_diverse(Walker *w, const int32_t *list, int64_t size)
{
    const shoal_different *d = w->plan->ask->diverse;
    if (!d)
        return 1;
    int32_t found = 0;
    int64_t i = 0;
    w->stamp++;
    for (; i < size && found < d->l; i++)
        for (int64_t v = d->start[list[i]]; v < d->start[list[i] + 1]; v++)
            if (w->seen[d->value[v]] != w->stamp)
                w->seen[d->value[v]] = w->stamp, found++;
    w->work += i;
    return found >= d->l;
}

/* Take the lowest node of column c that covers the list, fix it, then split the list by its children and go on below. */
static void descend(Walker *w, int32_t c, int32_t h, int64_t at, int64_t size, double price)
{
    Plan *p = w->plan;
    const Column *column = p->column + c;
    if (get_flag(&p->failed))
        return;
    w->work += 3 * size + 16; /* looked at below: to find the node, to count, to split */
    const int32_t *list = w->arena.items + at;
    h = lowest_depth(p, c, h, list, size);
    int32_t leaf = code_of(p, list[0], c), node = at_depth(column, h)[leaf];
    w->nodes[c] = node;
    double with = price + column->price[node];
    if (!is_idle(w, list, size, with, c + 1))
        fix(w, c + 1, at, size, with);
    if (h == column->depth || at_depth(column, h + 1)[leaf] < 0)
        return;
    int64_t first = w->touched.size, base = w->arena.size, n_children = part_list(w, c, at_depth(column, h + 1), at, size);
    if (n_children < 0) {
        set_flag(&p->failed, SHOAL_NO_MEMORY);
        return;
    }
    int64_t child_at = base;
    for (int64_t i = 0; i < n_children; i++) {
        int64_t child_size = w->touched.items[first + n_children + i];
        const int32_t *part = w->arena.items + child_at;
        if (holds_enough(p, part, child_size) && is_closed(w, c, part, child_size) && !is_idle(w, part, child_size, price, c) &&
            is_diverse(w, w->arena.items + child_at, child_size))
            descend(w, c, h + 1, child_at, child_size, price);
        child_at += child_size;
    }
    w->touched.size = first;
    w->arena.size = base;
}

static void add_task(Walker *w, int64_t at, int64_t size, double price)
{
    Plan *p = w->plan;
    shoal_kept *tasks = &p->tasks;
    Task task = {.price = price, .size = size};
    int fine = grow(&tasks->task, &tasks->room, tasks->n_tasks + 1, sizeof *tasks->task);
    if (fine) {
        task.nodes = malloc(sizeof(int32_t) * (size_t)(p->ahead + 1));
        task.tuples = malloc(sizeof(int32_t) * (size_t)size);
        tasks->task[tasks->n_tasks++] = task;
    }
    if (!task.nodes || !task.tuples) {
        set_flag(&p->failed, SHOAL_NO_MEMORY);
        return;
    }
    memcpy(task.nodes, w->nodes, sizeof(int32_t) * (size_t)p->ahead);
    memcpy(task.tuples, w->arena.items + at, sizeof(int32_t) * (size_t)size);
}

static void fix(Walker *w, int32_t c, int64_t at, int64_t size, double price)
{
    Plan *p = w->plan;
    if (w->work > WORK_AT_ONCE) {
        if (atomic_fetch_add(&p->work, w->work) + w->work > p->ask->most_work)
            set_flag(&p->failed, SHOAL_TOO_LARGE);
        if (p->ask->stop && *p->ask->stop)
            set_flag(&p->failed, SHOAL_STOPPED);
        w->work = 0;
    }
    if (w->collecting && c == p->ahead)
        add_task(w, at, size, price);
    else if (c == p->t.q)
        visit(w, w->arena.items + at, size, price);
    else
        descend(w, c, 0, at, size, price);
}

/* ---- tasks and threads ---- */

static inline void keep_better(const Plan *p, double *best, double value)
{
    if (p->tight ? value > *best : value < *best)
        *best = value;
}

static void open_walker(void *shared, void *own)
{
    Plan *p = shared;
    Walker *w = own;
    int64_t n = p->t.n, k = p->ask->k, widest = widest_tree(&p->t);
    w->plan = p;
    TAKE(&w->bag, w->nodes, p->t.q), TAKE_ZEROS(&w->bag, w->count, widest), TAKE(&w->bag, w->begin, widest);
    w->top = (Shortlist){take(&w->bag, (k < n ? k : n) + 1, sizeof *w->top.item), 0, 0, k};
    TAKE(&w->bag, w->value, n), TAKE(&w->bag, w->merged, n);
    if (p->ask->diverse)
        TAKE_ZEROS(&w->bag, w->seen, p->ask->diverse->n_values);
    if (w->bag.failed)
        return;
    memcpy(w->value, p->initial, sizeof(double) * (size_t)n);
    memcpy(w->merged, p->initial, sizeof(double) * (size_t)n);
}

static void close_walker(void *shared, void *own)
{
    Plan *p = shared;
    Walker *w = own;
    atomic_fetch_add(&p->work, w->work);
    for (int64_t i = 0; i < p->t.n; i++)
        keep_better(p, p->ask->answer + i, w->merged[i]);
    free(w->arena.items);
    free(w->touched.items);
}

static shoal_status serve(void *shared, void *own, int64_t begin, int64_t end)
{
    Plan *p = shared;
    Walker *w = own;
    for (int64_t number = begin; number < end && !get_flag(&p->failed); number++) {
        Task *task = p->tasks.task + number;
        w->arena.size = w->touched.size = 0;
        if (!grow_ints(&w->arena, task->size))
            return SHOAL_NO_MEMORY;
        memcpy(w->arena.items, task->tuples, sizeof(int32_t) * (size_t)task->size);
        memcpy(w->nodes, task->nodes, sizeof(int32_t) * (size_t)p->ahead);
        w->arena.size = task->size;
        w->kept = &task->kept;
        /* each task begins as if it were the first: the work that is done does not depend on the threads */
        for (int64_t i = 0; i < task->size; i++)
            w->value[task->tuples[i]] = p->initial[task->tuples[i]];
        fix(w, p->ahead, 0, task->size, task->price);
        for (int64_t i = 0; i < task->size; i++)
            keep_better(p, w->merged + task->tuples[i], w->value[task->tuples[i]]);
    }
    return (shoal_status)get_flag(&p->failed);
}

/* The first columns are fixed by one walker, which leaves a task for each box it comes to. */
static shoal_status collect_tasks(void *shared, void *own, int64_t begin, int64_t end)
{
    Plan *p = shared;
    Walker *w = own;
    if (!grow_ints(&w->arena, end))
        return SHOAL_NO_MEMORY;
    memcpy(w->arena.items, p->list, sizeof(int32_t) * (size_t)end);
    w->arena.size = end;
    w->collecting = 1;
    fix(w, 0, begin, end, 0.0);
    return (shoal_status)get_flag(&p->failed);
}

/* ---- making the plan ---- */

static void make_column(Plan *p, Column *column, int32_t j)
{
    const int32_t *parent = tree_of(&p->t, j);
    int64_t n_nodes = n_nodes_of(&p->t, j);
    column->price = prices_of(&p->t, j);
    column->n_leaves = n_leaves_met(&p->t, j);
    TAKE(&p->bag, column->height, n_nodes);
    if (!column->height)
        return;
    column->height[n_nodes - 1] = 0;
    for (int64_t v = n_nodes - 2; v >= 0; v--) {
        column->height[v] = column->height[parent[v]] + 1;
        if (v < column->n_leaves && column->height[v] > column->depth)
            column->depth = column->height[v];
    }
    int64_t entries = (int64_t)(column->depth + 1) * column->n_leaves;
    TAKE(&p->bag, column->above, entries);
    for (int64_t e = 0; column->above && e < entries; e++)
        column->above[e] = -1;
    for (int32_t leaf = 0; column->above && leaf < column->n_leaves; leaf++)
        for (int32_t v = leaf;; v = parent[v]) {
            column->above[(int64_t)column->height[v] * column->n_leaves + leaf] = v;
            if (parent[v] == v)
                break;
        }
}

/* What leaves cost by themselves (under a measure that takes something off, or where missing cells are starred) bounds what is to come. */
static void make_after(Plan *p)
{
    int64_t n = p->t.n, any = 0;
    int32_t q = p->t.q;
    for (int64_t i = 0; i < n && !any; i++)
        for (int32_t c = 0; c < q && !any; c++)
            any = p->column[c].price[code_of(p, (int32_t)i, c)] > 0.0;
    if (any)
        TAKE(&p->bag, p->after, n * q);
    for (int64_t i = 0; p->after && i < n; i++) {
        double sum = 0.0;
        for (int32_t c = q - 1; c >= 0; c--)
            sum += p->column[c].price[code_of(p, (int32_t)i, c)], p->after[c * n + i] = sum * (1.0 - 1e-12);
    }
}

/* Columns by what leaving the exact value costs, dearest first. */
static void order_columns(Plan *p, double *step)
{
    for (int32_t j = 0; j < p->t.q; j++) {
        int32_t at = j;
        double sum = 0.0;
        for (int64_t i = 0; i < p->t.n; i++)
            sum += prices_of(&p->t, j)[tree_of(&p->t, j)[leaf_of(&p->t, i, j)]];
        for (; at > 0 && step[at - 1] < sum; at--)
            step[at] = step[at - 1], p->order[at] = p->order[at - 1];
        step[at] = sum;
        p->order[at] = j;
    }
}

typedef struct {
    double y;
    int32_t tuple;
} Priced;

ORDER(by_price, Priced, a->y > b->y || (a->y == b->y && a->tuple < b->tuple))

/* Where prices are given, tuples come from high to low. */
static void order_tuples(Plan *p)
{
    Priced *priced = take(&p->bag, p->t.n, sizeof *priced);
    for (int64_t i = 0; priced && i < p->t.n; i++)
        priced[i] = (Priced){p->tight ? p->w[i] : 0.0, (int32_t)i};
    if (priced && p->tight)
        qsort(priced, (size_t)p->t.n, sizeof(Priced), by_price);
    for (int64_t i = 0; priced && i < p->t.n; i++)
        p->list[i] = priced[i].tuple;
}

/* What tuples are ordered by, and their net prices. */
static void make_nets(Plan *p)
{
    int64_t n = p->t.n;
    p->w = p->ask->y;
    if (!p->tight || !p->ask->own)
        return;
    double *w = take(&p->bag, n, sizeof *w);
    int32_t *rows = take(&p->bag, n, sizeof *rows);
    for (int64_t i = 0; w && rows && i < n; i++) {
        w[i] = p->ask->y[i] + p->ask->least * p->ask->own[i];
        rows[i] = (int32_t)(p->t.weight[i] < p->ask->k ? p->t.weight[i] : p->ask->k);
    }
    p->w = w, p->nets = (Nets){p->ask->y, p->ask->own, rows, p->ask->k};
}

static void make_cuts(Plan *p)
{
    const shoal_rank_cuts *cuts = p->ask->cuts;
    int32_t q = p->t.q;
    TAKE(&p->bag, p->cut_depth, cuts->n * q);
    for (int64_t i = 0; p->cut_depth && i < cuts->n; i++)
        for (int32_t c = 0; c < q; c++)
            p->cut_depth[i * q + c] = p->column[c].height[cuts->nodes[i * q + p->order[c]]];
}

static void make_plan(Plan *p)
{
    int64_t n = p->t.n, q = p->t.q;
    double *step = take(&p->bag, q, sizeof *step), ways = 1.0;
    TAKE(&p->bag, p->order, q), TAKE(&p->bag, p->codes, n * q), TAKE_ZEROS(&p->bag, p->column, q), TAKE(&p->bag, p->initial, n);
    TAKE(&p->bag, p->list, n);
    if (p->bag.failed)
        return;
    memcpy(p->initial, p->ask->answer, sizeof(double) * (size_t)n);
    make_nets(p);
    if (p->bag.failed)
        return;
    order_tuples(p);
    order_columns(p, step);
    for (int32_t c = 0; c < q && !p->bag.failed; c++) {
        make_column(p, p->column + c, p->order[c]);
        for (int64_t i = 0; i < n; i++)
            p->codes[i * q + c] = leaf_of(&p->t, i, p->order[c]);
    }
    if (!p->bag.failed)
        make_after(p);
    if (!p->bag.failed && p->ask->cuts)
        make_cuts(p);
    while (p->ahead < q && ways < TASKS && p->ahead < 3)
        ways *= (double)n_nodes_of(&p->t, p->order[p->ahead++]);
}

static int64_t run(Plan *p)
{
    make_plan(p);
    shoal_status status = SHOAL_OK;
    if (!p->bag.failed)
        status = run_job(&(Job){p, sizeof(Walker), open_walker, collect_tasks, close_walker, 0, p->t.n, p->t.n, 1});
    if (!p->bag.failed && !status)
        status = run_job(&(Job){p, sizeof(Walker), open_walker, serve, close_walker, 0, p->tasks.n_tasks, 1, p->ask->n_threads});
    p->ask->work = atomic_load(&p->work);
    return bag_end(&p->bag, !status && p->ask->work > p->ask->most_work ? SHOAL_TOO_LARGE : status);
}

static void free_tasks(shoal_kept *tasks)
{
    for (int64_t i = 0; i < tasks->n_tasks; i++) {
        Task *task = tasks->task + i;
        free(task->nodes);
        free(task->tuples);
        free(task->kept.nodes.items);
        free(task->kept.tuples.items);
        free(task->kept.box);
    }
    free(tasks->task);
}

int64_t shoal_cheapest_boxes(const shoal_table *t, shoal_price_walk *ask)
{
    Plan p = {.t = *t, .ask = ask};
    int64_t status = run(&p);
    free_tasks(&p.tasks);
    return status;
}

int64_t shoal_tight_boxes(const shoal_table *t, shoal_price_walk *ask, shoal_kept **kept)
{
    Plan p = {.t = *t, .ask = ask, .tight = 1, .tasks = {.q = t->q}};
    if (!(*kept = calloc(1, sizeof **kept)))
        return SHOAL_NO_MEMORY;
    int64_t status = run(&p);
    **kept = p.tasks;
    return status;
}

int64_t shoal_kept_boxes(const shoal_kept *kept, int64_t *n_entries)
{
    int64_t n = *n_entries = 0;
    for (int64_t i = 0; i < kept->n_tasks; i++)
        n += kept->task[i].kept.n, *n_entries += kept->task[i].kept.tuples.size;
    return n;
}

int64_t shoal_kept_copy(const shoal_kept *kept, int32_t *nodes, double *tightness, shoal_boxes *out)
{
    int64_t box = 0, entry = 0;
    out->start[0] = 0;
    for (int64_t t = 0; t < kept->n_tasks; t++) {
        const Boxes *b = &kept->task[t].kept;
        if (!b->n)
            continue;
        memcpy(nodes + box * kept->q, b->nodes.items, sizeof(int32_t) * (size_t)b->nodes.size);
        memcpy(out->tuples + entry, b->tuples.items, sizeof(int32_t) * (size_t)b->tuples.size);
        for (int64_t i = 0; i < b->n; i++, box++) {
            out->price[box] = b->box[i].price;
            tightness[box] = b->box[i].tightness;
            entry += b->box[i].length;
            out->start[box + 1] = entry;
        }
    }
    return box;
}

void shoal_kept_free(shoal_kept *kept)
{
    if (kept)
        free_tasks(kept);
    free(kept);
}
