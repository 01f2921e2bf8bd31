/* known.h - for programs whose overheads are known because their work is time asleep. */
#ifndef KNOWN_H
#define KNOWN_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline void work(double seconds)
{
	struct timespec end;
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += (long)((seconds - (long)seconds) * 1e9);
	end.tv_sec += (long)seconds + end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL))
		continue;
}

#endif
