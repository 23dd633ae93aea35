#ifndef SHOAL_PARTS_H
#define SHOAL_PARTS_H
#include <stdint.h>
int64_t shoal_parts(const int32_t *near, int32_t n_near, int64_t n_tuples, const int32_t *tuple, const int32_t *group, int64_t n, int64_t n_groups, int64_t target, uint64_t seed, int32_t *part);
#endif
