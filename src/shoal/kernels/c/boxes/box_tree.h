/* A tree of boxes over the tuples, for branch and bound.
 *
 * The tuples are sorted into nested boxes by splitting on one quasi-identifier's hierarchy at a time; a box keeps the closure of its tuples.
 * A query inside a closure (in one column) may meet an equal value there; a query outside of it meets the same join with every tuple
 * below. So the price of lifting the query into the closure bounds its distance to all of them from below, and sums of the same terms in the
 * same order keep that true in floating point. How a box is split is the user's: see neighbours.c and pairs.c. */
#ifndef SHOAL_BOX_TREE_H
#define SHOAL_BOX_TREE_H
#include "../base/memory.h"
#include "../table/trees.h"

typedef struct {
    int64_t begin, end; /* its tuples, by position */
    int32_t child, n_children;
} Box;

typedef struct {
    int32_t key, tuple;
} Keyed;

typedef struct {
    shoal_table t;
    const double *least; /* by node, trees end to end: what joining a leaf with another tuple costs at least */
    double **lift;       /* per column: leaf x node -> price of lifting, or NULL where that is too large */
    int32_t *at;         /* tuple at each position */
    int32_t *placed;     /* codes by position */
    Box *box;
    int32_t *closure;
    int64_t n_boxes, room;
    Bag bag;
} BoxTree;

/* A box that a search has still to look at, and what it may hold at best. */
typedef struct {
    double bound;
    int32_t box;
} Waiting;

/* Splits a box, whose tuples are keyed[begin .. end), into children made by add_boxes; 0 without memory. */
typedef int (*Splitter)(BoxTree *x, void *about, Keyed *keyed, int64_t box);

/* Makes the tables of prices and the tree. Free it whatever this returns. */
shoal_status box_tree_new(BoxTree *x, const shoal_table *t, const double *least, Splitter split, void *about);
void box_tree_free(BoxTree *x);
/* The number of the first of so many new boxes, -1 without memory. */
int64_t add_boxes(BoxTree *x, int64_t count);
/* Joins the closures of all boxes from below, where the splitter left wider nodes. */
void close_boxes(BoxTree *x);

/* What joining a leaf with a tuple below a node costs at least: inside the node the leaf's least, else the price of the join. */
static inline double lift_leaf(const BoxTree *x, int32_t j, int32_t leaf, int32_t node)
{
    int32_t top = join_in(&x->t, j, leaf, node);
    return top == node ? x->least[x->t.first[j] + leaf] : x->t.price[x->t.first[j] + top];
}

/* For a query, in each column: its row of the table, or NULL. */
static inline void choose_rows(const BoxTree *x, const int32_t *query, const double **row)
{
    for (int32_t j = 0; j < x->t.q; j++)
        row[j] = x->lift[j] ? x->lift[j] + query[j] * n_nodes_of(&x->t, j) : NULL;
}

/* What lifting the query into these nodes costs; may end early at `limit` or more. */
static inline double lift_query(const BoxTree *x, const double *const *row, const int32_t *query, const int32_t *node, double limit)
{
    double sum = 0.0;
    for (int32_t j = 0; j < x->t.q && sum < limit; j++)
        sum += row[j] ? row[j][node[j]] : lift_leaf(x, j, query[j], node[j]);
    return sum;
}
#endif
