/* Delimited text: records and fields, quoted or not, counted first and then taken apart. */
#ifndef SHOAL_TEXT_H
#define SHOAL_TEXT_H
#include <stdint.h>

typedef struct {
    const uint8_t *text;
    int64_t n;
    int64_t from;     /* where the first record begins, and on which line */
    int64_t line;
    uint8_t delimiter;
    int64_t n_fields; /* of a record; 0: as many as the first has */
} shoal_text;

typedef struct {
    int64_t *size;       /* grows by the bytes of each field (n_fields of them) */
    int64_t room;        /* so many records of another length are noted: */
    int64_t *odd_line;
    int64_t *odd_fields;
    int64_t records;     /* out: records read */
    int64_t fields;      /* fields of a record */
    int64_t odd;         /* records of another length */
    int64_t empty;       /* empty lines skipped */
    int64_t unclosed;    /* line of a quote that never closes, or 0 */
    int64_t stray;       /* line of text after a closing quote, or 0 */
    int64_t stray_from;  /* line on which that field begins */
    int64_t stop;        /* where reading stopped, and the line there */
    int64_t stop_line;
} shoal_measured;
/* Read at most `most` records and count. Returns how many were read. */
int64_t shoal_records_measure(const shoal_text *text, int64_t most, shoal_measured *out);

typedef struct {
    const int64_t *size; /* as it was measured */
    uint8_t **data;      /* a buffer of that size for each field */
    int64_t **offset;    /* n_records + 1 for each field */
    uint8_t **valid;     /* a bitmap for each field, zero at first: an empty field without quotes stays unset */
    int64_t *line_of;    /* of each record */
} shoal_fields;
/* Read records that were measured, and found to have n_fields fields each. A bad argument is a text that is not the one measured. */
int64_t shoal_records_fill(const shoal_text *text, int64_t n_records, shoal_fields *out);
#endif
