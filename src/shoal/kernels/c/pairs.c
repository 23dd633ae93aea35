/* Pairs that are nearer than their potentials allow: for each u the v with the least
       slack(u, v) = distance(u, v) − reach[u] − pull[v] + within[lowest common node of u and v in `up`],
   as long as it is negative. That finds the edges of a complete graph that violate the dual prices of a matching, without
   the graph: branch and bound over a binary tree of boxes. A box keeps the closure of its tuples and the greatest pull in it;
   lifting the query into the closure bounds the distance from below, and `within` is never negative.

   Prices and potentials are whole numbers held in doubles, so every sum is exact. */
#include "pairs.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "tree.inc"

#define BUCKET 8
#define TABLE_ENTRIES 4000000
#define QUERIES_AT_ONCE 128

typedef struct {
    int64_t begin, end;
    int64_t left, right; /* -1 for a bucket */
    double pull;
} Box;

typedef struct {
    const int32_t *parent;
    const double *price;
    const int64_t *first;
    int32_t q;
    const int32_t *codes;
    int64_t n;
    const double *reach, *pull;
    const int32_t *up;
    const double *within;
    const int64_t *known_start; /* per tuple: others that are not to be listed, sorted; or NULL */
    const int32_t *known;
    int64_t most, end;   /* answers a query, and the position after the last query */
    double **table;      /* per column: leaf x node, or NULL */
    int32_t **rank;      /* per column: place of each leaf in the order of the tree */
    int32_t *at;         /* tuple at each position */
    int32_t *placed;     /* codes by position */
    Box *boxes;
    int32_t *closure;
    int64_t n_boxes;
    int32_t *index;
    double *slack;
    atomic_llong next;
    atomic_int failed;
} Pairs;

/* What a leaf costs at least together with something below a node. */
static double lift(const Pairs *x, int32_t j, int32_t leaf, int32_t node)
{
    int32_t top = join(x->parent + x->first[j], leaf, node);
    return x->price[x->first[j] + (top == node ? leaf : top)];
}

static int make_tables(Pairs *x)
{
    x->table = calloc((size_t)x->q, sizeof *x->table);
    x->rank = calloc((size_t)x->q, sizeof *x->rank);
    if (!x->table || !x->rank)
        return -1;
    for (int32_t j = 0; j < x->q; j++) {
        int32_t n_nodes = (int32_t)(x->first[j + 1] - x->first[j]), n_leaves = 0;
        const int32_t *parent = x->parent + x->first[j];
        for (int64_t i = 0; i < x->n; i++)
            if (x->codes[i * x->q + j] >= n_leaves)
                n_leaves = x->codes[i * x->q + j] + 1;
        /* rank: below[v] = leaves under v; a node's first place is its parent's plus what its elder siblings hold */
        int32_t *below = calloc((size_t)n_nodes, sizeof *below), *place = calloc((size_t)n_nodes, sizeof *place);
        x->rank[j] = place;
        if (!below || !place) {
            free(below);
            return -1;
        }
        for (int32_t v = 0; v < n_nodes - 1; v++) {
            below[v] += below[v] == 0;
            below[parent[v]] += below[v];
        }
        below[n_nodes - 1] = 0; /* from here on: how much of a node's room is given to children */
        for (int32_t v = n_nodes - 2; v >= 0; v--) {
            int32_t room = below[v];
            place[v] = place[parent[v]] + below[parent[v]];
            below[parent[v]] += room;
            below[v] = 0;
        }
        free(below);
        if ((int64_t)n_leaves * n_nodes > TABLE_ENTRIES || (int64_t)n_leaves * n_nodes > 64 * (x->n + 64))
            continue;
        x->table[j] = malloc(sizeof(double) * (size_t)n_leaves * (size_t)n_nodes);
        if (!x->table[j])
            return -1;
        for (int32_t a = 0; a < n_leaves; a++)
            for (int32_t v = 0; v < n_nodes; v++)
                x->table[j][(int64_t)a * n_nodes + v] = lift(x, j, a, v);
    }
    return 0;
}

/* ---- the tree of boxes ---- */

typedef struct {
    int32_t key, tuple;
} Keyed;

static int by_key(const void *a, const void *b)
{
    const Keyed *u = a, *v = b;
    return u->key != v->key ? (u->key > v->key) - (u->key < v->key) : (u->tuple > v->tuple) - (u->tuple < v->tuple);
}

