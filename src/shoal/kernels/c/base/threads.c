#include "threads.h"
#include <pthread.h>
#include "limits.h"

typedef struct {
    const Job *job;
    Counter next;
    Flag failed;
} Run;

typedef struct {
    Run *run;
    Bag *own;
    pthread_t thread;
} Hand;

static void *work(void *argument)
{
    Hand *hand = argument;
    Run *run = hand->run;
    const Job *job = run->job;
    hand->own = calloc(1, job->own);
    if (hand->own)
        job->open(job->shared, hand->own);
    if (!hand->own || hand->own->failed)
        set_flag(&run->failed, SHOAL_NO_MEMORY);
    while (!get_flag(&run->failed)) {
        int64_t begin = atomic_fetch_add(&run->next, job->at_once), end = begin + job->at_once;
        if (begin >= job->end)
            break;
        shoal_status status = job->serve(job->shared, hand->own, begin, end < job->end ? end : job->end);
        if (status != SHOAL_OK)
            set_flag(&run->failed, status);
    }
    return NULL;
}

shoal_status run_job(const Job *job)
{
    Run run = {.job = job};
    Hand hand[SHOAL_MOST_THREADS];
    int32_t started = 1, wanted = job->n_threads < SHOAL_MOST_THREADS ? job->n_threads : SHOAL_MOST_THREADS;
    atomic_store(&run.next, job->begin);
    hand[0].run = &run;
    for (; started < wanted; started++) { /* if the system gives no more threads, fewer do the work */
        hand[started].run = &run;
        if (pthread_create(&hand[started].thread, NULL, work, hand + started))
            break;
    }
    work(hand);
    for (int32_t i = 1; i < started; i++)
        pthread_join(hand[i].thread, NULL);
    for (int32_t i = 0; i < started; i++) {
        if (hand[i].own && !hand[i].own->failed && job->close)
            job->close(job->shared, hand[i].own);
        if (hand[i].own)
            bag_end(hand[i].own, 0);
        free(hand[i].own);
    }
    return (shoal_status)get_flag(&run.failed);
}
