/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_write.h - traces made by hand, byte for byte as the runtime writes them, for tests of
 * readers.
 *
 *     struct trace_bytes t = { 0 };                    or static
 *     trace_put(&t, &head, sizeof head);
 *     struct trace_stream s = { .slot = 1 };
 *     stream_enter(&s, ticks, id);
 *     stream_leave(&s, ticks);
 *     trace_put_block(&t, &s, packed);                 the events since the last block
 *     trace_save(&t, path);
 */
#ifndef SIS_TESTS_TRACE_WRITE_H
#define SIS_TESTS_TRACE_WRITE_H

#include <stdbool.h>
#include <stddef.h>

#include "trace.h"

enum { TRACE_ROOM = 128 << 10, STREAM_WORDS = 4096, STREAM_DEEPEST = 128 };

struct trace_bytes { char bytes[TRACE_ROOM]; size_t length; };

void trace_put(struct trace_bytes *t, const void *bytes, size_t length);
/* Fills in the fields of `s` that say how the payload is stored. `packed`: compressed. */
void trace_put_segment(struct trace_bytes *t, struct sis_trace_segment s, const void *payload,
		       size_t length, bool packed);
void trace_save(const struct trace_bytes *t, const char *path);

/* The events of a slot, and the block that is being filled. */
struct trace_stream {
	uint32_t slot;
	uint32_t depth, open[STREAM_DEEPEST]; /* region ids, outermost first */
	bool drops;       /* events are dropped */
	bool paused;      /* they are not written, until a block begins */
	uint64_t ticks;   /* of the last event */
	uint64_t serial;  /* of the block */
	uint64_t dropped; /* events that are missing before the next block */
	uint32_t words, events; /* of the block; 0 words: none is begun */
	union { struct sis_trace_block head; uint32_t word[STREAM_WORDS]; } block;
};

/* Begins a block. An event begins one, too, if there is none. */
void stream_begin(struct trace_stream *s, uint64_t ticks);
void stream_enter(struct trace_stream *s, uint64_t ticks, uint32_t id);
void stream_leave(struct trace_stream *s, uint64_t ticks);
void stream_value(struct trace_stream *s, uint64_t ticks, uint32_t id, double value);
/* Ends the block with a pause. */
void stream_stop(struct trace_stream *s, uint64_t ticks);
/* Ends the block, which stays in s->block until the next one begins. Returns its bytes. */
uint32_t stream_end(struct trace_stream *s);
/* Ends the block, if there is one, and puts it to the others. */
void trace_put_block(struct trace_bytes *t, struct trace_stream *s, bool packed);

#endif
