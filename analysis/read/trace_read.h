/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_read.h - a process's trace (schema/trace.h): which blocks there are, and the events of a
 * stream in order.
 *
 *     struct trace t;
 *     if (trace_open(&t, "dir/trace-host-1.sis", &err) == 0) {
 *             struct trace_cursor c;
 *             for (trace_cursor_init(&c, &t, slot, from, to); trace_next(&c, &event);) ...
 *             trace_cursor_release(&c);
 *             trace_release(&t);
 *     }
 *
 * Memory is that of the list of blocks and of one block. What is damaged is passed over and
 * counted; only a file that is no trace at all is an error.
 */
#ifndef SIS_ANALYSIS_TRACE_READ_H
#define SIS_ANALYSIS_TRACE_READ_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "trace.h"

struct trace_block_position { /* a block, somewhere in one of the two files */
	uint32_t slot;
	bool in_ring;
	uint16_t codec;
	uint32_t bytes, raw_bytes, events;
	uint64_t serial, first, last, dropped; /* ticks; last 0: not known, it was being filled */
	uint64_t offset;                       /* of its payload, or in the ring */
	uint64_t checksum;
};
/* what an id means */
struct trace_text { enum sis_trace_kind kind; uint32_t id; char *text; size_t length; };

struct trace {
	char *path;
	int fd, ring;          /* ring: -1: there is none that belongs to the trace */
	struct sis_trace_header head;
	VEC(struct trace_block_position) block; /* by slot, then serial */
	VEC(struct trace_text) text;
	uint64_t events, dropped; /* of all blocks */
	uint64_t dropped_last; /* of dropped: after the last block of their stream */
	uint64_t damaged;      /* parts of the files that could not be read */
	bool ended;            /* the process reached its end: `end` is there */
	struct sis_trace_end end;
};

enum trace_kind {
	/* the stream begins, or continues after a gap or a pause: the open regions are `path` */
	TRACE_RESUME,
	TRACE_ENTER,  /* region id */
	TRACE_LEAVE,  /* the innermost open region */
	TRACE_VALUE,  /* user value id */
	TRACE_STOP,   /* a pause: nothing is known until TRACE_RESUME */
};
struct trace_event {
	enum trace_kind kind;
	uint32_t id;
	uint64_t ticks;
	double value;
	/* RESUME: region ids, outermost first; valid until the next event ... */
	const uint32_t *path;
	/* ... how many, and how many regions are open: the outer ones may not be named */
	uint32_t paths, depth;
	uint64_t dropped;        /* RESUME: events not kept before */
};

struct trace_cursor {
	struct trace *trace;
	size_t next, end;        /* blocks */
	uint32_t *word;          /* of the block being read; NULL: none */
	size_t words, at;
	uint64_t serial, ticks;  /* of that block; of the last event */
	bool resume, begun;      /* the next event is a RESUME; a block has been read */
	uint32_t path, depth;
	uint64_t first, dropped;
};

/* A process was killed while it created its trace, which has no bytes, or a part of the header. */
enum { TRACE_UNWRITTEN = 1 };

/* 0, TRACE_UNWRITTEN or an error. Only after 0 `trace` needs a release. */
int trace_open(struct trace *trace, const char *path, struct err *err);
void trace_release(struct trace *trace);

/* Events of one slot, from the block that holds ticks `from` on, to the last that begins before
 * `to`. */
void trace_cursor_init(struct trace_cursor *cursor, struct trace *trace, uint32_t slot,
		       uint64_t from, uint64_t to);
/* Events of one block, by its place in trace.block. */
void trace_cursor_block(struct trace_cursor *cursor, struct trace *trace, size_t block);
bool trace_next(struct trace_cursor *cursor, struct trace_event *event);
void trace_cursor_release(struct trace_cursor *cursor);

#endif
