/* The k-th companion of each tuple by a scan of all pairs, where a column's distances are any table of pairs of leaves. */
#include "companions.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
    double distance;
    int64_t rows;
} Companion;

/* codes: column after column. table + first[j]: the distances of column j, width[j] leaves squared. Answers for begin … end. */
int32_t shoal_companions(const double *table, const int64_t *first, const int32_t *width, int32_t q, const int32_t *codes, int64_t n,
                         const int64_t *weight, int64_t k, int64_t begin, int64_t end, double *farthest)
{
    double *sum = malloc(sizeof(double) * (size_t)n);
    Companion *near = malloc(sizeof(Companion) * (size_t)(k + 1));
    if (!sum || !near) {
        free(sum);
        free(near);
        return -1;
    }
    for (int64_t u = begin; u < end; u++) {
        for (int64_t v = 0; v < n; v++)
            sum[v] = 0.0;
        for (int32_t j = 0; j < q; j++) {
            const int32_t *column = codes + (int64_t)j * n;
            const double *row = table + first[j] + (int64_t)column[u] * width[j];
            for (int64_t v = 0; v < n; v++)
                sum[v] += row[column[v]];
        }
        int64_t count = 0, held = 0;
        double worst = INFINITY;
        for (int64_t v = 0; v < n; v++) {
            int64_t rows = v == u ? weight[v] - 1 : weight[v];
            if (rows == 0 || sum[v] >= worst)
                continue;
            int64_t i = count++;
            for (; i > 0 && near[i - 1].distance > sum[v]; i--)
                near[i] = near[i - 1];
            near[i] = (Companion){sum[v], rows};
            held += rows;
            while (held - near[count - 1].rows >= k)
                held -= near[--count].rows;
            if (held >= k)
                worst = near[count - 1].distance;
        }
        farthest[u] = worst;
    }
    free(sum);
    free(near);
    return 0;
}
