/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/trace_write.c */
/* The reader of traces: what was written comes back; what is damaged is counted and passed over,
 * never followed. */
#include "unit.h"

#include "experiment/read/trace_files.h"
#include "trace_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EVENTS = 200, BLOCKS = 6, ROUNDS = 2000, BLOCK = 4096 };

static char directory[UNIT_PATH], path[UNIT_PATH + 32], ring_path[UNIT_PATH + 32];

/* -- a trace made by hand ---------------------------------------------------------------------- */

static void put_header(struct trace_bytes *file)
{
	struct sis_trace_header head = { .magic = SIS_TRACE_MAGIC,
					 .version = SIS_TRACE_VERSION,
					 .endian = SIS_PROFILE_ENDIAN,
					 .pid = 7,
					 .host = "here",
					 .block_bytes = BLOCK,
					 .ring_blocks = 2 };
	file->length = 0;
	trace_put(file, &head, sizeof head);
}

/* Within region 5: EVENTS times region 6 is entered and left, 10 ticks apart; then a value. */
static struct trace_stream make_block(uint32_t slot, uint64_t serial, uint64_t dropped)
{
	struct trace_stream s = {
		.slot = slot, .serial = serial, .dropped = dropped, .depth = 1, .open = { 5 }
	};
	stream_begin(&s, 1000 * serial * EVENTS);
	for (int i = 0; i < EVENTS; i++) {
		stream_enter(&s, s.ticks + 10, 6);
		stream_leave(&s, s.ticks + 10);
	}
	stream_value(&s, 1000 * serial * EVENTS + 999 * EVENTS, 3, 2.5);
	return s;
}

static void put_block(struct trace_bytes *file, uint32_t slot, uint64_t serial, uint64_t dropped)
{
	struct trace_stream s = make_block(slot, serial, dropped);
	trace_put_block(file, &s, serial % 2);
}

static void make_trace(struct trace_bytes *file)
{
	struct sis_trace_end end = { .lost_events = 1 };
	put_header(file);
	trace_put_segment(file, (struct sis_trace_segment){ .kind = SIS_TRACE_BUILTIN }, "one,two",
			  7, false);
	trace_put_segment(file, (struct sis_trace_segment){ .kind = SIS_TRACE_VALUE, .slot = 3 },
			  "residual", 8, false);
	for (uint64_t i = 0; i < BLOCKS; i++)
		put_block(file, (uint32_t)(i % 2), i / 2, i == 4 ? 17 : 0);
	trace_put_segment(file, (struct sis_trace_segment){ .kind = 99 }, "of another version", 18,
			  false);
	trace_put_segment(file, (struct sis_trace_segment){ .kind = SIS_TRACE_END }, &end,
			  sizeof end, false);
}

/* A block as it is in the ring; `used`: 0 while it is filled. */
static void put_ring_block(struct trace_bytes *file, uint64_t serial, uint32_t used)
{
	struct trace_stream s = make_block(0, serial, 0);
	ck_assert_uint_le(stream_end(&s), BLOCK);
	s.block.head.used = used;
	trace_put(file, s.block.word, BLOCK);
}

/* The ring of a process that was killed: blocks 3 and 4 of slot 0, the latter half full. */
static void make_ring(struct trace_bytes *file)
{
	static char page[SIS_PAGE];
	struct sis_trace_stream stream = {
		.magic = SIS_TRACE_STREAM_MAGIC, .base = 0x10000, .filling = 4, .written = 3
	};
	put_header(file);
	memcpy(page, file->bytes, file->length);
	file->length = 0;
	trace_put(file, page, sizeof page);
	stream.next = (uint32_t *)(uintptr_t)(stream.base + SIS_PAGE +
					      sizeof(struct sis_trace_block) + 4 + 20 * 4);
	memset(page, 0, sizeof page);
	memcpy(page, &stream, sizeof stream);
	trace_put(file, page, sizeof page);
	put_ring_block(file, 4, 0);
	put_ring_block(file, 3, sizeof(struct sis_trace_block) + 4 + 10 * 4);
}

static void set_up(void)
{
	ck_assert_ptr_nonnull(mkdtemp(unit_template(directory)));
	snprintf(path, sizeof path, "%s/trace-here-7.sis", directory);
	snprintf(ring_path, sizeof ring_path, "%s/trace-here-7.ring", directory);
}

static void tear_down(void)
{
	unlink(path);
	unlink(ring_path);
	rmdir(directory);
}

/* -- reading ----------------------------------------------------------------------------------- */

