/* SPDX-License-Identifier: BSD-3-Clause */
/* clock_watch.h - watches the processor's counter while the program runs, where the kernel does
 * not: a virtual machine that is moved to another host may find another counter there. */
#ifndef SIS_CLOCK_WATCH_H
#define SIS_CLOCK_WATCH_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

void sis__clock_watch_prepare(void); /* the first reading, at the start of the process */
void sis__clock_watch_start(void);   /* the second one, some time later; notes which clock it is */
/* Reads the clocks, if they were not read for some time. Any thread, inside the runtime; `now` in
 * ticks. */
void sis__clock_watch(uint64_t now);
void sis__clock_watch_end(void);
void sis__clock_watch_new_process(void);
/* Which clock it is, why, and what a read costs. */
SIS_EXPORT void sis__clock_describe(char *text, size_t size);

#pragma GCC visibility pop
#endif
