/* Numbers by label: those of label l are list[first[l]] .. list[first[l + 1]]. */
#ifndef SHOAL_LISTING_H
#define SHOAL_LISTING_H
#include <stdint.h>

/* `first` comes zeroed, with room for two more than there are labels; numbers with a label below 0 are left out. */
static inline void list_by_label(const int32_t *label, int64_t n, int64_t n_labels, int64_t *first, int32_t *list)
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
#endif
