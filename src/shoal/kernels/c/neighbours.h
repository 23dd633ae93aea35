#ifndef SHOAL_NEIGHBOURS_H
#define SHOAL_NEIGHBOURS_H
#include <stdint.h>
int32_t shoal_neighbours(const int32_t *parent, const double *price, const int64_t *first, int32_t q, const int32_t *codes, int64_t n, const int64_t *weight, int64_t k, const int32_t *queries, int64_t n_queries, int32_t method, int32_t n_threads, double most_scan, int32_t *index, double *distance, double *farthest, double *covering);
#endif
