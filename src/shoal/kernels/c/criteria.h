#ifndef SHOAL_CRITERIA_H
#define SHOAL_CRITERIA_H
#include <stdint.h>
typedef struct { int32_t kind; int32_t n_values; double l; double c; double t; const double *share; const int32_t *value; } shoal_demand;
#endif
