/* Groups whose prices exceed what they pay: in each box by a search over its rows, dearest first.
 *
 * A group of k to 2k - 1 rows of a box exceeds by the sum of its rows' gains (price less what the box pays), less the prices of the cuts that it
 * meets. Cuts only lower that: so the gains of the dearest rows that are left bound what can still be reached, and gains fall along the list. */
#include "../base/memory.h"
#include "boxes.h"

typedef struct {
    shoal_dear_groups_ask *ask;
    int32_t most;    /* 2k - 1 */
    int32_t len;     /* rows of the box, a tuple as often as it has rows, up to 2k - 1 of them */
    int32_t n_gains; /* so many of them gain: the first ones */
    int32_t *list;
    double *gain;
    double *sum; /* of the gains before each row */
    int64_t *met; /* what counts in each cut so far */
    int32_t taken[SHOAL_MOST_GROUP];
    double best; /* what is to be exceeded */
    int64_t n_found, n_before;
    int64_t failed; /* why the search ended early, or 0 */
} Search;

/* Keep the rows taken: as one more group, or in place of what the box had. */
static void keep(Search *s, int32_t m, double excess)
{
    shoal_dear_groups_ask *ask = s->ask;
    int64_t at = ask->every ? s->n_found : s->n_before;
    if (at >= ask->most_groups) {
        s->failed = SHOAL_TOO_LARGE;
        return;
    }
    int32_t *rows = ask->rows + at * s->most;
    for (int32_t i = 0; i < s->most; i++)
        rows[i] = i < m ? s->taken[i] : -1;
    ask->excess[at] = excess;
    s->n_found = at + 1;
    if (!ask->every)
        s->best = excess;
}

/* What can be reached at most by m rows of this excess, if row i of the list is taken next. */
static double reach(const Search *s, int32_t i, int32_t m, double excess)
{
    int32_t must = s->ask->k > m ? (int32_t)s->ask->k - m : 1, next = i + must, end = next + s->most - m - must;
    double sum = excess + s->sum[next] - s->sum[i];
    end = end < s->n_gains ? end : s->n_gains;
    return end > next ? sum + s->sum[end] - s->sum[next] : sum;
}

/* Count one more row of a tuple in its cuts (or one less, by -1): the prices of those that it completes. */
static double count(Search *s, int32_t tuple, int32_t way)
{
    const shoal_group_cuts *cuts = s->ask->cuts;
    double paid = 0;
    for (int64_t at = cuts->start[tuple], end = cuts->start[tuple + 1]; at < end; at++) {
        int32_t cut = cuts->cut[at];
        int64_t before = s->met[cut] / cuts->divisor[cut];
        s->met[cut] += way * cuts->times[at];
        paid += cuts->price[cut] * (double)(s->met[cut] / cuts->divisor[cut] - before);
    }
    return paid;
}

static void extend(Search *s, int32_t from, int32_t m, double excess)
{
    shoal_dear_groups_ask *ask = s->ask;
    if (m >= ask->k && excess > s->best)
        keep(s, m, excess);
    if (++ask->work > ask->most_work)
        s->failed = SHOAL_TOO_LARGE;
    else if (ask->stop && *ask->stop)
        s->failed = SHOAL_STOPPED;
    int32_t must = ask->k > m ? (int32_t)ask->k - m : 1;
    for (int32_t i = from; m < s->most && i + must <= s->len && !s->failed; i++) {
        double most = reach(s, i, m, excess);
        if (most <= s->best)
            return;
        int32_t tuple = s->list[i];
        double paid = count(s, tuple, 1);
        s->taken[m] = tuple;
        if (most - paid > s->best)
            extend(s, i + 1, m + 1, excess + s->gain[i] - paid);
        count(s, tuple, -1);
        while (i + 1 < s->len && s->list[i + 1] == tuple) /* equal rows make the same groups */
            i++;
    }
}

/* List the rows of a box by falling price. `place` is where each tuple stands in that order, `is_in` is all zero. */
static void list_rows(Search *s, const shoal_boxes *boxes, int64_t b, const int32_t *place, uint8_t *is_in)
{
    const shoal_dear_groups_ask *ask = s->ask;
    int64_t first = ask->n, last = -1;
    for (int64_t i = boxes->start[b]; i < boxes->start[b + 1]; i++) {
        int64_t at = place[boxes->tuples[i]];
        is_in[at] = 1;
        first = at < first ? at : first;
        last = at > last ? at : last;
    }
    s->len = s->n_gains = 0;
    s->sum[0] = 0;
    for (int64_t at = first; at <= last; at++) {
        int32_t tuple = ask->order[at];
        double gain = ask->y[tuple] - boxes->price[b];
        for (int64_t row = 0; is_in[at] && row < ask->weight[tuple] && row < s->most; row++, s->len++) {
            s->list[s->len] = tuple;
            s->gain[s->len] = gain;
            s->sum[s->len + 1] = s->sum[s->len] + gain;
            s->n_gains += gain > 0;
        }
        is_in[at] = 0;
    }
}

int64_t shoal_dear_groups(const shoal_boxes *boxes, shoal_dear_groups_ask *ask)
{
    Bag bag = {0};
    Search s = {.ask = ask, .most = (int32_t)(2 * ask->k - 1)};
    int32_t *place;
    uint8_t *is_in;
    if (ask->k < 1 || s.most > SHOAL_MOST_GROUP)
        return SHOAL_BAD_ARGUMENT;
    TAKE(&bag, s.list, ask->n * s.most);
    TAKE(&bag, s.gain, ask->n * s.most);
    TAKE(&bag, s.sum, ask->n * s.most);
    TAKE_ZEROS(&bag, s.met, ask->cuts->n);
    TAKE(&bag, place, ask->n);
    TAKE_ZEROS(&bag, is_in, ask->n);
    ask->work = 0;
    for (int64_t at = 0; at < ask->n && !bag.failed; at++)
        place[ask->order[at]] = (int32_t)at;
    for (int64_t b = 0; b < boxes->n && !bag.failed && !s.failed; b++) {
        list_rows(&s, boxes, b, place, is_in);
        s.best = ask->least;
        s.n_before = s.n_found;
        extend(&s, 0, 0, 0.0);
    }
    return bag_end(&bag, s.failed ? s.failed : s.n_found);
}
