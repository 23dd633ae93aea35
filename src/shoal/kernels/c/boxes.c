/* Walks all closed boxes that hold at least k rows.

   A box is one node per column; it is closed if no node could be lower without losing a tuple. Columns are fixed one after
   the other, in each from the root down, so a box's tuples are found by splitting its predecessor's. A box whose tuples would
   allow a lower node in a column that is fixed already is left out with all below it: the same tuples are met with that lower
   node elsewhere (prefix-preserving closure). A box of fewer than k rows is left out with all below it (a-priori).

   Two errands. Cheapest: y_i = least price of a box that holds tuple i; what costs no less than the dearest y of its tuples is
   left out. Tight: for given y, sorted from high to low, the tightness of a box is the sum of its k highest y over k times
   its price; what cannot reach `least` any more is left out. Both answers are a minimum or a maximum over boxes, and kept
   boxes are listed by task: nothing depends on the number of threads. */
#include "boxes.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define TASKS 96 /* columns are fixed ahead until there are so many tasks for the threads */

typedef struct {
    int32_t n_nodes, n_leaves, depth;
    int32_t *above;      /* above[h * n_leaves + leaf]: the ancestor of a leaf at depth h from the root, -1 below the leaf */
    int32_t *height;     /* depth of each node from the root */
    const double *price;
} Column;

typedef struct {
    int32_t *items;
    int64_t size, room;
} Ints32;

typedef struct {
    double *items;
    int64_t size, room;
} Doubles;

typedef struct {
    Ints32 nodes, tuples, length;
    Doubles price, tightness;
} Boxes;

typedef struct {
    int32_t column; /* the next to fix */
    double price;
    int64_t size;
    int32_t *nodes, *tuples;
    Boxes kept;
} Task;

typedef struct {
    int32_t q;
    int64_t n, k;
    int tight;
    const int64_t *weight;
    int32_t *columns_order, *codes; /* codes in the order in which columns are fixed */
    Column *columns;
    double limit, least, keep, reach;
    int64_t most_kept, most_work;
    int32_t ahead; /* columns that are fixed before tasks are handed out */
    Task *tasks;
    int64_t n_tasks, tasks_room;
    atomic_llong next_task, work, n_kept;
    atomic_int failed; /* 1 no memory, 2 too much work, 3 too many boxes kept */
    const double *y;
    double *after; /* after[c * n + i]: what the leaves of tuple i cost in column c and those fixed later; NULL if nothing */
    double *answer, *initial;
    pthread_mutex_t lock;
} Plan;

typedef struct {
    double value;
    int32_t tuple;
} Found;

typedef struct {
    Plan *plan;
    Found *top; /* room for the k highest and one more */
    int collecting;
    double *value; /* in this task. Cheapest: y so far; tight: tightness so far */
    double *merged; /* over all tasks of this walker */
    int32_t *nodes;
    int32_t *count, *begin; /* per node of the widest column */
    Ints32 arena, touched;
    int64_t work;
    Boxes *kept;
} Walker;

static int grow_ints(Ints32 *a, int64_t more)
{
    if (a->size + more <= a->room)
        return 0;
    int64_t room = 2 * (a->size + more) + 64;
    int32_t *items = realloc(a->items, sizeof(int32_t) * (size_t)room);
    if (!items)
        return -1;
    a->items = items;
    a->room = room;
    return 0;
}

static int push_double(Doubles *a, double x)
{
    if (a->size == a->room) {
        int64_t room = 2 * a->room + 64;
        double *items = realloc(a->items, sizeof(double) * (size_t)room);
        if (!items)
            return -1;
        a->items = items;
        a->room = room;
    }
    a->items[a->size++] = x;
    return 0;
}

static void fail(Plan *p, int why)
{
    int none = 0;
    atomic_compare_exchange_strong(&p->failed, &none, why);
}

/* ---- what is asked of a box ---- */

