/* Exact nearest neighbours where the distance is a sum of prices of joins, by branch and bound over a tree of boxes.

   The tuples are sorted into a tree by splitting on one quasi-identifier's hierarchy at a time; a node keeps the closure
   of its tuples. A query inside a closure (in one column) may meet an equal value there; a query outside of it meets the
   same join with every tuple below. So the price of lifting the query into the closure bounds the distance from below,
   and sums of the same terms in the same order keep that true in floating point. Prices must not fall towards the root. */
#include "neighbours.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "tree.inc"

#define BUCKET 12             /* a node of at most so many tuples is not split further */
#define FAN 64                /* about so many children a node has at most */
#define TABLE_ENTRIES 2000000 /* a column with at most so many leaf-node pairs gets a table of their prices */
#define BLOCK 128             /* tuples that a scan prices at a time */
#define QUERIES_AT_ONCE 256   /* queries that a thread takes at a time */

typedef struct {
    int64_t begin, end;  /* its tuples, by position */
    int32_t child, n_children;
} Node;

typedef struct {
    const int32_t *parent;
    const double *price;
    const int64_t *first;
    int32_t q;
    const int32_t *codes;
    int64_t n;
    const int64_t *weight;
    double *least;       /* per leaf, columns end to end: the least that joining it with another tuple costs */
    double **table;      /* per column: leaf x node prices, or NULL */
    int32_t *at;         /* tuple at each position */
    int32_t *placed;     /* codes by position, row after row */
    int32_t *by_column;  /* codes by position, column after column (for scans) */
    Node *nodes;
    int32_t *closure;
    int64_t n_nodes, room;
    int32_t *mark, stamp; /* which children a node has, while the tree is built */
} Index;

/* What joining a leaf with another tuple below a node costs at least: inside the node the leaf's least, else the price of the join. */
static inline double lift(const Index *x, int32_t j, int32_t leaf, int32_t node)
{
    int32_t top = join(x->parent + x->first[j], leaf, node);
    return top == node ? x->least[x->first[j] + leaf] : x->price[x->first[j] + top];
}

static inline double lift_price(const Index *x, const double *const *row, const int32_t *query, int32_t j, int32_t node)
{
    return row[j] ? row[j][node] : lift(x, j, query[j], node);
}

/* ---- the tables ---- */

/* The least that joining a leaf with another tuple costs is the price of its lowest ancestor above two tuples: where nobody else has
   the value, the leaf itself cannot be met. */
static int make_least(Index *x)
{
    int64_t n_nodes = x->first[x->q];
    int32_t *count = calloc((size_t)n_nodes + 1, sizeof *count);
    x->least = malloc(sizeof(double) * (size_t)(n_nodes + 1));
    if (!count || !x->least) {
        free(count);
        return -1;
    }
    for (int64_t i = 0; i < x->n; i++)
        for (int32_t j = 0; j < x->q; j++)
            count[x->first[j] + x->codes[i * x->q + j]]++;
    for (int32_t j = 0; j < x->q; j++) {
        const int32_t *parent = x->parent + x->first[j];
        int32_t *below = count + x->first[j];
        int64_t size = x->first[j + 1] - x->first[j];
        for (int64_t v = 0; v < size - 1; v++)
            below[parent[v]] += below[v];
        for (int64_t v = size - 1; v >= 0; v--)
            x->least[x->first[j] + v] = below[v] >= 2 || parent[v] == v ? x->price[x->first[j] + v] : x->least[x->first[j] + parent[v]];
    }
    free(count);
    return 0;
}

