/* Delimited text: fields of records, quoted or not, with the line on which each record begins. */
#include "records.h"
#include <string.h>

enum { NEXT_FIELD, NEXT_RECORD, UNCLOSED, STRAY };

typedef struct {
    const uint8_t *text;
    int64_t n, at, line;
    uint8_t delimiter;
    /* the field just read, without its quotes */
    int64_t start, stop, doubled;
    int quoted;
} reader;

/* Step over a line's end, of which there are three kinds: LF, CR LF and CR. */
static inline void end_line(reader *r)
{
    r->at += r->text[r->at] == '\r' && r->at + 1 < r->n && r->text[r->at + 1] == '\n' ? 2 : 1;
    r->line++;
}

static inline int at_line_end(const reader *r)
{
    return r->text[r->at] == '\n' || r->text[r->at] == '\r';
}

static inline int after_field(reader *r)
{
    if (r->at >= r->n)
        return NEXT_RECORD;
    if (r->text[r->at] == r->delimiter) {
        r->at++;
        return NEXT_FIELD;
    }
    if (at_line_end(r)) {
        end_line(r);
        return NEXT_RECORD;
    }
    return STRAY;
}

static int quoted_field(reader *r)
{
    r->quoted = 1;
    r->start = ++r->at;
    while (r->at < r->n) {
        if (r->text[r->at] == '"') {
            if (r->at + 1 < r->n && r->text[r->at + 1] == '"') {
                r->doubled++;
                r->at += 2;
                continue;
            }
            r->stop = r->at++;
            return after_field(r);
        }
        if (at_line_end(r))
            end_line(r);
        else
            r->at++;
    }
    return UNCLOSED;
}

static inline int next_field(reader *r)
{
    r->doubled = 0;
    r->quoted = 0;
    if (r->at < r->n && r->text[r->at] == '"')
        return quoted_field(r);
    int64_t at = r->start = r->at;
    while (at < r->n && r->text[at] != r->delimiter && r->text[at] != '\n' && r->text[at] != '\r')
        at++;
    r->at = r->stop = at;
    return after_field(r);
}

/* Where a record has several fields, an empty line is none; where it has one, an empty line is an empty field. */
static int64_t skip_empty_lines(reader *r)
{
    int64_t skipped = 0;
    while (r->at < r->n && at_line_end(r)) {
        end_line(r);
        skipped++;
    }
    return skipped;
}

/* Read at most `most` records of `n_fields` fields (0: as many as the first record has, which sizes nothing).
 * size[j] grows by the bytes of field j. Records of another length are counted, and the first `room` of them noted.
 * found: records, fields, odd records, empty lines skipped, line of an unclosed quote, line of text after a closing quote,
 * where reading stopped, and the line there. */
void shoal_records_measure(const uint8_t *text, int64_t n, int64_t from, int64_t line, uint8_t delimiter, int64_t n_fields, int64_t most,
                           int64_t *size, int64_t *odd_line, int64_t *odd_fields, int64_t room, int64_t *found)
{
    reader r = {text, n, from, line, delimiter, 0, 0, 0, 0};
    int64_t records = 0, odd = 0, empty = 0, unclosed = 0, stray = 0, expected = n_fields;
    while (records < most) {
        if (expected != 1)
            empty += skip_empty_lines(&r);
        if (r.at >= r.n)
            break;
        int64_t begun = r.line, fields = 0;
        int next;
        do {
            int64_t field_line = r.line;
            next = next_field(&r);
            if (next == UNCLOSED)
                unclosed = field_line;
            else if (next == STRAY)
                stray = r.line;
            else if (fields < n_fields)
                size[fields] += r.stop - r.start - r.doubled;
            fields++;
        } while (next == NEXT_FIELD);
        if (unclosed || stray)
            break;
        if (expected == 0)
            expected = fields;
        if (fields != expected) {
            if (odd < room) {
                odd_line[odd] = begun;
                odd_fields[odd] = fields;
            }
            odd++;
        }
        records++;
    }
    found[0] = records;
    found[1] = expected;
    found[2] = odd;
    found[3] = empty;
    found[4] = unclosed;
    found[5] = stray;
    found[6] = r.at;
    found[7] = r.line;
}

static int64_t copy_field(const reader *r, uint8_t *to)
{
    if (!r->doubled) {
        memcpy(to, r->text + r->start, (size_t)(r->stop - r->start));
        return r->stop - r->start;
    }
    int64_t length = 0;
    for (int64_t at = r->start; at < r->stop; at++) {
        to[length++] = r->text[at];
        if (r->text[at] == '"')
            at++;
    }
    return length;
}

/* Read n_records records that shoal_records_measure found to have n_fields fields each, into buffers of the sizes that it gave.
 * offset[j] has n_records + 1 entries; valid[j] is a bitmap, zero at first: an empty field without quotes stays unset.
 * Returns 0 if the text is not the one that was measured. */
int shoal_records_fill(const uint8_t *text, int64_t n, int64_t from, int64_t line, uint8_t delimiter, int64_t n_fields, int64_t n_records,
                       const int64_t *size, uint8_t **data, int64_t **offset, uint8_t **valid, int64_t *line_of)
{
    reader r = {text, n, from, line, delimiter, 0, 0, 0, 0};
    for (int64_t j = 0; j < n_fields; j++)
        offset[j][0] = 0;
    for (int64_t i = 0; i < n_records; i++) {
        if (n_fields != 1)
            skip_empty_lines(&r);
        line_of[i] = r.line;
        for (int64_t j = 0; j < n_fields; j++) {
            int next = next_field(&r);
            if (next == UNCLOSED || next == STRAY || r.stop - r.start - r.doubled > size[j] - offset[j][i])
                return 0;
            int64_t length = copy_field(&r, data[j] + offset[j][i]);
            offset[j][i + 1] = offset[j][i] + length;
            if (length > 0 || r.quoted)
                valid[j][i >> 3] |= (uint8_t)(1u << (i & 7));
        }
    }
    return 1;
}
