/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_walk.h - walks through the traces of an experiment, event by event. For writers of trace
 * formats and of pictures. */
#ifndef SIS_ANALYSIS_TRACE_WALK_H
#define SIS_ANALYSIS_TRACE_WALK_H

#include "experiment/read/trace_files.h"
#include "experiment/timeline/trace_messages.h"
#include "experiment/timeline/trace_names.h"

/* A part of the traces, chosen by time and thread. Times are those of the experiment. */
struct trace_part {
	const struct experiment *x;
	int64_t start_ns;          /* the begin of the run */
	int64_t from_ns, to_ns;    /* the interval */
	int64_t process, thread;   /* only this process or thread; -1: all */
	uint64_t events;           /* about how many there are: whole blocks are counted */
	const trace_messages *message; /* of the whole run; NULL: the writer needs no messages */
};

/* The functions of a writer, in the order in which they are called. Functions that the writer does
 * not need are NULL. `self` is the writer's own data. The times of a stream do not decrease.
 * Regions nest, and each region that begins also ends. */
struct trace_writer {
	void (*start)(void *self, const struct trace_part *part);
	void (*process)(void *self, const struct process *process, const struct trace *trace,
			const struct trace_names *names);
	void (*stream)(void *self, uint32_t slot); /* of the process */
	void (*enter)(void *self, uint32_t id, int64_t ns);
	/* A region is open, but its begin is not in the part, or was dropped. If this function is
	 * NULL, `enter` is called instead. */
	void (*open)(void *self, uint32_t id, int64_t ns);
	void (*leave)(void *self, uint32_t id, int64_t ns);
	void (*dropped)(void *self, uint64_t events, int64_t ns); /* events are missing here */
	void (*pause)(void *self, int64_t ns); /* the trace is off until it resumes */
	/* The stream begins, or continues after a gap, with `open` regions open. The names of the
	 * outermost `unnamed` regions are not known. */
	void (*resume)(void *self, uint32_t unnamed, uint32_t open, int64_t ns);
	void (*value)(void *self, uint32_t id, double value, int64_t ns); /* a finite number */
	void (*end_stream)(void *self);
	void (*end_process)(void *self);
	void (*end)(void *self);
};

/* The part from `from_ns` to `to_ns` after the begin of the run; to_ns < 0: up to the end of the
 * run. */
struct trace_part trace_part_of(const struct experiment *x, int64_t from_ns, int64_t to_ns,
				int64_t process, int64_t thread);
/* Fills part->events, and walks through the part, process by process and stream by stream. Traces
 * without a profile are left out. Returns the number of these traces. */
uint64_t trace_walk(struct trace_part *part, struct traces *traces,
		    const struct trace_writer *writer, void *self);

/* A name such as "rank 1 (pid 4711)". The caller frees it. */
char *trace_process_name(const struct process *process);
/* A number for viewers, which is unique among all threads of all processes. It is not 0, which some
 * viewers treat as the system's own process or thread. */
uint64_t trace_thread_number(const struct process *process, uint32_t slot);

#endif
