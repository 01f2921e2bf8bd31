/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_write.c - owns nothing; tests only. An event is short where the format allows it, as in the
 * runtime. */
#include "trace_write.h"

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

/* -- the file ---------------------------------------------------------------------------------- */

void trace_put(struct trace_bytes *t, const void *bytes, size_t length)
{
	ck_assert_uint_le(t->length + length, sizeof t->bytes);
	memcpy(t->bytes + t->length, bytes, length);
	t->length += length;
}

void trace_put_segment(struct trace_bytes *t, struct sis_trace_segment s, const void *payload,
		       size_t length, bool packed)
{
	size_t head = t->length;
	trace_put(t, &s, sizeof s);
	char *room = t->bytes + t->length;
	if (packed)
		t->length += ZSTD_compress(room, sizeof t->bytes - t->length, payload, length, 1);
	else
		trace_put(t, payload, length);
	ck_assert_uint_le(t->length, sizeof t->bytes);
	s.magic = SIS_TRACE_SEGMENT_MAGIC;
	s.codec = packed ? SIS_TRACE_ZSTD : SIS_TRACE_PLAIN;
	s.raw_bytes = (uint32_t)length;
	s.bytes = (uint32_t)(t->bytes + t->length - room);
	s.checksum = sis_trace_checksum(&s, room);
	memcpy(t->bytes + head, &s, sizeof s);
}

void trace_save(const struct trace_bytes *t, const char *path)
{
	unlink(path); /* a file system waits for the disk where a file is written over */
	FILE *out = fopen(path, "wb");
	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(t->bytes, 1, t->length, out), t->length);
	fclose(out);
}

/* -- a block ----------------------------------------------------------------------------------- */

static void put_word(struct trace_stream *s, uint32_t word)
{
	ck_assert_uint_lt(s->words, STREAM_WORDS);
	s->block.word[s->words++] = word;
}

void stream_begin(struct trace_stream *s, uint64_t ticks)
{
	uint32_t path = s->depth < SIS_TRACE_PATH ? s->depth : SIS_TRACE_PATH;
	s->block.head = (struct sis_trace_block){
		.magic = SIS_TRACE_BLOCK_MAGIC,
		.slot = s->slot,
		.serial = s->serial,
		.first = ticks,
		.dropped = s->dropped,
		.depth = s->depth,
		.path = path,
	};
	s->ticks = ticks;
	s->paused = false;
	s->dropped = 0;
	s->events = 0;
	s->words = sizeof s->block.head / sizeof s->block.word[0];
	for (uint32_t i = s->depth - path; i < s->depth; i++)
		put_word(s, s->open[i]);
}

/* False: the event is not written. */
static bool begin_event(struct trace_stream *s, uint64_t ticks)
{
	s->dropped += s->drops && !s->paused;
	if (s->drops || s->paused)
		return false;
	if (!s->words)
		stream_begin(s, ticks);
	s->events++;
	return true;
}

static void put_long(struct trace_stream *s, enum sis_trace_long kind, uint64_t ticks,
		     const uint32_t *more, uint32_t n)
{
	put_word(s, SIS_TRACE_LONG | (uint32_t)kind << 2 | (3 + n) << 8);
	put_word(s, (uint32_t)ticks);
	put_word(s, (uint32_t)(ticks >> 32));
	for (uint32_t i = 0; i < n; i++)
		put_word(s, more[i]);
	s->ticks = ticks;
}

static void put_enter(struct trace_stream *s, uint64_t ticks, uint32_t id)
{
	uint64_t span = ticks - s->ticks;
	if (id < SIS_TRACE_ENTER_IDS && span < SIS_TRACE_ENTER_TICKS)
		put_word(s, (uint32_t)span << 14 | id << 2 | SIS_TRACE_ENTER);
	else
		put_long(s, SIS_TRACE_LONG_ENTER, ticks, &id, 1);
	s->ticks = ticks;
}

static void put_leave(struct trace_stream *s, uint64_t ticks)
{
	uint64_t span = ticks - s->ticks;
	if (span < SIS_TRACE_LEAVE_TICKS)
		put_word(s, (uint32_t)span << 2 | SIS_TRACE_LEAVE);
	else
		put_long(s, SIS_TRACE_LONG_LEAVE, ticks, NULL, 0);
	s->ticks = ticks;
}

void stream_enter(struct trace_stream *s, uint64_t ticks, uint32_t id)
{
	if (begin_event(s, ticks))
		put_enter(s, ticks, id);
	ck_assert_uint_lt(s->depth, STREAM_DEEPEST);
	s->open[s->depth++] = id;
}

void stream_leave(struct trace_stream *s, uint64_t ticks)
{
	if (begin_event(s, ticks))
		put_leave(s, ticks);
	ck_assert_uint_gt(s->depth, 0);
	s->depth--;
}

void stream_value(struct trace_stream *s, uint64_t ticks, uint32_t id, double value)
{
	uint32_t more[3] = { id };
	memcpy(&more[1], &value, sizeof value);
	if (begin_event(s, ticks))
		put_long(s, SIS_TRACE_LONG_VALUE, ticks, more, 3);
}

void stream_stop(struct trace_stream *s, uint64_t ticks)
{
	if (begin_event(s, ticks))
		put_long(s, SIS_TRACE_LONG_STOP, ticks, NULL, 0);
	s->paused = true;
}

uint32_t stream_end(struct trace_stream *s)
{
	struct sis_trace_block *head = &s->block.head;
	head->used = s->words * (uint32_t)sizeof s->block.word[0];
	head->events = s->events;
	head->last = s->ticks;
	s->words = 0;
	s->serial++;
	return head->used;
}

void trace_put_block(struct trace_bytes *t, struct trace_stream *s, bool packed)
{
	const struct sis_trace_block *head = &s->block.head;
	if (!s->words)
		return;
	uint32_t used = stream_end(s);
	trace_put_segment(t,
			  (struct sis_trace_segment){ .kind = SIS_TRACE_BLOCK,
						      .slot = head->slot,
						      .events = head->events,
						      .serial = head->serial,
						      .first = head->first,
						      .last = head->last,
						      .dropped = head->dropped },
			  head, used, packed);
}
