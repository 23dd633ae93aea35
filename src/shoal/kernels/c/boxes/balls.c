/* The two covers of Meyerson and Williams, from distances alone: by balls around rows, and by all small subsets with their diameters. */
#include <float.h>
#include "../base/heap.h"
#include "../base/status.h"
#include "boxes.h"
#include "cover.h"

struct shoal_balls {
    Bag bag;
    Cover cover;
    shoal_table t;
    shoal_balls_ask ask;
    double *reach; /* least radius of a ball of k rows around each tuple */
    double *key;   /* price of the best ball around each tuple, or less */
    char *guess;   /* whether the key is only known to be no more than the price */
    int32_t *heap;
    int32_t *ball;           /* the tuples of a ball */
    int32_t *open, n_listed; /* tuples with open rows, and some without */
    int32_t *near;           /* the nearest open tuples of a centre, and how far they are */
    double *far;
    int32_t begun;           /* tuples that have a first key */
    int64_t work;            /* tuples looked at */
};
typedef struct shoal_balls Balls;

/* A ball: how dear it is per open row, how wide, and how many places of its centre's list it takes. */
typedef struct {
    double each, radius;
    int32_t places;
} Ball;

/* The list of a tuple: itself, then its neighbours by distance. Returns the tuple at a place, or -1 at the end. */
static inline int32_t at(const Balls *b, int32_t c, int32_t place, double *d)
{
    if (place == 0) {
        *d = b->ask.own[c];
        return c;
    }
    if (place > b->ask.width)
        return -1;
    *d = b->ask.distance[(int64_t)c * b->ask.width + place - 1];
    return b->ask.index[(int64_t)c * b->ask.width + place - 1];
}

static double apart(const Balls *b, int32_t s, int32_t u)
{
    double total = 0;
    for (int32_t j = 0; j < b->t.q; j++)
        total += prices_of(&b->t, j)[join_in(&b->t, j, leaf_of(&b->t, s, j), leaf_of(&b->t, u, j))];
    return total;
}

/* A ball that reaches `d` and brings `open` rows may be better than the best so far. */
static inline void try_ball(const Balls *b, int32_t c, double d, int64_t open, int32_t places, Ball *best)
{
    double r = d > b->reach[c] ? d : b->reach[c], each = r / (double)(open < b->cover.cap ? open : b->cover.cap);
    if (each < best->each || (each == best->each && r == best->radius))
        *best = (Ball){each, r, places};
}

/* The cheapest ball around c over its list. Notes a guess where a farther open row might make a cheaper one. */
static Ball listed(Balls *b, int32_t c)
{
    const Cover *v = &b->cover;
    Ball best = {DBL_MAX, 0, 0};
    double d = 0, last = 0;
    int64_t open = 0;
    int32_t place = 0, t;
    for (; open < v->cap && (t = at(b, c, place, &d)) >= 0; place++) {
        last = d;
        if (!v->open[t])
            continue;
        open += v->open[t];
        try_ball(b, c, d, open, place + 1, &best);
    }
    b->guess[c] = 0;
    b->work += place + 1;
    if (open < v->cap && open < v->n_open && b->ask.width < b->t.n - 1) {
        double r = last > b->reach[c] ? last : b->reach[c], floor = r / (double)(v->n_open < v->cap ? v->n_open : v->cap);
        if (floor < best.each)
            best.each = floor, b->guess[c] = 1;
    }
    return best;
}

/* The nearest open tuples of c among all, by distance, as many as can matter; returns their number. */
static int32_t nearest_open(Balls *b, int32_t c)
{
    int32_t m = 0, kept = 0, cap = b->cover.cap;
    for (int32_t i = 0; i < b->n_listed; i++) {
        int32_t t = b->open[i];
        if (!b->cover.open[t])
            continue;
        b->open[kept++] = t;
        double d = t == c ? b->ask.own[c] : apart(b, c, t);
        if (m == cap && d >= b->far[m - 1])
            continue;
        int32_t place = m < cap ? m++ : m - 1;
        for (; place > 0 && b->far[place - 1] > d; place--)
            b->far[place] = b->far[place - 1], b->near[place] = b->near[place - 1];
        b->far[place] = d;
        b->near[place] = t;
    }
    b->work += (int64_t)b->n_listed * (b->t.q + 1);
    b->n_listed = kept;
    return m;
}

static Ball scanned(Balls *b, int32_t c)
{
    Ball best = {DBL_MAX, 0, 0};
    int64_t open = 0;
    int32_t m = nearest_open(b, c);
    for (int32_t i = 0; i < m && open < b->cover.cap; i++) {
        open += b->cover.open[b->near[i]];
        try_ball(b, c, b->far[i], open, i + 1, &best);
    }
    return best;
}

HEAP(centres, int32_t, const Balls *, c->key[*a] < c->key[*b] || (c->key[*a] == c->key[*b] && *a < *b))

/* Take the ball around c: its nearest open rows first, then the rows of its list within the radius to fill up. */
static void take_ball(Balls *b, int32_t c, const Ball *ball, int by_scan)
{
    int32_t m = 0, t;
    double d;
    if (by_scan)
        for (; m < ball->places; m++)
            b->ball[m] = b->near[m];
    else
        for (int32_t i = 0; i < ball->places; i++)
            if ((t = at(b, c, i, &d)) >= 0 && b->cover.open[t])
                b->ball[m++] = t;
    int64_t open = 0;
    for (int32_t i = 0; i < m; i++)
        open += b->cover.open[b->ball[i]];
    for (int32_t i = 0; open < b->cover.k && (t = at(b, c, i, &d)) >= 0 && d <= ball->radius; i++)
        if (cover_held(&b->cover, t) && !b->cover.open[t])
            b->ball[m++] = t;
    cover_add(&b->cover, b->ball, 0, m);
}

