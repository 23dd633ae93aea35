/* Greedy set cover over the closed boxes of a table, in rounds.

   A round walks the boxes whose price per newly covered row is below a limit, keeps them with their tuples, and takes the cheapest
   again and again. Prices only grow as rows get covered, so a stale one is looked at anew when it comes up, and a box
   that was too dear for the round stays too dear: the order is exactly that of the greedy algorithm. If the boxes of a round
   do not fit the room, the limit is lowered; if all of them cost the same, they are taken as they are met. */
#include "set_cover.h"
#include "closed.inc"
#include "cover.inc"

struct shoal_set_cover {
    Cover cover;
    Walk walk;
    int64_t room, used, n_boxes, leave; /* tuples that may be kept, and are; boxes kept; rows that may stay open */
    int32_t *pool;
    int64_t *start, *from, max_boxes; /* from: place of the first tuple of each box that may have open rows */
    double *price, *each;
    int64_t *heap, n_heap;
    double done;  /* no box is cheaper than this */
    int at_once;  /* take boxes as they are met */
    int failed;
};

void shoal_set_cover_free(shoal_set_cover *s)
{
    if (!s)
        return;
    cover_free(&s->cover);
    walk_free(&s->walk);
    free(s->pool), free(s->start), free(s->from), free(s->price), free(s->each), free(s->heap);
    free(s);
}

/* Price per open row; moves *from past tuples without. */
static double per_row(const shoal_set_cover *s, double price, const int32_t *tuples, int64_t *from, int64_t m)
{
    int64_t open = 0;
    while (*from < m && s->cover.open[tuples[*from]] == 0)
        ++*from;
    for (int64_t i = *from; i < m && open < s->cover.most; i++)
        open += s->cover.open[tuples[i]];
    return open ? price / (double)(open < s->cover.most ? open : s->cover.most) : DBL_MAX;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Lower the limit to the median of the prices kept, and forget the boxes at or above it. */
static void lower(shoal_set_cover *s)
{
    double *sorted = malloc((size_t)s->n_boxes * sizeof *sorted);
    if (!sorted) {
        s->failed = s->walk.stop = 1;
        return;
    }
    memcpy(sorted, s->each, (size_t)s->n_boxes * sizeof *sorted);
    qsort(sorted, (size_t)s->n_boxes, sizeof *sorted, ascending);
    double limit = sorted[s->n_boxes / 2];
    free(sorted);
    int64_t kept = 0, used = 0;
    for (int64_t i = 0; i < s->n_boxes; i++) {
        int64_t length = s->start[i + 1] - s->start[i];
        if (s->each[i] >= limit)
            continue;
        memmove(s->pool + used, s->pool + s->start[i], (size_t)length * sizeof *s->pool);
        s->start[kept] = used, s->from[kept] = 0, s->price[kept] = s->price[i], s->each[kept] = s->each[i];
        used += length, kept++;
    }
    s->start[kept] = used;
    s->n_boxes = kept, s->used = used;
    s->walk.limit = limit;
    if (limit < s->walk.least)
        s->walk.least = limit;
}

static void keep(Walk *w, const int32_t *tuples, int32_t m, double price, int64_t held, int64_t opened)
{
    shoal_set_cover *s = w->about;
    (void)held;
    if (s->at_once) {
        int64_t from = 0;
        while (s->cover.n_open > s->leave && per_row(s, price, tuples, &from, m) < w->limit)
            cover_add(&s->cover, tuples, from, m);
        if (s->cover.n_open <= s->leave)
            w->stop = 1;
        return;
    }
    double each = price / (double)(opened < w->cap ? opened : w->cap);
    while (each < w->limit && (s->used + m > s->room || s->n_boxes + 1 >= s->max_boxes) && s->n_boxes && !s->failed)
        lower(s);
    if (each >= w->limit || s->failed)
        return;
    if (m > s->room) { /* one box alone: only the root of a table larger than the room */
        s->failed = w->stop = 1;
        return;
    }
    memcpy(s->pool + s->used, tuples, (size_t)m * sizeof *tuples);
    s->price[s->n_boxes] = price, s->each[s->n_boxes] = each;
    s->start[s->n_boxes] = s->used, s->from[s->n_boxes] = 0;
    s->used += m;
    s->start[++s->n_boxes] = s->used;
}

static int before(const shoal_set_cover *s, int64_t a, int64_t b) { return s->each[a] < s->each[b] || (s->each[a] == s->each[b] && a < b); }

static void sink(shoal_set_cover *s, int64_t at)
{
    int64_t box = s->heap[at];
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child >= s->n_heap)
            break;
        if (child + 1 < s->n_heap && before(s, s->heap[child + 1], s->heap[child]))
            child++;
        if (!before(s, s->heap[child], box))
            break;
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = box;
}

