/* SPDX-License-Identifier: BSD-3-Clause */
/* switches.h - when threads lost their processor or slept, and in which node, by the kernel's
 * records of switches (struct sis_unscheduled). A thread of the runtime reads them; the program's
 * threads know nothing of it.
 */
#ifndef SIS_SWITCHES_H
#define SIS_SWITCHES_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Starts the thread, if it can be a bare one. The kernel may refuse the records: then it ends. */
void sis__switches_start(void);
/* The calling thread fills the slot from now on; the kernel has counted so much of it before. */
void sis__switches_thread_begin(uint32_t slot, uint64_t delay_ns);
/* Ends the thread. True: it ran, and is gone. sis__switches_start may follow. */
bool sis__switches_stop(void);
/* The same, and it is not started again. The threads go on, so their records are not complete. */
void sis__switches_leave(void);
void sis__switches_end(void); /* the process ends: what the kernel has recorded so far is added */
void sis__switches_new_process(void); /* in a forked child: it has no such thread */

#pragma GCC visibility pop
#endif
