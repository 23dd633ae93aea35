/* The one random generator: splitmix64, the same numbers on every machine for the same seed. */
#ifndef SHOAL_RANDOM_H
#define SHOAL_RANDOM_H
#include <stdint.h>

static inline uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* A number from 0 to n - 1; n below 2^32. */
static inline int64_t random_below(uint64_t *state, int64_t n) { return (int64_t)(((next_random(state) >> 32) * (uint64_t)n) >> 32); }

/* A number strictly between 0 and 1. */
static inline double random_unit(uint64_t *state) { return ((double)(next_random(state) >> 11) + 0.5) * 0x1p-53; }
#endif
