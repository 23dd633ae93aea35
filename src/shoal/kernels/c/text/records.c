/* Delimited text: fields of records, quoted or not, with the line on which each record begins. */
#include <string.h>
#include "../base/status.h"
#include "text.h"

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

static inline int at_line_end(const reader *r) { return r->text[r->at] == '\n' || r->text[r->at] == '\r'; }

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

static reader reader_of(const shoal_text *t) { return (reader){t->text, t->n, t->from, t->line, t->delimiter, 0, 0, 0, 0}; }

/* One record: how many fields it has. Notes a quote that never closes, or text after a closing one. */
static int64_t measure_record(reader *r, int64_t n_fields, shoal_measured *out)
{
    int64_t fields = 0;
    int next;
    do {
        int64_t line = r->line;
        next = next_field(r);
        if (next == UNCLOSED)
            out->unclosed = line;
        else if (next == STRAY)
            out->stray = r->line, out->stray_from = line;
        else if (fields < n_fields)
            out->size[fields] += r->stop - r->start - r->doubled;
        fields++;
    } while (next == NEXT_FIELD);
    return fields;
}

int64_t shoal_records_measure(const shoal_text *text, int64_t most, shoal_measured *out)
{
    reader r = reader_of(text);
    out->fields = text->n_fields;
    out->records = out->odd = out->empty = out->unclosed = out->stray = out->stray_from = 0;
    while (out->records < most) {
        if (out->fields != 1)
            out->empty += skip_empty_lines(&r);
        if (r.at >= r.n)
            break;
        int64_t begun = r.line, fields = measure_record(&r, text->n_fields, out);
        if (out->unclosed || out->stray)
            break;
        if (out->fields == 0)
            out->fields = fields;
        if (fields != out->fields) {
            if (out->odd < out->room)
                out->odd_line[out->odd] = begun, out->odd_fields[out->odd] = fields;
            out->odd++;
        }
        out->records++;
    }
    out->stop = r.at;
    out->stop_line = r.line;
    return out->records;
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

int64_t shoal_records_fill(const shoal_text *text, int64_t n_records, shoal_fields *out)
{
    reader r = reader_of(text);
    for (int64_t j = 0; j < text->n_fields; j++)
        out->offset[j][0] = 0;
    for (int64_t i = 0; i < n_records; i++) {
        if (text->n_fields != 1)
            skip_empty_lines(&r);
        out->line_of[i] = r.line;
        for (int64_t j = 0; j < text->n_fields; j++) {
            int64_t begin = out->offset[j][i];
            int next = next_field(&r);
            if (next == UNCLOSED || next == STRAY || r.stop - r.start - r.doubled > out->size[j] - begin)
                return SHOAL_BAD_ARGUMENT;
            int64_t length = copy_field(&r, out->data[j] + begin);
            out->offset[j][i + 1] = begin + length;
            if (length > 0 || r.quoted)
                out->valid[j][i >> 3] |= (uint8_t)(1u << (i & 7));
        }
    }
    return n_records;
}
