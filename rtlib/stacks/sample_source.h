/* SPDX-License-Identifier: BSD-3-Clause */
/* sample_source.h - events of the kernel that end a sampling period: a signal to the thread. */
#ifndef SIS_SAMPLE_SOURCE_H
#define SIS_SAMPLE_SOURCE_H

#include "stacks.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

struct sis_sample_source {
	enum sis_stacks_method method;
	uint64_t period;      /* ns of CPU time, or events */
	uint32_t type;        /* of the event, for the kernel ... */
	uint64_t config;
};

/* The event of PAPI's preset `name`; false: there is none here that is known. */
bool sis__source_of_event(const char *name, uint64_t period, struct sis_sample_source *source);
/* The thread's CPU time. */
struct sis_sample_source sis__source_of_clock(uint64_t period_ns);
/* A descriptor; the event does not count yet. `number`: of the signal. -errno: it is refused. */
int sis__source_open(const struct sis_sample_source *source, uint32_t tid, int number);
void sis__source_signal(int fd, int number); /* another one from now on */
void sis__source_arm(int fd);                /* one signal after the next period */
void sis__source_stop(int fd);
void sis__source_close(int fd);
bool sis__source_is(int fd);                 /* the program has not closed it */

#pragma GCC visibility pop
#endif
