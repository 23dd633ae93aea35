/* The two covers of Meyerson and Williams, from distances alone: by balls around rows, and by all small subsets with their diameters. */
#include <float.h>
#include "balls.h"
#include "cover.inc"

typedef struct {
    Cover cover;
    const int32_t *parent, *codes, *index;
    const int64_t *first, *weight;
    const double *price, *distance, *own;
    int32_t n, q, width;
    double *reach;  /* least radius of a ball of k rows around each tuple */
    double *key;    /* price of the best ball around each tuple, or less */
    char *guess;    /* whether the key is only known to be no more than the price */
    int32_t *heap, n_heap;
    int32_t *ball;           /* the tuples of a ball */
    int32_t *open, n_listed; /* tuples with open rows, and some without */
    int32_t *near;           /* the nearest open tuples of a centre, and how far they are */
    double *far;
} Balls;

/* The list of a tuple: itself, then its neighbours by distance. Returns the tuple at a place, or -1 at the end. */
static inline int32_t at(const Balls *b, int32_t c, int32_t place, double *d)
{
    if (place == 0) {
        *d = b->own[c];
        return c;
    }
    if (place > b->width)
        return -1;
    *d = b->distance[(int64_t)c * b->width + place - 1];
    return b->index[(int64_t)c * b->width + place - 1];
}

static double apart(const Balls *b, int32_t s, int32_t t)
{
    double total = 0;
    for (int32_t j = 0; j < b->q; j++)
        total += b->price[b->first[j] + join(b->parent + b->first[j], b->codes[(int64_t)s * b->q + j], b->codes[(int64_t)t * b->q + j])];
    return total;
}

/* The cheapest ball around c over its list. Sets *guess where a farther open row might make a cheaper one. */
static double listed(const Balls *b, int32_t c, double *radius, int32_t *places, char *guess)
{
    const Cover *v = &b->cover;
    double best = DBL_MAX, d = 0, last = 0;
    int64_t open = 0;
    int32_t place = 0, t;
    for (; open < v->cap && (t = at(b, c, place, &d)) >= 0; place++) {
        last = d;
        if (!v->open[t])
            continue;
        open += v->open[t];
        double r = d > b->reach[c] ? d : b->reach[c], each = r / (double)(open < v->cap ? open : v->cap);
        if (each < best || (each == best && r == *radius))
            best = each, *radius = r, *places = place + 1;
    }
    *guess = 0;
    if (open < v->cap && open < v->n_open && b->width < b->n - 1) {
        double r = last > b->reach[c] ? last : b->reach[c], floor = r / (double)(v->n_open < v->cap ? v->n_open : v->cap);
        if (floor < best)
            best = floor, *guess = 1;
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
        double d = t == c ? b->own[c] : apart(b, c, t);
        if (m == cap && d >= b->far[m - 1])
            continue;
        int32_t place = m < cap ? m++ : m - 1;
        for (; place > 0 && b->far[place - 1] > d; place--)
            b->far[place] = b->far[place - 1], b->near[place] = b->near[place - 1];
        b->far[place] = d, b->near[place] = t;
    }
    b->n_listed = kept;
    return m;
}

static double scanned(Balls *b, int32_t c, double *radius, int32_t *places)
{
    double best = DBL_MAX;
    int64_t open = 0;
    int32_t m = nearest_open(b, c), cap = b->cover.cap;
    for (int32_t i = 0; i < m && open < cap; i++) {
        open += b->cover.open[b->near[i]];
        double r = b->far[i] > b->reach[c] ? b->far[i] : b->reach[c], each = r / (double)(open < cap ? open : cap);
        if (each < best || (each == best && r == *radius))
            best = each, *radius = r, *places = i + 1;
    }
    return best;
}

static int before(const Balls *b, int32_t x, int32_t y) { return b->key[x] < b->key[y] || (b->key[x] == b->key[y] && x < y); }

static void sink(Balls *b, int32_t place)
{
    int32_t c = b->heap[place];
    for (;;) {
        int64_t child = 2 * (int64_t)place + 1;
        if (child >= b->n_heap)
            break;
        if (child + 1 < b->n_heap && before(b, b->heap[child + 1], b->heap[child]))
            child++;
        if (!before(b, b->heap[child], c))
            break;
        b->heap[place] = b->heap[child];
        place = (int32_t)child;
    }
    b->heap[place] = c;
}

/* Take the ball around c: its nearest open rows first, then the rows of its list within the radius as fillers. */
static void take(Balls *b, int32_t c, double radius, int32_t places, int by_scan)
{
    int32_t m = 0, t;
    double d;
    if (by_scan)
        for (; m < places; m++)
            b->ball[m] = b->near[m];
    else
        for (int32_t i = 0; i < places; i++)
            if ((t = at(b, c, i, &d)) >= 0 && b->cover.open[t])
                b->ball[m++] = t;
    int64_t open = 0;
    for (int32_t i = 0; i < m; i++)
        open += b->cover.open[b->ball[i]];
    for (int32_t i = 0; open < b->cover.k && (t = at(b, c, i, &d)) >= 0 && d <= radius; i++)
        if (cover_held(&b->cover, t) && !b->cover.open[t])
            b->ball[m++] = t;
    cover_add(&b->cover, b->ball, 0, m);
}

