/* The dual ascent of cellular clustering, driven by events.
 *
 * All unconnected points offer the present time; a cluster (v, d) is paid when the offers above d of the points within d of v add up to its
 * price setup[v] + share * d, and then connects all of them. A centre's next payment can only get later as points stop offering more, so
 * the centres wait in a heap by a time that may be too early, and are asked again on top of it. */
#include "../base/heap.h"
#include "near.h"

#define REMEMBERED 24000000 /* payers in all memories together */

typedef struct {
    double time;
    double radius;
    int32_t centre;
} Event;

HEAP(events, Event, const void *, a->time < b->time || (a->time == b->time && a->centre < b->centre))

typedef struct {
    double d, offer; /* offer: what a connected point stopped at; negative for an unconnected one */
    int64_t w;
    int32_t at;
} Payer;

/* An offer of a connected point that is still above the current radius. */
typedef struct {
    double offer;
    int64_t w;
} Frozen;

HEAP(frozen, Frozen, const void *, a->offer < b->offer)

/* Who may still pay at a centre, nearest first, as far as `reach`. A connected point that offers less than its distance never pays again. */
typedef struct {
    double reach;
    int32_t n;
    int32_t *at;
    double *d;
} Memory;

typedef struct {
    const shoal_space *s;
    shoal_load *load; /* of the unconnected points */
    shoal_ascent *ask;
    const int64_t *weight; /* of all points */
    double *most;          /* per node: the highest offer of a connected point in it */
    Payer *payers;
    int64_t n, room, room_heap;
    Frozen *heap;
    Memory *memories;
    Event *waiting;
    int64_t n_waiting;
    double now;
} Scene;

ORDER(nearer, Payer, a->d < b->d || (a->d == b->d && a->at < b->at))

/* Room for so many more payers; 0 for no memory. */
static int room_for(Scene *z, int64_t more)
{
    return grow(&z->payers, &z->room, z->n + more, sizeof *z->payers) && grow(&z->heap, &z->room_heap, z->n + more, sizeof *z->heap);
}

/* Note point p, at distance d, if it is unconnected or stopped above d. */
static inline void may_pay(Scene *z, int32_t p, double d)
{
    int64_t open = z->load->point[p];
    double offer = z->ask->alpha[p];
    if (open || offer > d)
        z->payers[z->n++] = (Payer){d, open ? -1 : offer, open ? open : z->weight[p], p};
}

/* The points that a node lists itself; the distance of the last. */
static double meet_own(Scene *z, int32_t node, int32_t v, double reach)
{
    const shoal_space *s = z->s;
    int32_t leaf = is_leaf(s, node), to = end_of_own(s, node);
    double widest = widest_of(around(s, node)), dq = 0;
    for (int32_t p = s->tree.start[node]; p < to; p++) {
        if (leaf && !z->load->point[p] && z->ask->alpha[p] <= 0)
            continue;
        dq = distance(s, v, p, leaf ? reach : reach + widest + slack(reach, widest));
        if (dq <= reach)
            may_pay(z, p, dq);
    }
    return dq;
}

/* Everyone within `reach` of v who may pay for a cluster there: the unconnected, and the connected who offered more than their distance. */
static int search_payers(Scene *z, int32_t v, double reach)
{
    const shoal_space *s = z->s;
    int32_t stack[DEPTH];
    z->n = 0;
    stack[0] = 0;
    for (int top = 1; top;) {
        int32_t node = stack[--top];
        const double *b = around(s, node);
        if (!room_for(z, end_of_own(s, node) - s->tree.start[node]))
            return 0;
        double dq = meet_own(z, node, v, reach);
        for (int turn = 0; turn < 2 && !is_leaf(s, node); turn++) {
            int32_t child = turn ? s->tree.right[node] : s->tree.left[node];
            double rim = b[2 * turn + 1], least = at_least(dq, b[2 * turn], rim) - slack(dq, rim);
            if (least <= reach && (z->load->node[child] || z->most[child] > least))
                stack[top++] = child;
        }
    }
    qsort(z->payers, (size_t)z->n, sizeof *z->payers, nearer);
    return 1;
}

static void forget(Memory *m)
{
    free(m->at);
    free(m->d);
    *m = (Memory){0};
}

/* Remember the payers just found, the nearest only where they are many, and those at one distance all or none. */
static void remember(Scene *z, Memory *m, double reach)
{
    int64_t keep = z->n, most = REMEMBERED / z->s->n;
    forget(m);
    if (keep > most) {
        keep = most;
        while (keep && z->payers[keep - 1].d == z->payers[most].d)
            keep--;
        reach = keep ? z->payers[keep - 1].d : 0;
    }
    m->at = malloc((size_t)(keep + 1) * sizeof *m->at);
    m->d = malloc((size_t)(keep + 1) * sizeof *m->d);
    if (!m->at || !m->d || !keep) {
        forget(m); /* it is only slower without */
        return;
    }
    m->reach = reach;
    m->n = (int32_t)keep;
    for (int64_t i = 0; i < keep; i++)
        m->at[i] = z->payers[i].at, m->d[i] = z->payers[i].d;
}

/* Payers around v, at least as far as `reach`, from memory where it goes that far; how far they go, or -1 for no memory. */
static double gather_payers(Scene *z, int32_t v, double reach)
{
    Memory *m = z->memories + v;
    if (m->at && m->reach >= reach) {
        z->n = 0;
        if (!room_for(z, m->n))
            return -1;
        for (int32_t i = 0; i < m->n && m->d[i] <= reach; i++)
            may_pay(z, m->at[i], m->d[i]);
        return reach;
    }
    reach *= m->at && m->n < 200 ? 2.0 : 1.2; /* where few pay, a search costs about the same however far it goes */
    if (!search_payers(z, v, reach))
        return -1;
    remember(z, m, reach);
    return reach;
}

