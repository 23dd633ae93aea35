/* The edges at each vertex of a graph. */
#ifndef SHOAL_GRAPH_H
#define SHOAL_GRAPH_H
#include "matching.h"

/* The edges at v are at[start[v]] .. at[start[v + 1]]; start comes zeroed, with room for two more than there are vertices. */
static inline void list_edges(const shoal_graph *g, int64_t *start, int32_t *at)
{
    for (int64_t e = 0; e < g->m; e++) {
        start[g->from[e] + 2]++;
        start[g->to[e] + 2]++;
    }
    for (int64_t v = 0; v < g->n; v++)
        start[v + 2] += start[v + 1];
    for (int64_t e = 0; e < g->m; e++)
        at[start[g->from[e] + 1]++] = (int32_t)e, at[start[g->to[e] + 1]++] = (int32_t)e;
}
#endif
