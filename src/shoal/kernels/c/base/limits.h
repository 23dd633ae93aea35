/* What no call may pass, whatever it works on. */
#ifndef SHOAL_LIMITS_H
#define SHOAL_LIMITS_H

enum { SHOAL_MOST_THREADS = 64 };
#endif
