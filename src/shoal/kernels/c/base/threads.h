/* The one pool of threads, and the only file that knows the operating system.
 *
 * Today: POSIX threads and C11 atomics, which Linux and macOS have (macOS needs nothing else). Windows: with clang-cl or MinGW this file
 * compiles as it is, over winpthreads; with MSVC, threads.c needs _beginthreadex and WaitForSingleObject in place of pthread_create and
 * pthread_join, and the compiler the options /std:c11 /experimental:c11atomics. The rest of the C asks for GCC's __builtin_ctzll alone
 * (table/cells.h; _BitScanForward64 with MSVC) and for nothing of the system. How many threads there are is decided in
 * kernels/threads.py. */
#ifndef SHOAL_THREADS_H
#define SHOAL_THREADS_H
#include <stdatomic.h>
#include <stdint.h>
#include "memory.h"

typedef atomic_llong Counter;
typedef atomic_int Flag;

/* Keep the first failure. */
static inline void set_flag(Flag *flag, int value)
{
    int none = 0;
    atomic_compare_exchange_strong(flag, &none, value);
}
static inline int get_flag(Flag *flag) { return atomic_load_explicit(flag, memory_order_relaxed); }

/* Work that comes in many independent pieces. Each thread gets a zeroed block of its own, which begins with a Bag; it opens it, and serves pieces
 * begin .. end until none is left. When all threads are done, the calling one closes the blocks, one after the other, and frees them. */
typedef struct {
    void *shared;
    size_t own;
    void (*open)(void *shared, void *own);
    shoal_status (*serve)(void *shared, void *own, int64_t begin, int64_t end);
    void (*close)(void *shared, void *own); /* or NULL */
    int64_t begin, end, at_once;
    int32_t n_threads;
} Job;

shoal_status run_job(const Job *job);
#endif
