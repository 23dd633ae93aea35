/* Exact nearest neighbours where the distance is a sum of prices of joins, by branch and bound over a tree of boxes or by a scan of all.
 *
 * A box is split into the children of its dearest column's node, few of them or runs of them, so that queries look at short lists of
 * boxes. Prices must not fall towards the root. */
#include <math.h>
#include "../base/shortlist.h"
#include "../base/threads.h"
#include "box_tree.h"
#include "boxes.h"

#define BUCKET 12           /* a box of at most so many tuples is not split further */
#define FAN 64              /* a box has at most about so many children */
#define BLOCK 128           /* tuples that a scan prices at a time */
#define QUERIES_AT_ONCE 256 /* queries that a thread takes at a time */

static inline int is_stopped(const shoal_neighbours_ask *ask) { return ask->stop && *ask->stop; }

/* ---- splitting a box ---- */

typedef struct {
    Keyed *buffer;
    int32_t *spent;       /* columns that cannot split the current box */
    int32_t *mark, stamp; /* which children a node has */
    const shoal_neighbours_ask *ask;
} Cutter;

static void sort_keyed(Keyed *a, Keyed *buffer, int64_t n)
{
    if (n <= 16) {
        for (int64_t i = 1; i < n; i++) {
            Keyed x = a[i];
            int64_t h = i;
            for (; h > 0 && a[h - 1].key > x.key; h--)
                a[h] = a[h - 1];
            a[h] = x;
        }
        return;
    }
    int64_t half = n / 2;
    sort_keyed(a, buffer, half);
    sort_keyed(a + half, buffer, n - half);
    memcpy(buffer, a, sizeof(Keyed) * (size_t)half);
    int64_t l = 0, r = half, o = 0;
    while (l < half)
        a[o++] = (r < n && a[r].key < buffer[l].key) ? a[r++] : buffer[l++];
}

/* The child of a column's cell that each tuple of a box is below. Returns 1 if it is the same for all. */
static int32_t fill_keys(const BoxTree *x, Keyed *keyed, const Box *v, int32_t j, int32_t cell)
{
    const int32_t *parent = tree_of(&x->t, j);
    int32_t same = 1;
    for (int64_t i = v->begin; i < v->end; i++) {
        int32_t leaf = leaf_of(&x->t, keyed[i].tuple, j);
        keyed[i].key = leaf == cell ? leaf : child_above(parent, leaf, cell);
        same &= keyed[i].key == keyed[v->begin].key;
    }
    return same;
}

/* Whether most tuples would be alone in their child: counted with a mark for each child. */
static int32_t is_scattered(const BoxTree *x, Cutter *c, const Keyed *keyed, const Box *v, int32_t j)
{
    int32_t *mark = c->mark + x->t.first[j];
    int64_t distinct = 0;
    c->stamp++;
    for (int64_t i = v->begin; i < v->end; i++)
        if (mark[keyed[i].key] != c->stamp)
            mark[keyed[i].key] = c->stamp, distinct++;
    return 2 * distinct > v->end - v->begin;
}

static int32_t dearest_column(const BoxTree *x, const int32_t *cell, const int32_t *spent)
{
    int32_t best = -1;
    double dearest = -1.0;
    for (int32_t j = 0; j < x->t.q; j++) {
        double gain = prices_of(&x->t, j)[cell[j]];
        if (!spent[j] && gain > dearest)
            dearest = gain, best = j;
    }
    return best;
}

/* While building, `closure` holds a box's cell: in each column a node that covers all its tuples. Returns the column to split on,
   whose cell is dearest, after lowering cells that a single child covers; -1 if all tuples of the box are equal. A column that would
   scatter the tuples comes after the others: boxes of one tuple each prune nothing. */
static int32_t choose_column(const BoxTree *x, Cutter *c, Keyed *keyed, const Box *v, int32_t *cell)
{
    int32_t scattered = -1, best;
    memset(c->spent, 0, sizeof(int32_t) * (size_t)x->t.q);
    while ((best = dearest_column(x, cell, c->spent)) >= 0) {
        if (!fill_keys(x, keyed, v, best, cell[best])) {
            if (!is_scattered(x, c, keyed, v, best))
                return best;
            scattered = scattered < 0 ? best : scattered;
            c->spent[best] = 1;
            continue;
        }
        if (cell[best] == keyed[v->begin].key)
            c->spent[best] = 1; /* a single leaf: nothing to split */
        cell[best] = keyed[v->begin].key;
    }
    if (scattered >= 0)
        fill_keys(x, keyed, v, scattered, cell[scattered]);
    return scattered;
}

