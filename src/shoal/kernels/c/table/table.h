/* The coded table, and what is made of it at once: folding equal rows, closures of groups, groups at given levels.
 *
 * A tuple is a row of leaf codes, one for each quasi-identifier; equal rows are one tuple with a weight. A tree is a list of parents:
 * leaves come first, a parent has a larger number than its children, the root is last and its own parent. Nodes are numbered within
 * their own tree. Prices do not fall towards the root. */
#ifndef SHOAL_TABLE_H
#define SHOAL_TABLE_H
#include <stdint.h>

typedef struct {
    int64_t n;             /* tuples */
    int32_t q;             /* quasi-identifiers */
    const int32_t *codes;  /* n x q, tuple after tuple */
    const int64_t *weight; /* rows of each tuple; NULL where each stands for one */
    const int32_t *parent; /* all trees end to end */
    const double *price;   /* of each node */
    const int64_t *first;  /* tree j has its nodes at first[j] .. first[j + 1] */
} shoal_table;

/* Ranks of n keys in 0 .. greatest: the first row and the number of rows of each distinct key in ascending order (room for n), and each
 * row's rank. Returns how many distinct keys there are. */
int64_t shoal_rank_keys(const int64_t *key, int64_t n, int64_t greatest, int32_t *first, int64_t *count, int32_t *rank);

/* The lowest node that covers the rows of each group, column by column, into `out` (which comes filled with -1). Row i has the codes of
 * tuples[i] and is in group[i]. */
int64_t shoal_closures(const shoal_table *t, const int32_t *tuples, const int32_t *group, int64_t n, int32_t *out);

/* Each node takes the price of its cheapest ancestor; `which` (which comes filled with the nodes' own numbers) says of which one. */
int64_t shoal_cheapest_ancestors(const int32_t *parent, int64_t n, double *price, int32_t *which);

typedef struct {
    int32_t *group;  /* of each tuple */
    int32_t *sample; /* a tuple of each group */
    int64_t *size;   /* rows of each group */
    int32_t *slots;  /* a table of `room` places to find groups in; room is a power of two above n */
    int64_t room;
} shoal_level_groups_out;
/* Groups of tuples that look alike when leaf v of column j is shown as map[first[j] + v]. Returns the number of groups. */
int64_t shoal_level_groups(const shoal_table *t, const int32_t *map, shoal_level_groups_out *out);
#endif