static double highest(const Plan *p, const int32_t *list, int64_t size)
{
    double sum = 0.0;
    int64_t left = p->k;
    for (int64_t i = 0; i < size && left; i++) {
        int64_t taken = p->weight[list[i]] < left ? p->weight[list[i]] : left;
        sum += (double)taken * p->y[list[i]];
        left -= taken;
    }
    return sum;
}

/* The k highest values of y less what the tuple's own leaves cost later, `least` times. Any k rows of a box inside pay at
   least the price so far and, in each later column, at least the mean of what their leaves cost. */
static double highest_less(Walker *w, const int32_t *list, int64_t size, const double *after)
{
    const Plan *p = w->plan;
    Found *top = w->top; /* the highest so far, lowest last */
    int64_t n = 0, held = 0;
    w->work += size;
    for (int64_t i = 0; i < size; i++) {
        int32_t tuple = list[i];
        double value = p->y[tuple] - p->least * after[tuple];
        if (held >= p->k && value <= top[n - 1].value)
            continue;
        int64_t h = n++;
        for (; h > 0 && top[h - 1].value < value; h--)
            top[h] = top[h - 1];
        top[h] = (Found){value, tuple};
        held += p->weight[tuple];
        while (held - p->weight[top[n - 1].tuple] >= p->k)
            held -= p->weight[top[--n].tuple];
    }
    double sum = 0.0;
    int64_t left = p->k;
    for (int64_t i = 0; i < n && left; i++) {
        int64_t taken = p->weight[top[i].tuple] < left ? p->weight[top[i].tuple] : left;
        sum += (double)taken * top[i].value;
        left -= taken;
    }
    return sum;
}

/* Whether no box inside these tuples that costs at least this much in its first c columns can matter. */
static int is_idle(Walker *w, const int32_t *list, int64_t size, double price, int32_t c)
{
    const Plan *p = w->plan;
    const double *after = p->after && c < p->q ? p->after + (int64_t)c * p->n : NULL;
    if (p->tight) {
        double enough = p->least * (double)p->k * price;
        return highest(p, list, size) < enough || (after && highest_less(w, list, size, after) < enough - 1e-9 * (1.0 + enough));
    }
    if (price >= p->limit)
        return 1;
    for (int64_t i = 0; i < size; i++)
        if (w->value[list[i]] > price + (after ? after[list[i]] : 0.0)) {
            w->work += i;
            return 0;
        }
    w->work += size;
    return 1;
}

static int keep_box(Walker *w, const int32_t *list, int64_t size, double price, double tightness)
{
    const Plan *p = w->plan;
    Boxes *b = w->kept;
    if (grow_ints(&b->nodes, p->q) || grow_ints(&b->length, 1) || push_double(&b->price, price) || push_double(&b->tightness, tightness))
        return -1;
    for (int32_t j = 0; j < p->q; j++)
        b->nodes.items[b->nodes.size + p->columns_order[j]] = w->nodes[j];
    b->nodes.size += p->q;
    int64_t held = 0, length = 0;
    double enough = 0.0;
    for (; length < size; length++) { /* the tuples that are, or may come, among the k highest */
        if (held >= p->k && p->y[list[length]] < enough)
            break;
        held += p->weight[list[length]];
        if (held >= p->k && enough == 0.0)
            enough = p->reach * p->y[list[length]];
    }
    if (grow_ints(&b->tuples, length))
        return -1;
    memcpy(b->tuples.items + b->tuples.size, list, sizeof(int32_t) * (size_t)length);
    b->tuples.size += length;
    b->length.items[b->length.size++] = (int32_t)length;
    return 0;
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
    double sum = highest(p, list, size), tightness = sum > 0.0 ? sum / ((double)p->k * price) : 0.0;
    if (tightness < p->least)
        return;
    for (int64_t i = 0; i < size; i++)
        if (tightness > w->value[list[i]])
            w->value[list[i]] = tightness;
    if (tightness >= p->keep && p->most_kept) {
        if (atomic_fetch_add(&p->n_kept, 1) >= p->most_kept)
            fail(p, 3);
        else if (keep_box(w, list, size, price, tightness))
            fail(p, 1);
    }
}

/* ---- the walk ---- */

