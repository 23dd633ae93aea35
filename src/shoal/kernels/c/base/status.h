/* What a kernel returns.
 *
 * Every kernel returns a number: how many things it made (0 where there is nothing to count), or one of these, all of them
 * below zero. kernels/native.py translates them into Python's errors, in one place. */
#ifndef SHOAL_STATUS_H
#define SHOAL_STATUS_H

typedef enum {
    SHOAL_OK = 0,
    SHOAL_NO_MEMORY = -1,
    SHOAL_STOPPED = -2,     /* the work that was allowed is used up; call again to go on */
    SHOAL_TOO_LARGE = -3,   /* more than was allowed would have to be looked at or kept */
    SHOAL_BAD_ARGUMENT = -4 /* what was given cannot be: a cycle in a forest, no perfect matching, another text */
} shoal_status;
#endif
