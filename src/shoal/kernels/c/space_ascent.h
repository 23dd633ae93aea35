#ifndef SHOAL_SPACE_ASCENT_H
#define SHOAL_SPACE_ASCENT_H
#include "space.h"
int64_t shoal_space_ascent(const shoal_space *s, int64_t *w, int64_t *nw, const int32_t *leaf_of, const double *t, const double *setup, double share, int64_t outliers, double limit, double widest, double *alpha, int32_t *witness, int32_t *centre, double *radius);
#endif
