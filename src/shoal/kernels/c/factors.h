#ifndef SHOAL_FACTORS_H
#define SHOAL_FACTORS_H
#include <stdint.h>
int32_t shoal_stars(int64_t n, const int64_t *start, int64_t m, const int32_t *from, const int32_t *to, const double *reach, int32_t *group);
int64_t shoal_cycles(int64_t n, const int32_t *near, int32_t *order, int64_t *begin);
int32_t shoal_cut_cycles(const int32_t *parent, const double *price, const int64_t *first, int32_t q, const int32_t *codes, const int32_t *tuples, int64_t n_cycles, const int64_t *begin, int32_t *group);
int32_t shoal_start_two_factor(int64_t n, int64_t m, const int32_t *u, const int32_t *v, const int64_t *weight, const int64_t *fee, int32_t n_passes, int64_t *dual, int32_t *mate_edge);
#endif
