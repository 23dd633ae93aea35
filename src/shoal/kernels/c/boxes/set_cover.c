/* Greedy set cover over the closed boxes of a table, in rounds.
 *
 * A round walks the boxes whose price per newly covered row is below a limit, keeps them with their tuples, and takes the cheapest
 * again and again. Prices only grow as rows get covered, so an old price is computed again when its box comes up, and a box that was too dear
 * for the round stays too dear: the order is exactly that of the greedy algorithm. If the boxes of a round do not fit the room, the
 * limit is lowered; if all of them cost the same, they are taken as they are met.
 *
 * Where rows pay differently, tuples come numbered by what is taken off, most first, and a box costs what its cheapest set does (priced.h). */
#include <float.h>
#include "../base/heap.h"
#include "boxes.h"
#include "cover.h"
#include "priced.h"
#include "walk.h"

struct shoal_set_cover {
    Bag bag;
    Cover cover;
    Walk walk;
    Priced priced;
    double *off;  /* where rows pay differently: what each tuple's leaves take off; else NULL */
    int32_t next; /* of the tuples before it, no rows are open: deletion looks from here on */
    int64_t room, used, n_boxes, leave; /* tuples that may be kept, and are; boxes kept; rows that may stay open */
    int32_t *pool, *spare;
    int64_t *start, *from, max_boxes; /* from: place of the first tuple of each box that may have open rows */
    double *price, *each;
    int64_t *heap, n_heap;
    double done; /* no box is cheaper than this */
    int at_once; /* take boxes as they are met */
    int failed;
};

void shoal_set_cover_free(shoal_set_cover *s)
{
    if (s)
        bag_end(&s->bag, 0);
    free(s);
}

/* Price per open row; moves *from past tuples without. */
static double per_row(const shoal_set_cover *s, double price, const int32_t *tuples, int64_t *from, int64_t m)
{
    int64_t open = 0;
    if (s->off)
        return pick_rows(&s->priced, s->off, tuples, m, price).each;
    while (*from < m && s->cover.open[tuples[*from]] == 0)
        ++*from;
    for (int64_t i = *from; i < m && open < s->cover.most; i++)
        open += s->cover.open[tuples[i]];
    return open ? price / (double)(open < s->cover.most ? open : s->cover.most) : DBL_MAX;
}

ORDER(in_order, int32_t, *a < *b)

/* The same tuples, cheapest row first. */
static const int32_t *sorted(shoal_set_cover *s, const int32_t *tuples, int32_t m)
{
    memcpy(s->spare, tuples, (size_t)m * sizeof *tuples);
    qsort(s->spare, (size_t)m, sizeof *tuples, in_order);
    return s->spare;
}

/* Add the best set of a box. Rows that pay no more in the box than the set in all may fill it up: their groups stay as cheap as the proof needs. */
static void take_box(shoal_set_cover *s, double price, const int32_t *tuples, int64_t from, int64_t m)
{
    if (s->off) {
        tuples = sorted(s, tuples, (int32_t)m);
        Pick best = pick_rows(&s->priced, s->off, tuples, m, price);
        while (m && price - s->off[tuples[m - 1]] > best.whole)
            m--;
        s->cover.most = best.fresh;
    }
    cover_add(&s->cover, tuples, from, m);
}

/* Delete open rows, those first that it costs least for, as long as that costs less than this. */
static void delete_below(shoal_set_cover *s, double limit)
{
    if (!s->off || s->cover.deletion >= DBL_MAX)
        return;
    for (; s->next < s->walk.t.n && s->cover.n_open > s->leave; s->next++) {
        double price = s->cover.deletion - s->off[s->next];
        if (!s->cover.open[s->next])
            continue;
        if (price >= limit) {
            if (price < s->walk.least && price >= s->walk.limit)
                s->walk.least = price;
            return;
        }
        cover_delete(&s->cover, s->next);
    }
}

ORDER(ascending, double, *a < *b)

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
        s->start[kept] = used;
        s->from[kept] = 0;
        s->price[kept] = s->price[i];
        s->each[kept++] = s->each[i];
        used += length;
    }
    s->start[kept] = used;
    s->n_boxes = kept;
    s->used = used;
    s->walk.limit = limit;
    if (limit < s->walk.least)
        s->walk.least = limit;
}

static void cover_at_once(shoal_set_cover *s, Walk *w, const int32_t *tuples, int32_t m, double price)
{
    int64_t from = 0;
    while (s->cover.n_open > s->leave && per_row(s, price, tuples, &from, m) < w->limit)
        take_box(s, price, tuples, from, m);
    if (s->cover.n_open <= s->leave)
        w->stop = 1;
}

static void keep(Walk *w, const int32_t *tuples, int32_t m, double price, int64_t opened)
{
    shoal_set_cover *s = w->about;
    int64_t from = 0;
    if (s->at_once) {
        cover_at_once(s, w, tuples, m, price);
        return;
    }
    double each = s->off ? per_row(s, price, tuples, &from, m) : price / (double)(opened < w->cap ? opened : w->cap);
    while (each < w->limit && (s->used + m > s->room || s->n_boxes + 1 >= s->max_boxes) && s->n_boxes && !s->failed)
        lower(s);
    if (each >= w->limit && each < w->least)
        w->least = each;
    if (each >= w->limit || s->failed)
        return;
    if (m > s->room) { /* one box alone: only the root of a table larger than the room */
        s->failed = w->stop = 1;
        return;
    }
    memcpy(s->pool + s->used, tuples, (size_t)m * sizeof *tuples);
    s->price[s->n_boxes] = price;
    s->each[s->n_boxes] = each;
    s->start[s->n_boxes] = s->used;
    s->from[s->n_boxes] = 0;
    s->used += m;
    s->start[++s->n_boxes] = s->used;
}

