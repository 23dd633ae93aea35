/* The k-th companion of each tuple by a scan of all pairs, where a column's distances are any table of pairs of leaves. */
#include <math.h>
#include "../base/memory.h"
#include "../base/shortlist.h"
#include "../base/threads.h"
#include "boxes.h"

typedef struct {
    double *sum;
    Shortlist near;
    Bag bag;
} Scan;

static void close_scan(void *shared, void *own)
{
    (void)shared;
    bag_free(&((Scan *)own)->bag);
    free(own);
}

static void *open_scan(void *shared)
{
    const shoal_companions_ask *a = shared;
    Scan *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->sum = take(&s->bag, a->n, sizeof *s->sum);
    s->near = (Shortlist){take(&s->bag, a->k + 1, sizeof *s->near.item), 0, 0, a->k};
    if (!s->bag.failed)
        return s;
    close_scan(shared, s);
    return NULL;
}

static double answer(const shoal_companions_ask *a, Scan *s, int64_t u)
{
    for (int64_t v = 0; v < a->n; v++)
        s->sum[v] = 0.0;
    for (int32_t j = 0; j < a->q; j++) {
        const int32_t *column = a->codes + j * a->n;
        const double *row = a->table + a->first[j] + (int64_t)column[u] * a->width[j];
        for (int64_t v = 0; v < a->n; v++)
            s->sum[v] += row[column[v]];
    }
    double worst = INFINITY;
    s->near.n = s->near.held = 0;
    for (int64_t v = 0; v < a->n; v++) {
        int64_t rows = v == u ? a->weight[v] - 1 : a->weight[v];
        if (rows == 0 || s->sum[v] >= worst)
            continue;
        list_value(&s->near, s->sum[v], (int32_t)v, rows);
        if (s->near.held >= s->near.need)
            worst = s->near.item[s->near.n - 1].value;
    }
    return worst;
}

static shoal_status serve(void *shared, void *own, int64_t begin, int64_t end)
{
    const shoal_companions_ask *a = shared;
    for (int64_t u = begin; u < end; u++)
        a->farthest[u] = answer(a, own, u);
    return SHOAL_OK;
}

int64_t shoal_companions(shoal_companions_ask *ask)
{
    return run_job(&(Job){ask, open_scan, serve, close_scan, 0, ask->n, 64, ask->n_threads});
}
