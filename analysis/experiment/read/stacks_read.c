// SPDX-License-Identifier: BSD-3-Clause
/* stacks_read.c - reads the samples of a process. The process may have been killed, and the file
 * may be damaged. One thread reads a file.
 *
 * All data of the file is checked before it is used: chunks must lie in the file, and records in
 * their chunk. Origins become indices. Cyclic chains of origins are cut. */
#include "experiment/read/stacks_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sort.h"
#include "experiment/read/perf_map_read.h"
#include "experiment/read/run_paths.h"
#include "experiment/read/profile_check.h"

#define fail(s, err, format, ...) profile_fail(s, err, format DAMAGED, ##__VA_ARGS__)

/* A part of the file. offset: in the file. */
struct part { const unsigned char *at; size_t size; uint64_t offset; };

static bool has_ended(const struct stacks *s)
{
	return s->head.state == SIS_STATE_ENDED;
}

/* -- records ----------------------------------------------------------------------------------- */

static bool is_possible(const struct sis_stack *head, size_t left)
{
	return head->size == sizeof *head + sizeof(uint64_t) * head->frames && head->size <= left &&
		head->frames <= SIS_STACK_FRAMES && head->kind >= SIS_STACK_RUNNING &&
		head->kind <= SIS_STACK_ALLOCATION && head->count <= STACKS_MOST_COUNT &&
		head->weight <= STACKS_MOST_WEIGHT;
}

static int compare_offset(const void *key, const void *item)
{
	uint64_t at = *(const uint64_t *)key, other = ((const struct stacks_stack *)item)->at;
	return at < other ? -1 : at > other;
}

static uint32_t stack_at(const struct stacks *s, uint64_t offset)
{
	const struct stacks_stack *found = offset && s->stack.n ?
		bsearch(&offset, s->stack.at, s->stack.n, sizeof *found, compare_offset) :
		NULL;
	return found ? (uint32_t)(found - s->stack.at) : NONE;
}

/* If a process was killed, the last record of a chunk may be incomplete. */
static int read_stacks(struct stacks *s, const struct part *part, struct err *err)
{
	struct sis_stack head;
	for (size_t at = 0; part->size - at >= sizeof head; at += head.size) {
		memcpy(&head, part->at + at, sizeof head);
		if (head.size == 0)
			break;
		if (!is_possible(&head, part->size - at))
			return has_ended(s) ? fail(s, err, "damaged: impossible stack at byte %"
						   PRIu64, part->offset + at) : 0;
		*vec_push(&s->stack) = (struct stacks_stack){
			.first = s->pc.n,
			.frames = head.frames,
			.kind = head.kind,
			.flags = head.flags,
			.slot = head.slot,
			.node = head.node,
			.origin = NONE,
			.origin_at = head.origin,
			.count = head.count,
			.weight = head.weight,
			.at = part->offset + at,
		};
		const unsigned char *pc = part->at + at + sizeof head;
		for (uint32_t i = 0; i < head.frames; i++, pc += sizeof(uint64_t))
			memcpy(vec_push(&s->pc), pc, sizeof(uint64_t));
	}
	return 0;
}

static int read_modules(struct stacks *s, const struct part *part, struct err *err)
{
	struct sis_stacks_module head;
	for (size_t at = 0; part->size - at >= sizeof head; at += head.size) {
		memcpy(&head, part->at + at, sizeof head);
		if (head.size == 0)
			break;
		if (head.size % 8 || head.size > part->size - at || head.start >= head.end ||
		    head.size < sizeof head + head.path_length)
			return has_ended(s) ? fail(s, err, "damaged: impossible module at byte %"
						   PRIu64, part->offset + at) : 0;
		struct stacks_module *module = vec_push(&s->module);
		module->head = head;
		module->path = mem_alloc(head.path_length + (size_t)1, 1);
		memcpy(module->path, part->at + at + sizeof head, head.path_length);
	}
	return 0;
}

