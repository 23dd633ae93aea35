/* Boxes and neighbours: what covers rows, how near they are to each other, and covers made of both.
 *
 * A box is one node per quasi-identifier. It holds the tuples below all of its nodes, and it is closed if no node could be lower. The
 * distance of two tuples is the price of the smallest box that holds both. Lists of boxes hold their tuples end to end. */
#ifndef SHOAL_BOXES_H
#define SHOAL_BOXES_H
#include <stdint.h>
#include "../table/columns.h"
#include "../table/table.h"

typedef struct {
    int64_t n;
    double *price;  /* what each row of a box pays */
    int64_t *start; /* box b holds tuples[start[b]] .. tuples[start[b + 1]] */
    int32_t *tuples;
} shoal_boxes;

/* ---- neighbours ---- */

/* Chosen by itself, by the tree, by a scan; BOUNDS is taken where both would take too long. */
typedef enum {
    SHOAL_METHOD_AUTO,
    SHOAL_METHOD_TREE,
    SHOAL_METHOD_SCAN,
    SHOAL_METHOD_BOUNDS
} shoal_method;

typedef struct {
    int64_t k;
    const int32_t *queries; /* tuples asked about; NULL for all */
    int64_t n_queries;
    int32_t method;         /* a shoal_method, but not BOUNDS */
    int32_t n_threads;
    double most_scan;       /* comparisons of cells from which on bounds take the place of a scan, where no lists are asked for ... */
    double most_tree;       /* ... and of a search in the tree */
    const volatile int32_t *stop; /* it ends with SHOAL_STOPPED once this is not 0; or NULL */
    int32_t *index;         /* n_queries x k, nearest first, -1 where there is no more; or NULL */
    double *distance;       /* the same of their distances, or NULL */
    double *farthest;       /* the distance of each k-th companion, or NULL */
    double *covering;       /* what covering each tuple and its companions costs, or NULL */
    double looked;          /* out, where the method is chosen: cells that a query in the tree looks at */
} shoal_neighbours_ask;
/* The nearest other tuples of each: k of them, or with weights as many as bring k companions. Returns the method taken. */
int64_t shoal_neighbours(const shoal_table *t, shoal_neighbours_ask *ask);

typedef struct {
    const double *table;  /* the distances of pairs of leaves, column after column: table[first[j] + a * width[j] + b] */
    const int64_t *first;
    const int32_t *width;
    int32_t q;
    const int32_t *codes; /* column after column */
    int64_t n;
    const int64_t *weight;
    int64_t k;
    int32_t n_threads;
    const volatile int32_t *stop; /* it ends with SHOAL_STOPPED once this is not 0; or NULL */
    double *farthest;
} shoal_companions_ask;
/* The distance of each tuple's k-th companion, by all pairs. */
int64_t shoal_companions(shoal_companions_ask *ask);

typedef struct {
    const double *reach;
    const double *pull;
    const int32_t *up;          /* a tree over the tuples, and a value for each of its nodes; or NULL */
    const double *within;
    const int64_t *known_start; /* pairs that are not to be listed, sorted; or NULL */
    const int32_t *known;
    int64_t most;               /* answers a tuple */
    int64_t begin;              /* positions of the tree to answer for; its order depends on no potential */
    int64_t end;
    int32_t n_threads;
    int32_t *index;             /* n x most, least slack first; -1 where there is no more */
    double *slack;
} shoal_pairs_ask;
/* For each tuple the others of least negative slack: distance - reach - pull + within. */
int64_t shoal_pairs(const shoal_table *t, const shoal_pairs_ask *ask);

typedef struct {
    int32_t l;            /* a group must have so many different values */
    int32_t n_values;
    const int64_t *start; /* tuple i has the values value[start[i]] .. value[start[i + 1]], each once */
    const int32_t *value;
} shoal_different;
/* The distance of the neighbour that brings the l-th different value to each tuple, from lists of n x width, nearest first (-1 where they end); 0 where a
 * tuple has them by itself, and the distance of the last where the list does not suffice. */
int64_t shoal_diverse_reach(int64_t n, int64_t width, const int32_t *index, const double *distance, const shoal_different *d, double *reach);

/* ---- walks over closed boxes ---- */

typedef struct {
    int64_t n;            /* cuts: boxes with a price of their own, by which a group inside may be overcharged */
    const int32_t *nodes; /* n x columns */
    const double *price;
    const int64_t *start; /* tuple i is in the cuts cut[start[i]] .. cut[start[i + 1]] */
    const int32_t *cut;
} shoal_rank_cuts;

