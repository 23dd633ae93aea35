/* The dual ascent of cellular clustering, driven by events.

   All unconnected points offer the present time; a cluster (v, d) is paid when the offers above d of the points within d of v
   add up to its price setup[v] + share * d, and then connects all of them. A centre's next payment can only get later as
   points stop offering more, so the centres wait in a heap by a time that may be too early, and are asked again on top of it. */
#include "space_ascent.h"
#include "metric.inc"

typedef struct {
    double time;
    double radius;
    int32_t centre;
} event;

static inline int sooner(const event *a, const event *b)
{
    return a->time < b->time || (a->time == b->time && a->centre < b->centre);
}

static void settle(event *heap, int64_t n, int64_t i)
{
    for (;;) {
        int64_t child = 2 * i + 1;
        if (child >= n)
            return;
        if (child + 1 < n && sooner(heap + child + 1, heap + child))
            child++;
        if (!sooner(heap + child, heap + i))
            return;
        event x = heap[i];
        heap[i] = heap[child];
        heap[child] = x;
        i = child;
    }
}

typedef struct {
    double d, offer; /* offer: what a connected point stopped at; negative for an unconnected one */
    int64_t w;
    int32_t at;
} payer;

/* Who may still pay at a centre, nearest first, as far as `reach`. A connected point that offers less than its distance never pays again. */
typedef struct {
    double reach;
    int32_t n;
    int32_t *at;
    double *d;
} memory;

#define REMEMBERED 24000000 /* payers in all memories together */

static int nearer(const void *a, const void *b)
{
    const payer *x = a, *y = b;
    return (x->d > y->d) - (x->d < y->d) ? (x->d > y->d) - (x->d < y->d) : (x->at > y->at) - (x->at < y->at);
}

typedef struct {
    const shoal_space *s;
    const int64_t *weight; /* of all points */
    const int64_t *w;      /* of the unconnected ones */
    const int64_t *nw;
    double *most; /* per node: the highest offer of a connected point in it */
    double *alpha;
    payer *payers;
    int64_t n, room;
    double *heap_offer; /* offers of connected points still above d, the lowest on top */
    int64_t *heap_weight;
    memory *memories;
} scene;

static int add_payer(scene *z, int32_t at, double d, double offer, int64_t w)
{
    if (z->n == z->room) {
        int64_t room = z->room ? 2 * z->room : 256;
        payer *payers = realloc(z->payers, (size_t)room * sizeof *payers);
        if (payers)
            z->payers = payers;
        double *offers = realloc(z->heap_offer, (size_t)room * sizeof *offers);
        if (offers)
            z->heap_offer = offers;
        int64_t *weights = realloc(z->heap_weight, (size_t)room * sizeof *weights);
        if (weights)
            z->heap_weight = weights;
        if (!payers || !offers || !weights)
            return 0;
        z->room = room;
    }
    payer one = {d, offer, w, at};
    z->payers[z->n++] = one;
    return 1;
}

/* Note point p, at distance d, if it is unconnected or stopped above d; 0 for no memory. */
static int may_pay(scene *z, int32_t p, double d)
{
    if (z->w[p])
        return add_payer(z, p, d, -1, z->w[p]);
    return z->alpha[p] <= d || add_payer(z, p, d, z->alpha[p], z->weight[p]);
}

/* Everyone within `reach` of v who may pay for a cluster there: the unconnected, and the connected who offered more than their distance. */
static int search_payers(scene *z, int32_t v, double reach)
{
    const shoal_space *s = z->s;
    int32_t stack[DEPTH];
    int top = 0;
    z->n = 0;
    stack[top++] = 0;
    while (top) {
        int32_t node = stack[--top];
        int is_leaf = s->left[node] < 0;
        const double *b = around(s, node);
        double widest = b[1] > b[3] ? b[1] : b[3], dq = 0;
        for (int32_t p = s->start[node]; p < (is_leaf ? s->end[node] : s->start[node] + 1); p++) {
            if (is_leaf && !z->w[p] && z->alpha[p] <= 0)
                continue;
            dq = distance(s, v, p, is_leaf ? reach : reach + widest + slack(reach, widest));
            if (dq > reach)
                continue;
            if (!may_pay(z, p, dq))
                return 0;
        }
        for (int turn = 0; turn < 2 && !is_leaf; turn++) {
            int32_t child = turn ? s->right[node] : s->left[node];
            double rim = b[2 * turn + 1], least = at_least(dq, b[2 * turn], rim) - slack(dq, rim);
            if (least <= reach && (z->nw[child] || z->most[child] > least))
                stack[top++] = child;
        }
    }
    qsort(z->payers, (size_t)z->n, sizeof *z->payers, nearer);
    return 1;
}

