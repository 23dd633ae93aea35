/* Covers of the points by balls, and better centres for given clusters. */
#include "../base/heap.h"
#include "near.h"

/* A queue of points to remove; a removed point no longer counts for others. */
typedef struct {
    const shoal_space *s;
    shoal_load *load;
    int32_t *queue;
    uint8_t *gone;
    int64_t n, removed;
} Peel;

static void remove_point(Peel *z, int32_t p)
{
    z->gone[p] = 1;
    z->queue[z->n++] = p;
    z->removed += z->load->point[p];
    take_point(z->s, z->load, p);
}

/* Remove the points around a removed one that now have too little around them. */
static shoal_status peel_around(Peel *z, int32_t p, double reach, int64_t r, int64_t most, shoal_list *near)
{
    near->n = 0;
    if (!collect(z->s, z->load, p, reach, near))
        return SHOAL_NO_MEMORY;
    for (int64_t j = 0; j < near->n; j++)
        if (weight_within(z->s, z->load, near->at[j], reach, r) < r) {
            remove_point(z, near->at[j]);
            if (z->removed > most)
                return SHOAL_TOO_LARGE;
        }
    return SHOAL_OK;
}

int64_t shoal_space_peel(const shoal_space *s, shoal_load *load, const double *t, double reach, int64_t r, int64_t most, uint8_t *gone)
{
    Peel z = {s, load, malloc((size_t)(s->n + 1) * sizeof(int32_t)), gone, 0, 0};
    shoal_list near = {0};
    shoal_status status = z.queue ? SHOAL_OK : SHOAL_NO_MEMORY;
    for (int32_t p = 0; p < s->n && !status; p++)
        if ((gone[p] = load->point[p] && t[p] > reach))
            remove_point(&z, p);
    if (!status && z.removed > most)
        status = SHOAL_TOO_LARGE;
    for (int64_t i = 0; i < z.n && !status; i++)
        status = peel_around(&z, z.queue[i], reach, r, most, &near);
    free(z.queue);
    shoal_list_free(&near);
    return status ? status : z.removed;
}

int64_t shoal_space_mark(const shoal_space *s, shoal_load *load, shoal_points order, double reach, int64_t least, int32_t *centre_of,
                         int32_t *centres)
{
    shoal_list near = {0};
    int64_t n_centres = 0;
    for (int64_t i = 0; i < order.n; i++) {
        int32_t p = order.point[i];
        if (!load->point[p] || (least > 1 && weight_within(s, load, p, reach, least) < least))
            continue;
        near.n = 0;
        if (!collect(s, load, p, reach, &near)) {
            n_centres = SHOAL_NO_MEMORY;
            break;
        }
        for (int64_t j = 0; j < near.n; j++) {
            centre_of[near.at[j]] = (int32_t)n_centres;
            take_point(s, load, near.at[j]);
        }
        centres[n_centres++] = p;
    }
    shoal_list_free(&near);
    return n_centres;
}

int64_t shoal_space_farthest_first(const shoal_space *s, int64_t most, int32_t *centres, double *apart, int32_t *nearest, double *d)
{
    int32_t next = 0;
    int64_t n_centres = 0;
    double gap = INFINITY;
    for (int32_t p = 0; p < s->n; p++)
        d[p] = INFINITY;
    while (n_centres < most && gap > 0) {
        centres[n_centres] = next;
        apart[n_centres] = gap;
        int32_t from = next;
        gap = -1;
        for (int32_t p = 0; p < s->n; p++) {
            double x = distance(s, from, p, d[p]);
            if (x < d[p])
                d[p] = x, nearest[p] = (int32_t)n_centres;
            if (d[p] > gap)
                gap = d[p], next = p;
        }
        n_centres++;
    }
    return n_centres;
}

/* ---- the point with most weight around it, again and again ---- */

/* A node or a point, by how much weight one of its points may have within reach. */
typedef struct {
    int64_t most;
    int32_t at;   /* a point, or -1 - node */
    int32_t step; /* the number of centres when a point's weight was counted, -1 for never */
} Hope;

HEAP(hopes, Hope, const void *, a->most > b->most || (a->most == b->most && a->at > b->at))

typedef struct {
    const shoal_space *s;
    shoal_load *load;
    double reach;
    Hope *heap;
    int64_t n, room;
    int failed;
} Hopes;

static void push_hope(Hopes *h, Hope one)
{
    if (!grow(&h->heap, &h->room, h->n + 1, sizeof *h->heap)) {
        h->failed = 1;
        return;
    }
    hopes_up(NULL, h->heap, h->n++, one);
}

static Hope pop_hope(Hopes *h)
{
    Hope first = h->heap[0];
    hopes_drop(NULL, h->heap, --h->n);
    return first;
}

/* What a point of a node has around it at most: what lies within reach of the node's rim. */
static int64_t most_in(const Hopes *h, int32_t node, int64_t most)
{
    if (is_leaf(h->s, node))
        return most;
    double widest = widest_of(around(h->s, node)), limit = h->reach + widest + slack(h->reach, widest);
    int64_t bound = weight_within(h->s, h->load, h->s->tree.start[node], limit, most);
    return bound < most ? bound : most;
}