/* Among clusters at v of radius at least `from` and known payers: the first that is paid. */
static Event first_paid(Scene *z, int32_t v, double from)
{
    const Payer *one = z->payers, *end = z->payers + z->n;
    Frozen *heap = z->heap;
    Event best = {INFINITY, 0, v};
    double setup = z->ask->setup[v], share = z->ask->share, limit = z->ask->limit;
    double frozen = 0; /* sum of the offers in the heap, times weight */
    int64_t frozen_weight = 0, alive = 0, n = 0;
    while (one < end) {
        double d = one->d > from ? one->d : from, price = setup + share * d;
        if (d >= best.time || price > limit)
            break;
        for (; one < end && one->d <= d; one++) {
            if (one->offer < 0) {
                alive += one->w;
            } else if (one->offer > d) {
                frozen_up(NULL, heap, n++, (Frozen){one->offer, one->w});
                frozen += one->offer * (double)one->w;
                frozen_weight += one->w;
            }
        }
        while (n && heap[0].offer <= d) {
            frozen -= heap[0].offer * (double)heap[0].w;
            frozen_weight -= heap[0].w;
            frozen_drop(NULL, heap, --n);
        }
        if (!alive)
            continue;
        double owed = price - (frozen - d * (double)frozen_weight), time = owed > 0 ? d + owed / (double)alive : d;
        time = time < z->now ? z->now : time;
        if (time < best.time)
            best = (Event){time, d, v};
    }
    return best;
}

/* When v's next cluster is paid, given who is connected now; `hint` is a time that is not later. Time -1 for no memory. */
static Event next_event(Scene *z, int32_t v, double hint)
{
    double from = z->ask->t[v], reach = hint > from ? hint : from;
    for (;;) {
        reach = gather_payers(z, v, reach);
        if (reach < 0)
            return (Event){-1, 0, v};
        Event best = first_paid(z, v, from);
        if (best.time <= reach || reach >= z->ask->widest || z->ask->setup[v] + z->ask->share * reach > z->ask->limit)
            return best;
        double wider = reach > 0 ? 2 * reach : best.time < INFINITY ? best.time : z->ask->widest / 1024;
        reach = best.time < wider ? best.time : wider;
    }
}

/* A cluster is paid: connect all unconnected points in it. */
static int connect(Scene *z, Event paid, int32_t number, shoal_list *near)
{
    z->now = paid.time;
    near->n = 0;
    if (!collect(z->s, z->load, paid.centre, paid.radius, near))
        return 0;
    for (int64_t j = 0; j < near->n; j++) {
        int32_t p = near->at[j];
        z->ask->alpha[p] = z->now;
        z->ask->witness[p] = number;
        take_point(z->s, z->load, p);
        for (int32_t node = z->s->tree.leaf_of[p]; node >= 0 && z->most[node] < z->now; node = z->s->tree.up[node])
            z->most[node] = z->now;
    }
    z->ask->centre[number] = paid.centre;
    z->ask->radius[number] = paid.radius;
    return 1;
}

static int64_t run(Scene *z, shoal_list *near)
{
    int32_t open = 0;
    while (z->n_waiting && z->load->node[0] > z->ask->outliers) {
        Event fresh = next_event(z, z->waiting[0].centre, z->waiting[0].time);
        if (fresh.time < 0)
            return SHOAL_NO_MEMORY;
        /* infinite: nobody is left for this centre to connect */
        z->waiting[0] = fresh.time < INFINITY ? fresh : z->waiting[--z->n_waiting];
        events_down(NULL, z->waiting, z->n_waiting, 0);
        if (fresh.time < INFINITY && z->waiting[0].centre == fresh.centre && !connect(z, fresh, open++, near))
            return SHOAL_NO_MEMORY;
    }
    for (int32_t p = 0; p < z->s->n; p++)
        if (z->load->point[p])
            z->ask->alpha[p] = z->now;
    return open;
}

static void begin(Scene *z)
{
    const shoal_ascent *a = z->ask;
    for (int32_t p = 0; p < z->s->n; p++) {
        a->alpha[p] = 0;
        a->witness[p] = -1;
        if (a->t[p] < INFINITY && a->setup[p] + a->share * a->t[p] <= a->limit) /* nothing is paid before its own radius */
            z->waiting[z->n_waiting++] = (Event){a->t[p], a->t[p], p};
    }
    events_make(NULL, z->waiting, z->n_waiting);
}

int64_t shoal_space_ascent(const shoal_space *s, shoal_load *load, shoal_ascent *ask)
{
    Bag bag = {0};
    Scene z = {.s = s, .load = load, .ask = ask};
    int64_t *weight = take(&bag, s->n, sizeof *weight), n_open = 0;
    shoal_list near = {0};
    TAKE_ZEROS(&bag, z.most, s->tree.n_nodes), TAKE(&bag, z.waiting, s->n), TAKE_ZEROS(&bag, z.memories, s->n);
    if (!bag.failed) {
        memcpy(weight, load->point, (size_t)s->n * sizeof *weight);
        z.weight = weight;
        begin(&z);
        n_open = run(&z, &near);
    }
    for (int32_t p = 0; z.memories && p < s->n; p++)
        forget(z.memories + p);
    free(z.payers);
    free(z.heap);
    shoal_list_free(&near);
    return bag_end(&bag, n_open);
}
