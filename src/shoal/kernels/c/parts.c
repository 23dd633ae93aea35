/* Parts of the table that can be searched at the same time: groups that lie near each other, gathered breadth first. */
#include "parts.h"
#include <stdlib.h>

typedef struct {
    int64_t *first_of_tuple, *first_of_group;
    int32_t *of_tuple, *of_group; /* units of each tuple, of each group */
    int32_t *queue, *order, *part_of_group;
} gatherer;

static uint64_t mix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* Lists the units of each label 0 … n_labels − 1; label -1 is left out. */
static void list_units(const int32_t *label, int64_t n, int64_t n_labels, int64_t *first, int32_t *list)
{
    for (int64_t i = 0; i < n; i++)
        if (label[i] >= 0)
            first[label[i] + 2]++;
    for (int64_t l = 0; l < n_labels; l++)
        first[l + 2] += first[l + 1];
    for (int64_t i = 0; i < n; i++)
        if (label[i] >= 0)
            list[first[label[i] + 1]++] = (int32_t)i;
}

/* Gather groups into parts of about `target` units. Returns how many parts. */
static int64_t gather(gatherer *w, const int32_t *near, int32_t n_near, const int32_t *tuple, const int32_t *group, int64_t n_groups,
                      int64_t target)
{
    int64_t parts = 0, size = 0, head = 0, tail = 0, next = 0;
    for (;;) {
        if (head == tail) { /* nothing near is left: go on from anywhere */
            while (next < n_groups && w->part_of_group[w->order[next]] >= 0)
                next++;
            if (next == n_groups)
                break;
            w->queue[tail++] = w->order[next];
            w->part_of_group[w->order[next]] = (int32_t)parts;
        }
        int32_t g = w->queue[head++];
        w->part_of_group[g] = (int32_t)parts;
        size += w->first_of_group[g + 1] - w->first_of_group[g];
        if (size >= target) { /* what is queued starts over: it belongs to later parts */
            while (head < tail)
                w->part_of_group[w->queue[--tail]] = -1;
            head = tail = 0;
            size = 0;
            parts++;
            continue;
        }
        for (int64_t i = w->first_of_group[g]; i < w->first_of_group[g + 1]; i++) {
            const int32_t *list = near + (int64_t)tuple[w->of_group[i]] * n_near;
            for (int32_t a = 0; a < n_near && a < 8 && list[a] >= 0; a++) {
                int64_t first = w->first_of_tuple[list[a]], last = w->first_of_tuple[list[a] + 1];
                for (int64_t u = first; u < last && u < first + 16; u++) {
                    int32_t h = group[w->of_tuple[u]];
                    if (h >= 0 && w->part_of_group[h] < 0) {
                        w->part_of_group[h] = (int32_t)parts;
                        w->queue[tail++] = h;
                    }
                }
            }
        }
        if (head == tail)
            head = tail = 0;
    }
    return size ? parts + 1 : parts;
}

/* The part of each unit. A withheld unit goes with a near group. Returns the number of parts, -1 without memory. */
int64_t shoal_parts(const int32_t *near, int32_t n_near, int64_t n_tuples, const int32_t *tuple, const int32_t *group, int64_t n,
                    int64_t n_groups, int64_t target, uint64_t seed, int32_t *part)
{
    int64_t parts = -1;
    gatherer w = {
        .first_of_tuple = calloc((size_t)n_tuples + 3, sizeof(int64_t)),
        .first_of_group = calloc((size_t)n_groups + 3, sizeof(int64_t)),
        .of_tuple = calloc((size_t)n + 1, sizeof(int32_t)),
        .of_group = calloc((size_t)n + 1, sizeof(int32_t)),
        .queue = calloc((size_t)n_groups + 1, sizeof(int32_t)),
        .order = calloc((size_t)n_groups + 1, sizeof(int32_t)),
        .part_of_group = calloc((size_t)n_groups + 1, sizeof(int32_t)),
    };
    if (w.first_of_tuple && w.first_of_group && w.of_tuple && w.of_group && w.queue && w.order && w.part_of_group) {
        list_units(tuple, n, n_tuples, w.first_of_tuple, w.of_tuple);
        list_units(group, n, n_groups, w.first_of_group, w.of_group);
        for (int64_t g = 0; g < n_groups; g++) {
            int64_t other = (int64_t)(mix(&seed) % (uint64_t)(g + 1));
            w.part_of_group[g] = -1;
            w.order[g] = w.order[other];
            w.order[other] = (int32_t)g;
        }
        parts = gather(&w, near, n_near, tuple, group, n_groups, target);
        for (int64_t i = 0; i < n; i++) {
            part[i] = group[i] < 0 ? 0 : w.part_of_group[group[i]];
            const int32_t *list = near + (int64_t)tuple[i] * n_near;
            for (int32_t a = 0, found = group[i] >= 0; a < n_near && list[a] >= 0 && !found; a++) {
                int32_t h = group[w.of_tuple[w.first_of_tuple[list[a]]]];
                if (h >= 0) {
                    part[i] = w.part_of_group[h];
                    found = 1;
                }
            }
        }
        parts = parts ? parts : 1;
    }
    free(w.first_of_tuple);
    free(w.first_of_group);
    free(w.of_tuple);
    free(w.of_group);
    free(w.queue);
    free(w.order);
    free(w.part_of_group);
    return parts;
}
