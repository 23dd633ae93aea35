#ifndef SHOAL_SPACE_CELLS_H
#define SHOAL_SPACE_CELLS_H
#include "space.h"
int64_t shoal_space_cells_greedy(const shoal_space *s, int64_t *w, int64_t *nw, const int32_t *leaf_of, const double *y, const double *setup, int64_t r, double least, int32_t *centre, int64_t *first, shoal_list *taken);
int32_t shoal_space_cells_improve(const shoal_space *s, const int32_t *of_row, int64_t n_rows, const int32_t *near, int32_t many, const int64_t *first_row, const int64_t *rows, const double *setup, int64_t r, int64_t room_outside, int32_t rounds, int32_t *label, int32_t *centre, int32_t n_cells, int32_t most_cells);
#endif