static bool is_possible_memory(const struct sis_memory *m)
{
	return (m->kind == SIS_MEMORY_HEAP || m->kind == SIS_MEMORY_MAPPING) &&
		m->allocations <= STACKS_MOST_COUNT && m->freed <= m->allocations &&
		m->bytes <= STACKS_MOST_WEIGHT && m->alive <= m->bytes && m->most <= m->bytes &&
		m->largest <= m->bytes && m->life <= STACKS_MOST_WEIGHT;
}

/* If a process was killed, a record may be inconsistent. */
static int read_memory(struct stacks *s, const struct part *part, struct err *err)
{
	struct sis_memory in;
	for (size_t at = 0; part->size - at >= sizeof in; at += sizeof in) {
		memcpy(&in, part->at + at, sizeof in);
		if (is_possible_memory(&in))
			*vec_push(&s->memory) = (struct stacks_memory){ in, NONE,
									part->offset + at };
		else if (in.kind && has_ended(s))
			return fail(s, err, "damaged: impossible memory at byte %" PRIu64,
				    part->offset + at);
	}
	return 0;
}

static int read_accesses(struct stacks *s, const struct part *part, struct err *err)
{
	struct sis_access in;
	for (size_t at = 0; part->size - at >= sizeof in; at += sizeof in) {
		memcpy(&in, part->at + at, sizeof in);
		if (in.kind >= SIS_ACCESS_NONE && in.kind <= SIS_ACCESS_OTHER &&
		    in.count <= STACKS_MOST_COUNT && in.weight <= STACKS_MOST_WEIGHT)
			*vec_push(&s->access) = (struct stacks_access){ in, NONE };
		else if (in.kind && has_ended(s))
			return fail(s, err, "damaged: impossible access at byte %" PRIu64,
				    part->offset + at);
	}
	return 0;
}

static void read_texts(struct stacks *s, const struct part *part)
{
	for (size_t at = 0; at < part->size;) {
		const char *line = (const char *)part->at + at;
		size_t length = strnlen(line, part->size - at);
		if (length == part->size - at)
			return; /* the line is incomplete */
		if (strncmp(line, "method\t", 7) == 0)
			*vec_push(&s->method) = mem_string(line + 7);
		else if (strncmp(line, "warning\t", 8) == 0)
			*vec_push(&s->warning) = mem_string(line + 8);
		at += length + 1;
	}
}

/* Replaces the offsets of origins by indices. In the file, an origin may be before or after the
 * stack that refers to it, because the record of a thread may come before the record of an older
 * thread. If a chain of origins does not end within MOST_ORIGINS steps, it is assumed to be cyclic,
 * and the stack loses its origin. */
static void link_origins(struct stacks *s)
{
	enum { MOST_ORIGINS = 64 };
	for (size_t i = 0; i < s->stack.n; i++) {
		uint32_t origin = stack_at(s, s->stack.at[i].origin_at);
		if (origin != NONE && s->stack.at[origin].kind == SIS_STACK_ORIGIN)
			s->stack.at[i].origin = origin;
	}
	for (size_t i = 0; i < s->stack.n; i++) {
		uint32_t at = s->stack.at[i].origin;
		for (int k = 0; at != NONE && k < MOST_ORIGINS; k++)
			at = s->stack.at[at].origin;
		if (at != NONE)
			s->stack.at[i].origin = NONE;
	}
}

static int compare_memory(const void *key, const void *item)
{
	uint64_t at = *(const uint64_t *)key, other = ((const struct stacks_memory *)item)->at;
	return at < other ? -1 : at > other;
}

static void link_memory(struct stacks *s)
{
	for (size_t i = 0; i < s->memory.n; i++) {
		uint32_t stack = stack_at(s, s->memory.at[i].in.stack);
		if (stack != NONE && s->stack.at[stack].kind == SIS_STACK_ALLOCATION)
			s->memory.at[i].stack = stack;
	}
	for (size_t i = 0; i < s->access.n && s->memory.n; i++) {
		struct stacks_access *a = &s->access.at[i];
		const struct stacks_memory *found = a->in.kind != SIS_ACCESS_ALLOCATED ? NULL :
			bsearch(&a->in.place, s->memory.at, s->memory.n, sizeof *found,
				compare_memory);
		a->memory = found ? (uint32_t)(found - s->memory.at) : NONE;
	}
}