/* The first key of each tuple, of as many as the work allows. */
static void begin(Balls *b, int64_t work)
{
    for (; b->begun < b->t.n && b->work < work; b->begun++) {
        int32_t c = b->begun, t;
        int64_t held = 0;
        double d = 0;
        for (int32_t i = 0; held < b->cover.k && (t = at(b, c, i, &d)) >= 0; i++)
            held += b->t.weight[t], b->reach[c] = d;
        b->key[c] = listed(b, c).each;
        b->heap[c] = b->open[c] = c;
    }
    if (b->begun == b->t.n && !b->n_listed) {
        b->n_listed = (int32_t)b->t.n;
        centres_make(b, b->heap, b->t.n);
    }
}

/* Look at the cheapest ball, and take it if it is what it seemed to be. Returns 0 where no ball is below the limit. */
static int step(Balls *b)
{
    int32_t c = b->heap[0];
    int by_scan = 0;
    Ball now = listed(b, c);
    if (b->guess[c] && now.each <= b->key[c])
        now = scanned(b, c), by_scan = 1, b->guess[c] = 0;
    if (now.each > b->key[c]) {
        b->key[c] = now.each;
        centres_down(b, b->heap, b->t.n, 0);
        if (b->heap[0] != c || b->guess[c])
            return 1;
    }
    if (now.each >= b->ask.limit)
        return 0;
    take_ball(b, c, &now, by_scan);
    return 1;
}

shoal_balls *shoal_balls_new(const shoal_table *t, const shoal_balls_ask *ask)
{
    shoal_balls *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->t = *t, b->ask = *ask;
    cover_new(&b->cover, &(shoal_table){.n = t->n, .weight = t->weight}, ask->k, &b->bag);
    int64_t n = t->n, most = b->cover.cap + ask->width + 2;
    TAKE(&b->bag, b->reach, n), TAKE(&b->bag, b->key, n);
    b->guess = take_zeros(&b->bag, n, 1);
    TAKE(&b->bag, b->heap, n), TAKE(&b->bag, b->open, n), TAKE(&b->bag, b->ball, most), TAKE(&b->bag, b->near, most), TAKE(&b->bag, b->far, most);
    if (b->bag.failed) {
        shoal_balls_free(b);
        return NULL;
    }
    return b;
}

int64_t shoal_balls_run(shoal_balls *b, int64_t work)
{
    b->work = 0;
    begin(b, work);
    while (b->cover.n_open > b->ask.leave && b->work < work)
        if (!step(b))
            return SHOAL_OK;
    return b->cover.n_open > b->ask.leave ? SHOAL_STOPPED : SHOAL_OK;
}

int64_t shoal_balls_finish(shoal_balls *b)
{
    int32_t m = 0, from = 0, *all = b->heap;
    for (int32_t pass = 1; pass >= 0; pass--) /* open tuples first, the others to fill up */
        for (int32_t t = 0; t < b->t.n; t++)
            if ((b->cover.open[t] > 0) == pass)
                all[m++] = t;
    while (b->cover.n_open > b->ask.leave) {
        while (b->cover.open[all[from]] == 0)
            from++;
        cover_add(&b->cover, all, from, m);
    }
    return SHOAL_OK;
}

void shoal_balls_groups(const shoal_balls *b, int32_t *owner)
{
    memcpy(owner, b->cover.owner, (size_t)b->cover.slot[b->t.n] * sizeof *owner);
}

void shoal_balls_free(shoal_balls *b)
{
    if (b)
        bag_end(&b->bag, 0);
    free(b);
}

typedef struct {
    Cover *cover;
    const double *distance;
    int32_t n, *chosen, *best, n_best;
    double least;
} Subsets;

/* All subsets of k to 2k - 1 rows that begin with the rows chosen; the one of least diameter per open row is kept. */
static void extend(Subsets *s, int32_t m, int32_t from, double diameter, int32_t open)
{
    const Cover *c = s->cover;
    if (m >= c->k && open > 0 && diameter / open < s->least) {
        s->least = diameter / open;
        s->n_best = m;
        memcpy(s->best, s->chosen, (size_t)m * sizeof *s->best);
    }
    if (m == c->cap || diameter / (open + c->cap - m) >= s->least)
        return;
    for (int32_t r = from; r < s->n; r++) {
        double wider = diameter;
        for (int32_t i = 0; i < m; i++) {
            double d = s->distance[(int64_t)s->chosen[i] * s->n + r];
            wider = d > wider ? d : wider;
        }
        s->chosen[m] = r;
        extend(s, m + 1, r + 1, wider, open + (c->open[r] > 0));
    }
}

int64_t shoal_diameters(const double *distance, int32_t n, const shoal_balls_ask *ask, int32_t *owner)
{
    Cover c;
    Bag bag = {0};
    int64_t *ones = take(&bag, n, sizeof *ones);
    for (int32_t i = 0; ones && i < n; i++)
        ones[i] = 1;
    if (ones)
        cover_new(&c, &(shoal_table){.n = n, .weight = ones}, ask->k, &bag);
    Subsets s = {.cover = &c, .distance = distance, .n = n};
    TAKE(&bag, s.chosen, 2 * ask->k), TAKE(&bag, s.best, 2 * ask->k);
    while (!bag.failed && c.n_open > ask->leave) {
        s.least = DBL_MAX;
        s.n_best = 0;
        extend(&s, 0, 0, 0.0, 0);
        if (s.least >= ask->limit)
            break;
        cover_add(&c, s.best, 0, s.n_best);
    }
    if (!bag.failed)
        memcpy(owner, c.owner, (size_t)n * sizeof *owner);
    return bag_end(&bag, SHOAL_OK);
}
