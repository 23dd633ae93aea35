#ifndef SHOAL_MONDRIAN_H
#define SHOAL_MONDRIAN_H
#include <stdint.h>
int64_t shoal_mondrian(const int32_t *parent, const int64_t *first, const double *price, const int32_t *n_leaves, const int32_t *ordered, int32_t q, const int32_t *codes, const int64_t *weight, int64_t n, int64_t k, int32_t *group);
#endif
