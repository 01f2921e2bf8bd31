/* unify_pack.c - one process's part of the file for all ranks (schema/unified.h). The thread that is in MPI_Finalize, to
 * learn its size, and the one that ends the process.
 *
 * Addresses become numbers of nodes, and what the definitions have is left out. What is due - the next path, the
 * parent that the path tells, least and most of a single activation - is not written: of a program whose
 * ranks do the same, a node takes its calls and its time, and one byte more.
 */
#include <stdlib.h>
#include <string.h>

#include "unify.h"

struct pack {
	const struct sis_image *image;
	struct sis_unify_defs *defs;
	struct sis_unify_ids ids;
	struct sis_bytes *out;
	uint32_t *path;   /* of node + 1 */
	uint64_t *parent; /* of node + 1: node + 1 */
	bool failed;
};

static void number(struct pack *p, uint64_t value) { sis__bytes_number(p->out, value); }

/* Takes what was written to `list` after how many there are of it. */
static void put_list(struct pack *p, uint64_t count, struct sis_bytes *list)
{
	number(p, count);
	sis__bytes_put(p->out, list->at, list->used);
	p->out->failed |= list->failed;
	sis__bytes_release(list);
}

static const struct sis_chunk *next(const struct pack *p, const struct sis_chunk *chunk, enum sis_chunk_kind kind)
{
	return sis__image_next(p->image, chunk, kind);
}

static uint64_t count_chunks(const struct pack *p, enum sis_chunk_kind kind)
{
	uint64_t count = 0;
	for (const struct sis_chunk *chunk = NULL; (chunk = next(p, chunk, kind));)
		count++;
	return count;
}

/* -- header, units ------------------------------------------------------------------------------------------------ */

enum { SAME_LEAST = 4 }; /* fewer bytes in common are not worth an interruption */

static uint64_t same_from(const unsigned char *a, const unsigned char *b, uint64_t at, uint64_t end)
{
	uint64_t n = 0;
	while (at + n < end && a[at + n] == b[at + n])
		n++;
	return n;
}

static void put_header(struct pack *p)
{
	const unsigned char *own = (const unsigned char *)p->image->header;
	const unsigned char *other = (const unsigned char *)&p->defs->reference;
	uint64_t end = sizeof p->defs->reference;
	for (uint64_t at = 0; at < end;) {
		uint64_t same = same_from(own, other, at, end), differ = 0, more;
		at += same;
		while (at + differ < end && (more = same_from(own, other, at + differ, end)) < SAME_LEAST)
			differ += more + 1;
		differ = differ < end - at ? differ : end - at;
		if (differ == 0)
			break;
		number(p, same);
		number(p, differ);
		sis__bytes_put(p->out, own + at, differ);
		at += differ;
	}
	number(p, 0);
	number(p, 0);
}

static void put_units(struct pack *p)
{
	number(p, p->ids.ranges);
	for (uint32_t i = 0; i < p->ids.ranges; i++) {
		p->failed |= p->ids.range[i].unit == SIS_UNIFY_NONE;
		number(p, p->ids.range[i].first);
		number(p, p->ids.range[i].unit);
	}
}

/* -- nodes ---------------------------------------------------------------------------------------------------------- */

/* A node of a region that nobody knows is the root's, and no region. */
static void find_paths(struct pack *p)
{
	for (uint32_t c = 0; c < p->image->chunks; c++)
		for (uint64_t k = 0; k < p->image->chunk[c].count; k++) {
			const struct sis_node *node = &p->image->chunk[c].node[k];
			uint64_t here = p->image->chunk[c].first + k + 1, parent = sis__image_node(p->image, node->parent);
			uint32_t region = sis__unify_region(&p->ids, p->defs, node->region);
			p->parent[here] = parent < here ? parent : 0;
			region = region != SIS_UNIFY_NONE ? region : 0;
			bool is_root = p->parent[here] == 0 && region == 2 * RT_RUN;
			p->path[here] = is_root ? 0 : sis__unify_defs_node(p->defs, p->path[p->parent[here]], region);
		}
	p->failed |= p->defs->failed;
}

static void put_own_paths(struct pack *p)
{
	number(p, p->defs->nodes - p->defs->shared);
	for (uint32_t i = p->defs->shared; i < p->defs->nodes; i++) {
		number(p, p->defs->node[i].parent);
		number(p, p->defs->node[i].region);
	}
}