static void run(Balls *b, int64_t leave, double limit)
{
    for (int32_t c = 0; c < b->n; c++) {
        int64_t held = 0;
        double d = 0, radius = 0;
        int32_t t, places = 0;
        for (int32_t i = 0; held < b->cover.k && (t = at(b, c, i, &d)) >= 0; i++)
            held += b->weight[t], b->reach[c] = d;
        b->key[c] = listed(b, c, &radius, &places, &b->guess[c]);
        b->heap[c] = b->open[c] = c;
    }
    b->n_heap = b->n_listed = b->n;
    for (int32_t i = b->n / 2; i-- > 0;)
        sink(b, i);
    while (b->cover.n_open > leave) {
        int32_t c = b->heap[0], places = 0;
        double radius = 0, now = listed(b, c, &radius, &places, &b->guess[c]);
        int by_scan = 0;
        if (b->guess[c] && now <= b->key[c]) {
            now = scanned(b, c, &radius, &places);
            by_scan = 1, b->guess[c] = 0;
        }
        if (now > b->key[c]) {
            b->key[c] = now;
            sink(b, 0);
            if (b->heap[0] != c || b->guess[c])
                continue;
        }
        if (now >= limit)
            return;
        take(b, c, radius, places, by_scan);
    }
}

/* Cover by balls around tuples. index and distance: each tuple's nearest other tuples, `width` of them, enough to hold k rows with it; where they
   are not all the others, farther ones are measured along the trees. owner: group of each row, by tuple. Returns -1 where memory is short. */
int shoal_balls(const int32_t *parent, const int64_t *first, const double *price, int32_t q, const int32_t *codes, const int64_t *weight,
                int32_t n, int32_t k, const int32_t *index, const double *distance, int32_t width, const double *own, int64_t leave,
                double limit, int32_t *owner)
{
    Balls b = {.parent = parent, .codes = codes, .index = index, .first = first, .weight = weight, .price = price, .distance = distance,
               .own = own, .n = n, .q = q, .width = width};
    if (cover_new(&b.cover, n, 0, k, weight))
        return -1;
    size_t m = (size_t)n, most = (size_t)b.cover.cap + (size_t)width + 2;
    b.reach = malloc(m * sizeof *b.reach), b.key = malloc(m * sizeof *b.key), b.guess = calloc(m, 1), b.heap = malloc(m * sizeof *b.heap);
    b.open = malloc(m * sizeof *b.open), b.ball = malloc(most * sizeof *b.ball), b.near = malloc(most * sizeof *b.near);
    b.far = malloc(most * sizeof *b.far);
    int failed = !b.reach || !b.key || !b.guess || !b.heap || !b.open || !b.ball || !b.near || !b.far;
    if (!failed) {
        run(&b, leave, limit);
        memcpy(owner, b.cover.owner, (size_t)b.cover.slot[n] * sizeof *owner);
    }
    cover_free(&b.cover);
    free(b.reach), free(b.key), free(b.guess), free(b.heap), free(b.open), free(b.ball), free(b.near), free(b.far);
    return failed ? -1 : 0;
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
        s->least = diameter / open, s->n_best = m;
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

/* Cover by subsets of k to 2k - 1 rows, the least diameter per newly covered row first. Returns -1 where memory is short. */
int shoal_diameters(const double *distance, int32_t n, int32_t k, int64_t leave, double limit, int32_t *owner)
{
    Cover c;
    int64_t *ones = malloc((size_t)n * sizeof *ones);
    Subsets s = {.cover = &c, .distance = distance, .n = n};
    for (int32_t i = 0; ones && i < n; i++)
        ones[i] = 1;
    if (!ones || cover_new(&c, n, 0, k, ones)) {
        free(ones);
        return -1;
    }
    s.chosen = malloc((size_t)c.cap * sizeof *s.chosen), s.best = malloc((size_t)c.cap * sizeof *s.best);
    int failed = !s.chosen || !s.best;
    while (!failed && c.n_open > leave) {
        s.least = DBL_MAX, s.n_best = 0;
        extend(&s, 0, 0, 0.0, 0);
        if (s.least >= limit)
            break;
        cover_add(&c, s.best, 0, s.n_best);
    }
    if (!failed)
        memcpy(owner, c.owner, (size_t)n * sizeof *owner);
    free(ones), free(s.chosen), free(s.best);
    cover_free(&c);
    return failed ? -1 : 0;
}
