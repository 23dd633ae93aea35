/* Matchings with their proofs, factors and forests: groups made of edges between rows. */
#ifndef SHOAL_MATCHING_H
#define SHOAL_MATCHING_H
#include <stdint.h>
#include "../table/table.h"

typedef struct {
    int32_t n; /* vertices */
    int64_t m; /* edges */
    const int32_t *from;
    const int32_t *to;
    const int64_t *weight;
} shoal_graph;

/* ---- matching: the greatest gain, in a general graph ---- */

typedef struct shoal_matching shoal_matching;
/* The weights are gains and must be even. `dual` and `mate` (an edge per vertex, or -1) may be NULL; if given, the prices must be feasible and
 * tight on them. NULL without memory. The graph must live as long. */
shoal_matching *shoal_matching_new(const shoal_graph *graph, int32_t perfect, const int64_t *dual, const int32_t *mate);
/* Search on until about `work` edges were looked at: SHOAL_STOPPED where there is more to do. A bad argument is a graph without a perfect matching. */
int64_t shoal_matching_run(shoal_matching *x, int64_t work);
int64_t shoal_matching_blossoms(const shoal_matching *x);
/* `up` is the forest of blossoms as a tree (n + blossoms + 1 nodes, parents with larger numbers, one root); `within` holds for each of its
 * nodes the sum of the prices of the blossoms from it to the root. */
void shoal_matching_read(const shoal_matching *x, int32_t *mate, int64_t *dual, int32_t *up, int64_t *within);
void shoal_matching_free(shoal_matching *x);

/* ---- factors: from edges to groups of rows ---- */

/* Tuple t stands for the rows start[t] .. start[t + 1]. The edges, heaviest first, touch every tuple that stands for one row (those that no
 * edge touches stay at -1). Edges that both ends can do without are dropped; what remains are stars. Returns the number of groups. */
int64_t shoal_stars(const shoal_graph *graph, const int64_t *start, const double *reach, int32_t *group);
/* Vertex v lies between near[2v] and near[2v + 1] (-1, -1 for one that is on no cycle). Writes the cycles one after another; returns how many. */
int64_t shoal_cycles(int64_t n, const int32_t *near, int32_t *order, int64_t *begin);
/* Cycle c is tuples[begin[c] .. begin[c + 1]], at least three long; it is cut into runs of three to five. Returns the number of groups. */
int64_t shoal_cut_cycles(const shoal_table *t, const int32_t *tuples, int64_t n_cycles, const int64_t *begin, int32_t *group);
/* Prices and a matching to start from, for the gadget of a 2-factor: vertices 2x and 2x + 1 for row x, then two for each edge; its edges in
 * five blocks of m (first and second vertex of each edge's beginning, first and second vertex of its end, the edge's own two). The matching
 * is tight under the prices. `fee` is what a row may pay instead; or NULL. `first` are even potentials of rows to begin with; or NULL. */
int64_t shoal_start_two_factor(const shoal_graph *graph, const int64_t *fee, const int64_t *first, int32_t n_passes, int64_t *dual, int32_t *mate_edge);

/* ---- forests ---- */

/* For each vertex the other end of its edge (-1 for none) and the edge's length: shortest edges first, until components have k rows. The lists
 * of neighbours are n x width. A bad argument is a list that ends early. */
int64_t shoal_grow_forest(const int64_t *weight, int64_t n, int64_t k, const int32_t *index, const double *distance, int64_t width, int32_t *to, double *length);
/* Cuts components into groups. rounds: falling lengths, the last one not above any edge; long edges are cut first. Returns the number of
 * groups. A bad argument is a cycle. */
int64_t shoal_decompose(const int32_t *to, const double *length, int64_t n, int64_t k, const double *rounds, int32_t n_rounds, int32_t *group);
/* The price of each group's closure, and of each row's group without that row. Group g holds the rows start[g] .. start[g + 1], which carry
 * `tuples`; `suffix` has room for as many numbers. */
int64_t shoal_leave_one_out(const shoal_table *t, const int32_t *tuples, const int64_t *start, int64_t n_groups, int32_t *suffix, double *whole, double *without);
#endif
