/* SPDX-License-Identifier: BSD-3-Clause */
/* lock.h - locks for short sections of slow paths, and sections that no signal handler interrupts.
 */
#ifndef SIS_RT_LOCK_H
#define SIS_RT_LOCK_H

#include <signal.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

struct sis_lock {
	int taken;        /* the process whose thread has it; 0: free */
	const void *holder; /* its sis__local, if it is confined; else NULL */
	int cancel;       /* the holder's cancellation state ... */
	sigset_t signals; /* ... and its signal mask: nothing may interrupt it */
};
/* False: not taken within a second; its holder must be gone. */
bool sis__lock(struct sis_lock *lock);
void sis__unlock(struct sis_lock *lock);

/* sis__guard for longer sections: a signal handler waits and is measured afterwards. `before` is
 * this thread's until sis__unguard_alone. */
void sis__guard_alone(sigset_t *before);
void sis__unguard_alone(const sigset_t *before);

/* Waits until no thread is in such a section that it began before all were confined (state.h). */
void sis__sections_wait(void);
void sis__sections_new_process(void);

#pragma GCC visibility pop
#endif
