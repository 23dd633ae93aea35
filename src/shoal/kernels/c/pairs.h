#ifndef SHOAL_PAIRS_H
#define SHOAL_PAIRS_H
#include <stdint.h>
int32_t shoal_pairs(const int32_t *parent, const double *price, const int64_t *first, int32_t q, const int32_t *codes, int64_t n, const double *reach, const double *pull, const int32_t *up, const double *within, const int64_t *known_start, const int32_t *known, int64_t most, int64_t begin, int64_t end, int32_t n_threads, int32_t *index, double *slack);
#endif