struct sums { uint64_t enters, leaves, values, resumes, dropped; };

static struct sums read_slot(struct trace *t, uint32_t slot, uint64_t from, uint64_t to)
{
	struct sums sums = { 0 };
	struct trace_cursor cursor;
	struct trace_event event;
	trace_cursor_init(&cursor, t, slot, from, to);
	while (trace_next(&cursor, &event)) {
		sums.enters += event.kind == TRACE_ENTER;
		sums.leaves += event.kind == TRACE_LEAVE;
		sums.values += event.kind == TRACE_VALUE && event.id == 3;
		sums.resumes += event.kind == TRACE_RESUME;
		sums.dropped += event.kind == TRACE_RESUME ? event.dropped : 0;
		for (uint32_t i = 0; event.kind == TRACE_RESUME && i < event.paths; i++)
			sums.dropped += event.path[i] == UINT32_MAX; /* it can be read */
	}
	trace_cursor_release(&cursor);
	return sums;
}

static struct trace open_trace(void)
{
	struct trace t;
	struct err err = { 0 };
	ck_assert_msg(trace_open(&t, path, &err) == 0, "%s", err.text);
	return t;
}

START_TEST(what_was_written_comes_back)
{
	static struct trace_bytes file;
	set_up();
	make_trace(&file);
	trace_save(&file, path);
	struct trace t = open_trace();
	ck_assert_uint_eq(t.block.n, BLOCKS);
	ck_assert_uint_eq(t.events, BLOCKS * (2 * EVENTS + 1));
	ck_assert_uint_eq(t.dropped, 17);
	ck_assert_uint_eq(t.text.n, 2);
	ck_assert_str_eq(t.text.at[1].text, "residual");
	ck_assert(t.ended && t.end.lost_events == 1 && t.damaged == 0);
	struct sums all = read_slot(&t, 0, 0, UINT64_MAX);
	ck_assert_uint_eq(all.enters, 3 * EVENTS);
	ck_assert_uint_eq(all.leaves, 3 * EVENTS);
	ck_assert_uint_eq(all.values, 3);
	ck_assert_uint_eq(all.resumes, 2); /* at the start, and after what was dropped */
	ck_assert_uint_eq(all.dropped, 17);
	/* the block that holds it */
	ck_assert_uint_eq(read_slot(&t, 1, 1000 * EVENTS + 5, 1000 * EVENTS + 9).enters, EVENTS);
	ck_assert_uint_eq(read_slot(&t, 7, 0, UINT64_MAX).resumes, 0);
	trace_release(&t);
	tear_down();
}
END_TEST

START_TEST(a_killed_process_left_a_ring)
{
	static struct trace_bytes file, ring;
	set_up();
	make_trace(&file);
	make_ring(&ring);
	trace_save(&file, path);
	trace_save(&ring, ring_path);
	struct trace t = open_trace();
	ck_assert_uint_eq(t.block.n, BLOCKS + 2);
	struct sums all = read_slot(&t, 0, 0, UINT64_MAX);
	ck_assert_uint_eq(all.enters, 3 * EVENTS + 5 + 10);
	ck_assert_uint_eq(t.events, BLOCKS * (2 * EVENTS + 1) + 10 + 20);
	trace_release(&t);
	tear_down();
}
END_TEST

/* The ring's header equals that of the file. */
START_TEST(what_was_overwritten_is_missing_before_the_oldest)
{
	static struct trace_bytes file, ring;
	set_up();
	put_header(&file);
	make_ring(&ring);
	struct sis_trace_header *heads[] = { (void *)file.bytes, (void *)ring.bytes };
	for (int i = 0; i < 2; i++) {
		heads[i]->overwrites = 1;
		heads[i]->writer = SIS_WRITER_AT_END;
	}
	struct sis_trace_block *newest = (void *)(ring.bytes + (size_t)2 * SIS_PAGE);
	newest->overwritten = 40;
	trace_save(&file, path);
	trace_save(&ring, ring_path);
	struct trace t = open_trace();
	ck_assert_uint_eq(t.dropped, 40);
	ck_assert_uint_eq(t.block.at[0].dropped, 40);
	ck_assert_uint_eq(read_slot(&t, 0, 0, UINT64_MAX).dropped, 40);
	trace_release(&t);
	tear_down();
}
END_TEST

static void put_lost(struct trace_bytes *file, enum sis_trace_kind kind, uint64_t events)
{
	struct sis_trace_end lost = { .lost_events = events, .lost_blocks = 1, .dropped = events };
	trace_put_segment(file, (struct sis_trace_segment){ .kind = (uint16_t)kind }, &lost,
			  sizeof lost, false);
}

