/* SPDX-License-Identifier: BSD-3-Clause */
/* traced_make.c - see traced_make.h. Owns the profile and the trace of one process until both are
 * finished; tests only.
 *
 * Time passes in the current node and in those above it, up to the root. This is how the profile
 * defines total times where recursion is folded, too. */
#include "traced_make.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace_write.h"

struct lane { /* a slot */
	struct trace_stream stream;
	uint64_t open[STREAM_DEEPEST]; /* nodes; open[0]: the root */
	uint32_t depth;                /* without the root */
	bool used;
	uint64_t last;                 /* ticks of the last event */
};
struct traced {
	struct profile_writer *w;
	uint32_t fold_most; /* 0: no limit */
	struct lane lane[WRITER_SLOTS];
	struct trace_bytes trace;
};

static const char *const function_names[TRACED_FUNCTIONS] = {
	[MAIN] = "main", [SERIAL] = "serial", [WORK] = "work", [F] = "f", [G] = "g",
};

/* -- the begin and the end --------------------------------------------------------------------- */

void traced_begin(struct experiment *x)
{
	char directory[UNIT_PATH];
	ck_assert_ptr_nonnull(mkdtemp(unit_template(directory)));
	*x = (struct experiment){ .run.directory = mem_string(directory) };
}

void traced_path(const struct experiment *x, int rank, char path[UNIT_PATH])
{
	snprintf(path, UNIT_PATH, "%.200s/trace-host-%d.sis", x->run.directory, rank);
}

void traced_end(struct experiment *x)
{
	DIR *directory = opendir(x->run.directory);
	ck_assert_ptr_nonnull(directory);
	for (struct dirent *entry; (entry = readdir(directory));)
		unlinkat(dirfd(directory), entry->d_name, 0);
	closedir(directory);
	ck_assert_int_eq(rmdir(x->run.directory), 0);
	experiment_release(x);
}

static void put_header(struct traced *t)
{
	const struct sis_profile_header *h = writer_header(t->w);
	struct sis_trace_header head = {
		.magic = SIS_TRACE_MAGIC,
		.version = SIS_TRACE_VERSION,
		.endian = SIS_PROFILE_ENDIAN,
		.pid = h->pid,
		.clock = h->clock,
		.ticks_per_second = h->ticks_per_second,
		.start = h->start,
	};
	memcpy(head.host, h->host, sizeof head.host);
	memcpy(head.run_id, h->run_id, sizeof head.run_id);
	trace_put(&t->trace, &head, sizeof head);
}

/* What the ids of regions mean. */
static void put_names(struct traced *t)
{
	char text[16384];
	size_t length = 0;
	for (uint32_t id = 1; sis_builtin_name(id); id++) {
		length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
					   id > 1 ? "," : "", sis_builtin_name(id));
		ck_assert_uint_lt(length, sizeof text);
	}
	trace_put_segment(&t->trace, (struct sis_trace_segment){ .kind = SIS_TRACE_BUILTIN }, text,
			  length, true);
	char *json = writer_description(function_names, TRACED_FUNCTIONS);
	struct sis_profile_unit unit = { WRITER_FUNCTION(0), TRACED_FUNCTIONS, strlen(json) };
	ck_assert_uint_lt(sizeof unit + unit.length, sizeof text);
	memcpy(text, &unit, sizeof unit);
	memcpy(text + sizeof unit, json, unit.length);
	trace_put_segment(&t->trace, (struct sis_trace_segment){ .kind = SIS_TRACE_UNIT }, text,
			  sizeof unit + unit.length, false);
	free(json);
}

struct traced *traced_new(int rank, int size)
{
	struct traced *t = calloc(1, sizeof *t);
	t->w = writer_new(rank, size);
	writer_functions(t->w, function_names, TRACED_FUNCTIONS);
	put_header(t);
	put_names(t);
	return t;
}

struct profile_writer *traced_writer(struct traced *t) { return t->w; }

void traced_fold(struct traced *t, uint32_t most) { t->fold_most = most; }

void traced_finish(struct traced *t, struct experiment *x)
{
	char path[UNIT_PATH];
	struct sis_trace_end end = { 0 };
	for (uint32_t slot = 0; slot < WRITER_SLOTS; slot++) {
		traced_cut(t, slot);
		end.dropped += t->lane[slot].stream.dropped;
	}
	trace_put_segment(&t->trace, (struct sis_trace_segment){ .kind = SIS_TRACE_END }, &end,
			  sizeof end, false);
	traced_path(x, writer_header(t->w)->mpi_rank, path);
	trace_save(&t->trace, path);
	make_process(x, t->w, SIS_STATE_ENDED);
	free(t);
}

/* -- events ------------------------------------------------------------------------------------ */

static uint64_t ticks_of(int ms) { return WRITER_START + (uint64_t)ms * MS; }

static uint64_t current(const struct lane *lane) { return lane->open[lane->depth]; }

