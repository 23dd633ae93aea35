/* Pairs that are nearer than their potentials allow: for each u the v with the least
 *     slack(u, v) = distance(u, v) − reach[u] − pull[v] + within[lowest common node of u and v in `up`],
 * as long as it is negative. That finds the edges of a complete graph that violate the dual prices of a matching, without the graph:
 * branch and bound over a tree of boxes that are cut in two. A box also keeps the greatest pull in it; `within` is never negative.
 *
 * Prices and potentials are whole numbers held in doubles, so every sum is exact. */
#include <math.h>
#include "../base/heap.h"
#include "../base/threads.h"
#include "box_tree.h"
#include "boxes.h"

#define BUCKET 8
#define QUERIES_AT_ONCE 128

typedef struct {
    const shoal_pairs_ask *ask;
    BoxTree x;
    int32_t *rank; /* place of each leaf along its hierarchy, columns end to end */
    double *pull;  /* the greatest in each box */
} Pairs;

/* ---- cutting a box in two ---- */

ORDER(by_key, Keyed, a->key < b->key || (a->key == b->key && a->tuple < b->tuple))

static void close_box(Pairs *p, BoxTree *x, int64_t box, const Keyed *keyed)
{
    const Box *v = x->box + box;
    int32_t *closure = x->closure + box * x->t.q;
    memcpy(closure, row_of(&x->t, keyed[v->begin].tuple), sizeof(int32_t) * (size_t)x->t.q);
    p->pull[box] = -INFINITY;
    for (int64_t i = v->begin; i < v->end; i++) {
        join_row(&x->t, closure, keyed[i].tuple);
        if (p->ask->pull[keyed[i].tuple] > p->pull[box])
            p->pull[box] = p->ask->pull[keyed[i].tuple];
    }
}

/* The column with the dearest closure among those in which not all tuples are alike; -1 for none. */
static int32_t dearest_column(const BoxTree *x, int64_t box, int32_t tuple)
{
    const int32_t *closure = x->closure + box * x->t.q;
    int32_t best = -1;
    double dearest = -1.0;
    for (int32_t j = 0; j < x->t.q; j++)
        if (leaf_of(&x->t, tuple, j) != closure[j] && prices_of(&x->t, j)[closure[j]] > dearest)
            dearest = prices_of(&x->t, j)[closure[j]], best = j;
    return best;
}

/* Cut where two neighbours have least in common, in the middle half if they differ there at all. */
static int64_t best_cut(const BoxTree *x, const Keyed *keyed, const Box *v, int32_t j)
{
    int64_t size = v->end - v->begin, cut = -1;
    for (int32_t wide = 0; wide < 2 && cut < 0; wide++) {
        int64_t low = v->begin + (wide ? 1 : size / 4 + 1), high = v->end - (wide ? 0 : size / 4);
        double widest = -1.0;
        for (int64_t i = low; i < high; i++) {
            int32_t a = leaf_of(&x->t, keyed[i - 1].tuple, j), b = leaf_of(&x->t, keyed[i].tuple, j);
            double price = a == b ? -1.0 : prices_of(&x->t, j)[join_in(&x->t, j, a, b)];
            if (price > widest)
                widest = price, cut = i;
        }
    }
    return cut;
}

static int split(BoxTree *x, void *about, Keyed *keyed, int64_t box)
{
    Pairs *p = about;
    close_box(p, x, box, keyed);
    Box v = x->box[box];
    int32_t j = dearest_column(x, box, keyed[v.begin].tuple);
    if (v.end - v.begin <= BUCKET || j < 0)
        return 1;
    for (int64_t i = v.begin; i < v.end; i++)
        keyed[i].key = p->rank[x->t.first[j] + leaf_of(&x->t, keyed[i].tuple, j)];
    qsort(keyed + v.begin, (size_t)(v.end - v.begin), sizeof(Keyed), by_key);
    int64_t cut = best_cut(x, keyed, &v, j), made = add_boxes(x, 2);
    if (made < 0)
        return 0;
    x->box[made] = (Box){v.begin, cut, 0, 0};
    x->box[made + 1] = (Box){cut, v.end, 0, 0};
    x->box[box].child = (int32_t)made;
    x->box[box].n_children = 2;
    return 1;
}

/* ---- queries ---- */

typedef struct {
    Bag bag;
    const double **row;
    Waiting *stack;
    int32_t self;
    const int32_t *query;
    int32_t *index; /* the answer so far, least slack first */
    double *slack, worst, reach;
    int64_t n_found;
} Query;

