#ifndef SHOAL_SPACE_IMPROVE_H
#define SHOAL_SPACE_IMPROVE_H
#include "space.h"
int32_t shoal_space_recentre(const shoal_space *s, const int64_t *first, const int32_t *at, int64_t n_clusters, int64_t most, int32_t *centre, double *radius);
int64_t shoal_space_spread(const shoal_space *s, int64_t *w, int64_t *nw, const int32_t *leaf_of, const int32_t *order, int64_t n_order, const int32_t *centre_for, double reach, int32_t *centres);
#endif
