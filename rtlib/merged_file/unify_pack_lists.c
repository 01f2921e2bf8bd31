/* SPDX-License-Identifier: BSD-3-Clause */
/* unify_pack_lists.c - the records of a process's part, and what belongs to the process as a whole.
 * Called by unify_pack.c.
 */
#include "merged_file/unify_pack.h"

#include <string.h>

/* -- records ----------------------------------------------------------------------------------- */

/* False: the payload is not that of a phase. */
static bool put_phase(struct sis_pack *p, const char *at, uint64_t entries, uint64_t bytes)
{
	struct sis_phase_entry entry;
	uint64_t before = 0;
	if (entries > bytes / sizeof entry || bytes != (entries * sizeof entry + 63) / 64 * 64)
		return false;
	for (uint64_t i = 0; i < entries; i++) {
		memcpy(&entry, at + i * sizeof entry, sizeof entry);
		uint64_t node = sis__image_node(p->image, entry.node);
		sis__bytes_signed(p->out, (int64_t)(node - before));
		sis__pack_number(p, entry.ticks);
		before = node;
	}
	return true;
}

/* Reads the record at `at`. Returns the bytes that it takes with its payload; 0: it is not complete
 * yet. */
static uint64_t get_record(const char *at, uint64_t room, struct sis_packed_record *packed)
{
	struct sis_record whole;
	uint64_t bytes = sis_packed_get(at, room, packed);
	if (bytes == 0 || packed->form != SIS_FORM_WHOLE)
		return bytes;
	memcpy(&whole, at, sizeof whole);
	uint64_t payload = whole.kind == SIS_RECORD_PHASE ? whole.bytes : 0;
	return whole.kind && payload <= room - sizeof whole ? sizeof whole + payload : 0;
}

static void put_packed(struct sis_pack *p, const struct sis_packed_record *r)
{
	sis__pack_number(p, 1 + r->form);
	if (r->form != SIS_FORM_DUE)
		sis__pack_number(p, r->place);
	sis__bytes_signed(p->out, r->gap);
	sis__pack_number(p, r->duration);
	if (r->form == SIS_FORM_STEP)
		sis__bytes_signed(p->out, r->serial);
}

static void put_record(struct sis_pack *p, const char *at, uint64_t bytes,
		       const struct sis_packed_record *packed)
{
	struct sis_record whole;
	if (packed->form != SIS_FORM_WHOLE) {
		put_packed(p, packed);
		return;
	}
	memcpy(&whole, at, sizeof whole);
	bool phase = whole.kind == SIS_RECORD_PHASE;
	sis__pack_number(p, phase);
	whole.node = (struct sis_node *)(uintptr_t)sis__image_node(p->image, whole.node);
	sis__bytes_put(p->out, &whole, sizeof whole);
	if (phase)
		p->failed |= !put_phase(p, at + sizeof whole, whole.serial, bytes - sizeof whole);
}

static uint64_t count_chunks(const struct sis_pack *p)
{
	uint64_t count = 0;
	for (const struct sis_chunk *chunk = NULL;
	     (chunk = sis__image_next(p->image, chunk, SIS_CHUNK_RECORDS));)
		count++;
	return count;
}

static bool is_pad(const char *at)
{
	uint32_t word;
	memcpy(&word, at, sizeof word);
	return word == SIS_RECORD_PAD;
}

/* Writes the complete records of a chunk, or only counts them. Returns their number. */
static uint64_t put_records(struct sis_pack *p, const char *at, uint64_t used, bool really)
{
	struct sis_packed_record packed;
	uint64_t count = 0;
	for (uint64_t bytes; used && (bytes = get_record(at, used, &packed));
	     at += bytes, used -= bytes) {
		if (is_pad(at))
			continue;
		count++;
		if (really)
			put_record(p, at, bytes, &packed);
	}
	return count;
}

void sis__pack_records(struct sis_pack *p)
{
	sis__pack_number(p, count_chunks(p));
	for (const struct sis_chunk *chunk = NULL;
	     (chunk = sis__image_next(p->image, chunk, SIS_CHUNK_RECORDS));) {
		const char *from = (const char *)(chunk + 1);
		/* with sis__record */
		uint64_t used = __atomic_load_n(&chunk->used, __ATOMIC_ACQUIRE);
		sis__pack_number(p, chunk->slot);
		sis__pack_number(p, put_records(p, from, used, false));
		put_records(p, from, used, true);
	}
}

/* -- the process ------------------------------------------------------------------------------- */