static int make_tables(Index *x)
{
    x->table = calloc((size_t)x->q, sizeof *x->table);
    if (!x->table)
        return -1;
    for (int32_t j = 0; j < x->q; j++) {
        int64_t n_nodes = x->first[j + 1] - x->first[j];
        int32_t n_leaves = 0;
        for (int64_t i = 0; i < x->n; i++)
            if (x->codes[i * x->q + j] >= n_leaves)
                n_leaves = x->codes[i * x->q + j] + 1;
        if (n_leaves * n_nodes > TABLE_ENTRIES || n_leaves * n_nodes > 64 * (x->n + 64))
            continue;
        double *table = malloc(sizeof(double) * (size_t)(n_leaves * n_nodes));
        if (!table)
            return -1;
        const int32_t *parent = x->parent + x->first[j];
        const double *price = x->price + x->first[j];
        for (int32_t leaf = 0; leaf < n_leaves; leaf++) {
            double *row = table + leaf * n_nodes;
            for (int64_t v = 0; v < n_nodes; v++)
                row[v] = -1.0;
            for (int32_t up = leaf;; up = parent[up]) {
                row[up] = price[up];
                if (parent[up] == up)
                    break;
            }
            for (int64_t v = n_nodes - 2; v >= 0; v--) /* a parent is filled before its children */
                if (row[v] < 0)
                    row[v] = row[parent[v]];
            for (int32_t up = leaf;; up = parent[up]) { /* inside an ancestor an equal value may be met, if somebody else has it */
                row[up] = x->least[x->first[j] + leaf];
                if (parent[up] == up)
                    break;
            }
        }
        x->table[j] = table;
    }
    return 0;
}

/* ---- building the tree of boxes ---- */

typedef struct {
    int32_t key, tuple;
} Keyed;

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

static int64_t new_nodes(Index *x, int64_t count)
{
    if (x->n_nodes + count > x->room) {
        int64_t room = 2 * (x->n_nodes + count);
        Node *nodes = realloc(x->nodes, sizeof(Node) * (size_t)room);
        if (!nodes)
            return -1;
        x->nodes = nodes;
        int32_t *closure = realloc(x->closure, sizeof(int32_t) * (size_t)(room * x->q));
        if (!closure)
            return -1;
        x->closure = closure;
        x->room = room;
    }
    int64_t made = x->n_nodes;
    x->n_nodes += count;
    return made;
}

/* The child of a column's cell that each tuple of a node is below. Returns 1 if it is the same for all. */
static int32_t fill_keys(const Index *x, Keyed *keyed, int64_t begin, int64_t end, int32_t j, int32_t cell)
{
    const int32_t *parent = x->parent + x->first[j];
    int32_t same = 1;
    for (int64_t i = begin; i < end; i++) {
        int32_t v = x->codes[(int64_t)keyed[i].tuple * x->q + j];
        if (v != cell)
            while (parent[v] != cell)
                v = parent[v];
        keyed[i].key = v;
        same &= v == keyed[begin].key;
    }
    return same;
}

/* Whether most tuples would be alone in their child: counted with a mark for each child. */
static int32_t is_scattered(Index *x, const Keyed *keyed, int64_t begin, int64_t end, int32_t j)
{
    int32_t *mark = x->mark + x->first[j];
    int64_t distinct = 0;
    x->stamp++;
    for (int64_t i = begin; i < end; i++)
        if (mark[keyed[i].key] != x->stamp) {
            mark[keyed[i].key] = x->stamp;
            distinct++;
        }
    return 2 * distinct > end - begin;
}

/* While building, `closure` holds a node's cell: in each column a node that covers all its tuples. Returns the column to
   split on, whose cell is dearest, after lowering cells that a single child covers; -1 if all tuples of the node are equal.
   A column that would scatter the tuples comes after the others: boxes of one tuple each prune nothing. */
static int32_t choose_column(Index *x, Keyed *keyed, int64_t begin, int64_t end, int32_t *cell, int32_t *spent)
{
    int32_t scattered = -1;
    for (;;) {
        int32_t best = -1;
        double dearest = -1.0;
        for (int32_t j = 0; j < x->q; j++) {
            double gain = x->price[x->first[j] + cell[j]];
            if (!spent[j] && gain > dearest) {
                dearest = gain;
                best = j;
            }
        }
        if (best < 0) {
            if (scattered >= 0)
                fill_keys(x, keyed, begin, end, scattered, cell[scattered]);
            return scattered;
        }
        if (!fill_keys(x, keyed, begin, end, best, cell[best])) {
            if (!is_scattered(x, keyed, begin, end, best))
                return best;
            scattered = scattered < 0 ? best : scattered;
            spent[best] = 1;
            continue;
        }
        if (cell[best] == keyed[begin].key)
            spent[best] = 1; /* a single leaf: nothing to split */
        cell[best] = keyed[begin].key;
    }
}

