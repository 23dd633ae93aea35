/* From the edges of a factor to groups of rows. */
#include <math.h>
#include "../base/heap.h"
#include "../base/memory.h"
#include "../table/trees.h"
#include "graph.h"

/* ---- stars ---- */

typedef struct {
    double reach;
    int32_t tuple;
} Leaf;

ORDER(by_reach, Leaf, a->reach < b->reach || (a->reach == b->reach && a->tuple < b->tuple))
ORDER(by_tuple, Leaf, a->tuple < b->tuple)

typedef struct {
    const int64_t *start;
    int64_t *taken; /* how many rows of each tuple have a group */
    int32_t *group;
    int32_t n_groups;
} Grouping;

static void assign(Grouping *g, int32_t tuple) { g->group[g->start[tuple] + g->taken[tuple]++] = g->n_groups; }

/* One star: a centre with `free` rows left, and its leaves. Leaves that find no row of the centre are paired with each other: by the triangle
   inequality that costs no more than two edges to the centre. No row stays alone. */
static void form_groups(Grouping *g, int32_t centre, Leaf *leaf, int64_t n)
{
    int64_t rows = g->start[centre + 1] - g->start[centre] - g->taken[centre], together = n;
    qsort(leaf, (size_t)n, sizeof *leaf, by_reach);
    if (rows == 1) /* one leaf or two stay with the centre, and make one group */
        together = n == 0 ? 0 : 2 - n % 2;
    else {
        while (together > rows)
            together -= 2;
        if (together == rows - 1 && together >= 2)
            together -= 2;
    }
    qsort(leaf + together, (size_t)(n - together), sizeof *leaf, by_tuple);
    for (int64_t i = together; i < n; i += 2) {
        assign(g, leaf[i].tuple);
        assign(g, leaf[i + 1].tuple);
        g->n_groups++;
    }
    int one_group = rows == 1 || rows - together == 1;
    for (int64_t i = 0; i < together; i++) {
        assign(g, leaf[i].tuple);
        if (!one_group) {
            assign(g, centre);
            g->n_groups++;
        }
    }
    int64_t rest = g->start[centre + 1] - g->start[centre] - g->taken[centre];
    for (int64_t i = 0; i < rest; i++)
        assign(g, centre);
    g->n_groups += rest > 0;
}

static inline int is_lone(const int64_t *start, int32_t tuple) { return start[tuple + 1] - start[tuple] == 1; }

/* Drop the edges that both ends can do without; a tuple of several rows can always do without. */
static void thin_out(const shoal_graph *graph, const int64_t *start, int32_t *degree, char *kept)
{
    for (int64_t e = 0; e < graph->m; e++)
        degree[graph->from[e]]++, degree[graph->to[e]]++;
    for (int64_t e = 0; e < graph->m; e++) {
        int32_t u = graph->from[e], v = graph->to[e];
        kept[e] = (is_lone(start, u) && degree[u] == 1) || (is_lone(start, v) && degree[v] == 1);
        if (!kept[e])
            degree[u]--, degree[v]--;
    }
}

/* Each kept edge is a leaf of one of its ends: of the one that is not a lone tuple of degree 1, else of the first. Lists the leaves by
   centre; at[t] becomes the end of t's leaves, and the begin of the next one's. */
static void list_leaves(const shoal_graph *graph, const int64_t *start, const double *reach, const int32_t *degree, const char *kept,
                        int64_t *at, Leaf *leaf)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t e = 0; e < graph->m; e++) {
            if (!kept[e])
                continue;
            int32_t u = graph->from[e], v = graph->to[e];
            int is_leaf = is_lone(start, u) && degree[u] == 1;
            int32_t centre = is_leaf ? v : u, other = is_leaf ? u : v;
            if (pass)
                leaf[at[centre]++] = (Leaf){reach[other], other};
            else
                at[centre + 1]++;
        }
        for (int64_t t = 0; t < graph->n && !pass; t++)
            at[t + 1] += at[t];
    }
}

int64_t shoal_stars(const shoal_graph *graph, const int64_t *start, const double *reach, int32_t *group)
{
    Bag bag = {0};
    int64_t *taken = take_zeros(&bag, graph->n, sizeof *taken), *at = take_zeros(&bag, graph->n, sizeof *at);
    int32_t *degree = take_zeros(&bag, graph->n, sizeof *degree);
    char *kept = take(&bag, graph->m, 1);
    Leaf *leaf = take(&bag, graph->m, sizeof *leaf);
    Grouping g = {start, taken, group, 0};
    if (!bag.failed) {
        thin_out(graph, start, degree, kept);
        list_leaves(graph, start, reach, degree, kept, at, leaf);
    }
    for (int32_t t = 0; t < graph->n && !bag.failed; t++) {
        int64_t begin = t ? at[t - 1] : 0, count = at[t] - begin;
        if (count || !is_lone(start, t))
            form_groups(&g, t, leaf + begin, count);
    }
    return bag_end(&bag, g.n_groups);
}

