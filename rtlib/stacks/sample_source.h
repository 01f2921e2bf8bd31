/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_source.h - what ends a sampling period of a thread: the kernel sends it a signal. */
#ifndef SIS_SAMPLE_SOURCE_H
#define SIS_SAMPLE_SOURCE_H

#include "stacks.h"

#include <signal.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

struct sis_sample_source {
	enum sis_stacks_method method;
	uint64_t period;      /* ns of CPU time, or events */
	uint32_t type;        /* of the event, for the kernel ...; not of METHOD_TIMER */
	uint64_t config, config1, config2;
};

/* The event of PAPI's preset `name`, if the kernel has a name for it; false: it has none. */
bool sis__source_of_event(const char *name, uint64_t period, struct sis_sample_source *source);
/* The thread's CPU time. */
struct sis_sample_source sis__source_of_clock(uint64_t period_ns);
/* The same by timers; the period is longer if they cannot end so short ones. */
struct sis_sample_source sis__source_of_timer(uint64_t period_ns);
/* Opens a source for the thread, which does not count yet. Returns its handle: a descriptor of
 * perf_event or, with METHOD_TIMER, a timer; -errno: the kernel refuses it. `number`: of the
 * signal. */
int sis__source_open(const struct sis_sample_source *source, uint32_t tid, int number);
/* Stops the source, and makes it send another signal from now on. Returns its handle, which may
 * have changed; -errno: the thread has no source any more. */
int sis__source_signal(const struct sis_sample_source *source, int handle, uint32_t tid,
		       int number);
/* Starts the source: it sends one signal, after the next period. With METHOD_TIMER the first signal
 * comes after a part of a period, and further signals come after each period. */
void sis__source_arm(const struct sis_sample_source *source, int handle);
/* The signal has come: another one after the next period. In the handler. */
void sis__source_arm_again(const struct sis_sample_source *source, int handle);
void sis__source_stop(const struct sis_sample_source *source, int handle);
void sis__source_close(const struct sis_sample_source *source, int handle);
void sis__source_close_inherited(const struct sis_sample_source *source, int handle);
/* The program has not closed it. */
bool sis__source_is(const struct sis_sample_source *source, int handle);
/* Whether the signal is that of a source, and of which one; `periods` that end with it. */
bool sis__source_sent(const siginfo_t *info, int *handle, uint64_t *periods);

#pragma GCC visibility pop
#endif
