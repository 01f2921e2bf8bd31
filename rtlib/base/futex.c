/* SPDX-License-Identifier: BSD-3-Clause */
/* futex.c - waits until a word changes, and wakes the threads that wait for it. Any thread. */
#include "base/futex.h"
#include "base/state.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* In a sandbox. About as long as a futex would wait, without the clock, which may be a system
 * call. */
static void spin(const uint32_t *word, uint32_t seen, uint64_t ns)
{
	enum { NS = 10 };
	for (uint64_t i = 0; i < ns / NS && __atomic_load_n(word, __ATOMIC_RELAXED) == seen; i++)
		sis__pause();
}

/* The wait is bounded, because the thread that should wake this one may have ended. */
void sis__futex_wait(const uint32_t *word, uint32_t seen, uint64_t ns)
{
	struct timespec time = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
	if (sis__is_confined())
		return spin(word, seen, ns);
	syscall(SYS_futex, word, FUTEX_WAIT, seen, &time, NULL, 0);
}

void sis__futex_wake(const uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* Nobody changes the word. */
SIS_EXPORT void sis__nap(uint64_t ns)
{
	static const uint32_t word;
	sis__futex_wait(&word, 0, ns);
}
