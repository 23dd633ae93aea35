#ifndef SHOAL_PRICES_H
#define SHOAL_PRICES_H
#include <stdint.h>
int32_t shoal_price_round(const double *price, const int64_t *start, int32_t *tuples, int64_t n_boxes, const int64_t *weight, int64_t n, int64_t k, const double *y, double least, double softness, double *tightness, double *cover);
#endif
