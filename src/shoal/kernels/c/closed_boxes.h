#ifndef SHOAL_CLOSED_BOXES_H
#define SHOAL_CLOSED_BOXES_H
#include <stdint.h>
int64_t shoal_closed_boxes(const int32_t *parent, const int64_t *first, const double *price, int32_t q, const int32_t *codes, const int64_t *weight, int32_t n, int32_t k, double dearest, int64_t most_boxes, int64_t most_entries, double *box_price, int64_t *start, int32_t *tuples);
void shoal_box_slack(const double *box_price, const int64_t *start, const int32_t *tuples, int64_t n_boxes, const int64_t *weight, int64_t k, const double *y, double *slack, double *kth);
void shoal_subset_prices(const int32_t *parent, const int64_t *first, const double *price, int32_t q, const int32_t *codes, int32_t n, int32_t *node, double *out);
void shoal_subset_optimum(const double *group_price, int32_t n, double *best, uint32_t *taken);
#endif