/* Payers around v, at least as far as `reach`, from memory where it goes that far; how far they go, or -1 for no memory. */
static double gather_payers(scene *z, int32_t v, double reach)
{
    memory *m = z->memories + v;
    if (m->at && m->reach >= reach) {
        z->n = 0;
        for (int32_t i = 0; i < m->n && m->d[i] <= reach; i++)
            if (!may_pay(z, m->at[i], m->d[i]))
                return -1;
        return reach;
    }
    reach *= m->at && m->n < 200 ? 2.0 : 1.2; /* where few pay, a search costs about the same however far it goes */
    if (!search_payers(z, v, reach))
        return -1;
    free(m->at);
    free(m->d);
    memset(m, 0, sizeof *m);
    int64_t keep = z->n, most = REMEMBERED / z->s->n;
    double known = reach;
    if (keep > most) { /* the nearest only, and those at one distance all or none */
        keep = most;
        while (keep && z->payers[keep - 1].d == z->payers[most].d)
            keep--;
        known = keep ? z->payers[keep - 1].d : 0;
    }
    m->at = malloc((size_t)(keep + 1) * sizeof *m->at);
    m->d = malloc((size_t)(keep + 1) * sizeof *m->d);
    if (!m->at || !m->d || !keep) {
        free(m->at);
        free(m->d);
        memset(m, 0, sizeof *m);
        return reach;
    }
    m->reach = known;
    m->n = (int32_t)keep;
    for (int64_t i = 0; i < keep; i++) {
        m->at[i] = z->payers[i].at;
        m->d[i] = z->payers[i].d;
    }
    return reach;
}

static void drop_lowest(scene *z, int64_t *n)
{
    int64_t last = --*n, i = 0;
    z->heap_offer[0] = z->heap_offer[last];
    z->heap_weight[0] = z->heap_weight[last];
    for (;;) {
        int64_t child = 2 * i + 1;
        if (child >= *n)
            return;
        if (child + 1 < *n && z->heap_offer[child + 1] < z->heap_offer[child])
            child++;
        if (z->heap_offer[child] >= z->heap_offer[i])
            return;
        double offer = z->heap_offer[i];
        int64_t w = z->heap_weight[i];
        z->heap_offer[i] = z->heap_offer[child];
        z->heap_weight[i] = z->heap_weight[child];
        z->heap_offer[child] = offer;
        z->heap_weight[child] = w;
        i = child;
    }
}