static void fix(Walker *w, int32_t c, int64_t at, int64_t size, double price);

static int is_closed(Walker *w, int32_t before, const int32_t *list, int64_t size)
{
    const Plan *p = w->plan;
    for (int32_t j = 0; j < before; j++) {
        const Column *column = p->columns + j;
        int32_t h = column->height[w->nodes[j]] + 1;
        if (h > column->depth)
            continue;
        const int32_t *above = column->above + (int64_t)h * column->n_leaves;
        int32_t one = above[p->codes[(int64_t)list[0] * p->q + j]];
        if (one < 0)
            continue; /* the node is a leaf */
        int64_t i = 1;
        while (i < size && above[p->codes[(int64_t)list[i] * p->q + j]] == one)
            i++;
        w->work += i;
        if (i == size)
            return 0;
    }
    return 1;
}

/* Take the lowest node of column c that covers the list, fix it, then split the list by its children and go on below. */
static void descend(Walker *w, int32_t c, int32_t h, int64_t at, int64_t size, double price)
{
    Plan *p = w->plan;
    const Column *column = p->columns + c;
    int32_t q = p->q;
    if (atomic_load_explicit(&p->failed, memory_order_relaxed))
        return;
    w->work += 3 * size + 16; /* looked at below: to find the node, to count, to split */
    const int32_t *list = w->arena.items + at;
    int32_t node;
    for (;; h++) { /* the lowest node that covers all */
        node = column->above[(int64_t)h * column->n_leaves + p->codes[(int64_t)list[0] * q + c]];
        if (h == column->depth)
            break;
        const int32_t *above = column->above + (int64_t)(h + 1) * column->n_leaves;
        int32_t child = above[p->codes[(int64_t)list[0] * q + c]];
        if (child < 0)
            break;
        int64_t i = 1;
        while (i < size && above[p->codes[(int64_t)list[i] * q + c]] == child)
            i++;
        if (i < size)
            break;
    }
    w->nodes[c] = node;
    double with = price + column->price[node];
    if (!is_idle(w, list, size, with, c + 1))
        fix(w, c + 1, at, size, with);
    if (h == column->depth || column->above[(int64_t)(h + 1) * column->n_leaves + p->codes[(int64_t)w->arena.items[at] * q + c]] < 0)
        return;
    const int32_t *above = column->above + (int64_t)(h + 1) * column->n_leaves;
    int64_t first_touched = w->touched.size, base = w->arena.size;
    if (grow_ints(&w->arena, size)) {
        fail(p, 1);
        return;
    }
    list = w->arena.items + at;
    for (int64_t i = 0; i < size; i++) {
        int32_t child = above[p->codes[(int64_t)list[i] * q + c]];
        if (w->count[child]++ == 0) {
            if (grow_ints(&w->touched, 2)) {
                fail(p, 1);
                return;
            }
            w->touched.items[w->touched.size++] = child;
        }
    }
    int64_t last_touched = w->touched.size, next = 0;
    for (int64_t t = first_touched; t < last_touched; t++) {
        int32_t child = w->touched.items[t];
        w->begin[child] = (int32_t)next;
        next += w->count[child];
    }
    w->arena.size += size;
    for (int64_t i = 0; i < size; i++)
        w->arena.items[base + w->begin[above[p->codes[(int64_t)list[i] * q + c]]]++] = list[i];
    if (grow_ints(&w->touched, last_touched - first_touched)) {
        fail(p, 1);
        return;
    }
    for (int64_t t = first_touched; t < last_touched; t++) { /* sizes, before deeper splits use the counters */
        int32_t child = w->touched.items[t];
        w->touched.items[w->touched.size++] = w->count[child];
        w->count[child] = 0;
    }
    int64_t child_at = base;
    for (int64_t t = first_touched; t < last_touched; t++) {
        int64_t child_size = w->touched.items[last_touched + (t - first_touched)], held = 0;
        const int32_t *part = w->arena.items + child_at;
        for (int64_t i = 0; i < child_size && held < p->k; i++)
            held += p->weight[part[i]];
        if (held >= p->k && is_closed(w, c, part, child_size) && !is_idle(w, part, child_size, price, c))
            descend(w, c, h + 1, child_at, child_size, price);
        child_at += child_size;
    }
    w->touched.size = first_touched;
    w->arena.size = base;
}