/* Where the child that begins at i ends: after one run of equal keys, or after several that fit a bucket together. */
static int64_t end_of_child(const Keyed *keyed, int64_t i, int64_t end, int64_t bucket, int64_t *runs)
{
    int64_t stop = i;
    for (*runs = 0; stop < end; ++*runs) {
        int64_t next = stop;
        while (next < end && keyed[next].key == keyed[stop].key)
            next++;
        if (*runs && next - i > bucket)
            break;
        stop = next;
    }
    return stop;
}

static int split(BoxTree *x, void *about, Keyed *keyed, int64_t box)
{
    Cutter *c = about;
    Box v = x->box[box];
    int64_t size = v.end - v.begin, runs, count = 0, child = 0;
    if (size <= BUCKET)
        return 1;
    if (is_stopped(c->ask))
        return 0;
    int32_t j = choose_column(x, c, keyed, &v, x->closure + box * x->t.q);
    if (j < 0)
        return 1;
    sort_keyed(keyed + v.begin, c->buffer, size);
    int64_t bucket = size / FAN > BUCKET ? size / FAN : BUCKET; /* of many children, runs of them are put together */
    for (int64_t i = v.begin; i < v.end; i = end_of_child(keyed, i, v.end, bucket, &runs))
        count++;
    int64_t made = add_boxes(x, count);
    if (made < 0)
        return 0;
    for (int64_t i = v.begin; i < v.end; child++) {
        int64_t stop = end_of_child(keyed, i, v.end, bucket, &runs);
        int32_t *cell = x->closure + (made + child) * x->t.q;
        x->box[made + child] = (Box){i, stop, 0, 0};
        memcpy(cell, x->closure + box * x->t.q, sizeof(int32_t) * (size_t)x->t.q);
        if (runs == 1)
            cell[j] = keyed[i].key;
        i = stop;
    }
    x->box[box].child = (int32_t)made;
    x->box[box].n_children = (int32_t)count;
    return 1;
}

/* ---- answering a query ---- */

typedef struct {
    const shoal_neighbours_ask *ask;
    BoxTree x;
    int32_t *by_column; /* codes by position, column after column, for scans */
    int64_t step;       /* every step-th query only, to try the tree out */
    int scan;
    int64_t work;
} Run;

typedef struct {
    Bag bag;
    const Run *run;
    Shortlist found;
    double worst; /* what is not below this need not be looked at */
    const double **row;
    Waiting *stack;
    int64_t work;
} Search;

static void offer(Search *s, double distance, int32_t tuple)
{
    list_value(&s->found, distance, tuple, rows_of(&s->run->x.t, tuple));
    if (s->found.held >= s->found.need)
        s->worst = s->found.item[s->found.n - 1].value;
}

/* The nearest on top of the stack; few are sorted, of many only one is brought there. */
static void sort_waiting(Waiting *stack, int64_t bottom, int64_t top)
{
    if (top - bottom <= 32) {
        for (int64_t i = bottom + 1; i < top; i++) {
            Waiting y = stack[i];
            int64_t h = i;
            for (; h > bottom && stack[h - 1].bound < y.bound; h--)
                stack[h] = stack[h - 1];
            stack[h] = y;
        }
        return;
    }
    for (int64_t i = bottom; i < top - 1; i++)
        if (stack[i].bound < stack[top - 1].bound) {
            SWAP(Waiting, stack[i], stack[top - 1]);
        }
}

static void look_into_bucket(Search *s, const Box *v, int32_t self, const int32_t *query)
{
    const BoxTree *x = &s->run->x;
    s->work += v->end - v->begin;
    for (int64_t i = v->begin; i < v->end; i++) {
        double d = lift_query(x, s->row, query, x->placed + i * x->t.q, s->worst);
        if (d < s->worst && x->at[i] != self)
            offer(s, d, x->at[i]);
    }
}

static int64_t look_at_children(Search *s, const Box *v, const int32_t *query, int64_t top)
{
    const BoxTree *x = &s->run->x;
    int64_t bottom = top;
    s->work += v->n_children;
    for (int32_t c = v->n_children - 1; c >= 0; c--) {
        double bound = lift_query(x, s->row, query, x->closure + (int64_t)(v->child + c) * x->t.q, s->worst);
        if (bound < s->worst)
            s->stack[top++] = (Waiting){bound, v->child + c};
    }
    sort_waiting(s->stack, bottom, top);
    return top;
}

static void search_tree(Search *s, int32_t self, const int32_t *query)
{
    int64_t top = 0;
    s->stack[top++] = (Waiting){0.0, 0};
    while (top > 0) {
        Waiting w = s->stack[--top];
        if (w.bound >= s->worst)
            continue;
        const Box *v = s->run->x.box + w.box;
        if (v->n_children)
            top = look_at_children(s, v, query, top);
        else
            look_into_bucket(s, v, self, query);
    }
}

