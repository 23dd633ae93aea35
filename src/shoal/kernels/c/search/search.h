/* Groups: cut top-down along the hierarchies, gathered into parts, and improved by local search.
 *
 * A unit is a row, or equal rows that stay together. The search sees one part of the table at a time, and its result depends on the seed
 * and the work that is allowed, not on the clock or the threads. */
#ifndef SHOAL_SEARCH_H
#define SHOAL_SEARCH_H
#include <stdint.h>
#include "../table/columns.h"
#include "../table/table.h"

/* The group of each tuple, of at least k rows each, by opening the column that lowers the loss most. Returns the number of groups. */
int64_t shoal_split(const shoal_table *t, int64_t k, int32_t *group);

/* The same by cuts into the children of a node or, in columns marked as ordered, at the median of the leaves. */
int64_t shoal_mondrian(const shoal_table *t, const int32_t *n_leaves, const int32_t *ordered, int64_t k, int32_t *group);

typedef enum {
    SHOAL_CRITERION_DISTINCT,
    SHOAL_CRITERION_ENTROPY,
    SHOAL_CRITERION_RECURSIVE,
    SHOAL_CRITERION_CLOSE,
    SHOAL_CRITERION_CLOSE_ORDERED,
    SHOAL_CRITERION_CAPPED
} shoal_criterion;

/* A criterion on the sensitive values of a group. */
typedef struct {
    int32_t kind; /* a shoal_criterion */
    int32_t n_values;
    int32_t missing; /* the value that stands for a missing cell, the last one; -1 where no cell is missing */
    double l;
    double c;
    double t;
    const double *share;  /* of each value in the whole table; of CAPPED, its greatest share in a group */
    const int32_t *value; /* of each unit */
} shoal_demand;

typedef struct {
    const int32_t *codes; /* of each tuple, column by column */
    const int32_t *near;  /* n_near tuples near each tuple, nearest first, -1 where there are no more */
    int32_t n_near;
    int64_t n_tuples;
    const double *worth; /* the price of each tuple, which tells what it should pay */
    const double *leave; /* what it costs to leave a tuple's row out; NULL where none may leave */
    const int32_t *tuple; /* of each unit */
    const int32_t *weight;
    int64_t n_units;
    const shoal_demand *demand;
    int32_t n_demands;
} shoal_rows;

typedef struct {
    int32_t k;
    int32_t breadth; /* groups taken apart at once, at most */
    int32_t pool;    /* units taken apart at once, at most */
    int32_t swaps;   /* of 16 tries, how many exchange two rows; */
    int32_t borrows; /* of 16 that take groups apart, how many take rows along that other groups can spare */
    int64_t work;    /* cells that may be looked at */
    double hot;      /* temperature at the beginning and at the end */
    double cold;
    double sharp;
    double bonus;
    uint64_t seed;
} shoal_effort;

typedef struct {
    int64_t n_groups;
    int64_t work;
    int64_t tries;
    int64_t accepted;
    double cost;
    double uphill; /* how much worse the tries that were worse were, in sum */
    int64_t n_uphill;
} shoal_outcome;

/* Improves the groups of the units in `part`; `out` gets their new groups, numbered from 0, or -1 for a row that leaves. Returns how many groups. */
int64_t shoal_improve(const shoal_columns *space, const shoal_rows *rows, const int32_t *group, const int32_t *part, int64_t n, const shoal_effort *effort, int32_t *out, shoal_outcome *outcome);

/* Moves rows of the units in `part` along chains of groups, until none is worth it or the work is done; every group keeps its cells, or smaller ones.
 * Demands are not looked at. `out` and what it returns are as above; `accepted` is how many chains. */
int64_t shoal_settle(const shoal_columns *space, const shoal_rows *rows, const int32_t *group, const int32_t *part, int64_t n, const shoal_effort *effort, int32_t *out, shoal_outcome *outcome);

/* The part of each unit, about `target` units near each other; groups stay whole, a unit without one goes with a near group. Returns how many. */
int64_t shoal_parts(const shoal_rows *rows, const int32_t *group, int64_t n_groups, int64_t target, uint64_t seed, int32_t *part);
#endif
