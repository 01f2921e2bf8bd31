/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_walk.h - the traces of an experiment, event by event, for writers of formats and
 * pictures. */
#ifndef SIS_ANALYSIS_TRACE_WALK_H
#define SIS_ANALYSIS_TRACE_WALK_H

#include "read/trace_files.h"
#include "timeline/trace_messages.h"
#include "timeline/trace_names.h"

/* A part of the traces, chosen by time and thread. Times are those of the experiment. */
struct trace_part {
	const struct experiment *x;
	int64_t start_ns;          /* of the run */
	int64_t from_ns, to_ns;    /* the window */
	int64_t process, thread;   /* only these; -1: all */
	uint64_t events;           /* that it has, about: whole blocks are counted */
	const trace_messages *message; /* of the whole run; NULL: the writer needs none */
};

/* The functions of a writer, in the order in which they are called; those that it does not need are
 * NULL. `self` is the writer's own. Times of a stream do not decrease. Regions nest, and each that
 * begins ends. */
struct trace_writer {
	void (*start)(void *self, const struct trace_part *part);
	void (*process)(void *self, const struct process *process, const struct trace *trace,
			const struct trace_names *names);
	void (*stream)(void *self, uint32_t slot); /* of the process */
	void (*enter)(void *self, uint32_t id, int64_t ns);
	/* A region is open here whose begin is not in the part, or was not kept. NULL: as enter. */
	void (*open)(void *self, uint32_t id, int64_t ns);
	void (*leave)(void *self, uint32_t id, int64_t ns);
	void (*dropped)(void *self, uint64_t events, int64_t ns); /* events are missing here */
	void (*pause)(void *self, int64_t ns); /* the trace is off until it resumes */
	/* The stream begins, or continues after a gap, with `open` regions open. Of these, the
	 * outermost `unnamed` regions are not named. */
	void (*resume)(void *self, uint32_t unnamed, uint32_t open, int64_t ns);
	void (*value)(void *self, uint32_t id, double value, int64_t ns); /* a finite number */
	void (*end_stream)(void *self);
	void (*end_process)(void *self);
	void (*end)(void *self);
};

/* The part that begins `from_ns` after the run began and ends `to_ns` after it; to_ns < 0: at the
 * end of the run. */
struct trace_part trace_part_of(const struct experiment *x, int64_t from_ns, int64_t to_ns,
				int64_t process, int64_t thread);
/* Walks through the part, process by process and stream by stream. `part->events` is counted first.
 * Traces without a profile are left out; their number is returned. */
uint64_t trace_walk(struct trace_part *part, struct traces *traces,
		    const struct trace_writer *writer, void *self);

/* Whether a moment of a thread is in the part. */
bool trace_part_has(const struct trace_part *part, uint32_t process, uint32_t slot, int64_t ns);

/* "rank 1 (pid 4711)"; the caller frees it. */
char *trace_process_name(const struct process *process);
/* A number for viewers, which differs for all threads of all processes. None is 0, which some
 * viewers take for the system's own process and thread. */
uint64_t trace_thread_number(const struct process *process, uint32_t slot);

#endif
