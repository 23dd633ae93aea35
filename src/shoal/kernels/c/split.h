#ifndef SHOAL_SPLIT_H
#define SHOAL_SPLIT_H
#include <stdint.h>
int64_t shoal_split(const int32_t *parent, const double *price, const int64_t *first, int32_t q, const int32_t *codes, const int64_t *weight, int64_t n, int64_t k, int32_t *group);
#endif
