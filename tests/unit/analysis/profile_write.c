/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_write.c - owns the bytes of one profile being made; tests only. Chunks are of fixed size,
 * so that addresses are known at once; each slot has one of records, and of nodes as many as they
 * fill. */
#include "profile_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 16 * SIS_PAGE };

struct profile_writer {
	unsigned char *bytes;
	size_t size;
	/* offsets of chunks, of nodes the last one; 0 none */
	size_t thread[WRITER_SLOTS], nodes[WRITER_SLOTS], records[WRITER_SLOTS], text;
	bool told[WRITER_FUNCTION(0)]; /* builtin regions whose names are written */
	uint64_t end;
};

static struct sis_chunk *chunk_at(struct profile_writer *w, size_t at)
{
	return (struct sis_chunk *)(void *)(w->bytes + at);
}

static size_t add_chunk_of(struct profile_writer *w, enum sis_chunk_kind kind, uint32_t slot,
			   size_t size)
{
	size_t at = w->size;
	w->size += size;
	w->bytes = realloc(w->bytes, w->size);
	memset(w->bytes + at, 0, size);
	*chunk_at(w, at) = (struct sis_chunk){ .magic = SIS_CHUNK_MAGIC, .kind = kind, .size = size,
		.slot = slot };
	return at;
}

static size_t add_chunk(struct profile_writer *w, enum sis_chunk_kind kind, uint32_t slot)
{
	return add_chunk_of(w, kind, slot, CHUNK);
}

/* Room for `length` more bytes in a chunk: their offset in the file. */
static size_t grow(struct profile_writer *w, size_t chunk, size_t length)
{
	struct sis_chunk *c = chunk_at(w, chunk);
	if (sizeof *c + c->used + length > c->size)
		abort();
	size_t at = chunk + sizeof *c + c->used;
	c->used += length;
	return at;
}

static size_t grow_nodes(struct profile_writer *w, uint32_t slot, size_t length)
{
	struct sis_chunk *c = chunk_at(w, w->nodes[slot]);
	if (sizeof *c + c->used + length > c->size)
		w->nodes[slot] = add_chunk(w, SIS_CHUNK_NODES, slot);
	return grow(w, w->nodes[slot], length);
}

static uint64_t address_of(size_t offset) { return WRITER_BASE + offset; }
static size_t offset_of(uint64_t address) { return address - WRITER_BASE; }
static void *pointer(uint64_t address) { return (void *)(uintptr_t)address; }

struct sis_profile_header *writer_header(struct profile_writer *w)
{
	return (struct sis_profile_header *)(void *)w->bytes;
}

struct profile_writer *writer_new(int32_t rank, int32_t size)
{
	struct profile_writer *w = calloc(1, sizeof *w);
	w->size = SIS_PAGE;
	w->bytes = calloc(1, SIS_PAGE);
	struct sis_profile_header *h = writer_header(w);
	*h = (struct sis_profile_header){
		.magic = SIS_PROFILE_MAGIC,
		.version = SIS_PROFILE_VERSION,
		.endian = SIS_PROFILE_ENDIAN,
		.base = WRITER_BASE,
		.clock = SIS_CLOCK_MONOTONIC,
		.pid = 100 + rank,
		.ticks_per_second = 1000000000,
		.mpi_rank = rank,
		.mpi_size = size,
		.cores = 2,
		.memory_bytes = 1 << 20,
		.max_slots = 1,
		.host = "host",
		.program = "/p/prog",
		.command = "prog",
		.run_id = "run",
		.writer = "test",
	};
	writer_times(w, 0, 1000000000);
	if (rank < 0)
		return w;
	size_t comm = add_chunk(w, SIS_CHUNK_COMM, SIS_NO_SLOT),
	       at = grow(w, comm, sizeof(struct sis_profile_comm));
	struct sis_profile_comm world = { .id = 0, .size = size, .rank = rank, .is_world = 1 };
	memcpy(w->bytes + at, &world, sizeof world);
	return w;
}