/* ---- cycles ---- */

int64_t shoal_cycles(int64_t n, const int32_t *near, int32_t *order, int64_t *begin)
{
    char *met = calloc((size_t)n + 1, 1);
    int64_t n_cycles = 0, at = 0;
    if (!met)
        return SHOAL_NO_MEMORY;
    for (int32_t v = 0; v < n; v++) {
        if (met[v] || near[2 * v] < 0)
            continue;
        begin[n_cycles++] = at;
        int32_t last = near[2 * v], here = v;
        while (!met[here]) {
            met[here] = 1;
            order[at++] = here;
            int32_t next = near[2 * here] == last ? near[2 * here + 1] : near[2 * here];
            last = here;
            here = next;
        }
    }
    begin[n_cycles] = at;
    free(met);
    return n_cycles;
}

/* cost[3 i + s] is what the run of 3 + s rows from position i on costs as a group. */
static void price_runs(const shoal_table *t, const int32_t *tuples, int64_t n, double *cost)
{
    for (int64_t i = 0; i < n; i++) {
        double sum[3] = {0.0, 0.0, 0.0};
        for (int32_t j = 0; j < t->q; j++) {
            int32_t node = leaf_of(t, tuples[i], j);
            for (int32_t s = 1; s < 5; s++) {
                node = join_in(t, j, node, leaf_of(t, tuples[(i + s) % n], j));
                if (s >= 2)
                    sum[s - 2] += prices_of(t, j)[node];
            }
        }
        for (int32_t s = 0; s < 3; s++)
            cost[3 * i + s] = (3 + s) * sum[s];
    }
}

typedef struct {
    double *cost, *best;
    char *step, *final;
} Cuts;

/* Cut one cycle of at least six into runs of three, four and five at the least real cost: a cut is among any five edges in a row. */
static int32_t cut(int64_t n, Cuts *c, int32_t *group, int32_t next_group)
{
    double least = INFINITY;
    int64_t offset = 0;
    for (int64_t shift = 0; shift < 5; shift++) {
        c->best[0] = 0.0;
        for (int64_t i = 1; i <= n; i++) {
            c->best[i] = INFINITY;
            for (int32_t s = 0; s < 3 && 3 + s <= i; s++) {
                double sum = c->best[i - 3 - s] + c->cost[3 * ((shift + i - 3 - s) % n) + s];
                if (sum < c->best[i])
                    c->best[i] = sum, c->step[i] = (char)(3 + s);
            }
        }
        if (c->best[n] < least) {
            least = c->best[n];
            offset = shift;
            memcpy(c->final, c->step, (size_t)n + 1);
        }
    }
    for (int64_t i = n; i > 0; i -= c->final[i], next_group++)
        for (int32_t s = 1; s <= c->final[i]; s++)
            group[(offset + i - s) % n] = next_group;
    return next_group;
}

int64_t shoal_cut_cycles(const shoal_table *t, const int32_t *tuples, int64_t n_cycles, const int64_t *begin, int32_t *group)
{
    Bag bag = {0};
    int64_t longest = 0;
    int32_t n_groups = 0;
    for (int64_t c = 0; c < n_cycles; c++)
        longest = begin[c + 1] - begin[c] > longest ? begin[c + 1] - begin[c] : longest;
    Cuts cuts = {take(&bag, 3 * longest, sizeof(double)), take(&bag, longest, sizeof(double)), take(&bag, longest, 1), take(&bag, longest, 1)};
    for (int64_t c = 0; c < n_cycles && !bag.failed; c++) {
        int64_t n = begin[c + 1] - begin[c];
        if (n < 6) {
            for (int64_t i = begin[c]; i < begin[c + 1]; i++)
                group[i] = n_groups;
            n_groups++;
            continue;
        }
        price_runs(t, tuples + begin[c], n, cuts.cost);
        n_groups = cut(n, &cuts, group + begin[c], n_groups);
    }
    return bag_end(&bag, n_groups);
}

/* ---- where the search for a 2-factor starts ---- */