static int split(Index *x, int64_t node, Keyed *keyed, Keyed *buffer, int32_t *spent)
{
    int64_t begin = x->nodes[node].begin, end = x->nodes[node].end;
    x->nodes[node].n_children = 0;
    if (end - begin <= BUCKET)
        return 0;
    memset(spent, 0, sizeof(int32_t) * (size_t)x->q);
    int32_t j = choose_column(x, keyed, begin, end, x->closure + node * x->q, spent);
    if (j < 0)
        return 0;
    sort_keyed(keyed + begin, buffer, end - begin);
    int64_t bucket = (end - begin) / FAN > BUCKET ? (end - begin) / FAN : BUCKET; /* of many children, runs of them are put together */
    int64_t count = 0;
    for (int pass = 0; pass < 2; pass++) { /* count the children, then make them; small neighbours share a bucket */
        int64_t made = pass ? new_nodes(x, count) : 0;
        if (made < 0)
            return -1;
        int64_t child = 0, i = begin;
        while (i < end) {
            int64_t stop = i, runs = 0;
            while (stop < end) {
                int64_t next = stop;
                while (next < end && keyed[next].key == keyed[stop].key)
                    next++;
                if (runs && next - i > bucket)
                    break;
                stop = next;
                runs++;
            }
            if (pass) {
                x->nodes[made + child] = (Node){i, stop, 0, 0};
                int32_t *cell = x->closure + (made + child) * x->q;
                memcpy(cell, x->closure + node * x->q, sizeof(int32_t) * (size_t)x->q);
                if (runs == 1)
                    cell[j] = keyed[i].key;
            }
            child++;
            i = stop;
        }
        count = child;
        if (pass) {
            x->nodes[node].child = (int32_t)made;
            x->nodes[node].n_children = (int32_t)count;
        }
    }
    return 0;
}

static int build(Index *x)
{
    int32_t q = x->q;
    Keyed *keyed = malloc(sizeof(Keyed) * (size_t)x->n), *buffer = malloc(sizeof(Keyed) * (size_t)(x->n / 2 + 1));
    int32_t *spent = malloc(sizeof(int32_t) * (size_t)q);
    x->mark = calloc((size_t)x->first[q] + 1, sizeof *x->mark);
    int failed = !keyed || !buffer || !spent || !x->mark || new_nodes(x, 1) < 0;
    if (!failed) {
        for (int64_t i = 0; i < x->n; i++)
            keyed[i].tuple = (int32_t)i;
        x->nodes[0] = (Node){0, x->n, 0, 0};
        for (int32_t j = 0; j < q; j++)
            x->closure[j] = (int32_t)(x->first[j + 1] - x->first[j] - 1);
        for (int64_t node = 0; node < x->n_nodes && !failed; node++)
            failed = split(x, node, keyed, buffer, spent) != 0;
    }
    x->at = malloc(sizeof(int32_t) * (size_t)x->n);
    x->placed = malloc(sizeof(int32_t) * (size_t)(x->n * q));
    if (!x->at || !x->placed)
        failed = 1;
    if (!failed) {
        for (int64_t i = 0; i < x->n; i++) {
            x->at[i] = keyed[i].tuple;
            memcpy(x->placed + i * q, x->codes + (int64_t)keyed[i].tuple * q, sizeof(int32_t) * (size_t)q);
        }
        for (int64_t node = x->n_nodes - 1; node >= 0; node--) { /* children have larger numbers: closures from below */
            const Node *v = x->nodes + node;
            int64_t count = v->n_children ? v->n_children : v->end - v->begin;
            const int32_t *part = v->n_children ? x->closure + (int64_t)v->child * q : x->placed + v->begin * q;
            int32_t *closure = x->closure + node * q;
            memcpy(closure, part, sizeof(int32_t) * (size_t)q);
            for (int64_t i = 1; i < count; i++)
                for (int32_t j = 0; j < q; j++)
                    closure[j] = join(x->parent + x->first[j], closure[j], part[i * q + j]);
        }
    }
    free(x->mark);
    free(keyed);
    free(buffer);
    free(spent);
    return failed ? -1 : 0;
}