/* Take the cheapest of the boxes kept until none is below the limit. */
static void take(shoal_set_cover *s)
{
    s->n_heap = s->n_boxes;
    for (int64_t i = 0; i < s->n_heap; i++)
        s->heap[i] = i;
    for (int64_t i = s->n_heap / 2; i-- > 0;)
        sink(s, i);
    while (s->n_heap && s->cover.n_open > s->leave) {
        int64_t box = s->heap[0];
        const int32_t *tuples = s->pool + s->start[box];
        int64_t m = s->start[box + 1] - s->start[box];
        double now = per_row(s, s->price[box], tuples, &s->from[box], m);
        if (now == s->each[box]) {
            cover_add(&s->cover, tuples, s->from[box], m);
            continue;
        }
        s->each[box] = now;
        if (now >= s->walk.limit) {
            if (now < s->walk.least)
                s->walk.least = now;
            s->heap[0] = s->heap[--s->n_heap];
        }
        if (s->n_heap)
            sink(s, 0);
    }
}

shoal_set_cover *shoal_set_cover_new(const int32_t *parent, const int64_t *first, const double *price, int32_t q, const int32_t *codes,
                                     const int64_t *weight, int32_t n_tuples, int32_t k, int32_t most, int64_t room)
{
    shoal_set_cover *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    Walk *w = &s->walk;
    w->n = n_tuples, w->q = q, w->k = k, w->cap = most, w->codes = codes, w->parent = parent, w->first = first, w->weight = weight;
    w->price = price, w->visit = keep, w->about = s;
    s->room = room < n_tuples ? n_tuples : room;
    s->max_boxes = s->room / 4 + 2;
    s->pool = malloc((size_t)s->room * sizeof *s->pool), s->start = malloc(((size_t)s->max_boxes + 1) * sizeof *s->start);
    s->price = malloc((size_t)s->max_boxes * sizeof *s->price), s->each = malloc((size_t)s->max_boxes * sizeof *s->each);
    s->heap = malloc((size_t)s->max_boxes * sizeof *s->heap), s->from = malloc((size_t)s->max_boxes * sizeof *s->from);
    if (!s->pool || !s->start || !s->price || !s->each || !s->heap || !s->from || walk_new(w) || cover_new(&s->cover, n_tuples, q, k, weight)) {
        shoal_set_cover_free(s);
        return NULL;
    }
    s->cover.codes = codes, s->cover.parent = parent, s->cover.first = first, s->cover.price = price;
    s->cover.most = most;
    w->open = s->cover.open;
    return s;
}

/* One round: every box below the limit, until no more than `leave` rows are open. report: what no box is now cheaper than, the least
   price seen at or above that, boxes kept. Returns -1 where memory is short. */
int shoal_set_cover_round(shoal_set_cover *s, double limit, int64_t leave, double *report)
{
    s->leave = leave, s->used = s->n_boxes = 0, s->failed = 0, s->at_once = 0;
    s->walk.limit = limit;
    walk_all(&s->walk);
    if (s->failed)
        return -1;
    take(s);
    report[2] = (double)s->n_boxes;
    if (s->walk.limit <= s->done && s->cover.n_open > leave) {
        /* All that did not fit costs the same: nothing is cheaper, so take it as it is met. */
        double tie = s->walk.limit;
        s->at_once = 1;
        s->walk.limit = tie + (tie > 0 ? tie * 4 * DBL_EPSILON : DBL_MIN);
        walk_all(&s->walk);
    }
    s->done = s->walk.limit;
    report[0] = s->done, report[1] = s->walk.least;
    return 0;
}

/* Cover what is open with sets of any rows, as dear as they are: for a run that must end. */
void shoal_set_cover_finish(shoal_set_cover *s, int64_t leave)
{
    int32_t *all = s->walk.rows, m = 0, from = 0; /* from: the first that may be open */
    for (int32_t pass = 1; pass >= 0; pass--) /* open tuples first, the others as fillers */
        for (int32_t t = 0; t < s->walk.n; t++)
            if ((s->cover.open[t] > 0) == pass)
                all[m++] = t;
    while (s->cover.n_open > leave) {
        while (s->cover.open[all[from]] == 0)
            from++;
        cover_add(&s->cover, all, from, m);
    }
}

int64_t shoal_set_cover_open(const shoal_set_cover *s) { return s->cover.n_open; }

void shoal_set_cover_groups(const shoal_set_cover *s, int32_t *owner)
{
    memcpy(owner, s->cover.owner, (size_t)s->cover.slot[s->walk.n] * sizeof *owner);
}
