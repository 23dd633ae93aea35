/* Walks the closed boxes of a table along its hierarchies: one node per quasi-identifier, each the lowest that covers the tuples in the box.
 *
 * Quasi-identifier by quasi-identifier, the current tuples are sorted along the hierarchy; every node is then a run of them. A run is
 * left out when it holds fewer than k rows, holds no open row, or is too dear. It is also left out when an earlier quasi-identifier's node is
 * no longer the lowest: the same tuples are then met in a smaller box. So each closed box of at least k rows is met once.
 *
 * price_walk.c walks the same boxes for prices. The two stay apart: there the tuples of a box must come in the order of their prices, so that
 * the k highest are the first; here they come in the order of the hierarchies, which decides which rows a cover takes first. A single
 * walk would have to sort each box again for one of the two. */
#ifndef SHOAL_WALK_H
#define SHOAL_WALK_H
#include "../base/memory.h"
#include "../table/trees.h"

typedef struct Walk Walk;
struct Walk {
    shoal_table t;
    int64_t k, cap;
    const int32_t *open; /* open rows of each tuple; NULL where all are */
    double *off;         /* where rows pay differently: the most that a leaf below each node takes off; else NULL */
    double *taken;       /* there: the same for the current box, by layers */
    double limit;        /* boxes with price / min(cap, open rows) (for `off`: walk_offsets) at or above it are left ... */
    double least;        /* ... and this is the least of what was left for that reason */
    int stop;            /* set by a visitor that has seen enough */
    int32_t *order;      /* quasi-identifiers, in the order of the walk */
    int32_t *rank, *end; /* places of each node along its hierarchy, all trees end to end */
    int32_t *node;       /* the current box, by quasi-identifier */
    int32_t *rows;       /* q + 1 layers of n tuples */
    int64_t *held;       /* q layers of n + 1: rows so far */
    int64_t *opened;     /* the same for open rows */
    int32_t *bucket, *spare;
    void (*visit)(Walk *, const int32_t *tuples, int32_t m, double price, int64_t opened);
    void *about;
};

/* What the walk needs, from a bag; the caller looks at the bag. Set visit, about, open and limit before walking. */
void walk_new(Walk *w, const shoal_table *t, int64_t k, int64_t cap, Bag *bag);
void walk_all(Walk *w);
/* Let rows pay differently: `offset` is what each node takes off, laid out as the prices. `of_tuple` becomes what each tuple's leaves take off in all.
 * A box is then left when k rows of the cheapest kind that it might hold cost too much for each of its open rows. */
void walk_offsets(Walk *w, const double *offset, double *of_tuple, Bag *bag);
#endif
