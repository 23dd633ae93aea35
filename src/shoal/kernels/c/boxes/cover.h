/* A cover that is kept a partition while it grows (Gionis and Tassa 2009, section 6.3, phases 1 and 2 together).
 *
 * A set of the cover brings rows that no set holds yet; if they are fewer than k it is filled up with rows that are held already. Such a row
 * is taken from its group if that has more than k rows; otherwise the new rows join a group that the set meets. Both keep the sizes in
 * k .. 2k - 1 and the sum of prices below that of the cover (docs/guarantees.md, set-cover).
 *
 * Equal rows are folded: tuple t has the slots slot[t] .. slot[t + 1] - 1, and those that are held come first. */
#ifndef SHOAL_COVER_H
#define SHOAL_COVER_H
#include "../base/memory.h"
#include "../table/trees.h"

typedef struct {
    shoal_table t;            /* codes are NULL where only distances are known: groups then have no price */
    int32_t k, cap, most;     /* a set brings at most `most` new rows, a group has at most cap = 2k - 1 */
    int32_t *open;            /* rows of each tuple that no group holds */
    int64_t *slot;            /* first slot of each tuple */
    int32_t *tuple, *owner;   /* of each slot: its tuple, and its group, -1, or DELETED */
    int64_t n_open;
    double deletion;          /* what a deleted row pays, before its own values are taken off */
    int32_t *size, *member, *closure, *unused, *taken; /* of each group */
    int64_t *met, n_picks;    /* the set that met a group last */
    double *cost;             /* price of each group's closure */
    int32_t n_unused;
    int32_t *fresh, *filler, *joined; /* rows of the current set, rows to fill it up, a closure */
} Cover;

enum { DELETED = -2 };

void cover_new(Cover *c, const shoal_table *t, int32_t k, Bag *bag);
/* Make a set of rows of these tuples, which hold at least k rows together, part of the cover, the cheapest way. No tuple before `from` has open rows. */
void cover_add(Cover *c, const int32_t *tuples, int64_t from, int64_t m);
/* Delete the open rows of a tuple. Sets may still take them to fill up. */
void cover_delete(Cover *c, int32_t tuple);

static inline int64_t cover_held(const Cover *c, int32_t t) { return c->slot[t + 1] - c->slot[t] - c->open[t]; }
#endif
