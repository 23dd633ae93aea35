/* Making clusters narrower: better centres for given members, and centres for the points that are hardest to serve. */
#include "space_improve.h"
#include "metric.inc"

typedef struct {
    double d;
    int32_t at;
} far_one;

static int farthest_first(const void *a, const void *b)
{
    const far_one *x = a, *y = b;
    return (x->d < y->d) - (x->d > y->d) ? (x->d < y->d) - (x->d > y->d) : (x->at > y->at) - (x->at < y->at);
}

/* For each cluster the member from which the farthest member is nearest; the old centre stays where no member is better.
   A member that ruled out the last candidate is tried first on the next, so that most candidates cost a comparison or two. */
int32_t shoal_space_recentre(const shoal_space *s, const int64_t *first, const int32_t *at, int64_t n_clusters, int64_t most, int32_t *centre,
                       double *radius)
{
    int64_t largest = 0;
    for (int64_t c = 0; c < n_clusters; c++)
        if (first[c + 1] - first[c] > largest)
            largest = first[c + 1] - first[c];
    far_one *members = malloc((size_t)(largest ? largest : 1) * sizeof *members);
    int32_t *candidates = malloc((size_t)(largest ? largest : 1) * sizeof *candidates);
    if (!members || !candidates) {
        free(members);
        free(candidates);
        return -1;
    }
    for (int64_t c = 0; c < n_clusters; c++) {
        int64_t n = first[c + 1] - first[c];
        const int32_t *own = at + first[c];
        for (int64_t i = 0; i < n; i++) {
            members[i].at = own[i];
            members[i].d = distance(s, centre[c], own[i], INFINITY);
        }
        qsort(members, (size_t)n, sizeof *members, farthest_first);
        double best = n ? members[0].d : 0;
        for (int64_t i = 0; i < n; i++)
            candidates[i] = members[n - 1 - i].at; /* from the old centre outwards */
        for (int64_t i = 0; i < n && i < most && best > 0; i++) {
            double reach = 0;
            int64_t j = 0;
            for (; j < n; j++) {
                double d = distance(s, candidates[i], members[j].at, best);
                if (d >= best)
                    break;
                if (d > reach)
                    reach = d;
            }
            if (j < n) {
                far_one x = members[j];
                memmove(members + 1, members, (size_t)j * sizeof *members);
                members[0] = x;
            } else {
                best = reach;
                centre[c] = candidates[i];
            }
        }
        radius[c] = best;
    }
    free(members);
    free(candidates);
    return 0;
}

/* Go through the points, hardest first: one that no chosen centre reaches gets its own favourite centre. */
int64_t shoal_space_spread(const shoal_space *s, int64_t *w, int64_t *nw, const int32_t *leaf_of, const int32_t *order, int64_t n_order,
                     const int32_t *centre_for, double reach, int32_t *centres)
{
    shoal_list near = {0};
    int64_t n_centres = 0;
    for (int64_t i = 0; i < n_order; i++) {
        int32_t p = order[i];
        if (!w[p])
            continue;
        near.n = 0;
        if (!collect(s, w, nw, centre_for[p], reach, &near)) {
            n_centres = -1;
            break;
        }
        for (int64_t j = 0; j < near.n; j++)
            take_out(s, w, nw, leaf_of, near.at[j]);
        if (w[p])
            take_out(s, w, nw, leaf_of, p); /* its favourite does not reach it: the caller's flow will say so */
        centres[n_centres++] = centre_for[p];
    }
    shoal_space_list_free(&near);
    return n_centres;
}