typedef struct {
    int64_t k;
    int64_t most_work;
    int32_t n_threads;
    double limit;      /* cheapest: boxes at this price or more are not looked at */
    const double *y;   /* tight: the net price of each tuple */
    const double *own; /* tight: what its own values cost (net.h); or NULL where that is nothing */
    double least;      /* tight: tightness below this does not count */
    double keep;       /* tight: boxes at least this tight are kept ... */
    double reach;      /* ... with their tuples down to this share of the k-th highest price ... */
    int64_t most_kept; /* ... and no more than so many */
    const shoal_different *diverse; /* what is asked of a box's sensitive values; or NULL */
    const shoal_rank_cuts *cuts;    /* tight, without own parts: cuts; or NULL. Then any k to 2k - 1 rows count, over what they pay and the cuts around */
    const volatile int32_t *stop;   /* the walk ends with SHOAL_STOPPED once this is not 0; or NULL */
    double *answer;    /* of each tuple. Cheapest: comes with upper bounds. Tight: comes filled with `least` */
    int64_t work;      /* out: how much was looked at */
} shoal_price_walk;
typedef struct shoal_kept shoal_kept;
/* The least price of a box that holds each tuple and k rows. */
int64_t shoal_cheapest_boxes(const shoal_table *t, shoal_price_walk *ask);
/* The tightness of each tuple's tightest box: k net prices of its rows over what it adds to what they pay by themselves. Free `kept` whatever this returns. */
int64_t shoal_tight_boxes(const shoal_table *t, shoal_price_walk *ask, shoal_kept **kept);
/* How many boxes were kept, and how many tuples they list. */
int64_t shoal_kept_boxes(const shoal_kept *kept, int64_t *n_entries);
int64_t shoal_kept_copy(const shoal_kept *kept, int32_t *nodes, double *tightness, shoal_boxes *out);
void shoal_kept_free(shoal_kept *kept);

typedef struct shoal_found shoal_found;
typedef struct {
    int64_t n;             /* tuples */
    const int32_t *codes;  /* n x columns */
    const int64_t *weight;
    int64_t k;
    const double *y;       /* the net price of each tuple */
    const double *own;     /* what its own values cost (net.h); or NULL where that is nothing */
    double least;          /* tightness below this does not count */
    double keep;           /* sets at least this tight are kept ... */
    double reach;          /* ... with their tuples down to this share of the k-th highest price */
    int64_t most_kept;
    int64_t most_each;     /* cells looked at from one anchor; beyond that it is put off */
    int64_t most_walk;     /* cells for all anchors: as long as it suffices, those that were put off are walked again, with more work for each */
    int64_t most_later;    /* cells for those that were put off, together; each is then walked for sets above 1 only, then with a lower price, then */
    double step;           /* for sets above 1 + step, and so on, by steps that double */
    int32_t n_threads;
    const volatile int32_t *stop; /* the walk ends with SHOAL_STOPPED once this is not 0; or NULL */
    double *answer;        /* comes filled with `least`: the tightness of each tuple's tightest set */
    double *walked;        /* the same: from each tuple, sets above this tightness were walked */
    double *lowered;       /* comes filled with 1: what is left of the price of each tuple */
    double *floor;         /* comes filled with `least`: all sets above this tightness that hold the tuple were walked */
    int64_t work;          /* out */
    int64_t n_later;       /* out: anchors that were put off to the end */
} shoal_anchored_ask;
/* How tight each tuple's tightest set of at least k rows is, in columns of any kind except LONG. Free `found` whatever this returns. */
int64_t shoal_anchored(const shoal_columns *space, shoal_anchored_ask *ask, shoal_found **found);
/* How many sets were kept, and how many tuples they list. */
int64_t shoal_found_boxes(const shoal_found *found, int64_t *n_entries);
int64_t shoal_found_copy(const shoal_found *found, double *tightness, shoal_boxes *out);
void shoal_found_free(shoal_found *found);

typedef struct {
    int64_t most_boxes;
    int64_t most_entries;
    double *price;
    int64_t *start;
    int32_t *tuples;
    int64_t n_boxes; /* out */
    int64_t n_entries;
} shoal_closed_boxes_out;
/* Every closed box of at least k rows cheaper than `dearest`. Returns how many. */
int64_t shoal_closed_boxes(const shoal_table *t, int64_t k, double dearest, shoal_closed_boxes_out *out);

enum { SHOAL_MOST_SLACK_K = 63 };
/* For each box, k times its price less its k highest prices y, and the k-th highest. A tuple's price counts for each of its rows. */
int64_t shoal_box_slack(const shoal_boxes *boxes, const int64_t *weight, int64_t k, const double *y, double *slack, double *kth);

enum { SHOAL_MOST_GROUP = 63 };
typedef struct {
    int64_t n;                   /* cuts */
    const int64_t *start;        /* tuple t is in the cuts cut[start[t]] .. cut[start[t + 1]] */
    const int32_t *cut;
    const int32_t *times;        /* how often a row of the tuple counts there */
    const int32_t *divisor;      /* of each cut: so much that counts makes a group pay the price once */
    const double *price;
} shoal_group_cuts;
typedef struct {
    int64_t n;                    /* tuples */
    const int64_t *weight;
    int64_t k;
    const double *y;              /* a price for each tuple */
    const int32_t *order;         /* the tuples by falling price */
    const shoal_group_cuts *cuts;
    double least;                 /* groups whose prices exceed what they pay, and their cuts, by more than this are wanted */
    int32_t every;                /* not 0: all of them; else of each box the one that exceeds most */
    int64_t most_groups;
    int64_t most_work;
    const volatile int32_t *stop; /* the search ends with SHOAL_STOPPED once this is not 0; or NULL */
    int32_t *rows;                /* out: 2k - 1 tuples for each group, one for each of its rows, then -1 */
    double *excess;               /* out: of each group */
    int64_t work;                 /* out */
} shoal_dear_groups_ask;
/* Groups of k to 2k - 1 rows of a box, 2k - 1 at most SHOAL_MOST_GROUP. Returns how many; SHOAL_TOO_LARGE beyond what may be kept or looked at. */
int64_t shoal_dear_groups(const shoal_boxes *boxes, shoal_dear_groups_ask *ask);