/* Moments of stacks that are not in the file are left out. */
static void link_moments(struct stacks *s)
{
	size_t kept = 0;
	for (size_t i = 0; i < s->moments.n; i++) {
		s->moments.at[kept] = s->moments.at[i];
		s->moments.at[kept].stack = stack_at(s, s->moments.at[i].stack);
		kept += s->moments.at[kept].stack != NONE;
	}
	s->moments.n = kept;
}

/* Moments that are damaged are left out. */
static void read_moments(struct stacks *s, const struct part *part)
{
	struct sis_moments m;
	for (size_t at = 0; part->size - at >= sizeof m; at += sizeof m) {
		memcpy(&m, part->at + at, sizeof m);
		if (m.stack && m.count && m.first <= m.last)
			*vec_push(&s->moments) = (struct stacks_moments){ m.first, m.last, m.stack,
									   m.count };
	}
}

/* -- chunks ------------------------------------------------------------------------------------ */

static int read_chunk(struct stacks *s, const struct sis_chunk *c, const struct part *part,
		      struct err *err)
{
	if (has_ended(s) && c->checksum != sis_checksum(part->at, part->size))
		return fail(s, err, "damaged: the chunk at byte %" PRIu64
			    " does not match its checksum", part->offset - sizeof *c);
	switch (c->kind) {
	case SIS_CHUNK_STACKS:
		return read_stacks(s, part, err);
	case SIS_CHUNK_MODULES:
		return read_modules(s, part, err);
	case SIS_CHUNK_SAMPLED:
		for (size_t at = 0; part->size - at >= sizeof(struct sis_sampled);
		     at += sizeof(struct sis_sampled))
			memcpy(vec_push(&s->sampled), part->at + at, sizeof(struct sis_sampled));
		break;
	case SIS_CHUNK_MEMORY:
		return read_memory(s, part, err);
	case SIS_CHUNK_ACCESSES:
		return read_accesses(s, part, err);
	case SIS_CHUNK_MOMENTS:
		read_moments(s, part);
		break;
	case SIS_CHUNK_PERF_MAP:
		if (!s->generated.n) /* a process has one map */
			perf_map_read(s, part->at, part->size);
		break;
	case SIS_CHUNK_STACKS_TEXT:
		read_texts(s, part);
		break;
	}
	return 0;
}

static int read_chunks(struct stacks *s, const unsigned char *bytes, struct err *err)
{
	size_t end = s->head.size, at = SIS_PAGE;
	struct sis_chunk c;
	for (; end - at >= sizeof c; at += c.size) {
		memcpy(&c, bytes + at, sizeof c);
		if (c.magic != SIS_CHUNK_MAGIC)
			break;
		if (c.size % SIS_PAGE || c.size < SIS_PAGE || c.size > end - at ||
		    c.used > c.size - sizeof c)
			return fail(s, err, "damaged: chunk at byte %zu has an impossible size",
				    at);
		struct part part = { bytes + at + sizeof c, c.used, at + sizeof c };
		if (read_chunk(s, &c, &part, err))
			return ERR_FAILED;
	}
	if (has_ended(s) && at != end)
		return fail(s, err, "damaged: no chunk at byte %zu, where one must be", at);
	return 0;
}

/* -- reading a file ---------------------------------------------------------------------------- */

static int check_header(struct stacks *s, const unsigned char *bytes, size_t size, struct err *err)
{
	struct sis_stacks_header *h = &s->head;
	if (size < SIS_PAGE || memcmp(bytes, SIS_STACKS_MAGIC, sizeof h->magic) != 0)
		return fail(s, err, "no samples of SIS");
	memcpy(h, bytes, sizeof *h);
	if (h->endian != SIS_PROFILE_ENDIAN)
		return fail(s, err, "written on a machine of another byte order, or damaged");
	if (h->version != SIS_STACKS_VERSION)
		return profile_fail(s, err, OTHER_FORMAT, h->version, SIS_STACKS_VERSION);
	if (h->size > size || h->size < SIS_PAGE)
		return fail(s, err, "truncated: %zu of %" PRIu64 " bytes are there", size, h->size);
	h->metric[sizeof h->metric - 1] = 0;
	h->host[sizeof h->host - 1] = 0;
	h->run_id[sizeof h->run_id - 1] = 0;
	return 0;
}

