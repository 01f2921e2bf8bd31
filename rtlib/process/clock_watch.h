/* SPDX-License-Identifier: BSD-3-Clause */
/* clock_watch.h - watches the processor's counter while the program runs, if the kernel does not.
 * The counter jumps if a virtual machine moves to a host whose counter has another value. */
#ifndef SIS_CLOCK_WATCH_H
#define SIS_CLOCK_WATCH_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

void sis__clock_watch_prepare(void); /* the first reading, at the start of the process */
void sis__clock_watch_start(void);   /* the second reading, later; notes which clock is used */
/* Compares the counter with the kernel's clock, at most ten times a second. Called by any thread,
 * inside the runtime; `now` is in ticks. */
void sis__clock_watch(uint64_t now);
void sis__clock_watch_end(void);
void sis__clock_watch_new_process(void);
/* Describes which clock is used, why, and what a reading costs. */
SIS_EXPORT void sis__clock_describe(char *text, size_t size);

#pragma GCC visibility pop
#endif