static void put_path_column(struct pack *p)
{
	uint64_t nodes = p->image->nodes, due = 0;
	for (uint64_t i = 1, run; i <= nodes; i += run) {
		for (run = 1; i + run <= nodes && p->path[i + run] == p->path[i] + run; run++)
			;
		sis__bytes_signed(p->out, (int64_t)p->path[i] - (int64_t)due);
		number(p, run - 1);
		due = p->path[i] + run;
	}
}

/* The reader knows the last node of each path, too. */
static void put_parent_column(struct pack *p)
{
	uint64_t *last = calloc(p->defs->nodes, sizeof *last), before = 0, count = 0;
	struct sis_bytes list = { 0 };
	p->failed |= !last;
	for (uint64_t i = 1; last && i <= p->image->nodes; i++) {
		uint32_t path = p->path[i];
		if (p->parent[i] != (path ? last[p->defs->node[path].parent] : 0)) {
			sis__bytes_number(&list, i - before);
			sis__bytes_number(&list, p->parent[i]);
			before = i;
			count++;
		}
		last[path] = i;
	}
	free(last);
	put_list(p, count, &list);
}

typedef void column_fn(struct pack *p, const struct sis_node *node);

static void put_calls(struct pack *p, const struct sis_node *node) { number(p, node->calls); }
static void put_total(struct pack *p, const struct sis_node *node) { number(p, node->total); }
static void put_extremes(struct pack *p, const struct sis_node *node)
{
	bool none = node->min == UINT64_MAX && node->max == 0;
	if (none || (node->min == node->total && node->max == node->total)) {
		number(p, none);
		return;
	}
	bool ordered = node->max >= node->min;
	number(p, ordered ? 2 : 3);
	number(p, node->min);
	number(p, ordered ? node->max - node->min : node->max);
}

static void put_column(struct pack *p, column_fn *put)
{
	for (uint32_t c = 0; c < p->image->chunks; c++)
		for (uint64_t k = 0; k < p->image->chunk[c].count; k++)
			put(p, &p->image->chunk[c].node[k]);
}

static bool is_in_image(const struct pack *p, const void *address, uint64_t bytes)
{
	uint64_t offset = (uint64_t)(uintptr_t)address - p->image->header->base;
	return offset >= SIS_PAGE && offset < p->image->header->size && p->image->header->size - offset >= bytes;
}

static const struct sis_values *values_of(const struct pack *p, const struct sis_node *node)
{
	if (!node->values || !is_in_image(p, node->values, sizeof *node->values))
		return NULL;
	const char *base = (const char *)p->image->header;
	const struct sis_values *values = (const void *)(base + ((uintptr_t)node->values - p->image->header->base));
	return is_in_image(p, node->values, sizeof *values + values->count * sizeof values->value[0]) ? values : NULL;
}

/* What few nodes have: each after how many nodes it comes. */
struct sparse { struct sis_bytes list; uint64_t before, count; };

static void put_place(struct sparse *s, uint64_t here)
{
	sis__bytes_number(&s->list, here - s->before);
	s->before = here;
	s->count++;
}

static void put_sparse(struct pack *p)
{
	struct sparse origin = { 0 }, metrics = { 0 };
	for (uint32_t c = 0; c < p->image->chunks; c++)
		for (uint64_t k = 0; k < p->image->chunk[c].count; k++) {
			const struct sis_node *node = &p->image->chunk[c].node[k];
			uint64_t here = p->image->chunk[c].first + k + 1, from = sis__image_node(p->image, node->origin);
			const struct sis_values *values = values_of(p, node);
			if (from) {
				put_place(&origin, here);
				sis__bytes_number(&origin.list, from);
			}
			if (!values)
				continue;
			put_place(&metrics, here);
			sis__bytes_number(&metrics.list, values->set);
			sis__bytes_number(&metrics.list, values->count);
			for (uint32_t i = 0; i < values->count; i++)
				sis__bytes_number(&metrics.list, values->value[i].sum);
		}
	put_list(p, origin.count, &origin.list);
	put_column(p, put_calls);
	put_column(p, put_total);
	put_column(p, put_extremes);
	put_list(p, metrics.count, &metrics.list);
}

static void put_nodes(struct pack *p)
{
	find_paths(p);
	if (p->failed)
		return;
	put_own_paths(p);
	number(p, p->image->chunks);
	for (uint32_t c = 0; c < p->image->chunks; c++) {
		number(p, p->image->chunk[c].slot);
		number(p, p->image->chunk[c].count);
	}
	put_path_column(p);
	put_parent_column(p);
	put_sparse(p);
}