static int is_known(const shoal_pairs_ask *a, int32_t u, int32_t v)
{
    if (!a->known_start)
        return 0;
    int64_t low = a->known_start[u], high = a->known_start[u + 1];
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (a->known[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->known_start[u + 1] && a->known[low] == v;
}

static void keep(const shoal_pairs_ask *a, Query *s, double slack, int32_t other)
{
    int64_t i = s->n_found < a->most ? s->n_found++ : a->most - 1;
    for (; i > 0 && s->slack[i - 1] > slack; i--)
        s->slack[i] = s->slack[i - 1], s->index[i] = s->index[i - 1];
    s->slack[i] = slack;
    s->index[i] = other;
    if (s->n_found == a->most)
        s->worst = s->slack[a->most - 1];
}

/* The tuples of a bucket, the query's own first and those after it. */
static void look_into_bucket(const Pairs *p, Query *s, const Box *v, int64_t place)
{
    const shoal_pairs_ask *a = p->ask;
    int64_t size = v->end - v->begin, from = place >= v->begin && place < v->end ? place - v->begin : 0;
    for (int64_t h = 0; h < size; h++) {
        int64_t i = v->begin + (from + h) % size;
        int32_t other = p->x.at[i];
        double offer = s->reach + a->pull[other];
        if (other == s->self)
            continue;
        double slack = lift_query(&p->x, s->row, s->query, p->x.placed + i * p->x.t.q, s->worst + offer) - offer;
        if (slack < s->worst && a->up)
            slack += a->within[join(a->up, s->self, other)];
        if (slack < s->worst && !is_known(a, s->self, other))
            keep(a, s, slack, other);
    }
}

static Waiting bound_of(const Pairs *p, const Query *s, int32_t box)
{
    double offer = s->reach + p->pull[box];
    return (Waiting){lift_query(&p->x, s->row, s->query, p->x.closure + (int64_t)box * p->x.t.q, s->worst + offer) - offer, box};
}

/* Of boxes that promise the same, the query's own comes first, then the one after it. So where everything is equally far, tuples get
   different neighbours, and no tuple is a neighbour of all. */
static void answer(const Pairs *p, Query *s, int64_t place)
{
    const BoxTree *x = &p->x;
    int64_t top = 0, most = p->ask->most;
    s->self = x->at[place];
    s->query = row_of(&x->t, s->self);
    s->index = p->ask->index + s->self * most;
    s->slack = p->ask->slack + s->self * most;
    s->worst = 0.0;
    s->reach = p->ask->reach[s->self];
    s->n_found = 0;
    choose_rows(x, s->query, s->row);
    s->stack[top++] = (Waiting){-s->reach - p->pull[0], 0};
    while (top) {
        Waiting w = s->stack[--top];
        if (w.bound >= s->worst)
            continue;
        const Box *v = x->box + w.box;
        if (!v->n_children) {
            look_into_bucket(p, s, v, place);
            continue;
        }
        Waiting side[2] = {bound_of(p, s, v->child), bound_of(p, s, v->child + 1)};
        int nearer = side[1].bound < side[0].bound || (side[1].bound == side[0].bound && place >= x->box[v->child + 1].begin);
        s->stack[top++] = side[!nearer];
        s->stack[top++] = side[nearer];
    }
    for (int64_t i = s->n_found; i < most; i++)
        s->index[i] = -1, s->slack[i] = 0.0;
}

static void open_query(void *shared, void *own)
{
    const Pairs *p = shared;
    Query *s = own;
    TAKE(&s->bag, s->row, p->x.t.q), TAKE(&s->bag, s->stack, p->x.n_boxes + 1);
}

static shoal_status serve(void *shared, void *own, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        answer(shared, own, i);
    return SHOAL_OK;
}

int64_t shoal_pairs(const shoal_table *t, const shoal_pairs_ask *ask)
{
    Pairs p = {.ask = ask};
    Bag bag = {0};
    int64_t n_nodes = t->first[t->q];
    int32_t *end = take(&bag, n_nodes, sizeof *end), *given = take(&bag, n_nodes, sizeof *given);
    TAKE(&bag, p.rank, n_nodes), TAKE(&bag, p.pull, 2 * t->n + 1);
    for (int32_t j = 0; !bag.failed && j < t->q; j++)
        rank_tree(tree_of(t, j), n_nodes_of(t, j), p.rank + t->first[j], end, given);
    shoal_status status = bag.failed ? SHOAL_NO_MEMORY : box_tree_new(&p.x, t, t->price, split, &p);
    if (!status)
        status = run_job(&(Job){&p, sizeof(Query), open_query, serve, NULL, ask->begin, ask->end, QUERIES_AT_ONCE, ask->n_threads});
    box_tree_free(&p.x);
    return bag_end(&bag, status);
}