static uint64_t parent_of(struct traced *t, uint64_t node)
{
	return (uintptr_t)writer_node_at(t->w, node)->parent;
}

static struct lane *lane_at(struct traced *t, uint32_t slot, uint64_t ticks)
{
	struct lane *lane = &t->lane[slot];
	if (!lane->used) {
		lane->used = true;
		lane->stream.slot = slot;
		lane->last = ticks;
		lane->open[0] = writer_thread(t->w, slot);
	}
	ck_assert_uint_ge(ticks, lane->last);
	for (uint64_t n = current(lane); n; n = parent_of(t, n))
		writer_node_at(t->w, n)->total += ticks - lane->last;
	lane->last = ticks;
	return lane;
}

static bool is_region(struct traced *t, uint64_t node, uint32_t region)
{
	return sis_node_region(writer_node_at(t->w, node)) == region;
}

static uint64_t find_child(struct traced *t, uint64_t parent, uint32_t region, uint64_t origin)
{
	const struct sis_node *up = writer_node_at(t->w, parent);
	uint64_t child = (uintptr_t)up->last_child;
	for (uint32_t i = 0; i < up->children; i++) {
		if (is_region(t, child, region) && writer_origin_of(t->w, child) == origin)
			return child;
		child = (uintptr_t)writer_node_at(t->w, child)->next;
	}
	return 0;
}

/* The node that a recursion is folded into; 0: it has not reached its limit. */
static uint64_t find_fold(struct traced *t, uint64_t node, uint32_t region)
{
	uint64_t last = 0;
	uint32_t nodes = 0;
	for (; node; node = parent_of(t, node)) {
		nodes += is_region(t, node, region);
		last = !last && nodes ? node : last;
	}
	if (!t->fold_most || nodes < t->fold_most)
		return 0;
	writer_node_at(t->w, last)->region |= SIS_NODE_FOLDS;
	return last;
}

uint64_t traced_enter_of(struct traced *t, uint32_t slot, int ms, uint32_t region, uint64_t origin)
{
	struct lane *lane = lane_at(t, slot, ticks_of(ms));
	uint64_t node = find_fold(t, current(lane), region);
	node = node ? node : find_child(t, current(lane), region, origin);
	if (!node) {
		node = writer_node(t->w, slot, current(lane), region, 0, 0);
		if (origin)
			writer_origin(t->w, slot, node, origin);
	}
	writer_node_at(t->w, node)->calls++;
	ck_assert_uint_lt(lane->depth + 1, STREAM_DEEPEST);
	lane->open[++lane->depth] = node;
	stream_enter(&lane->stream, lane->last, region);
	return node;
}

uint64_t traced_enter(struct traced *t, uint32_t slot, int ms, uint32_t region)
{
	return traced_enter_of(t, slot, ms, region, 0);
}

void traced_leave(struct traced *t, uint32_t slot, int ms)
{
	struct lane *lane = lane_at(t, slot, ticks_of(ms));
	ck_assert_uint_gt(lane->depth, 0);
	lane->depth--;
	stream_leave(&lane->stream, lane->last);
}

uint64_t traced_visit(struct traced *t, uint32_t slot, int enter, int leave, uint32_t region)
{
	uint64_t node = traced_enter(t, slot, enter, region);
	traced_leave(t, slot, leave);
	return node;
}

uint64_t traced_call(struct traced *t, uint32_t slot, enum sis_record_kind kind,
		     const char *routine, int enter, int leave, int peer, uint64_t serial)
{
	uint64_t node = traced_visit(t, slot, enter, leave, writer_mpi(routine));
	struct sis_record record = make_record(kind, node, enter, leave);
	record.peer = peer;
	record.serial = serial;
	writer_record(t->w, slot, record);
	return node;
}

void traced_culprit(struct traced *t, uint32_t slot, uint64_t node, uint32_t other,
		    uint64_t culprit, int ms)
{
	struct sis_culprit c = { .node = (void *)(uintptr_t)node,
				 .culprit = (void *)(uintptr_t)culprit,
				 .slot = other,
				 .count = 1,
				 .ticks = (uint64_t)ms * MS };
	writer_chunk(t->w, SIS_CHUNK_CULPRITS, slot, &c, sizeof c);
}

/* -- blocks ------------------------------------------------------------------------------------ */

/* Every second block is compressed. */
void traced_cut(struct traced *t, uint32_t slot)
{
	struct trace_stream *s = &t->lane[slot].stream;
	trace_put_block(&t->trace, s, s->serial % 2);
	s->paused = false;
}

void traced_drop(struct traced *t, uint32_t slot, bool drops)
{
	traced_cut(t, slot);
	t->lane[slot].stream.drops = drops;
}

void traced_late(struct traced *t, uint32_t slot) { t->lane[slot].stream.paused = true; }

void traced_stop(struct traced *t, uint32_t slot, int ms)
{
	stream_stop(&t->lane[slot].stream, ticks_of(ms));
}