void sis__pack_sensors(struct sis_pack *p)
{
	struct sis_bytes list = { 0 };
	uint64_t count = 0;
	for (const struct sis_chunk *chunk = NULL;
	     (chunk = sis__image_next(p->image, chunk, SIS_CHUNK_SENSORS));) {
		uint64_t samples = chunk->used / sizeof(struct sis_sensor_sample);
		sis__bytes_put(&list, chunk + 1, samples * sizeof(struct sis_sensor_sample));
		count += samples;
	}
	sis__pack_list(p, count, &list);
}

static void put_members(struct sis_bytes *list, const uint32_t *member, uint32_t size)
{
	int64_t due = 0;
	for (uint32_t i = 0, run; i < size; i += run) {
		int64_t step = i + 1 < size ? (int64_t)member[i + 1] - member[i] : 0;
		for (run = 1;
		     i + run < size && (int64_t)member[i + run] - member[i + run - 1] == step;
		     run++)
			;
		sis__bytes_signed(list, member[i] - due);
		sis__bytes_number(list, run);
		sis__bytes_signed(list, step);
		due = member[i + run - 1];
	}
}

/* Bytes of the communicator at `at`; 0: not whole. */
static uint64_t put_comm(struct sis_bytes *list, const char *at, uint64_t room)
{
	const struct sis_profile_comm *c = (const void *)at;
	uint64_t members = room >= sizeof *c && !c->is_world ? c->size : 0;
	if (room < sizeof *c || members > (room - sizeof *c) / sizeof(uint32_t))
		return 0;
	const uint64_t what[] = { c->id,       c->size,   c->rank,
				  c->leader,   c->number, c->is_world,
				  c->is_inter, c->parent, strnlen(c->name, sizeof c->name) };
	for (size_t i = 0; i < sizeof what / sizeof *what; i++)
		sis__bytes_number(list, what[i]);
	sis__bytes_put(list, c->name, strnlen(c->name, sizeof c->name));
	put_members(list, (const uint32_t *)(c + 1), (uint32_t)members);
	return sizeof *c + members * sizeof(uint32_t);
}

void sis__pack_comms(struct sis_pack *p)
{
	struct sis_bytes list = { 0 };
	uint64_t count = 0;
	for (const struct sis_chunk *chunk = NULL;
	     (chunk = sis__image_next(p->image, chunk, SIS_CHUNK_COMM));)
		for (uint64_t at = 0, bytes; at < chunk->used; at += bytes, count++) {
			bytes = put_comm(&list, (const char *)(chunk + 1) + at, chunk->used - at);
			if (bytes == 0)
				break;
		}
	sis__pack_list(p, count, &list);
}

/* -- texts ------------------------------------------------------------------------------------- */

struct lines {
	struct sis_bytes list;
	uint64_t count;
	/* a run of lines that follow each other in the definitions and in the profile, and are not
	 * written yet: the index of the first line, and the number of lines */
	uint32_t first, run;
};

static void end_run(struct lines *lines)
{
	if (lines->run == 0)
		return;
	sis__bytes_number(&lines->list, lines->first + 1);
	sis__bytes_number(&lines->list, lines->run - 1);
	lines->count++;
	lines->run = 0;
}

/* Looks first at the line after the last one that was found. */
static uint32_t find_line(const struct sis_unify_defs *defs, const char *text, uint64_t length,
			  uint32_t due)
{
	uint64_t checksum = sis_checksum(text, length);
	for (uint32_t i = 0; i < defs->lines; i++) {
		uint32_t k = (due + i) % defs->lines;
		if (defs->line[k].checksum == checksum && defs->line[k].length == length &&
		    memcmp(defs->line[k].text, text, length) == 0)
			return k;
	}
	return SIS_UNIFY_NONE;
}

static void put_line(struct sis_pack *p, struct lines *lines, const char *text, uint64_t length)
{
	uint32_t due = lines->first + lines->run, line = find_line(p->defs, text, length, due);
	if (line != SIS_UNIFY_NONE && lines->run && line == due) {
		lines->run++;
		return;
	}
	end_run(lines);
	if (line != SIS_UNIFY_NONE) {
		lines->first = line;
		lines->run = 1;
		return;
	}
	sis__bytes_number(&lines->list, 0);
	sis__bytes_number(&lines->list, length);
	sis__bytes_put(&lines->list, text, length);
	lines->count++;
}

void sis__pack_texts(struct sis_pack *p)
{
	struct lines lines = { 0 };
	for (const struct sis_chunk *chunk = NULL;
	     (chunk = sis__image_next(p->image, chunk, SIS_CHUNK_TEXT));) {
		const char *at = (const char *)(chunk + 1), *end = at + chunk->used;
		for (const char *nul; at < end && (nul = memchr(at, 0, (size_t)(end - at)));
		     at = nul + 1)
			put_line(p, &lines, at, (uint64_t)(nul - at));
	}
	end_run(&lines);
	sis__pack_list(p, lines.count, &lines.list);
}

