/* From the edges of a factor to groups of rows. */
#include "factors.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tree.inc"

/* ---- stars ---- */

typedef struct {
    double reach;
    int32_t tuple;
} Leaf;

static int by_reach(const void *a, const void *b)
{
    const Leaf *u = a, *v = b;
    if (u->reach != v->reach)
        return u->reach < v->reach ? -1 : 1;
    return (u->tuple > v->tuple) - (u->tuple < v->tuple);
}

static int by_tuple(const void *a, const void *b)
{
    const Leaf *u = a, *v = b;
    return (u->tuple > v->tuple) - (u->tuple < v->tuple);
}

typedef struct {
    const int64_t *start;
    int64_t *taken; /* how many rows of each tuple have a group */
    int32_t *group;
    int32_t n_groups;
} Grouping;

static void take(Grouping *g, int32_t tuple) { g->group[g->start[tuple] + g->taken[tuple]++] = g->n_groups; }

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
        take(g, leaf[i].tuple);
        take(g, leaf[i + 1].tuple);
        g->n_groups++;
    }
    int one_group = rows == 1 || rows - together == 1;
    for (int64_t i = 0; i < together; i++) {
        take(g, leaf[i].tuple);
        if (!one_group) {
            take(g, centre);
            g->n_groups++;
        }
    }
    int64_t rest = g->start[centre + 1] - g->start[centre] - g->taken[centre];
    for (int64_t i = 0; i < rest; i++)
        take(g, centre);
    g->n_groups += rest > 0;
}

/* Tuple t stands for the rows start[t] .. start[t + 1]. The edges, heaviest first, touch every tuple that stands for one row (those that no edge
   touches stay at -1). Edges that both ends can do without are dropped; what remains are stars. A tuple of several rows can always do without. Returns the number of groups, or -1. */
int32_t shoal_stars(int64_t n, const int64_t *start, int64_t m, const int32_t *from, const int32_t *to, const double *reach, int32_t *group)
{
    int64_t *taken = calloc((size_t)n + 1, sizeof *taken), *at = calloc((size_t)n + 2, sizeof *at);
    int32_t *degree = calloc((size_t)n + 1, sizeof *degree);
    char *kept = malloc((size_t)m + 1);
    Leaf *leaf = malloc(sizeof(Leaf) * (size_t)(m + 1));
    int32_t n_groups = -1;
    if (!taken || !at || !degree || !kept || !leaf)
        goto end;
    for (int64_t e = 0; e < m; e++) {
        degree[from[e]]++;
        degree[to[e]]++;
    }
    for (int64_t e = 0; e < m; e++) {
        int32_t u = from[e], v = to[e];
        int lone_u = start[u + 1] - start[u] == 1, lone_v = start[v + 1] - start[v] == 1;
        kept[e] = (lone_u && degree[u] == 1) || (lone_v && degree[v] == 1);
        if (!kept[e]) {
            degree[u]--;
            degree[v]--;
        }
    }
    /* each kept edge is a leaf of one of its ends: of the one that is not a lone tuple of degree 1, else of the first */
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t e = 0; e < m; e++) {
            if (!kept[e])
                continue;
            int32_t u = from[e], v = to[e];
            int is_leaf = start[u + 1] - start[u] == 1 && degree[u] == 1;
            int32_t centre = is_leaf ? v : u, other = is_leaf ? u : v;
            if (pass)
                leaf[at[centre]++] = (Leaf){reach[other], other};
            else
                at[centre + 1]++;
        }
        for (int64_t t = 0; t < n && !pass; t++)
            at[t + 1] += at[t];
    }
    Grouping g = {start, taken, group, 0};
    for (int32_t t = 0; t < n; t++) { /* at[t] is now the end of t's leaves, and the begin of the next one's */
        int64_t begin = t ? at[t - 1] : 0, count = at[t] - begin, lone = start[t + 1] - start[t] == 1;
        if (count || !lone)
            form_groups(&g, t, leaf + begin, count);
    }
    n_groups = g.n_groups;
end:
    free(taken);
    free(at);
    free(degree);
    free(kept);
    free(leaf);
    return n_groups;
}