/* ---- answering a query ---- */

typedef struct {
    double distance;
    int32_t tuple;
} Found;

typedef struct {
    double bound;
    int32_t node;
} Waiting;

typedef struct {
    const Index *x;
    Found *found;
    int64_t n_found, need, held; /* rows wanted, and rows that the tuples found stand for */
    double worst;                /* what is not below this need not be looked at */
    const double **row;
    Waiting *stack;
    int64_t room;
    int64_t work;
} Search;

static void offer(Search *s, double distance, int32_t tuple)
{
    int64_t i = s->n_found++;
    for (; i > 0 && s->found[i - 1].distance > distance; i--)
        s->found[i] = s->found[i - 1];
    s->found[i] = (Found){distance, tuple};
    const int64_t *weight = s->x->weight;
    s->held += weight ? weight[tuple] : 1;
    while (s->n_found) {
        int64_t last = weight ? weight[s->found[s->n_found - 1].tuple] : 1;
        if (s->held - last < s->need)
            break;
        s->held -= last;
        s->n_found--;
    }
    if (s->held >= s->need)
        s->worst = s->found[s->n_found - 1].distance;
}

static int by_tree(Search *s, int32_t self, const int32_t *query)
{
    const Index *x = s->x;
    int32_t q = x->q;
    int64_t top = 0;
    s->stack[top++] = (Waiting){0.0, 0};
    while (top) {
        Waiting w = s->stack[--top];
        if (w.bound >= s->worst)
            continue;
        const Node *v = x->nodes + w.node;
        if (!v->n_children) {
            s->work += v->end - v->begin;
            for (int64_t i = v->begin; i < v->end; i++) {
                const int32_t *other = x->placed + i * q;
                double d = 0.0;
                for (int32_t j = 0; j < q && d < s->worst; j++)
                    d += lift_price(x, s->row, query, j, other[j]);
                if (d < s->worst && x->at[i] != self)
                    offer(s, d, x->at[i]);
            }
            continue;
        }
        s->work += v->n_children;
        if (top + v->n_children > s->room) {
            int64_t room = 2 * (top + v->n_children);
            Waiting *stack = realloc(s->stack, sizeof(Waiting) * (size_t)room);
            if (!stack)
                return -1;
            s->stack = stack;
            s->room = room;
        }
        int64_t bottom = top;
        for (int32_t c = v->n_children - 1; c >= 0; c--) {
            const int32_t *closure = x->closure + (int64_t)(v->child + c) * q;
            double bound = 0.0;
            for (int32_t j = 0; j < q && bound < s->worst; j++)
                bound += lift_price(x, s->row, query, j, closure[j]);
            if (bound < s->worst)
                s->stack[top++] = (Waiting){bound, v->child + c};
        }
        int64_t sorted = top - bottom <= 32 ? bottom : top - 1; /* the nearest on top; few are sorted, of many only one */
        for (int64_t i = bottom + 1; sorted == bottom && i < top; i++) {
            Waiting y = s->stack[i];
            int64_t h = i;
            for (; h > bottom && s->stack[h - 1].bound < y.bound; h--)
                s->stack[h] = s->stack[h - 1];
            s->stack[h] = y;
        }
        for (int64_t i = bottom; sorted != bottom && i < top - 1; i++)
            if (s->stack[i].bound < s->stack[top - 1].bound) {
                Waiting y = s->stack[i];
                s->stack[i] = s->stack[top - 1];
                s->stack[top - 1] = y;
            }
    }
    return 0;
}