void writer_times(struct profile_writer *w, uint64_t begin, uint64_t end)
{
	struct sis_profile_header *h = writer_header(w);
	h->start = (struct sis_time_mark){ WRITER_START + begin, WRITER_START + begin,
					   WRITER_START + begin };
	w->end = WRITER_START + end;
}

uint64_t writer_thread(struct profile_writer *w, uint32_t slot)
{
	w->thread[slot] = add_chunk(w, SIS_CHUNK_THREAD, slot);
	w->nodes[slot] = add_chunk(w, SIS_CHUNK_NODES, slot);
	w->records[slot] = add_chunk(w, SIS_CHUNK_RECORDS, slot);
	uint64_t root = writer_node(w, slot, 0, RT_RUN, 1, 0);
	size_t at = grow(w, w->thread[slot], sizeof(struct sis_profile_thread));
	struct sis_profile_thread t = { .current = pointer(root),
					.root = pointer(root),
					.slot = slot,
					.stamp = writer_header(w)->start.ticks };
	memcpy(w->bytes + at, &t, sizeof t);
	return root;
}

struct sis_profile_thread *writer_thread_at(struct profile_writer *w, uint32_t slot)
{
	return (struct sis_profile_thread *)(void *)(w->bytes + w->thread[slot] +
						     sizeof(struct sis_chunk));
}

struct sis_node *writer_node_at(struct profile_writer *w, uint64_t address)
{
	return (struct sis_node *)(void *)(w->bytes + offset_of(address));
}

uint64_t writer_node(struct profile_writer *w, uint32_t slot, uint64_t parent, uint32_t region,
		     uint64_t calls, uint64_t total)
{
	uint64_t address = address_of(grow_nodes(w, slot, sizeof(struct sis_node)));
	*writer_node_at(w, address) = (struct sis_node){
		.region = region,
		.parent = pointer(parent),
		.calls = calls,
		.total = total,
		.min = calls ? total / calls : UINT64_MAX,
		.max = calls ? total / calls : 0,
		.start = WRITER_START,
	};
	if (region < WRITER_FUNCTION(0) && sis_builtin_name(region) && !w->told[region]) {
		w->told[region] = true;
		char line[80];
		snprintf(line, sizeof line, "%u\t%s", region, sis_builtin_name(region));
		writer_text(w, "builtin", line);
	}
	if (!parent)
		return address;
	struct sis_node *up = writer_node_at(w, parent);
	struct sis_node *node = writer_node_at(w, address);
	node->next = pointer(address);
	if (up->children++) {
		struct sis_node *last = writer_node_at(w, (uint64_t)(uintptr_t)up->last_child);
		node->next = last->next;
		last->next = pointer(address);
	}
	up->last_child = pointer(address);
	return address;
}

void writer_record(struct profile_writer *w, uint32_t slot, struct sis_record record)
{
	record.enter += WRITER_START;
	record.exit += WRITER_START;
	memcpy(w->bytes + grow(w, w->records[slot], sizeof record), &record, sizeof record);
}

void writer_phase(struct profile_writer *w, uint32_t slot, uint64_t enter, uint64_t exit,
		  uint64_t node, const struct sis_phase_entry *entry, size_t entries)
{
	size_t payload = (entries * sizeof *entry + 63) / 64 * 64;
	writer_record(w, slot,
		      (struct sis_record){ .enter = enter,
					   .exit = exit,
					   .node = pointer(node),
					   .bytes = payload,
					   .serial = entries,
					   .peer = -1,
					   .tag = -1,
					   .kind = SIS_RECORD_PHASE });
	memcpy(w->bytes + grow(w, w->records[slot], payload), entry, entries * sizeof *entry);
}

void writer_text(struct profile_writer *w, const char *kind, const char *text)
{
	if (!w->text)
		w->text = add_chunk(w, SIS_CHUNK_TEXT, SIS_NO_SLOT);
	size_t length = strlen(kind) + 1 + strlen(text) + 1, at = grow(w, w->text, length);
	snprintf((char *)w->bytes + at, length, "%s\t%s", kind, text);
}

