/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_read.h - reads the trace of a process (schema/trace.h): the list of its blocks, and the
 * events of a stream in order.
 *
 *     struct trace t;
 *     if (trace_open(&t, "dir/trace-host-1.sis", &err) == 0) {
 *             struct trace_cursor c;
 *             for (trace_cursor_init(&c, &t, slot, from, to); trace_next(&c, &event);) ...
 *             trace_cursor_release(&c);
 *             trace_release(&t);
 *     }
 *
 * Only the list of blocks, the texts and one block are in memory. Damaged parts are skipped and
 * counted. Only a file without a valid header is an error.
 */
#ifndef SIS_ANALYSIS_TRACE_READ_H
#define SIS_ANALYSIS_TRACE_READ_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "trace.h"

struct trace_block_position { /* the position of a block in one of the two files */
	uint32_t slot;
	bool in_ring;
	uint16_t codec;
	uint32_t bytes, raw_bytes, events;
	/* first, last: ticks; last 0: not known, because the block was still being filled */
	uint64_t serial, first, last, dropped;
	uint64_t offset; /* in the file: of the payload; in the ring: of the block */
	uint64_t checksum;
};
/* A text that says what ids mean. */
struct trace_text { enum sis_trace_kind kind; uint32_t id; char *text; size_t length; };

struct trace {
	char *path;
	int fd, ring;          /* ring: -1 if the trace has none */
	struct sis_trace_header head;
	VEC(struct trace_block_position) block; /* sorted by slot, then serial */
	VEC(struct trace_text) text;
	uint64_t events, dropped; /* numbers of events: in all blocks; dropped */
	uint64_t dropped_last; /* the part of `dropped` after the last block of each stream */
	uint64_t damaged;      /* number of parts of the files that could not be read */
	bool ended;            /* the process reached its end, and has written `end` */
	struct sis_trace_end end;
};

enum trace_kind {
	/* the stream begins, or continues after a gap or a pause: the open regions are `path` */
	TRACE_RESUME,
	TRACE_ENTER,  /* region id */
	TRACE_LEAVE,  /* the innermost open region */
	TRACE_VALUE,  /* user value id */
	TRACE_STOP,   /* a pause: no events until TRACE_RESUME */
};
struct trace_event {
	enum trace_kind kind;
	uint32_t id;
	uint64_t ticks;
	double value;
	/* of RESUME: ids of open regions, outermost first; valid until the next event */
	const uint32_t *path;
	/* of RESUME: number of ids in `path`; number of open regions (outer ones may have no id) */
	uint32_t paths, depth;
	uint64_t dropped;        /* of RESUME: the number of events dropped before it */
};

struct trace_cursor {
	struct trace *trace;
	size_t next, end;        /* indices of the next block, and of the end */
	uint32_t *word;          /* the words of the current block; NULL: none */
	size_t words, at;        /* number of words, and index of the next event */
	uint64_t serial, ticks;  /* serial of the current block; time of the last event */
	bool resume, begun;      /* the next event is a RESUME; a block has been read */
	uint32_t path, depth;
	uint64_t first, dropped;
};

/* A result of trace_open: the process was killed while it created its trace. The file is empty, or
 * has only a part of the header. */
enum { TRACE_UNWRITTEN = 1 };

/* Returns 0, TRACE_UNWRITTEN or an error. `trace` needs a release only if the result is 0. */
int trace_open(struct trace *trace, const char *path, struct err *err);
void trace_release(struct trace *trace);

/* Begins to read the events of one slot. The first block is the last one that begins at or before
 * `from` (ticks) or, if there is none, the slot's first block. The last block is the last one that
 * begins at or before `to`. */
void trace_cursor_init(struct trace_cursor *cursor, struct trace *trace, uint32_t slot,
		       uint64_t from, uint64_t to);
/* Begins to read the events of one block, by its index in trace.block. */
void trace_cursor_block(struct trace_cursor *cursor, struct trace *trace, size_t block);
/* Gets the next event. Returns false at the end. */
bool trace_next(struct trace_cursor *cursor, struct trace_event *event);
void trace_cursor_release(struct trace_cursor *cursor);

#endif
