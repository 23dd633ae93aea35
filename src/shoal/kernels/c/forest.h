#ifndef SHOAL_FOREST_H
#define SHOAL_FOREST_H
#include <stdint.h>
int32_t shoal_grow_forest(const int64_t *weight, int64_t n, int64_t k, const int32_t *index, const double *distance, int64_t width, int32_t *to, double *length);
int32_t shoal_decompose(const int32_t *to, const double *length, int64_t n, int64_t k, const double *rounds, int32_t n_rounds, int32_t *group);
void shoal_leave_one_out(const int32_t *parent, const double *price, const int64_t *first, int32_t q, const int32_t *codes, const int32_t *tuples, const int64_t *start, int64_t n_groups, int32_t *suffix, double *whole, double *without);
#endif
