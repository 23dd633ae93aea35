/* Groups of tuples that look alike when every quasi-identifier is cut at a level, found through a hash of what they show. */
#include <string.h>
#include "trees.h"

static inline uint64_t hash_of(const shoal_table *t, const int32_t *map, const int32_t *row)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (int32_t j = 0; j < t->q; j++) {
        hash = (hash ^ (uint64_t)(uint32_t)map[t->first[j] + row[j]]) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

static inline int look_alike(const shoal_table *t, const int32_t *map, const int32_t *row, const int32_t *other)
{
    int32_t j = 0;
    while (j < t->q && map[t->first[j] + row[j]] == map[t->first[j] + other[j]])
        j++;
    return j == t->q;
}

int64_t shoal_level_groups(const shoal_table *t, const int32_t *map, shoal_level_groups_out *out)
{
    int64_t found = 0;
    uint64_t mask = (uint64_t)(out->room - 1);
    memset(out->slots, -1, (size_t)out->room * sizeof *out->slots);
    for (int64_t i = 0; i < t->n; i++) {
        const int32_t *row = row_of(t, i);
        uint64_t place = hash_of(t, map, row) & mask;
        while (out->slots[place] >= 0 && !look_alike(t, map, row, row_of(t, out->sample[out->slots[place]])))
            place = (place + 1) & mask;
        int32_t g = out->slots[place];
        if (g < 0)
            g = out->slots[place] = (int32_t)found++, out->sample[g] = (int32_t)i, out->size[g] = 0;
        out->group[i] = g;
        out->size[g] += t->weight[i];
    }
    return found;
}