static void box_of(Pairs *x, int64_t box, const Keyed *keyed)
{
    Box *v = x->boxes + box;
    int32_t *closure = x->closure + box * x->q;
    memcpy(closure, x->codes + (int64_t)keyed[v->begin].tuple * x->q, sizeof(int32_t) * (size_t)x->q);
    v->pull = -INFINITY;
    for (int64_t i = v->begin; i < v->end; i++) {
        const int32_t *row = x->codes + (int64_t)keyed[i].tuple * x->q;
        for (int32_t j = 0; j < x->q; j++)
            closure[j] = join(x->parent + x->first[j], closure[j], row[j]);
        if (x->pull[keyed[i].tuple] > v->pull)
            v->pull = x->pull[keyed[i].tuple];
    }
}

static int build(Pairs *x)
{
    int64_t room = 2 * x->n + 2;
    Keyed *keyed = malloc(sizeof(Keyed) * (size_t)x->n);
    x->boxes = malloc(sizeof(Box) * (size_t)room);
    x->closure = malloc(sizeof(int32_t) * (size_t)(room * x->q));
    x->at = malloc(sizeof(int32_t) * (size_t)x->n);
    x->placed = malloc(sizeof(int32_t) * (size_t)(x->n * x->q));
    if (!keyed || !x->boxes || !x->closure || !x->at || !x->placed) {
        free(keyed);
        return -1;
    }
    for (int64_t i = 0; i < x->n; i++)
        keyed[i].tuple = (int32_t)i;
    x->boxes[0] = (Box){0, x->n, -1, -1, 0};
    x->n_boxes = 1;
    for (int64_t box = 0; box < x->n_boxes; box++) {
        box_of(x, box, keyed);
        Box *v = x->boxes + box;
        int32_t best = 0;
        double dearest = -1.0;
        for (int32_t j = 0; j < x->q; j++) {
            double p = x->price[x->first[j] + x->closure[box * x->q + j]];
            if (x->codes[(int64_t)keyed[v->begin].tuple * x->q + j] != x->closure[box * x->q + j] && p > dearest) {
                dearest = p;
                best = j;
            }
        }
        if (v->end - v->begin <= BUCKET || dearest < 0)
            continue;
        for (int64_t i = v->begin; i < v->end; i++)
            keyed[i].key = x->rank[best][x->codes[(int64_t)keyed[i].tuple * x->q + best]];
        qsort(keyed + v->begin, (size_t)(v->end - v->begin), sizeof(Keyed), by_key);
        /* cut where two neighbours have least in common, in the middle half if they differ there at all */
        int64_t size = v->end - v->begin, cut = -1;
        for (int32_t wide = 0; wide < 2 && cut < 0; wide++) {
            int64_t low = v->begin + (wide ? 1 : size / 4 + 1), high = v->end - (wide ? 0 : size / 4);
            double widest = -1.0;
            for (int64_t i = low; i < high; i++) {
                int32_t a = x->codes[(int64_t)keyed[i - 1].tuple * x->q + best], b = x->codes[(int64_t)keyed[i].tuple * x->q + best];
                if (a == b)
                    continue;
                double p = x->price[x->first[best] + join(x->parent + x->first[best], a, b)];
                if (p > widest) {
                    widest = p;
                    cut = i;
                }
            }
        }
        v->left = x->n_boxes++;
        v->right = x->n_boxes++;
        x->boxes[v->left] = (Box){v->begin, cut, -1, -1, 0};
        x->boxes[v->right] = (Box){cut, v->end, -1, -1, 0};
    }
    for (int64_t i = 0; i < x->n; i++) {
        x->at[i] = keyed[i].tuple;
        memcpy(x->placed + i * x->q, x->codes + (int64_t)keyed[i].tuple * x->q, sizeof(int32_t) * (size_t)x->q);
    }
    free(keyed);
    return 0;
}

/* ---- queries ---- */

typedef struct {
    int64_t box;
    double bound;
} Waiting;

static inline double lifted(const Pairs *x, const double *const *row, const int32_t *query, const int32_t *node, double limit)
{
    double sum = 0.0;
    for (int32_t j = 0; j < x->q && sum < limit; j++)
        sum += row[j] ? row[j][node[j]] : lift(x, j, query[j], node[j]);
    return sum;
}