START_TEST(what_was_lost_is_known_without_an_end)
{
	static struct trace_bytes file;
	set_up();
	put_header(&file);
	put_lost(&file, SIS_TRACE_LOST, 5);
	trace_save(&file, path);
	struct trace t = open_trace();
	ck_assert(!t.ended && t.end.lost_events == 5 && t.dropped == 5);
	trace_release(&t);
	put_lost(&file, SIS_TRACE_END, 7);
	put_lost(&file, SIS_TRACE_LOST, 9); /* not after the end */
	trace_save(&file, path);
	t = open_trace();
	ck_assert(t.ended && t.end.lost_events == 7 && t.dropped == 7);
	trace_release(&t);
	tear_down();
}
END_TEST

START_TEST(damage_costs_only_what_it_hits)
{
	static struct trace_bytes file;
	set_up();
	make_trace(&file);
	size_t second = sizeof(struct sis_trace_header) + 2 * sizeof(struct sis_trace_segment) +
		15 + 40;
	/* the first block's head and the beginning of its payload */
	memset(file.bytes + second, 'x', 300);
	trace_save(&file, path);
	struct trace t = open_trace();
	uint64_t enters = read_slot(&t, 0, 0, UINT64_MAX).enters +
		read_slot(&t, 1, 0, UINT64_MAX).enters;
	ck_assert_uint_eq(enters, (BLOCKS - 1) * EVENTS);
	ck_assert_uint_ge(t.damaged, 1);
	ck_assert(t.ended);
	trace_release(&t);
	file.length = file.length / 2; /* cut off */
	trace_save(&file, path);
	t = open_trace();
	ck_assert(!t.ended);
	trace_release(&t);
	tear_down();
}
END_TEST

static void refuses(struct trace_bytes *file, const char *why)
{
	struct trace t;
	struct err err = { 0 };
	trace_save(file, path);
	ck_assert_int_ne(trace_open(&t, path, &err), 0);
	ck_assert_msg(strstr(err.text, why) != NULL, "'%s' instead of '%s'", err.text, why);
}

START_TEST(what_is_no_trace_is_named)
{
	static struct trace_bytes file;
	set_up();
	make_trace(&file);
	((struct sis_trace_header *)file.bytes)->version = 9;
	refuses(&file, "format 9, and only 1 is known");
	((struct sis_trace_header *)file.bytes)->endian = 0x04030201;
	refuses(&file, "byte order");
	file.bytes[0] = 'X';
	refuses(&file, "not a trace");
	file.length = 20;
	refuses(&file, "truncated");
	tear_down();
}
END_TEST

/* -- whatever happened to it ------------------------------------------------------------------- */

static unsigned long random_state = 20261121;

static unsigned long next_random(void)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return random_state >> 33;
}

/* Heads are hit as often as all the rest. */
static void damage(struct trace_bytes *file)
{
	for (unsigned long flips = next_random() % 6; flips; flips--) {
		size_t at = next_random() % file->length;
		if (next_random() % 2)
			at = next_random() % (file->length < 600 ? file->length : 600);
		file->bytes[at] ^= (char)(1 << next_random() % 8);
	}
	if (next_random() % 8 == 0)
		file->length = next_random() % file->length + 1;
}

START_TEST(no_mutation_is_followed)
{
	static struct trace_bytes whole, whole_ring, file;
	set_up();
	make_trace(&whole);
	make_ring(&whole_ring);
	for (int round = 0; round < ROUNDS; round++) {
		struct trace t;
		struct err err = { 0 };
		file = whole;
		damage(&file);
		trace_save(&file, path);
		file = whole_ring;
		damage(&file);
		damage(&file);
		trace_save(&file, ring_path);
		if (trace_open(&t, path, &err))
			continue;
		for (uint32_t slot = 0; slot < 3; slot++) {
			struct sums sums = read_slot(&t, slot, 0, UINT64_MAX);
			ck_assert_uint_le(sums.enters + sums.leaves, 20 * BLOCKS * EVENTS);
		}
		trace_release(&t);
	}
	tear_down();
}
END_TEST

UNIT_MAIN("trace_read", what_was_written_comes_back, a_killed_process_left_a_ring,
	  what_was_overwritten_is_missing_before_the_oldest,
	  what_was_lost_is_known_without_an_end, damage_costs_only_what_it_hits,
	  what_is_no_trace_is_named, no_mutation_is_followed)
