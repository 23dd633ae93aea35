/* A short list of the least values met so far: as few of them as stand for `need` rows together, least first.
 *
 * For the highest values, list their negatives. Of equal values the one that was met first stays in front. */
#ifndef SHOAL_SHORTLIST_H
#define SHOAL_SHORTLIST_H
#include <stdint.h>

typedef struct {
    double value;
    int32_t at, rows;
} Listed;

typedef struct {
    Listed *item; /* room for need + 1 */
    int64_t n, held, need;
} Shortlist;

/* Whether the list has its rows and a value would come behind all of them. */
static inline int is_behind(const Shortlist *s, double value) { return s->held >= s->need && value >= s->item[s->n - 1].value; }

static inline void list_value(Shortlist *s, double value, int32_t at, int64_t rows)
{
    int64_t i = s->n++;
    for (; i > 0 && s->item[i - 1].value > value; i--)
        s->item[i] = s->item[i - 1];
    s->item[i] = (Listed){value, at, (int32_t)rows};
    s->held += rows;
    while (s->n && s->held - s->item[s->n - 1].rows >= s->need)
        s->held -= s->item[--s->n].rows;
}

/* The sum of the values of the first `need` rows. */
static inline double sum_listed(const Shortlist *s)
{
    double sum = 0.0;
    int64_t left = s->need;
    for (int64_t i = 0; i < s->n && left; i++) {
        int64_t taken = s->item[i].rows < left ? s->item[i].rows : left;
        sum += (double)taken * s->item[i].value;
        left -= taken;
    }
    return sum;
}
#endif
