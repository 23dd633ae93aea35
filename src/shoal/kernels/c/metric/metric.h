/* Points of a metric space: distances, a tree to find near ones, balls, covers, cells, and prices that prove bounds.
 *
 * Points lie in columns of numbers, of places on the globe and of codes, or in a matrix of all distances. They are numbered in the order of
 * a vantage-point tree: a leaf holds its points in a row; any other node its vantage point, then the nearer half, then the farther. A point weighs
 * as many rows as lie on it. */
#ifndef SHOAL_METRIC_H
#define SHOAL_METRIC_H
#include <stdint.h>

/* How two codes of a column are compared: equal or not, by a table of distances, or by the heights of a tree. */
typedef enum {
    SHOAL_CODE_CATEGORY,
    SHOAL_CODE_TABLE,
    SHOAL_CODE_TREE
} shoal_code;

/* How the distances of columns add up. */
typedef enum {
    SHOAL_COMBINE_SUM,
    SHOAL_COMBINE_EUCLID,
    SHOAL_COMBINE_LARGEST
} shoal_combine;

typedef struct {
    int32_t n_nodes;
    int32_t *order;   /* the number under which each point was given */
    int32_t *start;   /* node v holds the points start[v] .. end[v] */
    int32_t *end;
    int32_t *left;    /* children, -1 for a leaf */
    int32_t *right;
    int32_t *up;      /* the node above, -1 for the root */
    double *bounds;   /* four a node: least and greatest distance of its vantage point to the points on the left, and on the right */
    int32_t *leaf_of; /* the node that lists each point */
} shoal_tree;

typedef struct {
    int32_t n;
    int32_t combine; /* a shoal_combine */
    int32_t n_numbers;
    int32_t n_places;
    int32_t n_codes;
    int32_t only_categories;
    const double *numbers; /* n x n_numbers; NaN for a missing cell */
    const double *number_scale;
    const double *number_far; /* how far a missing cell is from any other */
    const double *places;     /* n x 3 n_places: points on the unit sphere */
    const double *place_scale;
    const double *place_far;
    const int32_t *codes;      /* n x n_codes */
    const int32_t *code_kind;  /* a shoal_code for each column */
    const double *code_scale;
    const int64_t *code_start; /* where a column's table or tree begins */
    const int32_t *code_size;
    const double *tables;
    const int32_t *parents;
    const double *heights;
    const double *matrix;
    shoal_tree tree;
} shoal_space;

/* What points and nodes still weigh; points that are taken weigh nothing. */
typedef struct {
    int64_t *point;
    int64_t *node;
} shoal_load;

/* Points with their distances, in an array that grows. Zero it first, free it last. */
typedef struct {
    int64_t n;
    int64_t room;
    int64_t room_d;
    int32_t *at;
    double *d;
} shoal_list;
void shoal_list_free(shoal_list *list);

/* Some points to ask about. */
typedef struct {
    const int32_t *point;
    int64_t n;
} shoal_points;

/* ---- the space ---- */

void shoal_space_distances(const shoal_space *s, const int32_t *a, const int32_t *b, int64_t n, double *out);
/* Fills the tree's arrays; at most `leaf` points in a leaf. Returns the number of nodes. */
int64_t shoal_space_build_tree(shoal_space *s, int32_t leaf);
void shoal_space_node_weights(const shoal_space *s, const int64_t *weight, int64_t *node_weight);
/* The least radius of a ball around each point that weighs r; infinity where all points weigh less. */
int64_t shoal_space_rth_distance(const shoal_space *s, const shoal_load *load, shoal_points which, int64_t r, double *out);
/* The `many` nearest points of each, nearest first; -1 where there are no more. */
int64_t shoal_space_nearest(const shoal_space *s, const shoal_load *load, shoal_points which, int64_t many, int32_t *at, double *d);
/* The points within radius[i] of each, one list after the other. */
int64_t shoal_space_balls(const shoal_space *s, const shoal_load *load, shoal_points centres, const double *radius, int64_t *first, shoal_list *out);
/* The weight within radius[i] of each; counting ends at `stop`. */
int64_t shoal_space_counts(const shoal_space *s, const shoal_load *load, shoal_points which, const double *radius, int64_t stop, int64_t *out);
/* The distances of two points above `low` and below `high`, each pair once, until there are `most`. */
int64_t shoal_space_between(const shoal_space *s, double low, double high, int64_t most, shoal_list *out);
/* For each point p the least max(distance to c, t(c)) over all points c: the cheapest ball that holds p and enough others. */
int64_t shoal_space_cheapest_ball(const shoal_space *s, const double *t, double *value, int32_t *which);