static void by_scan(Search *s, int32_t self, const int32_t *query)
{
    const Index *x = s->x;
    double sum[BLOCK];
    for (int64_t base = 0; base < x->n; base += BLOCK) {
        int64_t count = x->n - base < BLOCK ? x->n - base : BLOCK;
        for (int64_t i = 0; i < count; i++)
            sum[i] = 0.0;
        for (int32_t j = 0; j < x->q; j++) {
            const int32_t *column = x->by_column + j * x->n + base;
            const double *row = s->row[j];
            if (row)
                for (int64_t i = 0; i < count; i++)
                    sum[i] += row[column[i]];
            else
                for (int64_t i = 0; i < count; i++)
                    sum[i] += lift(x, j, query[j], column[i]);
        }
        for (int64_t i = 0; i < count; i++)
            if (sum[i] < s->worst && x->at[base + i] != self)
                offer(s, sum[i], x->at[base + i]);
    }
}

static int answer(Search *s, int32_t self, int64_t k, int scan, int32_t *index, double *distance, double *farthest,
                  double *covering)
{
    const Index *x = s->x;
    const int32_t *query = x->codes + (int64_t)self * x->q;
    double own = 0.0;
    for (int32_t j = 0; j < x->q; j++) {
        int64_t n_nodes = x->first[j + 1] - x->first[j];
        s->row[j] = x->table[j] ? x->table[j] + query[j] * n_nodes : NULL;
        own += x->price[x->first[j] + query[j]];
    }
    s->n_found = s->held = 0;
    s->need = x->weight ? k - (x->weight[self] - 1) : k;
    s->worst = INFINITY;
    if (s->need > 0) {
        if (scan)
            by_scan(s, self, query);
        else if (by_tree(s, self, query))
            return -1;
    }
    for (int64_t i = 0; index && i < k; i++) {
        index[i] = i < s->n_found ? s->found[i].tuple : -1;
        distance[i] = i < s->n_found ? s->found[i].distance : INFINITY;
    }
    if (covering) { /* what covers the tuple and its companions costs */
        *covering = s->need <= 0 || s->held >= s->need ? 0.0 : INFINITY;
        for (int32_t j = 0; j < x->q; j++) {
            int32_t node = query[j];
            for (int64_t i = 0; i < s->n_found; i++)
                node = join(x->parent + x->first[j], node, x->codes[(int64_t)s->found[i].tuple * x->q + j]);
            *covering += x->price[x->first[j] + node];
        }
    }
    if (farthest)
        *farthest = s->need <= 0 ? own : s->held >= s->need ? s->found[s->n_found - 1].distance : INFINITY;
    return 0;
}

/* ---- all queries, over the threads ---- */

typedef struct {
    const Index *x;
    const int32_t *queries;
    int64_t n_queries, k, step; /* every step-th query only, to try the tree out */
    int scan;
    int32_t *index;
    double *distance, *farthest, *covering;
    atomic_llong next, work;
    atomic_int failed;
} Run;

static void *serve(void *argument)
{
    Run *run = argument;
    const Index *x = run->x;
    Search s = {.x = x, .room = 256};
    s.found = malloc(sizeof(Found) * (size_t)(run->k + 1));
    s.row = malloc(sizeof(double *) * (size_t)x->q);
    s.stack = malloc(sizeof(Waiting) * (size_t)s.room);
    int ok = s.found && s.row && s.stack;
    while (ok && !atomic_load(&run->failed)) {
        int64_t begin = atomic_fetch_add(&run->next, QUERIES_AT_ONCE);
        if (begin >= run->n_queries)
            break;
        int64_t end = begin + QUERIES_AT_ONCE < run->n_queries ? begin + QUERIES_AT_ONCE : run->n_queries;
        for (int64_t i = begin; ok && i < end; i++) {
            if (i % run->step)
                continue;
            int64_t out = run->queries ? i : x->at[i]; /* all tuples: in the order of the tree, which keeps caches warm */
            int32_t self = run->queries ? run->queries[i] : x->at[i];
            ok = !answer(&s, self, run->k, run->scan, run->index ? run->index + out * run->k : NULL,
                         run->index ? run->distance + out * run->k : NULL, run->farthest ? run->farthest + out : NULL,
                         run->covering ? run->covering + out : NULL);
        }
    }
    atomic_fetch_add(&run->work, s.work);
    if (!ok)
        atomic_store(&run->failed, 1);
    free(s.found);
    free(s.row);
    free(s.stack);
    return NULL;
}

