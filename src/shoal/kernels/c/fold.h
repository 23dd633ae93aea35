#ifndef SHOAL_FOLD_H
#define SHOAL_FOLD_H
#include <stdint.h>
int64_t shoal_rank_keys(const int64_t *key, int64_t n, int64_t greatest, int32_t *first, int64_t *count, int32_t *rank);
#endif
