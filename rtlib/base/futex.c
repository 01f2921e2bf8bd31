/* SPDX-License-Identifier: BSD-3-Clause */
/* futex.c - waits until a word changes, and wakes threads that wait for a change. Called by any
 * thread.
 */
#include "base/futex.h"
#include "base/state.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The wait is bounded, because the thread that should wake this one may have ended. */
void sis__futex_wait(const uint32_t *word, uint32_t seen, uint64_t ns)
{
	enum { PAUSE_NS = 10 };
	struct timespec time = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
	/* A confined thread cannot call futex, so it waits about as long by pauses. It counts them,
	 * because reading the clock may be a system call. */
	if (sis__is_confined()) {
		for (uint64_t i = 0;
		     i < ns / PAUSE_NS && __atomic_load_n(word, __ATOMIC_RELAXED) == seen; i++)
			sis__pause();
		return;
	}
	syscall(SYS_futex, word, FUTEX_WAIT, seen, &time, NULL, 0);
}

void sis__futex_wake(const uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* Nobody changes the word, so the wait lasts until the time is over. */
SIS_EXPORT void sis__nap(uint64_t ns)
{
	static const uint32_t word;
	sis__futex_wait(&word, 0, ns);
}