/* ---- cycles ---- */

/* Vertex v lies between near[2v] and near[2v + 1] (-1, -1 for one that is on no cycle). Writes the cycles one after another; returns how many there are, or -1. */
int64_t shoal_cycles(int64_t n, const int32_t *near, int32_t *order, int64_t *begin)
{
    char *met = calloc((size_t)n + 1, 1);
    int64_t n_cycles = 0, at = 0;
    if (!met)
        return -1;
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
static void price_runs(const int32_t *parent, const double *price, const int64_t *first, int32_t q, const int32_t *codes, const int32_t *tuples,
                       int64_t n, double *cost)
{
    for (int64_t i = 0; i < n; i++) {
        double sum[3] = {0.0, 0.0, 0.0};
        for (int32_t j = 0; j < q; j++) {
            int32_t node = codes[(int64_t)tuples[i] * q + j];
            for (int32_t s = 1; s < 5; s++) {
                node = join(parent + first[j], node, codes[(int64_t)tuples[(i + s) % n] * q + j]);
                if (s >= 2)
                    sum[s - 2] += price[first[j] + node];
            }
        }
        for (int32_t s = 0; s < 3; s++)
            cost[3 * i + s] = (3 + s) * sum[s];
    }
}

/* Cut one cycle of at least six into runs of three, four and five at the least real cost: a cut is among any five edges in a row. */
static int32_t cut(int64_t n, const double *cost, double *best, char *step, char *final, int32_t *group, int32_t next_group)
{
    double least = INFINITY;
    int64_t offset = 0;
    for (int64_t shift = 0; shift < 5; shift++) {
        best[0] = 0.0;
        for (int64_t i = 1; i <= n; i++) {
            best[i] = INFINITY;
            for (int32_t s = 0; s < 3 && 3 + s <= i; s++) {
                double sum = best[i - 3 - s] + cost[3 * ((shift + i - 3 - s) % n) + s];
                if (sum < best[i]) {
                    best[i] = sum;
                    step[i] = (char)(3 + s);
                }
            }
        }
        if (best[n] < least) {
            least = best[n];
            offset = shift;
            memcpy(final, step, (size_t)n + 1);
        }
    }
    for (int64_t i = n; i > 0; i -= final[i], next_group++)
        for (int32_t s = 1; s <= final[i]; s++)
            group[(offset + i - s) % n] = next_group;
    return next_group;
}

/* Cycle c is tuples[begin[c] .. begin[c + 1]], at least three long. Returns the number of groups, or -1. */
int32_t shoal_cut_cycles(const int32_t *parent, const double *price, const int64_t *first, int32_t q, const int32_t *codes, const int32_t *tuples,
                         int64_t n_cycles, const int64_t *begin, int32_t *group)
{
    int64_t longest = 0;
    for (int64_t c = 0; c < n_cycles; c++)
        if (begin[c + 1] - begin[c] > longest)
            longest = begin[c + 1] - begin[c];
    double *cost = malloc(sizeof(double) * 3 * (size_t)(longest + 1)), *best = malloc(sizeof(double) * (size_t)(longest + 1));
    char *step = malloc((size_t)longest + 1), *final = malloc((size_t)longest + 1);
    int32_t n_groups = cost && best && step && final ? 0 : -1;
    for (int64_t c = 0; c < n_cycles && n_groups >= 0; c++) {
        int64_t n = begin[c + 1] - begin[c];
        if (n < 6) {
            for (int64_t i = begin[c]; i < begin[c + 1]; i++)
                group[i] = n_groups;
            n_groups++;
            continue;
        }
        price_runs(parent, price, first, q, codes, tuples + begin[c], n, cost);
        n_groups = cut(n, cost, best, step, final, group + begin[c], n_groups);
    }
    free(cost);
    free(best);
    free(step);
    free(final);
    return n_groups;
}

/* ---- where the search for a 2-factor starts ---- */

/* Potentials h of rows by coordinate ascent on the dual of the 2-factor, 2 sum h - sum over edges of max(0, h_u + h_v - 4 weight): a row's best is the
   second least of what its edges allow (and at most twice its fee). All stay even. */
static int raise(int64_t n, int64_t m, const int32_t *u, const int32_t *v, const int64_t *weight, const int64_t *fee, int32_t n_passes, int64_t *h)
{
    int64_t *start = calloc((size_t)n + 2, sizeof *start), *at = malloc(sizeof(int64_t) * 2 * (size_t)(m + 1));
    if (!start || !at) {
        free(start);
        free(at);
        return -1;
    }
    for (int64_t e = 0; e < m; e++) {
        start[u[e] + 2]++;
        start[v[e] + 2]++;
    }
    for (int64_t x = 0; x < n; x++)
        start[x + 2] += start[x + 1];
    for (int64_t e = 0; e < m; e++) {
        at[start[u[e] + 1]++] = e;
        at[start[v[e] + 1]++] = e;
    }
    for (int64_t x = 0; x < n; x++) { /* half of the lightest edge: feasible */
        h[x] = INT64_MAX;
        for (int64_t i = start[x]; i < start[x + 1]; i++)
            h[x] = 2 * weight[at[i]] < h[x] ? 2 * weight[at[i]] : h[x];
    }
    for (int32_t pass = 0; pass < n_passes; pass++)
        for (int64_t x = 0; x < n; x++) {
            int64_t least = INT64_MAX, second = INT64_MAX;
            for (int64_t i = start[x]; i < start[x + 1]; i++) {
                int64_t e = at[i], allowed = 4 * weight[e] - h[u[e] == x ? v[e] : u[e]];
                if (allowed < least) {
                    second = least;
                    least = allowed;
                } else if (allowed < second)
                    second = allowed;
            }
            h[x] = second < INT64_MAX ? second : least;
            if (fee && 2 * fee[x] < h[x])
                h[x] = 2 * fee[x];
        }
    free(start);
    free(at);
    return 0;
}

/* Prices and a matching to start from, for the gadget of a 2-factor: vertices 2x and 2x + 1 for row x, then two for each edge; its edges in five blocks of m
   (first and second vertex of u, first and second vertex of v, the edge's own two). The matching is tight under the prices. Returns -1 without memory. */
int32_t shoal_start_two_factor(int64_t n, int64_t m, const int32_t *u, const int32_t *v, const int64_t *weight, const int64_t *fee, int32_t n_passes,
                               int64_t *dual, int32_t *mate_edge)
{
    int64_t *h = malloc(sizeof(int64_t) * (size_t)(n + 1));
    int32_t *used = calloc((size_t)n + 1, sizeof *used);
    int failed = !h || !used || raise(n, m, u, v, weight, fee, n_passes, h);
    for (int64_t x = 0; x < n && !failed; x++)
        dual[2 * x] = dual[2 * x + 1] = -h[x];
    for (int64_t x = 0; x < 2 * (n + m) && !failed; x++)
        mate_edge[x] = -1;
    for (int32_t pass = 0; pass < 2 && !failed; pass++) /* edges that must be in, then those that may */
        for (int64_t e = 0; e < m; e++) {
            int64_t over = h[u[e]] + h[v[e]] - 4 * weight[e], a = 2 * n + 2 * e, b = a + 1;
            if ((over > 0) != (pass == 0))
                continue;
            dual[a] = over > 0 ? h[u[e]] - 2 * weight[e] : (h[u[e]] - h[v[e]]) / 2;
            dual[b] = over > 0 ? h[v[e]] - 2 * weight[e] : -dual[a];
            if (over < 0 || (over == 0 && (used[u[e]] > 1 || used[v[e]] > 1))) {
                mate_edge[a] = mate_edge[b] = (int32_t)(4 * m + e);
                continue;
            }
            for (int32_t side = 0; side < 2; side++) {
                int32_t x = side ? v[e] : u[e];
                if (used[x] > 1)
                    continue; /* the edge's vertex stays exposed for the search */
                int32_t edge = (int32_t)((2 * side + used[x]) * m + e);
                mate_edge[2 * (int64_t)x + used[x]++] = edge;
                mate_edge[side ? b : a] = edge;
            }
        }
    free(h);
    free(used);
    return failed ? -1 : 0;
}