static int is_known(const Pairs *x, int32_t u, int32_t v)
{
    if (!x->known_start)
        return 0;
    int64_t low = x->known_start[u], high = x->known_start[u + 1];
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (x->known[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < x->known_start[u + 1] && x->known[low] == v;
}

static void keep(const Pairs *x, int32_t *index, double *slack, int64_t *n_found, double s, int32_t v)
{
    int64_t i = *n_found < x->most ? (*n_found)++ : x->most - 1;
    for (; i > 0 && slack[i - 1] > s; i--) {
        slack[i] = slack[i - 1];
        index[i] = index[i - 1];
    }
    slack[i] = s;
    index[i] = v;
}

/* Of boxes that promise the same the query's own comes first, then the one after it: where everything is equally far, everybody
   gets neighbours of his own, and nobody is everybody's. */
static void answer(Pairs *x, int64_t place, const double **row, Waiting *stack)
{
    int32_t u = x->at[place];
    const int32_t *query = x->codes + (int64_t)u * x->q;
    int32_t *index = x->index + (int64_t)u * x->most;
    double *slack = x->slack + (int64_t)u * x->most, worst = 0.0, reach = x->reach[u];
    int64_t n_found = 0, top = 0;
    for (int32_t j = 0; j < x->q; j++)
        row[j] = x->table[j] ? x->table[j] + (int64_t)query[j] * (x->first[j + 1] - x->first[j]) : NULL;
    stack[top++] = (Waiting){0, -reach - x->boxes[0].pull};
    while (top) {
        Waiting w = stack[--top];
        if (w.bound >= worst)
            continue;
        const Box *v = x->boxes + w.box;
        if (v->left >= 0) {
            Waiting side[2];
            for (int32_t s = 0; s < 2; s++) {
                int64_t box = s ? v->right : v->left;
                double offer = reach + x->boxes[box].pull;
                side[s] = (Waiting){box, lifted(x, row, query, x->closure + box * x->q, worst + offer) - offer};
            }
            int32_t nearer = side[1].bound < side[0].bound || (side[1].bound == side[0].bound && place >= x->boxes[v->right].begin);
            stack[top++] = side[!nearer];
            stack[top++] = side[nearer];
            continue;
        }
        int64_t size = v->end - v->begin, from = place >= v->begin && place < v->end ? place - v->begin : 0;
        for (int64_t h = 0; h < size; h++) {
            int64_t i = v->begin + (from + h) % size;
            int32_t other = x->at[i];
            double offer = reach + x->pull[other];
            if (other == u)
                continue;
            double s = lifted(x, row, query, x->placed + i * x->q, worst + offer) - offer;
            if (s < worst && x->up)
                s += x->within[join(x->up, u, other)];
            if (s < worst && !is_known(x, u, other)) {
                keep(x, index, slack, &n_found, s, other);
                if (n_found == x->most)
                    worst = slack[x->most - 1];
            }
        }
    }
    for (int64_t i = n_found; i < x->most; i++) {
        index[i] = -1;
        slack[i] = 0.0;
    }
}

static void *serve(void *argument)
{
    Pairs *x = argument;
    const double **row = malloc(sizeof(double *) * (size_t)x->q);
    Waiting *stack = malloc(sizeof(Waiting) * (size_t)(x->n_boxes + 2));
    if (!row || !stack)
        atomic_store(&x->failed, 1);
    while (!atomic_load(&x->failed)) {
        int64_t begin = atomic_fetch_add(&x->next, QUERIES_AT_ONCE);
        if (begin >= x->end)
            break;
        for (int64_t i = begin; i < x->end && i < begin + QUERIES_AT_ONCE; i++)
            answer(x, i, row, stack);
    }
    free(row);
    free(stack);
    return NULL;
}

/* Fills index and slack, n x most each, least slack first; -1 and 0 where there is no more; for the tuples at the positions begin .. end of the
   tree's order alone, which depends on no potential. Returns -1 without memory. */
int32_t shoal_pairs(const int32_t *parent, const double *price, const int64_t *first, int32_t q, const int32_t *codes, int64_t n,
                    const double *reach, const double *pull, const int32_t *up, const double *within,
                    const int64_t *known_start, const int32_t *known, int64_t most,
                    int64_t begin, int64_t end, int32_t n_threads, int32_t *index, double *slack)
{
    Pairs x = {.parent = parent, .price = price, .first = first, .q = q, .codes = codes, .n = n, .reach = reach, .pull = pull};
    x.up = up;
    x.within = within;
    x.known_start = known_start;
    x.known = known;
    x.most = most;
    x.end = end;
    atomic_store(&x.next, begin);
    x.index = index;
    x.slack = slack;
    int failed = make_tables(&x) || build(&x);
    if (!failed) {
        pthread_t other[64];
        int32_t started = 0;
        while (started < n_threads - 1 && started < 64 && !pthread_create(other + started, NULL, serve, &x))
            started++;
        serve(&x);
        for (int32_t t = 0; t < started; t++)
            pthread_join(other[t], NULL);
        failed = atomic_load(&x.failed);
    }
    for (int32_t j = 0; j < q; j++) {
        if (x.table)
            free(x.table[j]);
        if (x.rank)
            free(x.rank[j]);
    }
    free(x.table);
    free(x.rank);
    free(x.at);
    free(x.placed);
    free(x.boxes);
    free(x.closure);
    return failed ? -1 : 0;
}
