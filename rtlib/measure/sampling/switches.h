/* SPDX-License-Identifier: BSD-3-Clause */
/* switches.h - how long threads had no processor or slept, by node (struct sis_unscheduled). This
 * is computed from the kernel's records of switches. A thread of the runtime reads the records; the
 * program's threads take no part.
 */
#ifndef SIS_SWITCHES_H
#define SIS_SWITCHES_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Starts the thread that reads the records, if it can be a bare thread. If the kernel refuses the
 * records, the thread ends. */
void sis__switches_start(void);
/* The calling thread fills the slot from now on. `delay_ns` is the time without a processor that
 * the kernel has counted for this thread so far. */
void sis__switches_thread_begin(uint32_t slot, uint64_t delay_ns);
/* Ends the thread that reads the records. True: the thread ran, and is gone. sis__switches_start
 * may follow. */
bool sis__switches_stop(void);
/* Ends this thread for good. The program's threads go on, so their records are not complete, which
 * is noted. */
void sis__switches_leave(void);
void sis__switches_end(void); /* at the end of the process: adds the last records */
void sis__switches_new_process(void); /* in a forked child: it has no such thread */

#pragma GCC visibility pop
#endif
