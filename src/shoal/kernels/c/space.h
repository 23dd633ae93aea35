#ifndef SHOAL_SPACE_H
#define SHOAL_SPACE_H
#include <stdint.h>
typedef struct {
    int32_t n;
    int32_t combine;
    int32_t n_numbers;
    int32_t n_places;
    int32_t n_codes;
    int32_t only_categories;
    const double *numbers;
    const double *number_scale;
    const double *number_far;
    const double *places;
    const double *place_scale;
    const double *place_far;
    const int32_t *codes;
    const int32_t *code_kind;
    const double *code_scale;
    const int64_t *code_start;
    const int32_t *code_size;
    const double *tables;
    const int32_t *parents;
    const double *heights;
    const double *matrix;
    int32_t n_nodes;
    const int32_t *start;
    const int32_t *end;
    const int32_t *mid;
    const int32_t *left;
    const int32_t *right;
    const int32_t *up;
    const double *bounds;
} shoal_space;
typedef struct {
    int64_t n;
    int64_t room;
    int32_t *at;
    double *d;
} shoal_list;
void shoal_space_list_free(shoal_list *list);
void shoal_space_distances(const shoal_space *s, const int32_t *a, const int32_t *b, int64_t n, double *out);
int32_t shoal_space_build_tree(const shoal_space *s, int32_t leaf, int32_t *order, int32_t *start, int32_t *end, int32_t *mid, int32_t *left, int32_t *right, int32_t *up, double *bounds, int32_t *leaf_of);
void shoal_space_node_weights(const shoal_space *s, const int64_t *w, int64_t *nw);
int32_t shoal_space_rth_distance(const shoal_space *s, const int64_t *w, const int64_t *nw, const int32_t *which, int64_t n_which, int64_t r, double *out);
int32_t shoal_space_nearest(const shoal_space *s, const int64_t *w, const int64_t *nw, const int32_t *which, int64_t n_which, int64_t many, int32_t *at, double *d);
int32_t shoal_space_balls(const shoal_space *s, const int64_t *w, const int64_t *nw, const int32_t *centres, const double *radius, int64_t n_centres, int64_t *first, shoal_list *out);
int32_t shoal_space_counts(const shoal_space *s, const int64_t *w, const int64_t *nw, const int32_t *which, int64_t n_which, const double *radius, int64_t stop, int64_t *out);
int32_t shoal_space_cheapest_ball(const shoal_space *s, const double *t, double *value, int32_t *which);
int64_t shoal_space_peel(const shoal_space *s, int64_t *w, int64_t *nw, const int32_t *leaf_of, const double *t, double reach, int64_t r, int64_t most, uint8_t *gone);
int64_t shoal_space_mark(const shoal_space *s, int64_t *w, int64_t *nw, const int32_t *leaf_of, const int32_t *order, int64_t n_order, double reach, int64_t least, int32_t *centre_of, int32_t *centres);
int64_t shoal_space_farthest_first(const shoal_space *s, int64_t most, int32_t *centres, double *apart, int32_t *nearest, double *d);
int64_t shoal_space_cover(const shoal_space *s, int64_t *w, int64_t *nw, const int32_t *leaf_of, double reach, double wide, int64_t most, int64_t enough, int32_t *centres);
int32_t shoal_space_between(const shoal_space *s, double low, double high, int64_t most, shoal_list *out);
#endif
