#ifndef SHOAL_COLUMNS_H
#define SHOAL_COLUMNS_H
#include <stdint.h>
typedef struct { int32_t kind; int32_t formula; int32_t n_leaves; int32_t extra; double scale; const int32_t *parent; const double *price; const uint16_t *table; const double *table_price; const double *weight_before; const double *spent_before; const double *low; const double *high; } shoal_column;
typedef struct { int32_t n_columns; int32_t width; const shoal_column *column; } shoal_columns;
#endif
