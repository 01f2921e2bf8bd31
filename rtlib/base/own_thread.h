/* SPDX-License-Identifier: BSD-3-Clause */
/* own_thread.h - threads of the runtime itself. */
#ifndef SIS_OWN_THREAD_H
#define SIS_OWN_THREAD_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Detached, with all signals blocked, on `processors` (NULL: on any); 0 or an error number. */
int sis__own_thread_start(void *(*run)(void *), const cpu_set_t *processors);
/* The same as a bare thread where that is possible (bare_thread.h). */
int sis__own_thread_start_bare(void *(*run)(void *), bool *bare);
void sis__own_thread_begin(const char *name); /* what `run` calls first; 15 characters at most */
bool sis__is_own_thread(uint32_t tid); /* of this process, alive or not */
/* Waits until the thread is gone whose number is in *tid, and stores 0 there; UINT32_MAX: it has
 * not said its number yet. False: it is still there after a tenth of a second. */
bool sis__own_thread_wait(uint32_t *tid);
void sis__own_threads_wait(void); /* for all that were told to end */

#pragma GCC visibility pop
#endif
