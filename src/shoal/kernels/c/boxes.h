#ifndef SHOAL_BOXES_H
#define SHOAL_BOXES_H
#include <stdint.h>
typedef struct ShoalKept ShoalKept;
int32_t shoal_cheapest_boxes(const int32_t *parent, const double *price, const int64_t *first, int32_t q, const int32_t *codes, int64_t n, const int64_t *weight, int64_t k, double limit, int64_t most_work, int32_t n_threads, double *y, int64_t *work);
int32_t shoal_tight_boxes(const int32_t *parent, const double *price, const int64_t *first, int32_t q, const int32_t *codes, int64_t n, const int64_t *weight, int64_t k, const double *y, double least, double keep, double reach, int64_t most_kept, int64_t most_work, int32_t n_threads, double *tightness, int64_t *work, ShoalKept **kept);
int64_t shoal_kept_boxes(const ShoalKept *kept);
int64_t shoal_kept_entries(const ShoalKept *kept);
void shoal_kept_copy(const ShoalKept *kept, int32_t *nodes, double *price, double *tightness, int64_t *start, int32_t *tuples);
void shoal_kept_free(ShoalKept *kept);
#endif
