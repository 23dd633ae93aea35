#ifndef SHOAL_PRICE_COVER_H
#define SHOAL_PRICE_COVER_H
#include <stdint.h>
int64_t shoal_price_cover(const int32_t *parent, const double *node_price, const int64_t *first, int32_t q, const int32_t *codes, int64_t k, const double *price, int64_t *left, const int64_t *start, const int32_t *tuples, int64_t n_boxes, int64_t most, int32_t *tuple, int32_t *count, int32_t *group);
#endif
