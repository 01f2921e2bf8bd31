/* SPDX-License-Identifier: BSD-3-Clause */
/* own_thread.h - threads of the runtime itself. */
#ifndef SIS_OWN_THREAD_H
#define SIS_OWN_THREAD_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Starts a thread that is detached, blocks all signals and runs on `processors` (NULL: on any).
 * Returns 0 or an error number. */
int sis__own_thread_start(void *(*run)(void *), const cpu_set_t *processors);
/* Starts a bare thread where that is possible (bare_thread.h); else calls sis__own_thread_start. */
int sis__own_thread_start_bare(void *(*run)(void *), bool *bare);
void sis__own_thread_begin(const char *name); /* `run` calls this first; 15 characters at most */
bool sis__is_own_thread(uint32_t tid); /* also if the thread has ended */
/* Waits until the thread with the number *tid is gone, and stores 0 in *tid. *tid is UINT32_MAX
 * until the thread has stored its number. Returns false if the thread still exists after a tenth of
 * a second. */
bool sis__own_thread_wait(uint32_t *tid);
void sis__own_threads_wait(void); /* waits for the end of all threads that were told to end */

#pragma GCC visibility pop
#endif