static void keep_offer(scene *z, int64_t *n, double offer, int64_t w)
{
    int64_t i = (*n)++;
    while (i && z->heap_offer[(i - 1) / 2] > offer) {
        z->heap_offer[i] = z->heap_offer[(i - 1) / 2];
        z->heap_weight[i] = z->heap_weight[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    z->heap_offer[i] = offer;
    z->heap_weight[i] = w;
}

/* Among clusters at v of radius at least `from` and known payers: the first that is paid. */
static event first_paid(scene *z, int32_t v, double from, double setup, double share, double now, double limit)
{
    event best = {INFINITY, 0, v};
    double frozen = 0; /* sum of the offers in the heap, times weight */
    int64_t frozen_weight = 0, alive = 0, n_heap = 0;
    for (int64_t i = 0; i < z->n;) {
        double d = z->payers[i].d > from ? z->payers[i].d : from;
        double price = setup + share * d;
        if (d >= best.time || price > limit)
            break;
        for (; i < z->n && z->payers[i].d <= d; i++) {
            const payer *one = z->payers + i;
            if (one->offer < 0) {
                alive += one->w;
            } else if (one->offer > d) {
                keep_offer(z, &n_heap, one->offer, one->w);
                frozen += one->offer * (double)one->w;
                frozen_weight += one->w;
            }
        }
        while (n_heap && z->heap_offer[0] <= d) {
            frozen -= z->heap_offer[0] * (double)z->heap_weight[0];
            frozen_weight -= z->heap_weight[0];
            drop_lowest(z, &n_heap);
        }
        if (!alive)
            continue;
        double owed = price - (frozen - d * (double)frozen_weight);
        double time = owed > 0 ? d + owed / (double)alive : d;
        if (time < now)
            time = now;
        if (time < best.time) {
            best.time = time;
            best.radius = d;
        }
    }
    return best;
}

/* When v's next cluster is paid, given who is connected now. `from` is the radius that holds enough points. Time -1 for no memory. */
static event next_event(scene *z, int32_t v, double from, double setup, double share, double now, double limit, double widest, double hint)
{
    event none = {-1, 0, v};
    double reach = hint > from ? hint : from;
    for (;;) {
        reach = gather_payers(z, v, reach);
        if (reach < 0)
            return none;
        event best = first_paid(z, v, from, setup, share, now, limit);
        if (best.time <= reach || reach >= widest || setup + share * reach > limit)
            return best;
        double wider = reach > 0 ? 2 * reach : best.time < INFINITY ? best.time : widest / 1024;
        reach = best.time < wider ? best.time : wider;
    }
}

/* Runs until at most `outliers` weight is unconnected or nothing more can be paid. Clusters with a price above `limit` stay shut.
   Out: alpha, the number of the cluster that connected each point (-1: none), and each cluster's centre and radius. Returns how
   many clusters opened, -1 for no memory. */
int64_t shoal_space_ascent(const shoal_space *s, int64_t *w, int64_t *nw, const int32_t *leaf_of, const double *t, const double *setup,
                     double share, int64_t outliers, double limit, double widest, double *alpha, int32_t *witness, int32_t *centre,
                     double *radius)
{
    int64_t n_open = -1, n_heap = 0;
    scene z = {0};
    int64_t *weight = malloc((size_t)s->n * sizeof *weight);
    double *most = calloc((size_t)s->n_nodes, sizeof *most);
    event *heap = malloc((size_t)s->n * sizeof *heap);
    shoal_list near = {0};
    z.memories = calloc((size_t)s->n, sizeof *z.memories);
    if (!weight || !most || !heap || !z.memories)
        goto done;
    memcpy(weight, w, (size_t)s->n * sizeof *weight);
    z.s = s;
    z.weight = weight;
    z.w = w;
    z.nw = nw;
    z.most = most;
    z.alpha = alpha;
    for (int32_t p = 0; p < s->n; p++) {
        alpha[p] = 0;
        witness[p] = -1;
        event first = {setup[p] + share * t[p] <= limit ? t[p] : INFINITY, t[p], p}; /* nothing is paid before its own radius */
        if (t[p] < INFINITY && first.time < INFINITY)
            heap[n_heap++] = first;
    }
    for (int64_t i = n_heap / 2; i >= 0; i--)
        settle(heap, n_heap, i);
    int64_t open = 0;
    double now = 0;
    while (n_heap && nw[0] > outliers) {
        event old = heap[0];
        event fresh = next_event(&z, old.centre, t[old.centre], setup[old.centre], share, now, limit, widest, old.time);
        if (fresh.time < 0)
            goto done;
        if (fresh.time == INFINITY) { /* nobody is left for this centre to connect */
            heap[0] = heap[--n_heap];
            settle(heap, n_heap, 0);
            continue;
        }
        heap[0] = fresh;
        settle(heap, n_heap, 0);
        if (heap[0].centre != fresh.centre)
            continue;
        now = fresh.time;
        near.n = 0;
        if (!collect(s, w, nw, fresh.centre, fresh.radius, &near))
            goto done;
        for (int64_t j = 0; j < near.n; j++) {
            int32_t p = near.at[j];
            alpha[p] = now;
            witness[p] = (int32_t)open;
            take_out(s, w, nw, leaf_of, p);
            for (int32_t node = leaf_of[p]; node >= 0 && most[node] < now; node = s->up[node])
                most[node] = now;
        }
        centre[open] = fresh.centre;
        radius[open++] = fresh.radius;
    }
    for (int32_t p = 0; p < s->n; p++)
        if (w[p])
            alpha[p] = now;
    n_open = open;
done:
    free(weight);
    free(most);
    free(heap);
    for (int32_t p = 0; z.memories && p < s->n; p++) {
        free(z.memories[p].at);
        free(z.memories[p].d);
    }
    free(z.memories);
    free(z.payers);
    free(z.heap_offer);
    free(z.heap_weight);
    shoal_space_list_free(&near);
    return n_open;
}