static void open_node(Hopes *h, int32_t node, int64_t most)
{
    const shoal_space *s = h->s;
    if (!h->load->node[node])
        return;
    for (int32_t p = s->tree.start[node]; p < end_of_own(s, node); p++)
        if (h->load->point[p])
            push_hope(h, (Hope){most, p, -1});
    for (int turn = 0; !is_leaf(s, node) && turn < 2; turn++) {
        int32_t child = turn ? s->tree.right[node] : s->tree.left[node];
        if (h->load->node[child])
            push_hope(h, (Hope){most_in(h, child, most), -1 - child, 0});
    }
}

/* Whether the point that came out is the best; if its weight may be old, it is counted again. If it is not the best, it waits again. */
static int is_best(Hopes *h, Hope one, int64_t n_centres)
{
    if (one.step == n_centres)
        return 1;
    one.most = weight_within(h->s, h->load, one.at, h->reach, INT64_MAX);
    one.step = (int32_t)n_centres;
    if (!h->n || !hopes_before(NULL, h->heap, &one))
        return 1;
    push_hope(h, one);
    return 0;
}

int64_t shoal_space_cover(const shoal_space *s, shoal_load *load, double reach, double wide, int64_t most, int64_t enough, int32_t *centres)
{
    Hopes h = {.s = s, .load = load, .reach = reach};
    shoal_list near = {0};
    int64_t n_centres = 0, taken = 0;
    push_hope(&h, (Hope){INT64_MAX, -1, 0});
    while (!h.failed && h.n && n_centres < most && taken < enough) {
        Hope one = pop_hope(&h);
        if (one.at < 0) {
            open_node(&h, -1 - one.at, one.most);
            continue;
        }
        if (!load->point[one.at] || !is_best(&h, one, n_centres))
            continue;
        near.n = 0;
        h.failed = !collect(s, load, one.at, wide, &near);
        for (int64_t j = 0; j < near.n; j++) {
            taken += load->point[near.at[j]];
            take_point(s, load, near.at[j]);
        }
        centres[n_centres++] = one.at;
    }
    free(h.heap);
    shoal_list_free(&near);
    return h.failed ? SHOAL_NO_MEMORY : n_centres;
}

int64_t shoal_space_spread(const shoal_space *s, shoal_load *load, shoal_points order, const int32_t *centre_for, double reach,
                           int32_t *centres)
{
    shoal_list near = {0};
    int64_t n_centres = 0;
    for (int64_t i = 0; i < order.n; i++) {
        int32_t p = order.point[i];
        if (!load->point[p])
            continue;
        near.n = 0;
        if (!collect(s, load, centre_for[p], reach, &near)) {
            n_centres = SHOAL_NO_MEMORY;
            break;
        }
        for (int64_t j = 0; j < near.n; j++)
            take_point(s, load, near.at[j]);
        take_point(s, load, p); /* where its favourite does not reach it, the caller's flow will say so */
        centres[n_centres++] = centre_for[p];
    }
    shoal_list_free(&near);
    return n_centres;
}

/* ---- centres of given clusters ---- */

typedef struct {
    double d;
    int32_t at;
} Far;

ORDER(farthest_first, Far, a->d > b->d || (a->d == b->d && a->at < b->at))

/* How far the farthest member is from a candidate if that is below `best`. A member that rules it out is tried first on the next, so that most
   candidates cost a comparison or two. */
static double reach_of(const shoal_space *s, Far *members, int64_t n, int32_t candidate, double best)
{
    double reach = 0;
    for (int64_t j = 0; j < n; j++) {
        double d = distance(s, candidate, members[j].at, best);
        if (d >= best) {
            Far x = members[j];
            memmove(members + 1, members, (size_t)j * sizeof *members);
            members[0] = x;
            return best;
        }
        reach = d > reach ? d : reach;
    }
    return reach;
}

static double recentre_one(const shoal_space *s, const int32_t *own, int64_t n, int64_t most, Far *members, int32_t *candidates, int32_t *centre)
{
    for (int64_t i = 0; i < n; i++)
        members[i] = (Far){distance(s, *centre, own[i], INFINITY), own[i]};
    qsort(members, (size_t)n, sizeof *members, farthest_first);
    double best = n ? members[0].d : 0;
    for (int64_t i = 0; i < n; i++)
        candidates[i] = members[n - 1 - i].at; /* from the old centre outwards */
    for (int64_t i = 0; i < n && i < most && best > 0; i++) {
        double reach = reach_of(s, members, n, candidates[i], best);
        if (reach < best)
            best = reach, *centre = candidates[i];
    }
    return best;
}

int64_t shoal_space_recentre(const shoal_space *s, const int64_t *first, const int32_t *at, int64_t n_clusters, int64_t most, int32_t *centre,
                             double *radius)
{
    Bag bag = {0};
    int64_t largest = 0;
    for (int64_t c = 0; c < n_clusters; c++)
        largest = first[c + 1] - first[c] > largest ? first[c + 1] - first[c] : largest;
    Far *members = take(&bag, largest, sizeof *members);
    int32_t *candidates = take(&bag, largest, sizeof *candidates);
    for (int64_t c = 0; c < n_clusters && !bag.failed; c++)
        radius[c] = recentre_one(s, at + first[c], first[c + 1] - first[c], most, members, candidates, centre + c);
    return bag_end(&bag, SHOAL_OK);
}
