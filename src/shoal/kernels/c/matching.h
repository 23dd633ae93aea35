#ifndef SHOAL_MATCHING_H
#define SHOAL_MATCHING_H
#include <stdint.h>
typedef struct Matching Matching;
Matching *shoal_matching_new(int32_t n, int64_t m, const int32_t *from, const int32_t *to, const int64_t *gain, int32_t perfect, const int64_t *dual, const int32_t *mate);
int32_t shoal_matching_run(Matching *x, int64_t work);
int32_t shoal_matching_blossoms(const Matching *x);
void shoal_matching_read(const Matching *x, int32_t *mate, int64_t *dual, int32_t *up, int64_t *within);
void shoal_matching_free(Matching *x);
#endif