static void add_task(Walker *w, int32_t c, int64_t at, int64_t size, double price)
{
    Plan *p = w->plan;
    if (p->n_tasks == p->tasks_room) {
        int64_t room = 2 * p->tasks_room + 64;
        Task *tasks = realloc(p->tasks, sizeof(Task) * (size_t)room);
        if (!tasks) {
            fail(p, 1);
            return;
        }
        p->tasks = tasks;
        p->tasks_room = room;
    }
    Task task = {.column = c, .price = price, .size = size};
    task.nodes = malloc(sizeof(int32_t) * (size_t)p->q);
    task.tuples = malloc(sizeof(int32_t) * (size_t)size);
    if (!task.nodes || !task.tuples) {
        free(task.nodes);
        free(task.tuples);
        fail(p, 1);
        return;
    }
    memcpy(task.nodes, w->nodes, sizeof(int32_t) * (size_t)c);
    memcpy(task.tuples, w->arena.items + at, sizeof(int32_t) * (size_t)size);
    p->tasks[p->n_tasks++] = task;
}

static void fix(Walker *w, int32_t c, int64_t at, int64_t size, double price)
{
    Plan *p = w->plan;
    if (w->work > (1 << 22)) {
        if (atomic_fetch_add(&p->work, w->work) + w->work > p->most_work)
            fail(p, 2);
        w->work = 0;
    }
    if (w->collecting && c == p->ahead)
        add_task(w, c, at, size, price);
    else if (c == p->q)
        visit(w, w->arena.items + at, size, price);
    else
        descend(w, c, 0, at, size, price);
}

/* ---- tasks and threads ---- */

static int open_walker(Walker *w, Plan *p)
{
    int32_t widest = 1;
    for (int32_t j = 0; j < p->q; j++)
        if (p->columns[j].n_nodes > widest)
            widest = p->columns[j].n_nodes;
    memset(w, 0, sizeof *w);
    w->plan = p;
    w->nodes = malloc(sizeof(int32_t) * (size_t)(p->q + 1));
    w->count = calloc((size_t)widest, sizeof(int32_t));
    w->begin = malloc(sizeof(int32_t) * (size_t)widest);
    w->top = malloc(sizeof(Found) * (size_t)((p->k < p->n ? p->k : p->n) + 2));
    w->value = malloc(sizeof(double) * (size_t)p->n);
    w->merged = malloc(sizeof(double) * (size_t)p->n);
    if (!w->nodes || !w->count || !w->begin || !w->top || !w->value || !w->merged)
        return -1;
    memcpy(w->value, p->initial, sizeof(double) * (size_t)p->n);
    memcpy(w->merged, p->initial, sizeof(double) * (size_t)p->n);
    return 0;
}

static void close_walker(Walker *w)
{
    atomic_fetch_add(&w->plan->work, w->work);
    free(w->nodes);
    free(w->count);
    free(w->begin);
    free(w->top);
    free(w->value);
    free(w->merged);
    free(w->arena.items);
    free(w->touched.items);
}

