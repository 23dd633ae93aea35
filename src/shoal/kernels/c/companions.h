#ifndef SHOAL_COMPANIONS_H
#define SHOAL_COMPANIONS_H
#include <stdint.h>
int32_t shoal_companions(const double *table, const int64_t *first, const int32_t *width, int32_t q, const int32_t *codes, int64_t n, const int64_t *weight, int64_t k, int64_t begin, int64_t end, double *farthest);
#endif
