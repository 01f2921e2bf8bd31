/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_source.h - sources of samples. By a source the kernel sends a thread a signal when a
 * sampling period ends. */
#ifndef SIS_SAMPLE_SOURCE_H
#define SIS_SAMPLE_SOURCE_H

#include "stacks.h"

#include <signal.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

struct sis_sample_source {
	enum sis_stacks_method method;
	uint64_t period;      /* ns of CPU time, or events; their mean if they differ */
	uint32_t type;        /* type and configs identify the event; not with METHOD_TIMER */
	uint64_t config, config1, config2;
};

/* Sets the source to PAPI's preset `name`. Returns false if the kernel has no name of its own for
 * this event. */
bool sis__source_of_event(const char *name, uint64_t period, struct sis_sample_source *source);
/* A source by the thread's CPU time. */
struct sis_sample_source sis__source_of_clock(uint64_t period_ns);
/* A source by CPU time, with timers. If timers cannot have so short a period, it is longer. */
struct sis_sample_source sis__source_of_timer(uint64_t period_ns);
/* Opens a source for the thread; it does not count yet. `number`: the signal's number. Returns a
 * handle: a descriptor of perf_event or, with METHOD_TIMER, a timer. Returns -errno if the kernel
 * refuses it. */
int sis__source_open(const struct sis_sample_source *source, uint32_t tid, int number);
/* Stops the source, and makes it send another signal from now on. Returns its handle, which may
 * have changed; -errno: the thread has no source any more. */
int sis__source_signal(const struct sis_sample_source *source, int handle, uint32_t tid,
		       int number);
/* Starts the source: it sends one signal, after a random part of a period. This signal stands for a
 * whole period. With METHOD_TIMER further signals come after each period. */
void sis__source_arm(const struct sis_sample_source *source, int handle);
/* The handler calls this when a signal has come, so that the source sends another signal after the
 * next period. Returns the length of this period. */
uint64_t sis__source_arm_again(const struct sis_sample_source *source, int handle);
void sis__source_stop(const struct sis_sample_source *source, int handle);
void sis__source_close(const struct sis_sample_source *source, int handle);
void sis__source_close_inherited(const struct sis_sample_source *source, int handle);
/* Whether the source still exists: the program may have closed it. */
bool sis__source_is(const struct sis_sample_source *source, int handle);
/* Whether a source sent the signal. Sets its handle, and the number of periods that ended. */
bool sis__source_sent(const siginfo_t *info, int *handle, uint64_t *periods);

#pragma GCC visibility pop
#endif
