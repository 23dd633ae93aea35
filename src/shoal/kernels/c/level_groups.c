/* Groups of tuples that look alike when every quasi-identifier is cut at a level. */
#include <string.h>
#include "level_groups.h"

/* map + first[j] gives the node that stands for each leaf of column j. table has `room` places, a power of two above n. Fills the group
   of each tuple, one tuple of each group, and the rows of each group; returns the number of groups. */
int64_t shoal_level_groups(const int32_t *map, const int64_t *first, int32_t q, const int32_t *codes, const int64_t *weight, int64_t n,
                           int32_t *table, int64_t room, int32_t *group, int32_t *sample, int64_t *size)
{
    int64_t found = 0;
    memset(table, -1, (size_t)room * sizeof *table);
    for (int64_t i = 0; i < n; i++) {
        const int32_t *row = codes + i * q;
        uint64_t hash = 0x9e3779b97f4a7c15u;
        for (int32_t j = 0; j < q; j++) {
            hash = (hash ^ (uint64_t)(uint32_t)map[first[j] + row[j]]) * 0xff51afd7ed558ccdu;
            hash ^= hash >> 32;
        }
        for (uint64_t place = hash & (uint64_t)(room - 1);; place = (place + 1) & (uint64_t)(room - 1)) {
            int32_t g = table[place];
            if (g < 0) {
                g = (int32_t)found++;
                table[place] = g, sample[g] = (int32_t)i, size[g] = 0;
            } else {
                const int32_t *other = codes + (int64_t)sample[g] * q;
                int32_t j = 0;
                while (j < q && map[first[j] + row[j]] == map[first[j] + other[j]])
                    j++;
                if (j < q)
                    continue;
            }
            group[i] = g, size[g] += weight[i];
            break;
        }
    }
    return found;
}
