/* SPDX-License-Identifier: BSD-3-Clause */
/* lock.h - locks for short sections of slow paths, and sections that no signal handler interrupts.
 */
#ifndef SIS_RT_LOCK_H
#define SIS_RT_LOCK_H

#include <signal.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

struct sis_lock {
	int taken;        /* the process whose thread holds the lock; 0: free */
	const void *holder; /* the holder's sis__local, if the holder is confined; else NULL */
	int cancel;       /* the holder's cancellation state before it took the lock */
	sigset_t signals; /* its signal mask before; a holder that is not confined blocks signals */
};
/* Returns false if the lock was not free for a second (then its holder must have ended), or if this
 * is a signal handler that interrupted the holder. */
bool sis__lock(struct sis_lock *lock);
void sis__unlock(struct sis_lock *lock);

/* Like sis__guard, but for longer sections. Unless the thread is confined, signals are blocked, so
 * that their handlers run after the section and are measured. `before` receives what
 * sis__unguard_alone needs to restore the signal mask. */
void sis__guard_alone(sigset_t *before);
void sis__unguard_alone(const sigset_t *before);

/* Waits until each section has ended that a thread began before all threads were confined
 * (state.h).
 */
void sis__sections_wait(void);
void sis__sections_new_process(void);

#pragma GCC visibility pop
#endif
