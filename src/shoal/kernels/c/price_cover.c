/* A cover along prices: of the boxes that are tight, the k dearest rows left in the best one become a group, again and again. */
#include "price_cover.h"
#include "tree.inc"
#include <math.h>
#include <stdlib.h>

typedef struct {
    const int32_t *parent, *codes, *tuples;
    const double *node_price, *price;
    const int64_t *first, *start;
    int64_t *left; /* rows of each tuple that are in no group yet */
    int32_t q;
    int64_t k;
    int32_t *node;
} cover;

typedef struct {
    double value;
    int64_t box;
} entry;

/* The prices of the k dearest rows left over what they would pay together; 0 where fewer than k are left. */
static double value_of(cover *c, int64_t box)
{
    int64_t rows = 0;
    double sum = 0, paid = 0;
    for (int64_t i = c->start[box]; i < c->start[box + 1] && rows < c->k; i++) {
        int32_t t = c->tuples[i];
        int64_t take = c->left[t] < c->k - rows ? c->left[t] : c->k - rows;
        if (take == 0)
            continue;
        for (int32_t j = 0; j < c->q; j++) {
            int32_t leaf = c->codes[(int64_t)t * c->q + j];
            c->node[j] = rows ? join(c->parent + c->first[j], c->node[j], leaf) : leaf;
        }
        sum += (double)take * c->price[t];
        rows += take;
    }
    if (rows < c->k)
        return 0;
    for (int32_t j = 0; j < c->q; j++)
        paid += c->node_price[c->first[j] + c->node[j]];
    return paid > 0 ? sum / ((double)c->k * paid) : INFINITY;
}

static int is_before(entry a, entry b) { return a.value > b.value || (a.value == b.value && a.box < b.box); }

static void sift_down(entry *heap, int64_t n, int64_t i)
{
    entry moved = heap[i];
    for (int64_t child = 2 * i + 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && is_before(heap[child + 1], heap[child]))
            child++;
        if (!is_before(heap[child], moved))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
}

/* Fills (tuple, count, group) for each piece of a group; `left` keeps the rows that found none. Returns the number of pieces, -1
 * without memory. `most` is the room: no more pieces than rows. */
int64_t shoal_price_cover(const int32_t *parent, const double *node_price, const int64_t *first, int32_t q, const int32_t *codes,
                          int64_t k, const double *price, int64_t *left, const int64_t *start, const int32_t *tuples,
                          int64_t n_boxes, int64_t most, int32_t *tuple, int32_t *count, int32_t *group)
{
    cover c = {parent, codes, tuples, node_price, price, first, start, left, q, k, malloc((size_t)(q + 1) * sizeof(int32_t))};
    entry *heap = malloc((size_t)(n_boxes + 1) * sizeof *heap);
    int64_t n = 0, pieces = 0;
    int32_t made = 0;
    if (!c.node || !heap) {
        free(c.node);
        free(heap);
        return -1;
    }
    for (int64_t b = 0; b < n_boxes; b++) {
        double value = value_of(&c, b);
        if (value > 0)
            heap[n++] = (entry){value, b};
    }
    for (int64_t i = n / 2; i-- > 0;)
        sift_down(heap, n, i);
    while (n > 0) {
        int64_t box = heap[0].box, rows = 0;
        double value = value_of(&c, box);
        if (value < heap[0].value) { /* rows were taken from it: it may have to wait, or is used up */
            heap[0].value = value;
            if (value <= 0)
                heap[0] = heap[--n];
            if (n > 0)
                sift_down(heap, n, 0);
            continue;
        }
        for (int64_t i = start[box]; i < start[box + 1] && rows < k && pieces < most; i++) {
            int32_t t = tuples[i];
            int64_t take = left[t] < k - rows ? left[t] : k - rows;
            if (take == 0)
                continue;
            left[t] -= take;
            rows += take;
            tuple[pieces] = t;
            count[pieces] = (int32_t)take;
            group[pieces++] = made;
        }
        made++;
    }
    free(c.node);
    free(heap);
    return pieces;
}
