#ifndef SHOAL_RECORDS_H
#define SHOAL_RECORDS_H
#include <stdint.h>
void shoal_records_measure(const uint8_t *text, int64_t n, int64_t from, int64_t line, uint8_t delimiter, int64_t n_fields, int64_t most, int64_t *size, int64_t *odd_line, int64_t *odd_fields, int64_t room, int64_t *found);
int shoal_records_fill(const uint8_t *text, int64_t n, int64_t from, int64_t line, uint8_t delimiter, int64_t n_fields, int64_t n_records, const int64_t *size, uint8_t **data, int64_t **offset, uint8_t **valid, int64_t *line_of);
#endif