HEAP(boxes, int64_t, const shoal_set_cover *, c->each[*a] < c->each[*b] || (c->each[*a] == c->each[*b] && *a < *b))

/* Take the cheapest of the boxes kept until none is below the limit. */
static void take_cheapest(shoal_set_cover *s)
{
    s->n_heap = s->n_boxes;
    for (int64_t i = 0; i < s->n_heap; i++)
        s->heap[i] = i;
    boxes_make(s, s->heap, s->n_heap);
    while (s->n_heap && s->cover.n_open > s->leave) {
        int64_t box = s->heap[0];
        delete_below(s, s->each[box]);
        const int32_t *tuples = s->pool + s->start[box];
        int64_t m = s->start[box + 1] - s->start[box];
        double now = per_row(s, s->price[box], tuples, &s->from[box], m);
        if (now == s->each[box]) {
            take_box(s, s->price[box], tuples, s->from[box], m);
            continue;
        }
        s->each[box] = now;
        if (now >= s->walk.limit) {
            if (now < s->walk.least)
                s->walk.least = now;
            s->heap[0] = s->heap[--s->n_heap];
        }
        boxes_down(s, s->heap, s->n_heap, 0);
    }
    delete_below(s, s->walk.limit);
}

shoal_set_cover *shoal_set_cover_new(const shoal_table *t, const double *offset, double deletion, int32_t k, int32_t most, int64_t room)
{
    shoal_set_cover *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->room = room < t->n ? t->n : room;
    s->max_boxes = s->room / 4 + 2;
    TAKE(&s->bag, s->pool, s->room), TAKE(&s->bag, s->start, s->max_boxes), TAKE(&s->bag, s->price, s->max_boxes);
    TAKE(&s->bag, s->each, s->max_boxes), TAKE(&s->bag, s->heap, s->max_boxes), TAKE(&s->bag, s->from, s->max_boxes);
    walk_new(&s->walk, t, k, offset ? k : most, &s->bag);
    cover_new(&s->cover, t, k, &s->bag);
    if (offset && !s->bag.failed) {
        TAKE(&s->bag, s->spare, t->n);
        priced_new(&s->priced, s->cover.open, t->weight, k, &s->bag);
        if (TAKE(&s->bag, s->off, t->n))
            walk_offsets(&s->walk, offset, s->off, &s->bag);
    }
    if (s->bag.failed) {
        shoal_set_cover_free(s);
        return NULL;
    }
    s->cover.most = most;
    s->cover.deletion = deletion;
    s->walk.open = s->cover.open;
    s->walk.visit = keep;
    s->walk.about = s;
    return s;
}

int64_t shoal_set_cover_round(shoal_set_cover *s, double limit, int64_t leave, double *report)
{
    s->leave = leave;
    s->used = s->n_boxes = 0;
    s->failed = s->at_once = 0;
    s->walk.limit = limit;
    walk_all(&s->walk);
    if (s->failed)
        return SHOAL_NO_MEMORY;
    take_cheapest(s);
    report[2] = (double)s->n_boxes;
    if (s->walk.limit <= s->done && s->cover.n_open > leave) {
        /* All that did not fit costs the same: nothing is cheaper, so take it as it is met. */
        double tie = s->walk.limit;
        s->at_once = 1;
        s->walk.limit = tie + (tie > 0 ? tie * 4 * DBL_EPSILON : DBL_MIN);
        walk_all(&s->walk);
        delete_below(s, s->walk.limit);
    }
    s->done = s->walk.limit;
    report[0] = s->done;
    report[1] = s->walk.least;
    return s->cover.n_open;
}

int64_t shoal_set_cover_finish(shoal_set_cover *s, int64_t leave)
{
    int32_t *all = s->walk.rows, m = 0, from = 0; /* from: the first that may be open */
    if (s->off)
        s->cover.most = s->cover.cap;
    for (int32_t pass = 1; pass >= 0; pass--)     /* open tuples first, the others to fill up */
        for (int32_t t = 0; t < s->walk.t.n; t++)
            if ((s->cover.open[t] > 0) == pass)
                all[m++] = t;
    while (s->cover.n_open > leave) {
        while (s->cover.open[all[from]] == 0)
            from++;
        cover_add(&s->cover, all, from, m);
    }
    return s->cover.n_open;
}

int64_t shoal_set_cover_open(const shoal_set_cover *s) { return s->cover.n_open; }

int64_t shoal_set_cover_groups(const shoal_set_cover *s, int32_t *owner)
{
    int64_t n = s->cover.slot[s->walk.t.n];
    for (int64_t i = 0; i < n; i++)
        owner[i] = s->cover.owner[i] == DELETED ? -1 : s->cover.owner[i];
    return n;
}
