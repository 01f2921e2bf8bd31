/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_walk.h - the traces of an experiment, event by event, for the writer of a format. */
#ifndef SIS_ANALYSIS_TRACE_WALK_H
#define SIS_ANALYSIS_TRACE_WALK_H

#include "export/export.h"
#include "export/trace_messages.h"
#include "export/trace_names.h"

struct trace_part { /* what is exported; times are those of the experiment */
	const struct experiment *x;
	int64_t start_ns;          /* of the run */
	int64_t from_ns, to_ns;    /* the window */
	int64_t process, thread;   /* only these; -1: all */
	uint64_t events;           /* that it has, about: whole blocks are counted */
	trace_messages message;    /* of the whole run */
};

/* The functions of a format, in the order in which they are called. `self` is the format's own.
 * Times of a stream do not decrease. Regions nest, and each that begins ends. */
struct trace_writer {
	void (*start)(void *self, const struct trace_part *part);
	void (*process)(void *self, const struct process *process, const struct trace_names *names);
	void (*stream)(void *self, uint32_t slot); /* of the process */
	void (*enter)(void *self, uint32_t id, int64_t ns);
	void (*leave)(void *self, uint32_t id, int64_t ns);
	void (*dropped)(void *self, uint64_t events, int64_t ns); /* events are missing here */
	void (*value)(void *self, uint32_t id, double value, int64_t ns); /* a finite number */
	void (*end)(void *self);
};

int trace_walk(const struct export_job *job, const struct trace_writer *writer, void *self,
	       struct err *err);

/* Whether a moment of a thread is exported. */
bool trace_part_has(const struct trace_part *part, uint32_t process, uint32_t slot, int64_t ns);

/* "rank 1 (pid 4711)"; the caller frees it. */
char *trace_process_name(const struct process *process);
/* A number for viewers, which differs for all threads of all processes. None is 0, which some
 * viewers take for the system's own process and thread. */
uint64_t trace_thread_number(const struct process *process, uint32_t slot);

#endif