static void *work_on(void *argument)
{
    Plan *p = argument;
    Walker w;
    if (open_walker(&w, p)) {
        fail(p, 1);
    } else {
        for (;;) {
            int64_t t = atomic_fetch_add(&p->next_task, 1);
            if (t >= p->n_tasks || atomic_load(&p->failed))
                break;
            Task *task = p->tasks + t;
            w.arena.size = w.touched.size = 0;
            if (grow_ints(&w.arena, task->size)) {
                fail(p, 1);
                break;
            }
            memcpy(w.arena.items, task->tuples, sizeof(int32_t) * (size_t)task->size);
            memcpy(w.nodes, task->nodes, sizeof(int32_t) * (size_t)task->column);
            w.arena.size = task->size;
            w.kept = &task->kept;
            /* each task begins as if it were the first: the work that is done does not depend on the threads */
            for (int64_t i = 0; i < task->size; i++)
                w.value[task->tuples[i]] = p->initial[task->tuples[i]];
            fix(&w, task->column, 0, task->size, task->price);
            for (int64_t i = 0; i < task->size; i++) {
                int32_t tuple = task->tuples[i];
                if (p->tight ? w.value[tuple] > w.merged[tuple] : w.value[tuple] < w.merged[tuple])
                    w.merged[tuple] = w.value[tuple];
            }
        }
        pthread_mutex_lock(&p->lock);
        for (int64_t i = 0; i < p->n; i++)
            if (p->tight ? w.merged[i] > p->answer[i] : w.merged[i] < p->answer[i])
                p->answer[i] = w.merged[i];
        pthread_mutex_unlock(&p->lock);
    }
    close_walker(&w);
    return NULL;
}

static int collect_tasks(Plan *p, const int32_t *start_list)
{
    double ways = 1.0;
    p->ahead = 0;
    while (p->ahead < p->q && ways < TASKS && p->ahead < 3)
        ways *= p->columns[p->ahead++].n_nodes;
    Walker w;
    int failed = open_walker(&w, p);
    if (!failed && !(failed = grow_ints(&w.arena, p->n))) {
        memcpy(w.arena.items, start_list, sizeof(int32_t) * (size_t)p->n);
        w.arena.size = p->n;
        w.collecting = 1;
        fix(&w, 0, 0, p->n, 0.0);
    }
    close_walker(&w);
    return failed;
}

static void run_tasks(Plan *p, int32_t n_threads)
{
    pthread_t other[64];
    int32_t started = 0;
    while (started < n_threads - 1 && started < 64 && !pthread_create(other + started, NULL, work_on, p))
        started++;
    work_on(p);
    for (int32_t t = 0; t < started; t++)
        pthread_join(other[t], NULL);
}

/* ---- making and dropping the plan ---- */

typedef struct {
    double step; /* what leaving the exact value costs, on average over tuples */
    int32_t column;
} Ranked;

static int by_step(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    if (x->step != y->step)
        return x->step > y->step ? -1 : 1;
    return x->column - y->column;
}

static int make_column(Column *column, const int32_t *parent, const double *price, int64_t n_nodes, const int32_t *codes, int64_t n, int32_t q)
{
    column->n_nodes = (int32_t)n_nodes;
    column->price = price;
    column->n_leaves = 0;
    for (int64_t i = 0; i < n; i++) {
        int32_t leaf = codes[i * q];
        if (leaf >= column->n_leaves)
            column->n_leaves = leaf + 1;
    }
    column->height = malloc(sizeof(int32_t) * (size_t)n_nodes);
    if (!column->height)
        return -1;
    column->height[n_nodes - 1] = 0;
    column->depth = 0;
    for (int64_t v = n_nodes - 2; v >= 0; v--) {
        column->height[v] = column->height[parent[v]] + 1;
        if (v < column->n_leaves && column->height[v] > column->depth)
            column->depth = column->height[v];
    }
    size_t entries = (size_t)(column->depth + 1) * (size_t)column->n_leaves;
    column->above = malloc(sizeof(int32_t) * entries);
    if (!column->above)
        return -1;
    for (size_t e = 0; e < entries; e++)
        column->above[e] = -1;
    for (int32_t leaf = 0; leaf < column->n_leaves; leaf++) {
        if (column->height[leaf] > column->depth)
            continue;
        for (int32_t v = leaf;; v = parent[v]) {
            column->above[(int64_t)column->height[v] * column->n_leaves + leaf] = v;
            if (parent[v] == v)
                break;
        }
    }
    return 0;
}

