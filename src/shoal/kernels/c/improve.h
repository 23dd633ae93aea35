#ifndef SHOAL_IMPROVE_H
#define SHOAL_IMPROVE_H
#include <stdint.h>
#include "columns.h"
#include "criteria.h"
typedef struct { const int32_t *codes; const int32_t *near; int32_t n_near; int64_t n_tuples; const double *worth; const double *leave; const int32_t *tuple; const int32_t *weight; int64_t n_units; const shoal_demand *demand; int32_t n_demands; } shoal_rows;
typedef struct { int32_t k; int32_t breadth; int32_t pool; int32_t swaps; int64_t work; double hot; double cold; double sharp; double bonus; uint64_t seed; } shoal_effort;
typedef struct { int64_t n_groups; int64_t work; int64_t tries; int64_t accepted; double cost; double uphill; int64_t n_uphill; } shoal_outcome;
int32_t shoal_improve(const shoal_columns *space, const shoal_rows *rows, const int32_t *group, const int32_t *part, int64_t n, const shoal_effort *effort, int32_t *out, shoal_outcome *outcome);
#endif
