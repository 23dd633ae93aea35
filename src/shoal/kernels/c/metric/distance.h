/* The distance of two points, and what the tree knows about distances. */
#ifndef SHOAL_DISTANCE_H
#define SHOAL_DISTANCE_H
#include <math.h>
#include "../table/trees.h"
#include "metric.h"

#define DEPTH 128 /* of a tree of at most 2^31 points halved at each node, with one waiting sibling a level */

static inline double great_circle(const double *a, const double *b, double scale, double far)
{
    double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];
    double chord = sqrt(dx * dx + dy * dy + dz * dz);
    if (chord != chord)
        return (a[0] != a[0] && b[0] != b[0]) ? 0.0 : far;
    return 2.0 * asin(chord < 2.0 ? chord / 2.0 : 1.0) * scale;
}

static inline double code_distance(const shoal_space *s, int32_t j, int32_t a, int32_t b)
{
    if (a == b)
        return 0.0;
    if (s->code_kind[j] == SHOAL_CODE_CATEGORY)
        return s->code_scale[j];
    if (s->code_kind[j] == SHOAL_CODE_TABLE)
        return s->tables[s->code_start[j] + (int64_t)a * s->code_size[j] + b];
    return s->heights[s->code_start[j] + join(s->parents + s->code_start[j], a, b)];
}

static inline double number_distance(const shoal_space *s, int32_t j, double x, double y)
{
    double gap = fabs(x - y) * s->number_scale[j];
    if (gap != gap)
        return (x != x && y != y) ? 0.0 : s->number_far[j];
    return gap;
}

static inline double add_part(int32_t combine, double total, double part)
{
    if (combine == SHOAL_COMBINE_SUM)
        return total + part;
    if (combine == SHOAL_COMBINE_EUCLID)
        return total + part * part;
    return part > total ? part : total;
}

/* Exact where it is at most `limit`; otherwise something above it. */
static inline double distance(const shoal_space *s, int32_t a, int32_t b, double limit)
{
    if (s->matrix)
        return s->matrix[(int64_t)a * s->n + b];
    double total = 0.0, stop = s->combine == SHOAL_COMBINE_EUCLID ? limit * limit * (1 + 1e-12) : limit;
    const double *x = s->numbers + (int64_t)a * s->n_numbers, *y = s->numbers + (int64_t)b * s->n_numbers;
    for (int32_t j = 0; j < s->n_numbers; j++)
        total = add_part(s->combine, total, number_distance(s, j, x[j], y[j]));
    for (int32_t j = 0; j < s->n_places; j++) {
        const double *p = s->places + 3 * ((int64_t)a * s->n_places + j), *q = s->places + 3 * ((int64_t)b * s->n_places + j);
        total = add_part(s->combine, total, great_circle(p, q, s->place_scale[j], s->place_far[j]));
    }
    const int32_t *u = s->codes + (int64_t)a * s->n_codes, *v = s->codes + (int64_t)b * s->n_codes;
    if (s->only_categories) { /* the sum of plain tables, without a branch a cell */
        for (int32_t j = 0; j < s->n_codes; j++)
            total += u[j] == v[j] ? 0.0 : s->code_scale[j];
        return total;
    }
    for (int32_t j = 0; j < s->n_codes && total <= stop; j++)
        total = add_part(s->combine, total, code_distance(s, j, u[j], v[j]));
    return s->combine == SHOAL_COMBINE_EUCLID ? sqrt(total) : total;
}

/* Rounding may make a bound wrong by a few units in the last place; nothing is skipped that close to the limit. */
static inline double slack(double a, double b) { return 1e-11 * (a + b); }

/* The bounds of a node: distances of its vantage point to the points of its left and of its right child. */
static inline const double *around(const shoal_space *s, int32_t node) { return s->tree.bounds + 4 * (int64_t)node; }
static inline double widest_of(const double *b) { return b[1] > b[3] ? b[1] : b[3]; }

static inline int is_leaf(const shoal_space *s, int32_t node) { return s->tree.left[node] < 0; }
/* The points that a node lists itself end here: all of a leaf's, or the vantage point alone. */
static inline int32_t end_of_own(const shoal_space *s, int32_t node) { return is_leaf(s, node) ? s->tree.end[node] : s->tree.start[node] + 1; }

/* What a query at distance `dq` from a node's point is at least away from a child whose points are low … high away from it. */
static inline double at_least(double dq, double low, double high)
{
    double a = dq - high, b = low - dq;
    double best = a > b ? a : b;
    return best > 0 ? best : 0;
}

/* A node that waits, and what its points are at least away. */
typedef struct {
    int32_t node;
    double least;
} Waiting;

/* Puts the children of a node onto a stack, the nearer one on top. Returns the stack's new height. */
static inline int push_children(const shoal_space *s, int32_t node, double dq, double margin_left, double margin_right, Waiting *stack, int top)
{
    const double *b = around(s, node);
    double left = at_least(dq, b[0], b[1]) - margin_left, right = at_least(dq, b[2], b[3]) - margin_right;
    int left_last = left < right || (left == right && dq <= b[1]);
    stack[top + left_last] = (Waiting){s->tree.left[node], left};
    stack[top + !left_last] = (Waiting){s->tree.right[node], right};
    return top + 2;
}
#endif