/* What leaves cost by themselves (under non-uniform entropy, or where missing cells are starred) bounds what is to come. */
static int make_after(Plan *p)
{
    int any = 0;
    for (int64_t i = 0; i < p->n && !any; i++)
        for (int32_t j = 0; j < p->q && !any; j++)
            any = p->columns[j].price[p->codes[i * p->q + j]] > 0.0;
    if (!any)
        return 0;
    p->after = malloc(sizeof(double) * (size_t)(p->n * p->q));
    if (!p->after)
        return -1;
    for (int64_t i = 0; i < p->n; i++) {
        double sum = 0.0;
        for (int32_t j = p->q - 1; j >= 0; j--) {
            sum += p->columns[j].price[p->codes[i * p->q + j]];
            p->after[(int64_t)j * p->n + i] = sum * (1.0 - 1e-12);
        }
    }
    return 0;
}

static int open_plan(Plan *p, const int32_t *parent, const double *price, const int64_t *first, const int32_t *codes)
{
    int32_t q = p->q;
    p->columns_order = malloc(sizeof(int32_t) * (size_t)q);
    p->codes = malloc(sizeof(int32_t) * (size_t)(p->n * q));
    p->columns = calloc((size_t)q, sizeof(Column));
    Ranked *ranked = malloc(sizeof(Ranked) * (size_t)q);
    int failed = !p->columns_order || !p->codes || !p->columns || !ranked;
    if (!failed) {
        for (int32_t j = 0; j < q; j++) {
            double sum = 0.0;
            for (int64_t i = 0; i < p->n; i++) {
                int32_t leaf = codes[i * q + j];
                sum += price[first[j] + parent[first[j] + leaf]];
            }
            ranked[j] = (Ranked){sum, j};
        }
        qsort(ranked, (size_t)q, sizeof(Ranked), by_step);
        for (int32_t j = 0; j < q && !failed; j++) {
            int32_t from = ranked[j].column;
            p->columns_order[j] = from;
            failed = make_column(p->columns + j, parent + first[from], price + first[from], first[from + 1] - first[from], codes + from, p->n, q);
            for (int64_t i = 0; i < p->n; i++)
                p->codes[i * q + j] = codes[i * q + from];
        }
        failed = failed || make_after(p);
    }
    free(ranked);
    failed |= pthread_mutex_init(&p->lock, NULL) != 0;
    return failed;
}

static void free_boxes(Boxes *b)
{
    free(b->nodes.items);
    free(b->tuples.items);
    free(b->length.items);
    free(b->price.items);
    free(b->tightness.items);
}

struct ShoalKept {
    int32_t q;
    int64_t n_tasks, n_boxes, n_entries;
    Task *tasks;
};

static void free_tasks(Task *tasks, int64_t n)
{
    for (int64_t t = 0; t < n; t++) {
        free(tasks[t].nodes);
        free(tasks[t].tuples);
        free_boxes(&tasks[t].kept);
    }
    free(tasks);
}

static void close_plan(Plan *p)
{
    for (int32_t j = 0; p->columns && j < p->q; j++) {
        free(p->columns[j].above);
        free(p->columns[j].height);
    }
    free(p->columns);
    free(p->columns_order);
    free(p->after);
    free(p->codes);
    pthread_mutex_destroy(&p->lock);
}

static int32_t run(Plan *p, const int32_t *parent, const double *price, const int64_t *first, const int32_t *codes, const int32_t *list,
                   int32_t n_threads, int64_t *work)
{
    p->initial = malloc(sizeof(double) * (size_t)p->n);
    if (p->initial)
        memcpy(p->initial, p->answer, sizeof(double) * (size_t)p->n);
    if (!p->initial || open_plan(p, parent, price, first, codes) || collect_tasks(p, list))
        fail(p, 1);
    if (!atomic_load(&p->failed))
        run_tasks(p, n_threads);
    *work = atomic_load(&p->work);
    if (*work > p->most_work)
        fail(p, 2);
    free(p->initial);
    close_plan(p);
    return atomic_load(&p->failed);
}

/* y comes with upper bounds (prices of boxes that do hold the tuple and k rows) and leaves with the least price; boxes that cost
   `limit` or more are not looked at. Returns 0, or why it failed: 1 memory, 2 more than most_work. */
