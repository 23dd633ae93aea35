/* The k-th companion of each tuple by a scan of all pairs, where a column's distances are any table of pairs of leaves; and how far a tuple must
 * reach for different sensitive values. */
#include <math.h>
#include "../base/memory.h"
#include "../base/shortlist.h"
#include "../base/threads.h"
#include "boxes.h"

typedef struct {
    Bag bag;
    double *sum;
    Shortlist near;
} Scan;

static void open_scan(void *shared, void *own)
{
    const shoal_companions_ask *a = shared;
    Scan *s = own;
    TAKE(&s->bag, s->sum, a->n);
    s->near = (Shortlist){take(&s->bag, a->k + 1, sizeof *s->near.item), 0, 0, a->k};
}

static void add_column(double *restrict sum, const double *restrict row, const int32_t *restrict column, int64_t n)
{
    for (int64_t v = 0; v < n; v++)
        sum[v] += row[column[v]];
}

static double answer(const shoal_companions_ask *a, Scan *s, int64_t u)
{
    double *sum = s->sum, worst = INFINITY;
    int64_t n = a->n;
    for (int64_t v = 0; v < n; v++)
        sum[v] = 0.0;
    for (int32_t j = 0; j < a->q; j++) {
        const int32_t *column = a->codes + j * n;
        add_column(sum, a->table + a->first[j] + (int64_t)column[u] * a->width[j], column, n);
    }
    s->near.n = s->near.held = 0;
    for (int64_t v = 0; v < n; v++) {
        int64_t rows = v == u ? a->weight[v] - 1 : a->weight[v];
        if (rows == 0 || sum[v] >= worst)
            continue;
        list_value(&s->near, sum[v], (int32_t)v, rows);
        if (s->near.held >= s->near.need)
            worst = s->near.item[s->near.n - 1].value;
    }
    return worst;
}

static shoal_status serve(void *shared, void *own, int64_t begin, int64_t end)
{
    const shoal_companions_ask *a = shared;
    for (int64_t u = begin; u < end; u++) {
        if (a->stop && *a->stop)
            return SHOAL_STOPPED;
        a->farthest[u] = answer(a, own, u);
    }
    return SHOAL_OK;
}

int64_t shoal_companions(shoal_companions_ask *ask)
{
    return run_job(&(Job){ask, sizeof(Scan), open_scan, serve, NULL, 0, ask->n, 64, ask->n_threads});
}

int64_t shoal_diverse_reach(int64_t n, int64_t width, const int32_t *index, const double *distance, const shoal_different *d, double *reach)
{
    Bag bag = {0};
    int64_t *seen = take_zeros(&bag, d->n_values, sizeof *seen);
    for (int64_t u = 0; !bag.failed && u < n; u++) {
        int32_t found = 0;
        reach[u] = 0.0;
        for (int64_t place = 0; place <= width && found < d->l; place++) {
            int32_t t = place ? index[u * width + place - 1] : (int32_t)u;
            if (t < 0)
                break;
            if (place)
                reach[u] = distance[u * width + place - 1];
            for (int64_t v = d->start[t]; v < d->start[t + 1]; v++)
                if (seen[d->value[v]] != u + 1)
                    seen[d->value[v]] = u + 1, found++;
        }
    }
    return bag_end(&bag, SHOAL_OK);
}
