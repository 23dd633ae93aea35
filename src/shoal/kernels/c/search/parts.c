/* Parts of the table that can be searched at the same time: groups that lie near each other, gathered breadth first. */
#include "../base/listing.h"
#include "../base/memory.h"
#include "../base/random.h"
#include "../base/status.h"
#include "search.h"

typedef struct {
    const shoal_rows *rows;
    const int32_t *group; /* of each unit */
    int64_t n_groups, target;
    int64_t *first_of_tuple, *first_of_group;
    int32_t *of_tuple, *of_group; /* units of each tuple, of each group */
    int32_t *order, *part;        /* of the groups */
    int32_t *queue;
    int64_t head, tail;
} Gatherer;

/* Queue the groups that hold a tuple near one of this group's. */
static void queue_near(Gatherer *w, int32_t g, int64_t parts)
{
    int32_t n_near = w->rows->n_near;
    for (int64_t i = w->first_of_group[g]; i < w->first_of_group[g + 1]; i++) {
        const int32_t *list = w->rows->near + (int64_t)w->rows->tuple[w->of_group[i]] * n_near;
        for (int32_t a = 0; a < n_near && a < 8 && list[a] >= 0; a++) {
            int64_t first = w->first_of_tuple[list[a]], last = w->first_of_tuple[list[a] + 1];
            for (int64_t u = first; u < last && u < first + 16; u++) {
                int32_t h = w->group[w->of_tuple[u]];
                if (h >= 0 && w->part[h] < 0)
                    w->part[h] = (int32_t)parts, w->queue[w->tail++] = h;
            }
        }
    }
}

/* Gather groups into parts of about `target` units. Returns how many parts. */
static int64_t gather(Gatherer *w)
{
    int64_t parts = 0, size = 0, next = 0;
    for (;;) {
        if (w->head == w->tail) { /* nothing near is left: go on from anywhere */
            w->head = w->tail = 0;
            while (next < w->n_groups && w->part[w->order[next]] >= 0)
                next++;
            if (next == w->n_groups)
                return size ? parts + 1 : parts;
            w->queue[w->tail++] = w->order[next];
        }
        int32_t g = w->queue[w->head++];
        w->part[g] = (int32_t)parts;
        size += w->first_of_group[g + 1] - w->first_of_group[g];
        if (size < w->target) {
            queue_near(w, g, parts);
            continue;
        }
        while (w->head < w->tail) /* what is queued starts over: it belongs to later parts */
            w->part[w->queue[--w->tail]] = -1;
        size = 0;
        parts++;
    }
}

/* The part of a unit without a group: that of the first near tuple whose first unit has one. */
static int32_t part_of_lone(const Gatherer *w, int64_t unit)
{
    const int32_t *list = w->rows->near + (int64_t)w->rows->tuple[unit] * w->rows->n_near;
    for (int32_t a = 0; a < w->rows->n_near && list[a] >= 0; a++) {
        int32_t h = w->group[w->of_tuple[w->first_of_tuple[list[a]]]];
        if (h >= 0)
            return w->part[h];
    }
    return 0;
}

int64_t shoal_parts(const shoal_rows *rows, const int32_t *group, int64_t n_groups, int64_t target, uint64_t seed, int32_t *part)
{
    Bag bag = {0};
    int64_t n = rows->n_units, parts = 0;
    Gatherer w = {.rows = rows, .group = group, .n_groups = n_groups, .target = target};
    TAKE_ZEROS(&bag, w.first_of_tuple, rows->n_tuples + 1), TAKE_ZEROS(&bag, w.first_of_group, n_groups + 1);
    TAKE(&bag, w.of_tuple, n), TAKE(&bag, w.of_group, n), TAKE(&bag, w.queue, n_groups), TAKE_ZEROS(&bag, w.order, n_groups);
    TAKE(&bag, w.part, n_groups);
    if (!bag.failed) {
        list_by_label(rows->tuple, n, rows->n_tuples, w.first_of_tuple, w.of_tuple);
        list_by_label(group, n, n_groups, w.first_of_group, w.of_group);
        for (int64_t g = 0; g < n_groups; g++) {
            int64_t other = (int64_t)(next_random(&seed) % (uint64_t)(g + 1));
            w.part[g] = -1;
            w.order[g] = w.order[other];
            w.order[other] = (int32_t)g;
        }
        parts = gather(&w);
        for (int64_t i = 0; i < n; i++)
            part[i] = group[i] < 0 ? part_of_lone(&w, i) : w.part[group[i]];
        parts = parts ? parts : 1;
    }
    return bag_end(&bag, parts);
}
