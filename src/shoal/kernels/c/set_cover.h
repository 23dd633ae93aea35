#ifndef SHOAL_SET_COVER_H
#define SHOAL_SET_COVER_H
#include <stdint.h>
typedef struct shoal_set_cover shoal_set_cover;
shoal_set_cover *shoal_set_cover_new(const int32_t *parent, const int64_t *first, const double *price, int32_t q, const int32_t *codes, const int64_t *weight, int32_t n_tuples, int32_t k, int32_t most, int64_t room);
int shoal_set_cover_round(shoal_set_cover *s, double limit, int64_t leave, double *report);
void shoal_set_cover_finish(shoal_set_cover *s, int64_t leave);
int64_t shoal_set_cover_open(const shoal_set_cover *s);
void shoal_set_cover_groups(const shoal_set_cover *s, int32_t *owner);
void shoal_set_cover_free(shoal_set_cover *s);
#endif
