#ifndef SHOAL_CLOSURES_H
#define SHOAL_CLOSURES_H
#include <stdint.h>
void shoal_closures(const int32_t *parent, const int64_t *first, int32_t q, const int32_t *codes, const int32_t *tuples, const int32_t *group, int64_t n, int32_t *out);
void shoal_cheapest_ancestors(const int32_t *parent, int64_t n, double *price, int32_t *which);
#endif
