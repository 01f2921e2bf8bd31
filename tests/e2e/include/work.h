/* work.h - the work of test programs: time asleep, whose length no machine changes. A test adds
 * -I"$E2E/include". Programs with known overheads have known/known.h, whose work() takes its whole
 * time even if signals interrupt it. */
#ifndef WORK_H
#define WORK_H

#include <time.h>

/* Sleeps for a time, or until a signal is handled. */
static void rest(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };
	nanosleep(&t, NULL);
}

#endif