/* What a row of each subset of a few tuples pays; bit i of the index is tuple i. `node` has room for as many numbers as there are subsets. */
int64_t shoal_subset_prices(const shoal_table *t, int32_t *node, double *out);
/* The cheapest partition of every subset of n into groups of finite price. taken: the group of the lowest. */
int64_t shoal_subset_optimum(const double *group_price, int32_t n, double *best, uint32_t *taken);

typedef struct {
    int64_t n;             /* tuples */
    const int64_t *weight;
    int64_t k;
    const double *y;       /* net prices */
    const double *own;     /* or NULL */
    double least;
    double softness;
    double *tightness;     /* out: of each tuple's tightest box */
    double *cover;         /* out: how often each tuple is asked for */
} shoal_price_round_ask;
/* One round of raising prices. Sorts the boxes' lists of tuples in place. */
int64_t shoal_price_round(const shoal_boxes *boxes, const shoal_price_round_ask *ask);

/* ---- covers ---- */

typedef struct {
    int64_t most; /* room: no more pieces than rows */
    int32_t *tuple;
    int32_t *count;
    int32_t *group;
} shoal_pieces;
typedef struct {
    int64_t k;
    const double *y;   /* net prices */
    const double *own; /* or NULL */
    int64_t *left;     /* comes with each tuple's rows */
    const volatile int32_t *stop; /* it ends with SHOAL_STOPPED once this is not 0; or NULL */
} shoal_price_cover_ask;
/* Groups of the k dearest rows left in the tightest box, again and again. Returns the number of pieces. */
int64_t shoal_price_cover(const shoal_table *t, const shoal_price_cover_ask *ask, const shoal_boxes *boxes, const shoal_pieces *out);

typedef struct shoal_set_cover shoal_set_cover;
/* A cover in the making, of sets that bring up to `most` rows each; NULL without memory. The table must live as long. `offset` says what each node takes
 * off where rows pay differently, else NULL: then tuples come with most taken off first, sets are the cheapest of k rows, and rows may be deleted for `deletion`. */
shoal_set_cover *shoal_set_cover_new(const shoal_table *t, const double *offset, double deletion, int32_t k, int32_t most, int64_t room);
/* Every box below the limit, until `leave` rows are open. report: no box is cheaper now; the least seen above; boxes kept. Returns open rows. */
int64_t shoal_set_cover_round(shoal_set_cover *s, double limit, int64_t leave, double *report);
/* Cover what is open with sets of any rows, whatever they cost: for a run that must end. */
int64_t shoal_set_cover_finish(shoal_set_cover *s, int64_t leave);
int64_t shoal_set_cover_open(const shoal_set_cover *s);
/* The group of each row, rows in the order of their tuples. Returns their number. */
int64_t shoal_set_cover_groups(const shoal_set_cover *s, int32_t *owner);
void shoal_set_cover_free(shoal_set_cover *s);

typedef struct {
    int32_t k;
    int64_t leave;          /* rows that may stay open */
    double limit;           /* balls at this price per row or more are not taken */
    int32_t width;          /* neighbours listed for each tuple, enough to hold k rows with it */
    const int32_t *index;   /* n x width, nearest first */
    const double *distance;
    const double *own;      /* how far rows of one tuple are from each other */
} shoal_balls_ask;
typedef struct shoal_balls shoal_balls;
/* A cover by balls around tuples in the making; NULL without memory. Where the lists are not all the others, farther ones are measured along the
 * trees. Table and lists must live as long. */
shoal_balls *shoal_balls_new(const shoal_table *t, const shoal_balls_ask *ask);
/* Go on until about so many tuples were looked at: SHOAL_STOPPED where there is more to do. */
int64_t shoal_balls_run(shoal_balls *b, int64_t work);
/* Cover what is open with sets of any rows: for a run that must end. */
int64_t shoal_balls_finish(shoal_balls *b);
/* The group of each row, rows in the order of their tuples. */
void shoal_balls_groups(const shoal_balls *b, int32_t *owner);
void shoal_balls_free(shoal_balls *b);
/* Cover by subsets of k to 2k - 1 rows, the least diameter per newly covered row first, from an n x n matrix. */
int64_t shoal_diameters(const double *distance, int32_t n, const shoal_balls_ask *ask, int32_t *owner);
#endif
