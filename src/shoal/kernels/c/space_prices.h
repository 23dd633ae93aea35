#ifndef SHOAL_SPACE_PRICES_H
#define SHOAL_SPACE_PRICES_H
#include <stdint.h>
int32_t shoal_space_price_pass(int32_t n, const int64_t *first, const int32_t *at, const double *d, const double *t, const int64_t *w, int64_t r, const double *y, double *strain, int64_t *tightest);
int32_t shoal_space_price_cover(int32_t n, const int64_t *first, const int32_t *at, const int64_t *w, int64_t r, const double *y, const double *given, double *cover);
#endif