/* ---- covers; each uses up the load ---- */

/* Remove points until every one left has weight r within `reach` among those left. Returns the weight removed; too large where it would pass
 * `most`. t holds each point's r-th distance among all points. */
int64_t shoal_space_peel(const shoal_space *s, shoal_load *load, const double *t, double reach, int64_t r, int64_t most, uint8_t *gone);
/* Go through `order`: an untaken point with weight `least` of untaken ones within `reach` becomes a centre and takes them. Returns how many. */
int64_t shoal_space_mark(const shoal_space *s, shoal_load *load, shoal_points order, double reach, int64_t least, int32_t *centre_of, int32_t *centres);
/* Each next centre is the point farthest from those before it (the lowest number among equals). Returns the number of centres. */
int64_t shoal_space_farthest_first(const shoal_space *s, int64_t most, int32_t *centres, double *apart, int32_t *nearest, double *d);
/* Up to `most` times: the untaken point with the most untaken weight within `reach` takes all untaken within `wide`, until `enough` weight is taken. */
int64_t shoal_space_cover(const shoal_space *s, shoal_load *load, double reach, double wide, int64_t most, int64_t enough, int32_t *centres);
/* Go through `order`: a point that no chosen centre reaches gets its own favourite centre. Returns the number of centres. */
int64_t shoal_space_spread(const shoal_space *s, shoal_load *load, shoal_points order, const int32_t *centre_for, double reach, int32_t *centres);
/* For each cluster the member whose farthest other member is nearest, if better than the old centre; the `most` nearest to that are tried. */
int64_t shoal_space_recentre(const shoal_space *s, const int64_t *first, const int32_t *at, int64_t n_clusters, int64_t most, int32_t *centre, double *radius);

/* ---- cells ---- */

typedef struct {
    const double *t;     /* the least radius at each point */
    const double *setup; /* a cluster (v, d) costs setup[v] + share * d */
    double share;
    int64_t outliers;    /* weight that may stay unconnected */
    double limit;        /* clusters that cost more stay shut */
    double widest;
    double *alpha;       /* out: what each point offers in the end */
    int32_t *witness;    /* the cluster that connected each point, -1 for none */
    int32_t *centre;     /* of each cluster */
    double *radius;
} shoal_ascent;
/* The dual ascent of cellular clustering. Returns how many clusters opened. */
int64_t shoal_space_ascent(const shoal_space *s, shoal_load *load, shoal_ascent *ask);

typedef struct {
    const double *y; /* the price of each point */
    const double *setup;
    int64_t r;
    double least;    /* cells that are worth less are not made */
    int32_t *centre; /* out: of each cell */
    int64_t *first;  /* where each cell's points begin */
} shoal_greedy_cells;
/* Again and again, take the r nearest rows left around the centre whose prices pay most of the cell's cost. Returns how many cells. */
int64_t shoal_space_cells_greedy(const shoal_space *s, shoal_load *load, shoal_greedy_cells *ask, shoal_list *taken);

typedef struct {
    const int32_t *of_row;    /* the point of each row */
    int64_t n_rows;
    const int32_t *near;      /* `many` nearest points of each point */
    int32_t many;
    const int64_t *first_row; /* the rows of point p are rows[first_row[p]] .. */
    const int64_t *rows;
    const double *setup;
    int64_t r;
    int64_t room_outside;     /* further rows that may be left out */
    int32_t rounds;
    int32_t *label;           /* of each row; changed in place */
    int32_t *centre;          /* of each cell; changed in place */
    int32_t n_cells;
    int32_t most_cells;       /* cells may become empty or new ones appear, up to so many */
} shoal_improve_cells;
/* Local search over cells. Returns the number of cells. */
int64_t shoal_space_cells_improve(const shoal_space *s, const shoal_improve_cells *ask);

/* ---- prices ---- */

typedef struct {
    int32_t n;
    const int64_t *first; /* list v holds the points around point v, nearest first */
    const int32_t *at;
    const double *d;
    const int64_t *weight;
    int64_t r;
    const double *y;      /* the price of each point */
} shoal_price_lists;
/* strain[i]: the largest (sum of the r highest prices) / (r * radius) over the listed balls that hold point i, 0 if there is none; tightest[i]: the
 * last entry of that ball in its list, -1 for none. Balls narrower than t[v] do not count. */
int64_t shoal_space_price_pass(const shoal_price_lists *lists, const double *t, double *strain, int64_t *tightest);
/* given[e]: weight handed to the ball that ends at entry e; it passes it on to its r highest-priced rows. cover[i] is per row. */
int64_t shoal_space_price_cover(const shoal_price_lists *lists, const double *given, double *cover);
#endif