int stacks_parse(struct stacks *stacks, const char *path, const unsigned char *bytes, size_t size,
		 struct err *err)
{
	*stacks = (struct stacks){ .path = mem_string(path) };
	int rc = check_header(stacks, bytes, size, err);
	rc = rc ? rc : read_chunks(stacks, bytes, err);
	if (rc)
		stacks_release(stacks);
	else
		link_origins(stacks), link_memory(stacks), link_moments(stacks);
	return rc;
}

/* The number of bytes in use. The bytes after them are the runtime's reserve. */
static size_t used_size(int file, size_t size)
{
	struct sis_stacks_header head;
	if (pread(file, &head, sizeof head, 0) != (ssize_t)sizeof head ||
	    head.endian != SIS_PROFILE_ENDIAN || head.size > size)
		return size;
	return head.size > SIS_PAGE ? head.size : SIS_PAGE;
}

int stacks_read(struct stacks *stacks, const char *path, struct err *err)
{
	struct stat st;
	ssize_t n = 0;
	size_t got = 0;
	int file = run_path_open(path, &st, err);
	if (file < 0)
		return file;
	size_t size = used_size(file, (size_t)st.st_size);
	unsigned char *bytes = mem_alloc(size, 1);
	while (got < size && ((n = pread(file, bytes + got, size - got, (off_t)got)) > 0 ||
			      (n < 0 && errno == EINTR)))
		got += n > 0 ? (size_t)n : 0;
	bool has_magic = got >= SIS_PAGE && (bytes[0] != 0 || memcmp(bytes, bytes + 1, 7) != 0);
	int rc = n < 0 ?
		err_fail(err, "cannot read '%s': %s; check the file and its permissions", path,
			 strerror(errno)) :
		!has_magic ? STACKS_UNWRITTEN : stacks_parse(stacks, path, bytes, got, err);
	close(file);
	free(bytes);
	return rc;
}

void stacks_release(struct stacks *stacks)
{
	for (size_t i = 0; i < stacks->module.n; i++)
		free(stacks->module.at[i].path);
	for (size_t i = 0; i < stacks->method.n; i++)
		free(stacks->method.at[i]);
	for (size_t i = 0; i < stacks->warning.n; i++)
		free(stacks->warning.at[i]);
	vec_free(&stacks->stack);
	vec_free(&stacks->pc);
	vec_free(&stacks->module);
	vec_free(&stacks->sampled);
	vec_free(&stacks->memory);
	vec_free(&stacks->access);
	for (size_t i = 0; i < stacks->generated.n; i++)
		free(stacks->generated.at[i].name);
	vec_free(&stacks->moments);
	vec_free(&stacks->generated);
	vec_free(&stacks->method);
	vec_free(&stacks->warning);
	mem_free((void **)&stacks->path);
}

const struct stacks_module *stacks_module_at(const struct stacks *stacks, uint64_t address,
					     bool *sure)
{
	const struct stacks_module *found = NULL;
	*sure = true;
	for (size_t i = 0; i < stacks->module.n; i++) {
		const struct stacks_module *module = &stacks->module.at[i];
		if (address < module->head.start || address >= module->head.end)
			continue;
		if (found && strcmp(found->path, module->path) != 0)
			*sure = false;
		found = found ? found : module;
	}
	return found;
}

const struct stacks_generated *stacks_generated_at(const struct stacks *stacks, uint64_t address)
{
	size_t n = search_first(i, 0, stacks->generated.n,
				stacks->generated.at[i].end <= address);
	return n < stacks->generated.n && stacks->generated.at[n].start <= address ?
		&stacks->generated.at[n] :
		NULL;
}

bool stacks_is_name(const char *name)
{
	size_t length = strlen(name);
	return strncmp(name, "stacks-", 7) == 0 && length > 11 &&
		strcmp(name + length - 4, ".sis") == 0;
}