static int serve_all(Run *run, int32_t n_threads)
{
    pthread_t other[64];
    int32_t started = 0;
    atomic_store(&run->next, 0);
    atomic_store(&run->work, 0);
    while (started < n_threads - 1 && started < 64 && !pthread_create(other + started, NULL, serve, run))
        started++;
    serve(run);
    for (int32_t t = 0; t < started; t++)
        pthread_join(other[t], NULL);
    return atomic_load(&run->failed) ? -1 : 0;
}

static int make_columns(Index *x)
{
    x->by_column = malloc(sizeof(int32_t) * (size_t)(x->n * x->q));
    if (!x->by_column)
        return -1;
    for (int64_t i = 0; i < x->n; i++)
        for (int32_t j = 0; j < x->q; j++)
            x->by_column[j * x->n + i] = x->placed[i * x->q + j];
    return 0;
}

/* Without looking at pairs: what a companion costs at least and what covering companions costs at most. */
static void bound_only(const Run *run)
{
    const Index *x = run->x;
    for (int64_t i = 0; i < run->n_queries; i++) {
        int32_t self = run->queries ? run->queries[i] : (int32_t)i;
        double own = 0.0, least = 0.0, most = 0.0;
        for (int32_t j = 0; j < x->q; j++) {
            int64_t leaf = x->first[j] + x->codes[(int64_t)self * x->q + j];
            own += x->price[leaf];
            least += x->least[leaf];
            most += x->price[x->first[j + 1] - 1];
        }
        int has_enough = x->weight && run->k <= x->weight[self] - 1;
        if (run->farthest)
            run->farthest[i] = has_enough ? own : least;
        if (run->covering)
            run->covering[i] = has_enough ? own : most;
    }
}

/* method: 0 by itself, 1 tree, 2 scan. Returns the method that was taken, 3 if only bounds were given, or -1 without memory.
   By itself it gives bounds where the tree prunes nothing, a scan would take `most_scan` comparisons of cells or more, and no lists are asked for. */
int32_t shoal_neighbours(const int32_t *parent, const double *price, const int64_t *first, int32_t q, const int32_t *codes,
                         int64_t n, const int64_t *weight, int64_t k, const int32_t *queries, int64_t n_queries,
                         int32_t method, int32_t n_threads, double most_scan, int32_t *index, double *distance, double *farthest,
                         double *covering)
{
    Index x = {.parent = parent, .price = price, .first = first, .q = q, .codes = codes, .n = n, .weight = weight};
    Run run = {.x = &x, .queries = queries, .n_queries = n_queries, .k = k, .step = 1};
    run.index = index;
    run.distance = distance;
    run.farthest = farthest;
    run.covering = covering;
    int failed = make_least(&x) || make_tables(&x) || build(&x);
    if (!failed && method == 0) { /* try some queries: where the tree looks at much of the table, a scan is quicker */
        run.step = n_queries / 64 + 1;
        failed = serve_all(&run, 1);
        int64_t tried = (n_queries + run.step - 1) / run.step;
        method = (double)run.work > 0.4 * (double)n * (double)tried ? 2 : 1;
        if (method == 2 && !index && (double)n * (double)n_queries * q >= most_scan)
            method = 3;
        run.step = 1;
    }
    run.scan = method == 2;
    if (!failed && run.scan)
        failed = make_columns(&x);
    if (!failed && method == 3)
        bound_only(&run);
    else if (!failed)
        failed = serve_all(&run, n_threads);
    for (int32_t j = 0; x.table && j < q; j++)
        free(x.table[j]);
    free(x.table);
    free(x.least);
    free(x.at);
    free(x.placed);
    free(x.by_column);
    free(x.nodes);
    free(x.closure);
    return failed ? -1 : method;
}