int32_t shoal_cheapest_boxes(const int32_t *parent, const double *price, const int64_t *first, int32_t q, const int32_t *codes, int64_t n,
                             const int64_t *weight, int64_t k, double limit, int64_t most_work, int32_t n_threads, double *y, int64_t *work)
{
    Plan p = {.q = q, .n = n, .k = k, .weight = weight, .limit = limit, .most_work = most_work, .answer = y};
    int32_t *list = malloc(sizeof(int32_t) * (size_t)n);
    if (!list)
        return 1;
    for (int64_t i = 0; i < n; i++)
        list[i] = (int32_t)i;
    int32_t failed = run(&p, parent, price, first, codes, list, n_threads, work);
    free(list);
    free_tasks(p.tasks, p.n_tasks);
    return failed;
}

typedef struct {
    double y;
    int32_t tuple;
} Priced;

static int by_price(const void *a, const void *b)
{
    const Priced *x = a, *y = b;
    if (x->y != y->y)
        return x->y > y->y ? -1 : 1;
    return x->tuple < y->tuple ? -1 : 1;
}

/* tightness[i]: the largest tightness of a box that holds tuple i, or `least` if none reaches it (it must come filled with least).
   Boxes with at least `keep` are handed out, each with its tuples down to `reach` times its k-th highest y. */
int32_t shoal_tight_boxes(const int32_t *parent, const double *price, const int64_t *first, int32_t q, const int32_t *codes, int64_t n,
                          const int64_t *weight, int64_t k, const double *y, double least, double keep, double reach, int64_t most_kept,
                          int64_t most_work, int32_t n_threads, double *tightness, int64_t *work, ShoalKept **kept)
{
    Plan p = {.q = q, .n = n, .k = k, .weight = weight, .tight = 1, .y = y, .least = least, .keep = keep, .reach = reach};
    p.most_kept = most_kept;
    p.most_work = most_work;
    p.answer = tightness;
    int32_t *list = malloc(sizeof(int32_t) * (size_t)n);
    Priced *priced = malloc(sizeof(Priced) * (size_t)n);
    ShoalKept *out = calloc(1, sizeof(ShoalKept));
    int32_t failed = !list || !priced || !out;
    if (!failed) {
        for (int64_t i = 0; i < n; i++)
            priced[i] = (Priced){y[i], (int32_t)i};
        qsort(priced, (size_t)n, sizeof(Priced), by_price);
        for (int64_t i = 0; i < n; i++)
            list[i] = priced[i].tuple;
        failed = run(&p, parent, price, first, codes, list, n_threads, work);
        *out = (ShoalKept){.q = q, .n_tasks = p.n_tasks, .tasks = p.tasks};
        for (int64_t t = 0; t < p.n_tasks; t++) {
            out->n_boxes += p.tasks[t].kept.length.size;
            out->n_entries += p.tasks[t].kept.tuples.size;
        }
    }
    free(list);
    free(priced);
    *kept = out;
    return failed;
}

int64_t shoal_kept_boxes(const ShoalKept *kept)
{
    return kept->n_boxes;
}

int64_t shoal_kept_entries(const ShoalKept *kept)
{
    return kept->n_entries;
}

void shoal_kept_copy(const ShoalKept *kept, int32_t *nodes, double *price, double *tightness, int64_t *start, int32_t *tuples)
{
    int64_t box = 0, entry = 0;
    start[0] = 0;
    for (int64_t t = 0; t < kept->n_tasks; t++) {
        const Boxes *b = &kept->tasks[t].kept;
        if (!b->length.size)
            continue;
        memcpy(nodes + box * kept->q, b->nodes.items, sizeof(int32_t) * (size_t)b->nodes.size);
        memcpy(tuples + entry, b->tuples.items, sizeof(int32_t) * (size_t)b->tuples.size);
        for (int64_t i = 0; i < b->length.size; i++, box++) {
            price[box] = b->price.items[i];
            tightness[box] = b->tightness.items[i];
            entry += b->length.items[i];
            start[box + 1] = entry;
        }
    }
}

void shoal_kept_free(ShoalKept *kept)
{
    if (kept) {
        free_tasks(kept->tasks, kept->n_tasks);
        free(kept);
    }
}
