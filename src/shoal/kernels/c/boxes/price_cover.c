/* A cover along prices: of the boxes that are tight, the k dearest rows left in the best one become a group, again and again. */
#include <math.h>
#include "../base/heap.h"
#include "../base/memory.h"
#include "../table/trees.h"
#include "boxes.h"
#include "net.h"

typedef struct {
    const shoal_table *t;
    const shoal_boxes *boxes;
    const double *y, *own;
    int64_t *left; /* rows of each tuple that are in no group yet */
    int64_t k;
    int32_t *node;
} Cover;

typedef struct {
    double value;
    int64_t box;
} Entry;

HEAP(entries, Entry, const void *, a->value > b->value || (a->value == b->value && a->box < b->box))

/* The net prices of the k dearest rows left over what they would pay together beyond their own parts; 0 where fewer than k are left. */
static double value_of(Cover *c, int64_t box)
{
    int64_t rows = 0;
    double sum = 0, own = 0;
    for (int64_t i = c->boxes->start[box]; i < c->boxes->start[box + 1] && rows < c->k; i++) {
        int32_t t = c->boxes->tuples[i];
        int64_t taken = c->left[t] < c->k - rows ? c->left[t] : c->k - rows;
        if (taken == 0)
            continue;
        if (rows)
            join_row(c->t, c->node, t);
        else
            memcpy(c->node, row_of(c->t, t), (size_t)c->t->q * sizeof *c->node);
        sum += (double)taken * c->y[t];
        own += c->own ? (double)taken * c->own[t] : 0.0;
        rows += taken;
    }
    if (rows < c->k)
        return 0;
    double paid = (double)c->k * price_of_nodes(c->t, c->node);
    return paid - own > NOTHING * paid ? sum / (paid - own) : INFINITY;
}

/* The k dearest rows left in a box become the group `made`. */
static int64_t take_box(Cover *c, int64_t box, int32_t made, const shoal_pieces *out, int64_t pieces)
{
    int64_t rows = 0;
    for (int64_t i = c->boxes->start[box]; i < c->boxes->start[box + 1] && rows < c->k && pieces < out->most; i++) {
        int32_t t = c->boxes->tuples[i];
        int64_t taken = c->left[t] < c->k - rows ? c->left[t] : c->k - rows;
        if (taken == 0)
            continue;
        c->left[t] -= taken;
        rows += taken;
        out->tuple[pieces] = t;
        out->count[pieces] = (int32_t)taken;
        out->group[pieces++] = made;
    }
    return pieces;
}

enum { LOOK = 1 << 12 }; /* boxes looked at between two looks at the flag */

int64_t shoal_price_cover(const shoal_table *t, const shoal_price_cover_ask *ask, const shoal_boxes *boxes, const shoal_pieces *out)
{
    Bag bag = {0};
    Cover c = {t, boxes, ask->y, ask->own, ask->left, ask->k, take(&bag, t->q, sizeof(int32_t))};
    Entry *heap = take(&bag, boxes->n, sizeof *heap);
    int64_t n = 0, pieces = 0;
    int32_t made = 0;
    for (int64_t b = 0; b < boxes->n && !bag.failed; b++) {
        double value = value_of(&c, b);
        if (value > 0)
            heap[n++] = (Entry){value, b};
    }
    if (n)
        entries_make(NULL, heap, n);
    for (int64_t turn = 0; n > 0; turn++) {
        if (turn % LOOK == 0 && ask->stop && *ask->stop)
            return bag_end(&bag, SHOAL_STOPPED);
        double value = value_of(&c, heap[0].box);
        if (value < heap[0].value) { /* rows were taken from it: it may have to wait, or is used up */
            heap[0].value = value;
            if (value <= 0)
                heap[0] = heap[--n];
            entries_down(NULL, heap, n, 0);
            continue;
        }
        pieces = take_box(&c, heap[0].box, made++, out, pieces);
    }
    return bag_end(&bag, pieces);
}
