/* One round of raising prices on a given list of boxes: how tight each tuple's tightest box is, and how much each tuple is asked for. */
#include "prices.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The value of prices y is the sum of w·y / R, R the tightness of a tuple's tightest box. Its gradient in log y, over the value of
   the tuple itself, is 1 - cover: a tuple hands its value to its tightest boxes (softly, by their tightness), and a box hands on
   what it got to its k highest-priced rows. Lists of tuples are kept sorted from round to round, from high to low. */
int32_t shoal_price_round(const double *price, const int64_t *start, int32_t *tuples, int64_t n_boxes, const int64_t *weight, int64_t n,
                          int64_t k, const double *y, double least, double softness, double *tightness, double *cover)
{
    double *box = malloc(sizeof(double) * (size_t)(n_boxes + 1)), *shares = calloc((size_t)n + 1, sizeof(double));
    float *given = malloc(sizeof(float) * (size_t)(start[n_boxes] + 1)); /* the share of each entry, before all are made to add up */
    if (!box || !shares || !given) {
        free(box);
        free(shares);
        free(given);
        return -1;
    }
    for (int64_t i = 0; i < n; i++) {
        tightness[i] = least;
        cover[i] = 0.0;
    }
    for (int64_t b = 0; b < n_boxes; b++) {
        int32_t *list = tuples + start[b];
        int64_t size = start[b + 1] - start[b];
        for (int64_t i = 1; i < size; i++) {
            int32_t x = list[i];
            double of = y[x];
            int64_t h = i;
            for (; h > 0 && y[list[h - 1]] < of; h--)
                list[h] = list[h - 1];
            list[h] = x;
        }
        double sum = 0.0;
        int64_t left = k;
        for (int64_t i = 0; i < size && left; i++) {
            int64_t taken = weight[list[i]] < left ? weight[list[i]] : left;
            sum += (double)taken * y[list[i]];
            left -= taken;
        }
        box[b] = sum / ((double)k * price[b]);
        for (int64_t i = 0; i < size; i++)
            if (box[b] > tightness[list[i]])
                tightness[list[i]] = box[b];
    }
    for (int64_t b = 0; b < n_boxes; b++)
        for (int64_t e = start[b]; e < start[b + 1]; e++) {
            double behind = (1.0 - box[b] / tightness[tuples[e]]) / softness;
            given[e] = behind < 20.0 ? expf((float)-behind) : 0.0f;
            shares[tuples[e]] += given[e];
        }
    for (int64_t i = 0; i < n; i++)
        if (shares[i] > 0.0)
            shares[i] = (double)weight[i] * y[i] / (tightness[i] * tightness[i] * shares[i]);
    for (int64_t b = 0; b < n_boxes; b++) {
        double got = 0.0;
        for (int64_t e = start[b]; e < start[b + 1]; e++)
            got += shares[tuples[e]] * given[e];
        if (got == 0.0)
            continue;
        int64_t left = k;
        for (int64_t e = start[b]; e < start[b + 1] && left; e++) {
            int32_t i = tuples[e];
            int64_t taken = weight[i] < left ? weight[i] : left;
            cover[i] += (double)taken * got / ((double)k * price[b]) * tightness[i] / (double)weight[i];
            left -= taken;
        }
    }
    free(box);
    free(shares);
    free(given);
    return 0;
}
