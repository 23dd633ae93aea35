/* Looking around a point: the points within a radius, their weight, the nearest ones. */
#ifndef SHOAL_NEAR_H
#define SHOAL_NEAR_H
#include "../base/memory.h"
#include "distance.h"

typedef struct {
    double d;
    int32_t at;
    int64_t w;
} Near;

/* Nearest first, for qsort. */
int by_distance(const void *a, const void *b);

/* Append points to a list; 0 without memory. */
static inline int grow_list(shoal_list *list, int64_t more)
{
    return grow(&list->at, &list->room, list->n + more, sizeof *list->at) && grow(&list->d, &list->room_d, list->n + more, sizeof *list->d);
}
static inline void append(shoal_list *list, int32_t at, double d)
{
    list->at[list->n] = at;
    list->d[list->n++] = d;
}

/* Some rows of a point leave: take their weight out of every node that holds it. */
static inline void take_weight(const shoal_space *s, shoal_load *load, int32_t p, int64_t gone)
{
    load->point[p] -= gone;
    for (int32_t node = gone ? s->tree.leaf_of[p] : -1; node >= 0; node = s->tree.up[node])
        load->node[node] -= gone;
}
static inline void take_point(const shoal_space *s, shoal_load *load, int32_t p) { take_weight(s, load, p, load->point[p]); }

/* Append every point of positive weight within `reach` of q; 0 where memory ends. */
int collect(const shoal_space *s, const shoal_load *load, int32_t q, double reach, shoal_list *out);
/* The weight within `reach` of q; once `stop` is reached, anything at or above it. */
int64_t weight_within(const shoal_space *s, const shoal_load *load, int32_t q, double reach, int64_t stop);
/* The nearest points of q, the farthest first: as few as weigh `r` together, or -1 - their number where all weigh less. The heap has room for r + 1. */
int64_t nearest_by_weight(const shoal_space *s, const shoal_load *load, int32_t q, int64_t r, Near *heap);
/* The r nearest points of q, whatever they weigh, or all if they are fewer. */
int64_t nearest_by_number(const shoal_space *s, const shoal_load *load, int32_t q, int64_t r, Near *heap);
#endif