static void search_all(Search *s, int32_t self, const int32_t *query)
{
    const BoxTree *x = &s->run->x;
    double sum[BLOCK];
    for (int64_t base = 0; base < x->t.n; base += BLOCK) {
        int64_t count = x->t.n - base < BLOCK ? x->t.n - base : BLOCK;
        for (int64_t i = 0; i < count; i++)
            sum[i] = 0.0;
        for (int32_t j = 0; j < x->t.q; j++) {
            const int32_t *column = s->run->by_column + j * x->t.n + base;
            const double *row = s->row[j];
            if (row)
                for (int64_t i = 0; i < count; i++)
                    sum[i] += row[column[i]];
            else
                for (int64_t i = 0; i < count; i++)
                    sum[i] += lift_leaf(x, j, query[j], column[i]);
        }
        const int32_t *at = x->at + base;
        double worst = s->worst;
        for (int64_t i = 0; i < count; i++)
            if (sum[i] < worst && at[i] != self)
                offer(s, sum[i], at[i]), worst = s->worst;
    }
}

/* What the nodes that cover the tuple and its companions cost. */
static double cover_found(const Search *s, const int32_t *query)
{
    const shoal_table *t = &s->run->x.t;
    double price = s->found.need <= 0 || s->found.held >= s->found.need ? 0.0 : INFINITY;
    for (int32_t j = 0; j < t->q; j++) {
        int32_t node = query[j];
        for (int64_t i = 0; i < s->found.n; i++)
            node = join_in(t, j, node, leaf_of(t, s->found.item[i].at, j));
        price += prices_of(t, j)[node];
    }
    return price;
}

static void hand_out(const Search *s, const int32_t *query, int64_t out)
{
    const shoal_neighbours_ask *a = s->run->ask;
    const Shortlist *found = &s->found;
    for (int64_t i = 0; a->index && i < a->k; i++) {
        a->index[out * a->k + i] = i < found->n ? found->item[i].at : -1;
        if (a->distance)
            a->distance[out * a->k + i] = i < found->n ? found->item[i].value : INFINITY;
    }
    if (a->covering)
        a->covering[out] = cover_found(s, query);
    if (a->farthest && found->need <= 0)
        a->farthest[out] = price_of_nodes(&s->run->x.t, query);
    else if (a->farthest)
        a->farthest[out] = found->held >= found->need ? found->item[found->n - 1].value : INFINITY;
}

static void answer(Search *s, int32_t self, int64_t out)
{
    const BoxTree *x = &s->run->x;
    const int32_t *query = row_of(&x->t, self);
    choose_rows(x, query, s->row);
    s->found.n = s->found.held = 0;
    s->found.need = s->run->ask->k - (rows_of(&x->t, self) - 1);
    s->worst = INFINITY;
    if (s->found.need > 0) {
        if (s->run->scan)
            search_all(s, self, query);
        else
            search_tree(s, self, query);
    }
    hand_out(s, query, out);
}

/* ---- all queries, over the threads ---- */

static void open_search(void *shared, void *own)
{
    Search *s = own;
    s->run = shared;
    TAKE(&s->bag, s->found.item, s->run->ask->k + 1), TAKE(&s->bag, s->row, s->run->x.t.q);
    s->stack = take(&s->bag, s->run->x.n_boxes, sizeof *s->stack); /* no box waits twice */
}

static void close_search(void *shared, void *own) { ((Run *)shared)->work += ((Search *)own)->work; }

static shoal_status serve(void *shared, void *own, int64_t begin, int64_t end)
{
    const Run *run = shared;
    const int32_t *queries = run->ask->queries;
    for (int64_t i = begin; i < end; i++) {
        if (i % run->step) /* all tuples: in the order of the tree, which keeps caches warm */
            continue;
        if (is_stopped(run->ask))
            return SHOAL_STOPPED;
        answer(own, queries ? queries[i] : run->x.at[i], queries ? i : run->x.at[i]);
    }
    return SHOAL_OK;
}

static shoal_status serve_all(Run *run, int64_t step, int32_t n_threads)
{
    run->step = step;
    run->work = 0;
    return run_job(&(Job){run, sizeof(Search), open_search, serve, close_search, 0, run->ask->n_queries, QUERIES_AT_ONCE, n_threads});
}

/* The least that joining a leaf with another tuple costs is the price of its lowest ancestor above two tuples: where nobody else has
   the value, the leaf itself cannot be met. */