typedef struct {
    int64_t *start; /* edges at each row: at[start[x] .. start[x + 1]] */
    int32_t *at;
    int64_t *h;          /* a potential for each row */
    int32_t *used;       /* edges of the matching at each row */
} Start;

/* A row's best potential is the second least of what its edges allow. */
static int64_t best_potential(const shoal_graph *graph, const Start *s, int64_t x)
{
    int64_t least = INT64_MAX, second = INT64_MAX;
    for (int64_t i = s->start[x]; i < s->start[x + 1]; i++) {
        int64_t e = s->at[i], allowed = 4 * graph->weight[e] - s->h[graph->from[e] == x ? graph->to[e] : graph->from[e]];
        if (allowed < least) {
            second = least;
            least = allowed;
        } else if (allowed < second)
            second = allowed;
    }
    return second < INT64_MAX ? second : least;
}

/* Potentials h of rows by coordinate ascent on the dual of the 2-factor, 2 sum h - sum over edges of max(0, h_u + h_v - 4 weight), at most
   twice a row's fee. All stay even. Any potentials may be the first ones. */
static void raise_potentials(const shoal_graph *graph, const int64_t *fee, const int64_t *first, int32_t n_passes, Start *s)
{
    for (int64_t x = 0; x < graph->n; x++) { /* half of the lightest edge: feasible */
        s->h[x] = first ? first[x] : INT64_MAX;
        if (first)
            continue;
        for (int64_t i = s->start[x]; i < s->start[x + 1]; i++)
            s->h[x] = 2 * graph->weight[s->at[i]] < s->h[x] ? 2 * graph->weight[s->at[i]] : s->h[x];
    }
    for (int32_t pass = 0; pass < n_passes; pass++)
        for (int64_t x = 0; x < graph->n; x++) {
            s->h[x] = best_potential(graph, s, x);
            if (fee && 2 * fee[x] < s->h[x])
                s->h[x] = 2 * fee[x];
        }
}

/* Prices of an edge's own two vertices, and the edges of the gadget that match them: with each other, or with vertices of its rows. */
static void start_edge(const shoal_graph *graph, Start *s, int64_t e, int64_t *dual, int32_t *mate_edge)
{
    int32_t u = graph->from[e], v = graph->to[e], *used = s->used;
    int64_t hu = s->h[u], hv = s->h[v], over = hu + hv - 4 * graph->weight[e], a = 2 * (int64_t)graph->n + 2 * e, b = a + 1;
    dual[a] = over > 0 ? hu - 2 * graph->weight[e] : (hu - hv) / 2;
    dual[b] = over > 0 ? hv - 2 * graph->weight[e] : -dual[a];
    if (over < 0 || (over == 0 && (used[u] > 1 || used[v] > 1))) {
        mate_edge[a] = mate_edge[b] = (int32_t)(4 * graph->m + e);
        return;
    }
    for (int32_t side = 0; side < 2; side++) {
        int32_t x = side ? v : u;
        if (used[x] > 1)
            continue; /* the edge's vertex stays exposed for the search */
        int32_t edge = (int32_t)((2 * side + used[x]) * graph->m + e);
        mate_edge[2 * (int64_t)x + used[x]++] = edge;
        mate_edge[side ? b : a] = edge;
    }
}

int64_t shoal_start_two_factor(const shoal_graph *graph, const int64_t *fee, const int64_t *first, int32_t n_passes, int64_t *dual, int32_t *mate_edge)
{
    Bag bag = {0};
    int64_t n = graph->n, m = graph->m;
    Start s = {.start = take_zeros(&bag, n, sizeof(int64_t)), .at = take(&bag, 2 * m, sizeof(int32_t))};
    TAKE(&bag, s.h, n), TAKE_ZEROS(&bag, s.used, n);
    if (!bag.failed) {
        list_edges(graph, s.start, s.at);
        raise_potentials(graph, fee, first, n_passes, &s);
    }
    for (int64_t x = 0; x < n && !bag.failed; x++)
        dual[2 * x] = dual[2 * x + 1] = -s.h[x];
    for (int64_t x = 0; x < 2 * (n + m) && !bag.failed; x++)
        mate_edge[x] = -1;
    for (int32_t pass = 0; pass < 2 && !bag.failed; pass++) /* edges that must be in, then those that may */
        for (int64_t e = 0; e < m; e++)
            if ((s.h[graph->from[e]] + s.h[graph->to[e]] > 4 * graph->weight[e]) == (pass == 0))
                start_edge(graph, &s, e, dual, mate_edge);
    return bag_end(&bag, SHOAL_OK);
}