static void put_user_values(struct pack *p)
{
	struct sis_bytes list = { 0 };
	uint64_t count = 0;
	for (const struct sis_chunk *chunk = NULL; (chunk = next(p, chunk, SIS_CHUNK_USER_VALUES));) {
		const struct sis_user_value *value = (const void *)(chunk + 1);
		for (uint64_t i = 0; i < chunk->used / sizeof *value; i++, count++) {
			sis__bytes_number(&list, sis__image_node(p->image, value[i].node));
			sis__bytes_number(&list, value[i].id);
			sis__bytes_number(&list, value[i].count);
			sis__bytes_put(&list, &value[i].sum, 3 * sizeof value[i].sum);
		}
	}
	put_list(p, count, &list);
}

/* -- threads, records ------------------------------------------------------------------------------------------------ */

static void put_threads(struct pack *p)
{
	struct sis_bytes list = { 0 };
	uint64_t count = 0;
	for (const struct sis_chunk *chunk = NULL; (chunk = next(p, chunk, SIS_CHUNK_THREAD));) {
		const struct sis_profile_thread *t = (const void *)(chunk + 1);
		if (chunk->used < sizeof *t)
			continue;
		const uint64_t what[] = { t->slot, t->tid, sis__image_node(p->image, t->root),
					  sis__image_node(p->image, t->current), t->stamp, t->mismatched, t->unwound,
					  t->dropped_nodes, t->dropped_records, t->probes };
		for (size_t i = 0; i < sizeof what / sizeof *what; i++)
			sis__bytes_number(&list, what[i]);
		count++;
	}
	put_list(p, count, &list);
}

static struct sis_node *as_number(const struct pack *p, const struct sis_node *address)
{
	return (struct sis_node *)(uintptr_t)sis__image_node(p->image, address);
}

static void put_phase(struct pack *p, const char *at, uint64_t entries, uint64_t bytes)
{
	struct sis_phase_entry entry;
	uint64_t done = 0;
	for (uint64_t i = 0; i < entries && bytes - done >= sizeof entry; i++, done += sizeof entry) {
		memcpy(&entry, at + done, sizeof entry);
		entry.node = as_number(p, entry.node);
		sis__bytes_put(p->out, &entry, sizeof entry);
	}
	sis__bytes_put(p->out, at + done, bytes - done);
}

/* Bytes of the record at `at` and its payload; 0: it is not there yet, or not whole. */
static uint64_t record_bytes(const char *at, uint64_t room)
{
	struct sis_record whole;
	uint64_t head;
	if (room < sizeof(struct sis_short_record))
		return 0;
	memcpy(&head, at, sizeof head);
	if (head >> 63)
		return sizeof(struct sis_short_record);
	if (room < sizeof whole)
		return 0;
	memcpy(&whole, at, sizeof whole);
	uint64_t payload = whole.kind == SIS_RECORD_PHASE ? whole.bytes : 0;
	return whole.kind && payload <= room - sizeof whole ? sizeof whole + payload : 0;
}

static void put_record(struct pack *p, const char *at, uint64_t bytes)
{
	struct sis_record whole;
	if (bytes < sizeof whole) {
		sis__bytes_put(p->out, at, bytes);
		return;
	}
	memcpy(&whole, at, sizeof whole);
	whole.node = as_number(p, whole.node);
	sis__bytes_put(p->out, &whole, sizeof whole);
	put_phase(p, at + sizeof whole, whole.kind == SIS_RECORD_PHASE ? whole.serial : 0, bytes - sizeof whole);
}

static void put_records(struct pack *p)
{
	number(p, count_chunks(p, SIS_CHUNK_RECORDS));
	for (const struct sis_chunk *chunk = NULL; (chunk = next(p, chunk, SIS_CHUNK_RECORDS));) {
		const char *from = (const char *)(chunk + 1);
		uint64_t used = __atomic_load_n(&chunk->used, __ATOMIC_ACQUIRE), whole = 0, bytes; /* with sis__record */
		while (whole < used && (bytes = record_bytes(from + whole, used - whole)))
			whole += bytes;
		number(p, chunk->slot);
		number(p, whole);
		for (uint64_t at = 0; at < whole; at += bytes)
			put_record(p, from + at, bytes = record_bytes(from + at, whole - at));
	}
}

