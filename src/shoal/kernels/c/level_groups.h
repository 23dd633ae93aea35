#ifndef SHOAL_LEVEL_GROUPS_H
#define SHOAL_LEVEL_GROUPS_H
#include <stdint.h>
int64_t shoal_level_groups(const int32_t *map, const int64_t *first, int32_t q, const int32_t *codes, const int64_t *weight, int64_t n, int32_t *table, int64_t room, int32_t *group, int32_t *sample, int64_t *size);
#endif
