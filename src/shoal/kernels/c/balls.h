#ifndef SHOAL_BALLS_H
#define SHOAL_BALLS_H
#include <stdint.h>
int shoal_balls(const int32_t *parent, const int64_t *first, const double *price, int32_t q, const int32_t *codes, const int64_t *weight, int32_t n, int32_t k, const int32_t *index, const double *distance, int32_t width, const double *own, int64_t leave, double limit, int32_t *owner);
int shoal_diameters(const double *distance, int32_t n, int32_t k, int64_t leave, double limit, int32_t *owner);
#endif