/* -- the process ------------------------------------------------------------------------------------------------------- */

static void put_sensors(struct pack *p)
{
	struct sis_bytes list = { 0 };
	uint64_t count = 0;
	for (const struct sis_chunk *chunk = NULL; (chunk = next(p, chunk, SIS_CHUNK_SENSORS));) {
		uint64_t samples = chunk->used / sizeof(struct sis_sensor_sample);
		sis__bytes_put(&list, chunk + 1, samples * sizeof(struct sis_sensor_sample));
		count += samples;
	}
	put_list(p, count, &list);
}

static void put_members(struct sis_bytes *list, const uint32_t *member, uint32_t size)
{
	int64_t due = 0;
	for (uint32_t i = 0, run; i < size; i += run) {
		int64_t step = i + 1 < size ? (int64_t)member[i + 1] - member[i] : 0;
		for (run = 1; i + run < size && (int64_t)member[i + run] - member[i + run - 1] == step; run++)
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
	const uint64_t what[] = { c->id, c->size, c->rank, c->leader, c->number, c->is_world, c->is_inter, c->parent,
				  strnlen(c->name, sizeof c->name) };
	for (size_t i = 0; i < sizeof what / sizeof *what; i++)
		sis__bytes_number(list, what[i]);
	sis__bytes_put(list, c->name, strnlen(c->name, sizeof c->name));
	put_members(list, (const uint32_t *)(c + 1), (uint32_t)members);
	return sizeof *c + members * sizeof(uint32_t);
}

static void put_comms(struct pack *p)
{
	struct sis_bytes list = { 0 };
	uint64_t count = 0;
	for (const struct sis_chunk *chunk = NULL; (chunk = next(p, chunk, SIS_CHUNK_COMM));)
		for (uint64_t at = 0, bytes; at < chunk->used; at += bytes, count++) {
			bytes = put_comm(&list, (const char *)(chunk + 1) + at, chunk->used - at);
			if (bytes == 0)
				break;
		}
	put_list(p, count, &list);
}

/* -- texts --------------------------------------------------------------------------------------------------------------- */

struct lines {
	struct sis_bytes list;
	uint64_t count;
	uint32_t first, run; /* of the definitions' lines that follow each other here, not yet written */
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

/* The next one that is due is looked at first. */
static uint32_t find_line(const struct sis_unify_defs *defs, const char *text, uint64_t length, uint32_t due)
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

static void put_line(struct pack *p, struct lines *lines, const char *text, uint64_t length)
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

static void put_texts(struct pack *p)
{
	struct lines lines = { 0 };
	for (const struct sis_chunk *chunk = NULL; (chunk = next(p, chunk, SIS_CHUNK_TEXT));) {
		const char *at = (const char *)(chunk + 1), *end = at + chunk->used;
		for (const char *nul; at < end && (nul = memchr(at, 0, (size_t)(end - at))); at = nul + 1)
			put_line(p, &lines, at, (uint64_t)(nul - at));
	}
	end_run(&lines);
	put_list(p, lines.count, &lines.list);
}

/* -- all of it ----------------------------------------------------------------------------------------------------------- */

/* What came to the format after this was written must not get lost. */
static bool knows_all_kinds(const struct sis_image *image)
{
	for (uint32_t kind = SIS_CHUNK_SENSORS + 1; kind < SIS_CHUNK_SENSORS + 64; kind++)
		if (sis__image_next(image, NULL, kind))
			return false;
	return true;
}

static void put_all(struct pack *p)
{
	put_header(p);
	put_units(p);
	put_nodes(p);
	put_user_values(p);
	put_threads(p);
	put_records(p);
	put_sensors(p);
	put_comms(p);
	put_texts(p);
}

bool sis__unify_pack(const struct sis_image *image, struct sis_unify_defs *defs, struct sis_bytes *out)
{
	struct pack p = { .image = image, .defs = defs, .out = out };
	p.path = calloc(image->nodes + 1, sizeof *p.path);
	p.parent = calloc(image->nodes + 1, sizeof *p.parent);
	p.failed = !knows_all_kinds(image) || !sis__unify_ids_open(&p.ids, image, defs, false) || !p.path || !p.parent;
	if (!p.failed)
		put_all(&p);
	free(p.ids.range);
	free(p.path);
	free(p.parent);
	return !p.failed && !out->failed;
}