void writer_unit(struct profile_writer *w, uint32_t first_id, uint32_t count, const char *json)
{
	size_t length = strlen(json), pages = (length + CHUNK) / SIS_PAGE;
	size_t chunk = add_chunk_of(w, SIS_CHUNK_UNIT, SIS_NO_SLOT, pages * SIS_PAGE);
	struct sis_profile_unit unit = { first_id, count, length };
	size_t at = grow(w, chunk, sizeof unit + length);
	memcpy(w->bytes + at, &unit, sizeof unit);
	memcpy(w->bytes + at + sizeof unit, json, length);
}

uint64_t writer_chunk(struct profile_writer *w, enum sis_chunk_kind kind, uint32_t slot,
		      const void *payload, size_t length)
{
	size_t chunk = add_chunk(w, kind, slot), at = grow(w, chunk, length);
	memcpy(w->bytes + at, payload, length);
	return address_of(at);
}

void writer_origin(struct profile_writer *w, uint32_t slot, uint64_t node, uint64_t origin)
{
	struct sis_values values = { .origin = pointer(origin) };
	uint64_t address = writer_chunk(w, SIS_CHUNK_VALUES, slot, &values, sizeof values);
	writer_node_at(w, node)->values = pointer(address);
}

uint64_t writer_origin_of(struct profile_writer *w, uint64_t node)
{
	const struct sis_values *values = writer_node_at(w, node)->values;
	if (!values)
		return 0;
	values = (void *)(w->bytes + offset_of((uintptr_t)values));
	return (uintptr_t)values->origin;
}

char *writer_description(const char *const *name, size_t count)
{
	char *json = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&json, &length);
	fputs("{\"source\":\"f.c\",\"directory\":\"/src\",\"compiler\":\"cc\",\"flags\":\"-O2\","
	"\"sisc\":\"0\",\"regions\":[",
	      out);
	for (size_t i = 0; i < count; i++)
		fprintf(out,
			"%s{\"id\":%zu,\"name\":\"%s\",\"type\":\"CR_F\",\"file\":\"f.c\","
			"\"unit\":\"%s\",\"line_start\":%zu,"
			"\"column_start\":1,\"line_end\":%zu,\"column_end\":2,\"metrics\":[],"
			"\"key\":\"f.c:%s:CR_F:%s:0\",\"aux\":{\"callee\":\"%s\"}}",
			i ? "," : "", i, name[i], name[i], 10 + 10 * i, 15 + 10 * i, name[i],
			name[i], sis_routine_by_name(name[i]) ? name[i] : "");
	fputs("]}", out);
	fclose(out);
	return json;
}

void writer_functions(struct profile_writer *w, const char *const *name, size_t count)
{
	char *json = writer_description(name, count);
	writer_unit(w, WRITER_FUNCTION(0), count, json);
	free(json);
}

unsigned char *writer_take(struct profile_writer *w, enum sis_state state, size_t *size)
{
	struct sis_profile_header *h = writer_header(w);
	h->state = state;
	h->size = w->size;
	if (state == SIS_STATE_ENDED)
		h->end = (struct sis_time_mark){ w->end, w->end, w->end };
	for (size_t at = SIS_PAGE; state == SIS_STATE_ENDED && at < w->size;
	     at += chunk_at(w, at)->size)
		chunk_at(w, at)->checksum = sis_checksum(w->bytes + at + sizeof(struct sis_chunk),
							 chunk_at(w, at)->used);
	unsigned char *bytes = w->bytes;
	*size = w->size;
	free(w);
	return bytes;
}

uint32_t writer_mpi(const char *routine)
{
	for (uint32_t id = SIS_REGION_TYPES; sis_builtin_name(id); id++)
		if (strcmp(sis_builtin_name(id), routine) == 0)
			return id;
	abort();
}