static const double *make_least(const shoal_table *t, Bag *bag)
{
    int32_t *count = take_zeros(bag, t->first[t->q], sizeof *count);
    double *least = take(bag, t->first[t->q], sizeof *least);
    if (bag->failed)
        return NULL;
    for (int64_t i = 0; i < t->n; i++)
        for (int32_t j = 0; j < t->q; j++)
            count[t->first[j] + leaf_of(t, i, j)]++;
    for (int32_t j = 0; j < t->q; j++) {
        const int32_t *parent = tree_of(t, j);
        int32_t *below = count + t->first[j];
        double *of = least + t->first[j];
        for (int64_t v = 0; v < n_nodes_of(t, j) - 1; v++)
            below[parent[v]] += below[v];
        for (int64_t v = n_nodes_of(t, j) - 1; v >= 0; v--)
            of[v] = below[v] >= 2 || parent[v] == v ? prices_of(t, j)[v] : of[parent[v]];
    }
    return least;
}

static shoal_status make_columns(Run *run, Bag *bag)
{
    const BoxTree *x = &run->x;
    TAKE(bag, run->by_column, x->t.n * x->t.q);
    for (int64_t i = 0; run->by_column && i < x->t.n; i++)
        for (int32_t j = 0; j < x->t.q; j++)
            run->by_column[j * x->t.n + i] = x->placed[i * x->t.q + j];
    return run->by_column ? SHOAL_OK : SHOAL_NO_MEMORY;
}

/* Without looking at pairs: what a companion costs at least and what covering companions costs at most. */
static void bound_only(const Run *run)
{
    const shoal_table *t = &run->x.t;
    const shoal_neighbours_ask *a = run->ask;
    for (int64_t i = 0; i < a->n_queries; i++) {
        int32_t self = a->queries ? a->queries[i] : (int32_t)i;
        double own = 0.0, least = 0.0, most = 0.0;
        for (int32_t j = 0; j < t->q; j++) {
            int64_t leaf = t->first[j] + leaf_of(t, self, j);
            own += t->price[leaf];
            least += run->x.least[leaf];
            most += t->price[t->first[j + 1] - 1];
        }
        int has_enough = t->weight && a->k <= t->weight[self] - 1;
        if (a->farthest)
            a->farthest[i] = has_enough ? own : least;
        if (a->covering)
            a->covering[i] = has_enough ? own : most;
    }
}

/* Try some queries: where the tree looks at much of the table, a scan is quicker. Where both take too long, bounds do. */
static shoal_status choose_method(Run *run, shoal_neighbours_ask *a, int32_t *method)
{
    int64_t step = a->n_queries / 64 + 1, tried = (a->n_queries + step - 1) / step;
    shoal_status status = serve_all(run, step, 1);
    *method = (double)run->work > 0.4 * (double)run->x.t.n * (double)tried ? SHOAL_METHOD_SCAN : SHOAL_METHOD_TREE;
    a->looked = (double)run->work / (double)tried * run->x.t.q;
    double cells = (double)a->n_queries * (*method == SHOAL_METHOD_SCAN ? (double)run->x.t.n * run->x.t.q : a->looked);
    if (!a->index && cells >= (*method == SHOAL_METHOD_SCAN ? a->most_scan : a->most_tree))
        *method = SHOAL_METHOD_BOUNDS;
    return status;
}

int64_t shoal_neighbours(const shoal_table *t, shoal_neighbours_ask *ask)
{
    Run run = {.ask = ask};
    Bag bag = {0};
    Cutter cutter = {.buffer = take(&bag, t->n / 2, sizeof(Keyed)), .spent = take(&bag, t->q, sizeof(int32_t)), .ask = ask};
    TAKE_ZEROS(&bag, cutter.mark, t->first[t->q]);
    const double *least = make_least(t, &bag);
    int32_t method = ask->method;
    shoal_status status = bag.failed ? SHOAL_NO_MEMORY : box_tree_new(&run.x, t, least, split, &cutter);
    if (!status)
        close_boxes(&run.x);
    if (!status && method == SHOAL_METHOD_AUTO)
        status = choose_method(&run, ask, &method);
    run.scan = method == SHOAL_METHOD_SCAN;
    if (!status && run.scan)
        status = make_columns(&run, &bag);
    if (!status && method == SHOAL_METHOD_BOUNDS)
        bound_only(&run);
    else if (!status)
        status = serve_all(&run, 1, ask->n_threads);
    box_tree_free(&run.x);
    if (is_stopped(ask)) /* an answer that is not whole is none */
        status = SHOAL_STOPPED;
    return bag_end(&bag, status ? status : method);
}
