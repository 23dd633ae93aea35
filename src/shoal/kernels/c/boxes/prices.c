/* One round of raising prices on a given list of boxes: how tight each tuple's tightest box is, and how much each tuple is asked for.
 *
 * Prices are net (net.h). Of a box, the k rows are taken that are dearest with their own parts: those of the tightest set, if the box is just tight.
 * The value of prices y is the sum of w·y / R, R the tightness of a tuple's tightest box. Its gradient in log y, over the value of the tuple
 * itself, is 1 - cover: a tuple gives its value to its tightest boxes (in shares that grow with their tightness), and a box passes what it got
 * on to its k highest-priced rows. */
#include <math.h>
#include "../base/memory.h"
#include "boxes.h"
#include "net.h"

/* Lists of tuples are kept sorted from round to round, from high to low. */
static void sort_list(int32_t *list, int64_t size, const double *y)
{
    for (int64_t i = 1; i < size; i++) {
        int32_t x = list[i];
        double of = y[x];
        int64_t h = i;
        for (; h > 0 && y[list[h - 1]] < of; h--)
            list[h] = list[h - 1];
        list[h] = x;
    }
}

/* What a box adds for its k dearest rows, beyond their own parts; and its tightness. */
typedef struct {
    double added, tightness;
} Measured;

static Measured measure_box(const shoal_price_round_ask *a, const int32_t *list, int64_t size, double price)
{
    double sum = 0.0, own = 0.0, k = (double)a->k;
    int64_t left = a->k;
    for (int64_t i = 0; i < size && left; i++) {
        int64_t taken = a->weight[list[i]] < left ? a->weight[list[i]] : left;
        sum += (double)taken * a->y[list[i]];
        own += a->own ? (double)taken * a->own[list[i]] : 0.0;
        left -= taken;
    }
    return (Measured){k * price - own, a->own ? tightness_of_rows(sum, own, k, price) : sum / (k * price)};
}

/* What a box got goes to its k highest-priced rows. */
static void hand_on(const shoal_price_round_ask *a, const int32_t *list, int64_t size, double added, double got)
{
    int64_t left = a->k;
    for (int64_t e = 0; e < size && left; e++) {
        int32_t i = list[e];
        int64_t taken = a->weight[i] < left ? a->weight[i] : left;
        a->cover[i] += (double)taken * got / added * a->tightness[i] / (double)a->weight[i];
        left -= taken;
    }
}

static void measure_boxes(const shoal_boxes *boxes, const shoal_price_round_ask *a, const double *whole, Measured *box)
{
    for (int64_t b = 0; b < boxes->n; b++) {
        int32_t *list = boxes->tuples + boxes->start[b];
        int64_t size = boxes->start[b + 1] - boxes->start[b];
        sort_list(list, size, whole);
        box[b] = measure_box(a, list, size, boxes->price[b]);
        for (int64_t i = 0; i < size; i++)
            if (box[b].tightness > a->tightness[list[i]])
                a->tightness[list[i]] = box[b].tightness;
    }
}

/* Net prices with own parts. */
static const double *whole_prices(const shoal_price_round_ask *a, Bag *bag)
{
    double *whole = a->own ? take(bag, a->n, sizeof *whole) : NULL;
    for (int64_t i = 0; whole && i < a->n; i++)
        whole[i] = a->y[i] + a->own[i];
    return a->own ? whole : a->y;
}

int64_t shoal_price_round(const shoal_boxes *boxes, const shoal_price_round_ask *a)
{
    Bag bag = {0};
    const int64_t *start = boxes->start;
    Measured *box = take(&bag, boxes->n, sizeof *box);
    double *shares = take_zeros(&bag, a->n, sizeof *shares);
    const double *whole = whole_prices(a, &bag);
    float *given = take(&bag, start[boxes->n], sizeof *given); /* the share of each entry, before all are made to add up */
    if (bag.failed)
        return bag_end(&bag, 0);
    for (int64_t i = 0; i < a->n; i++)
        a->tightness[i] = a->least, a->cover[i] = 0.0;
    measure_boxes(boxes, a, whole, box);
    for (int64_t b = 0; b < boxes->n; b++)
        for (int64_t e = start[b]; e < start[b + 1]; e++) {
            double behind = (1.0 - box[b].tightness / a->tightness[boxes->tuples[e]]) / a->softness;
            given[e] = behind < 20.0 ? expf((float)-behind) : 0.0f;
            shares[boxes->tuples[e]] += given[e];
        }
    for (int64_t i = 0; i < a->n; i++)
        if (shares[i] > 0.0)
            shares[i] = (double)a->weight[i] * a->y[i] / (a->tightness[i] * a->tightness[i] * shares[i]);
    for (int64_t b = 0; b < boxes->n; b++) {
        double got = 0.0;
        for (int64_t e = start[b]; e < start[b + 1]; e++)
            got += shares[boxes->tuples[e]] * given[e];
        if (got != 0.0)
            hand_on(a, boxes->tuples + start[b], start[b + 1] - start[b], box[b].added, got);
    }
    return bag_end(&bag, SHOAL_OK);
}
