/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_read.c - reads a profile, which may be damaged by a killed process, a full disk or a
 * wrong transfer. profile_file.c has read the file's bytes. This file makes arrays from the bytes,
 * and owns these arrays. One thread reads a profile.
 *
 * First, addresses become indices: each chunk is checked against the file, and each address against
 * the chunks. Later code uses only arrays and valid indices. Nodes are linked only from child to
 * parent (node.parent). If parents are damaged, they may form a cycle. A cycle does not lead to a
 * root, so its nodes are unreachable. */
#include "experiment/read/profile_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

/* A node has at most this number of metrics. A larger number is damage, and would cost much memory
 * if many nodes pointed to these metrics. */
enum { MOST_VALUES = 1024 };

struct chunk {
	uint32_t kind, slot;
	size_t payload, used; /* payload: offset in the file; used: bytes */
	uint32_t first;       /* NODES: index of its first node */
};

struct reader {
	struct profile *profile;
	struct err *err;
	VEC(struct chunk) chunk;
	VEC(uint32_t) nodes;   /* the NODES chunks, in the order of the file */
};

#define fail(r, ...) profile_fail((r)->profile, (r)->err, __VA_ARGS__)

/* -- header ------------------------------------------------------------------------------------ */

static int read_header(struct reader *r)
{
	struct profile *p = r->profile;
	struct sis_profile_header head;
	size_t seen = p->size < sizeof head.magic ? p->size : sizeof head.magic;
	if (memcmp(p->bytes, SIS_PROFILE_MAGIC, seen) != 0)
		return fail(r, "not a profile of SIS; remove it from the experiment directory");
	if (p->size < SIS_PAGE)
		return fail(r, "truncated: %zu bytes, the header alone has %u" DAMAGED, p->size,
			    SIS_PAGE);
	memcpy(&head, p->bytes, sizeof head);
	if (head.endian == __builtin_bswap32(SIS_PROFILE_ENDIAN))
		return fail(r, "written on a machine of the other byte order; analyze it on such a "
			    "machine");
	if (head.endian != SIS_PROFILE_ENDIAN)
		return fail(r, "damaged header: byte order mark is %08" PRIx32 DAMAGED,
			    head.endian);
	if (head.version != SIS_PROFILE_VERSION)
		return fail(r, OTHER_FORMAT, head.version, SIS_PROFILE_VERSION);
	p->head = head;
	if (head.size > p->size)
		return fail(r, "truncated: %zu of %" PRIu64 " bytes are there" DAMAGED, p->size,
			    head.size);
	return profile_check_header(p, r->err);
}

/* -- chunks ------------------------------------------------------------------------------------ */

static const char *const kind_name[] = {
	[SIS_CHUNK_THREAD] = "thread",	 [SIS_CHUNK_NODES] = "nodes",
	[SIS_CHUNK_VALUES] = "values",	 [SIS_CHUNK_RECORDS] = "records",
	[SIS_CHUNK_UNIT] = "unit",	 [SIS_CHUNK_COMM] = "communicator",
	[SIS_CHUNK_TEXT] = "text",	 [SIS_CHUNK_USER_VALUES] = "user values",
	[SIS_CHUNK_SENSORS] = "sensors", [SIS_CHUNK_CULPRITS] = "culprits",
	[SIS_CHUNK_POLLS] = "polls",
	[SIS_CHUNK_ESTIMATES] = "estimates", [SIS_CHUNK_SWITCHED] = "switched",
	[SIS_CHUNK_UNSCHEDULED] = "unscheduled",
};

/* Lists the chunks. Chunks of unknown kinds are skipped, because a newer runtime may have written
 * them. */
static int find_chunks(struct reader *r)
{
	const struct profile *p = r->profile;
	size_t end = p->head.size, at = SIS_PAGE;
	bool ended = p->head.state == SIS_STATE_ENDED;
	while (end - at >= sizeof(struct sis_chunk)) {
		struct sis_chunk c;
		memcpy(&c, p->bytes + at, sizeof c);
		if (c.magic != SIS_CHUNK_MAGIC)
			break;
		if (c.size % SIS_PAGE || c.size < SIS_PAGE || c.size > end - at ||
		    c.used > c.size - sizeof c)
			return fail(r, "damaged: chunk at byte %zu has an impossible size" DAMAGED,
				    at);
		bool known = c.kind >= SIS_CHUNK_THREAD && c.kind <= SIS_CHUNK_UNSCHEDULED;
		if (ended && c.checksum != sis_checksum(p->bytes + at + sizeof c, c.used))
			return fail(r, "damaged: chunk '%s' at byte %zu does not match its checksum"
				    DAMAGED, known ? kind_name[c.kind] : "unknown", at);
		if (c.kind == SIS_CHUNK_NODES)
			*vec_push(&r->nodes) = r->chunk.n;
		if (known)
			*vec_push(&r->chunk) = (struct chunk){ c.kind, c.slot, at + sizeof c,
							       c.used, 0 };
		at += c.size;
	}
	if (ended && at != end)
		return fail(r, "damaged: no chunk at byte %zu, where one must be" DAMAGED, at);
	return 0;
}

/* -- nodes ------------------------------------------------------------------------------------- */

/* The offset in the file of an address of the process. If the address is not in the file, the
 * result is 0, the offset of the header. */
static size_t offset_of(const struct reader *r, const void *address)
{
	uint64_t a = (uint64_t)(uintptr_t)address, base = r->profile->head.base;
	return a >= base && a - base < r->profile->head.size ? a - base : 0;
}

static int compare_chunk_offset(const void *key, const void *item)
{
	const struct chunk *chunk = item;
	size_t at = *(const size_t *)key;
	return at < chunk->payload ? -1 : at >= chunk->payload + chunk->used;
}

static const struct chunk *chunk_at(const struct reader *r, size_t at, enum sis_chunk_kind kind)
{
	const struct chunk *c = r->chunk.n ?
		bsearch(&at, r->chunk.at, r->chunk.n, sizeof *c, compare_chunk_offset) : NULL;
	return c && c->kind == kind ? c : NULL;
}

static uint32_t node_at(const struct reader *r, const void *address)
{
	size_t at = offset_of(r, address), bytes = sizeof(struct sis_node);
	const struct chunk *c = chunk_at(r, at, SIS_CHUNK_NODES);
	if (!c || (at - c->payload) % bytes || (at - c->payload) / bytes >= c->used / bytes)
		return NONE;
	return c->first + (at - c->payload) / bytes;
}

/* Reads the values of a node, which are at `address` in the process. Few nodes have values.
 * `address` is ignored if it is NULL, or if no complete struct is there. */
static void read_values(struct reader *r, const void *address, struct profile_node *node)
{
	struct profile *p = r->profile;
	struct sis_values head;
	size_t bytes = sizeof head, at = offset_of(r, address);
	const struct chunk *c = chunk_at(r, at, SIS_CHUNK_VALUES);
	if (!c || c->payload + c->used - at < bytes)
		return;
	memcpy(&head, p->bytes + at, bytes);
	node->origin = node_at(r, head.origin);
	if (head.count == 0 || head.count > MOST_VALUES ||
	    head.count > (c->payload + c->used - at - bytes) / 16)
		return;
	node->values = p->values.n;
	*vec_push(&p->values) = (struct profile_values){ head.set, head.count, p->sum.n };
	for (uint32_t i = 0; i < head.count; i++)
		memcpy(vec_push(&p->sum), p->bytes + at + bytes + 16 * i + 8, 8);
}

static void read_nodes(struct reader *r)
{
	const size_t bytes = sizeof(struct sis_node);
	uint32_t first = 0;
	for (size_t i = 0; i < r->nodes.n; i++) {
		struct chunk *c = &r->chunk.at[r->nodes.at[i]];
		c->first = first;
		first += c->used / bytes;
		*vec_push(&r->profile->node_range) = (struct profile_node_range){
			r->profile->head.base + c->payload, bytes, c->first, c->used / bytes,
		};
	}
	for (size_t i = 0; i < r->nodes.n; i++) {
		const struct chunk *c = &r->chunk.at[r->nodes.at[i]];
		for (size_t k = 0; k < c->used / bytes; k++) {
			struct sis_node n;
			memcpy(&n, r->profile->bytes + c->payload + k * bytes,
			       offsetof(struct sis_node, seen));
			struct profile_node node = {
				.region = sis_node_region(&n), .folds = n.region & SIS_NODE_FOLDS,
				.slot = c->slot, .parent = node_at(r, n.parent), .origin = NONE,
				.values = NONE, .untimed = n.start == SIS_START_SAMPLED,
				.start = sis_node_start(n.start), .calls = n.calls,
				.total = n.total, .min = n.min, .max = n.max,
			};
			read_values(r, n.values, &node);
			*vec_push(&r->profile->node) = node;
		}
	}
}

/* -- threads ----------------------------------------------------------------------------------- */

static int read_thread(struct reader *r, const struct chunk *c)
{
	struct sis_profile_thread t;
	if (c->used < sizeof t)
		return 0; /* the process was stopped while it made the slot */
	memcpy(&t, r->profile->bytes + c->payload, sizeof t);
	if (t.slot != c->slot)
		return fail(r, "damaged: thread of slot %" PRIu32 " in a chunk of slot %" PRIu32
			    DAMAGED, t.slot, c->slot);
	uint32_t root = node_at(r, t.root);
	if (root != NONE && r->profile->node.at[root].slot != t.slot)
		root = NONE;
	*vec_push(&r->profile->thread) = (struct profile_thread){
		.slot = t.slot,
		.tid = t.tid,
		.root = root,
		.current = node_at(r, t.current),
		.stamp = t.stamp,
		.mismatched = t.mismatched,
		.unwound = t.unwound,
		.probes = t.probes,
		.dropped_nodes = t.dropped_nodes,
		.dropped_records = t.dropped_records,
	};
	return 0;
}

/* -- records, values of the program, sensors --------------------------------------------------- */

static uint32_t node_of_record(const void *r, const void *address)
{
	return node_at(r, address);
}

static void read_user_values(struct reader *r, const struct chunk *c)
{
	struct sis_user_value v;
	for (size_t at = 0; c->used - at >= sizeof v; at += sizeof v) {
		memcpy(&v, r->profile->bytes + c->payload + at, sizeof v);
		profile_add_user_value(r->profile, &v, node_at(r, v.node));
	}
}

static void read_culprits(struct reader *r, const struct chunk *c)
{
	struct sis_culprit in;
	for (size_t at = 0; c->used - at >= sizeof in; at += sizeof in) {
		memcpy(&in, r->profile->bytes + c->payload + at, sizeof in);
		profile_add_culprit(r->profile,
				    &(struct profile_culprit){
					    .slot = c->slot,
					    .node = node_at(r, in.node),
					    .culprit = node_at(r, in.culprit),
					    .other = in.slot,
					    .flags = in.flags,
					    .count = in.count,
					    .ticks = in.ticks,
				    });
	}
}

static void read_unscheduled(struct reader *r, const struct chunk *c)
{
	struct sis_unscheduled in;
	for (size_t at = 0; c->used - at >= sizeof in; at += sizeof in) {
		memcpy(&in, r->profile->bytes + c->payload + at, sizeof in);
		profile_add_unscheduled(r->profile,
				     &(struct profile_unscheduled){ in.slot, node_at(r, in.node),
								 in.flags, in.count,
								 in.preempted_ns, in.blocked_ns,
								 in.lost });
	}
}

/* Reads open polls. After the end of a process there are none. An incomplete entry is damage, or
 * was being written when the process was stopped. */
static void read_polls(struct reader *r, const struct chunk *c)
{
	struct sis_polls in;
	if (r->profile->head.state == SIS_STATE_ENDED)
		return;
	for (size_t at = 0; c->used - at >= sizeof in; at += sizeof in) {
		memcpy(&in, r->profile->bytes + c->payload + at, sizeof in);
		uint32_t node = in.key ? node_at(r, in.node) : NONE;
		if (node != NONE && in.ticks <= in.exit && in.between <= in.ticks)
			*vec_push(&r->profile->polls) = (struct profile_polls){
				node, in.exit, in.ticks, in.between };
	}
}

static void read_estimates(struct reader *r, const struct chunk *c)
{
	struct sis_estimate in;
	for (size_t at = 0; c->used - at >= sizeof in; at += sizeof in) {
		memcpy(&in, r->profile->bytes + c->payload + at, sizeof in);
		profile_add_estimate(r->profile, &in, node_at(r, in.node));
	}
}

static void read_switched(struct reader *r, const struct chunk *c)
{
	struct sis_switched in;
	for (size_t at = 0; c->used - at >= sizeof in; at += sizeof in) {
		memcpy(&in, r->profile->bytes + c->payload + at, sizeof in);
		profile_add_switched(r->profile, &in);
	}
}

static void read_sensors(struct reader *r, const struct chunk *c)
{
	for (size_t at = 0; c->used - at >= sizeof(struct sis_sensor_sample);
	     at += sizeof(struct sis_sensor_sample))
		memcpy(vec_push(&r->profile->sensor), r->profile->bytes + c->payload + at,
		       sizeof(struct sis_sensor_sample));
}

/* -- translation units, communicators, texts --------------------------------------------------- */

static int read_tu(struct reader *r, const struct chunk *c)
{
	struct sis_profile_unit u;
	if (c->used < sizeof u)
		return 0;
	memcpy(&u, r->profile->bytes + c->payload, sizeof u);
	if (u.length > c->used - sizeof u)
		return fail(r, "damaged: the description of a translation unit runs over its chunk"
			    DAMAGED);
	*vec_push(&r->profile->tu) = (struct profile_tu){ u.first_id, u.count,
							      (const char *)r->profile->bytes +
								      c->payload + sizeof u,
							      u.length };
	return 0;
}

static int read_comm(struct reader *r, const struct chunk *c)
{
	struct profile *p = r->profile;
	for (size_t at = 0; c->used - at >= sizeof(struct sis_profile_comm);) {
		struct profile_comm *comm = vec_push(&p->comm);
		memcpy(&comm->head, p->bytes + c->payload + at, sizeof comm->head);
		at += sizeof comm->head;
		comm->head.name[sizeof comm->head.name - 1] = 0;
		comm->first = p->member.n;
		if (comm->head.is_world)
			continue;
		if (comm->head.size > (c->used - at) / 4)
			return fail(r, "damaged: a communicator's members run over its chunk"
				    DAMAGED);
		for (uint32_t i = 0; i < comm->head.size; i++, at += 4)
			memcpy(vec_push(&p->member), p->bytes + c->payload + at, 4);
	}
	return 0;
}

/* Reads ID<TAB>BUILTIN<TAB>ADDRESS<TAB>BODY. A line that has another form, or whose id is not above
 * the last one, is damaged, and is left out. */
static void read_call(struct profile *p, const char *text)
{
	struct profile_call call = { .place = NONE };
	uint32_t last = p->call.n ? p->call.at[p->call.n - 1].id : 0;
	if (sscanf(text, "%" SCNu32 "\t%" SCNu32 "\t%" SCNx64 "\t%" SCNx64, &call.id,
		   &call.builtin, &call.address, &call.body) == 4 &&
	    call.id > last && call.builtin < call.id)
		*vec_push(&p->call) = call;
}

/* Splits the lines of a text chunk in place. A NUL ends each line. The first tab of a line is
 * replaced by a NUL, which ends the kind. */
static void read_text(struct reader *r, const struct chunk *c)
{
	char *at = (char *)r->profile->bytes + c->payload, *end = at + c->used;
	for (char *nul; at < end && (nul = memchr(at, 0, end - at)); at = nul + 1) {
		char *tab = strchr(at, '\t');
		if (!tab)
			continue;
		*tab = 0;
		if (strcmp(at, "call") == 0)
			read_call(r->profile, tab + 1);
		else
			*vec_push(&r->profile->text) = (struct profile_text){ at, tab + 1 };
	}
}

static int read_chunk(struct reader *r, const struct chunk *c)
{
	switch (c->kind) {
	case SIS_CHUNK_THREAD: return read_thread(r, c);
	case SIS_CHUNK_RECORDS:
		return profile_add_records(r->profile, c->slot, r->profile->bytes + c->payload,
					   c->used, node_of_record, r, r->err);
	case SIS_CHUNK_UNIT: return read_tu(r, c);
	case SIS_CHUNK_COMM: return read_comm(r, c);
	case SIS_CHUNK_TEXT: read_text(r, c); return 0;
	case SIS_CHUNK_SENSORS: read_sensors(r, c); return 0;
	case SIS_CHUNK_USER_VALUES: read_user_values(r, c); return 0;
	case SIS_CHUNK_CULPRITS: read_culprits(r, c); return 0;
	case SIS_CHUNK_POLLS: read_polls(r, c); return 0;
	case SIS_CHUNK_ESTIMATES: read_estimates(r, c); return 0;
	case SIS_CHUNK_SWITCHED: read_switched(r, c); return 0;
	case SIS_CHUNK_UNSCHEDULED: read_unscheduled(r, c); return 0;
	default: return 0; /* read_nodes has already read nodes and their values */
	}
}

/* Keeps only copies of the descriptions and texts, instead of the file's bytes, because the file is
 * many times larger than these texts. */
static void keep_texts(struct profile *p)
{
	size_t size = 0;
	for (size_t i = 0; i < p->tu.n; i++)
		size += p->tu.at[i].length;
	char *description = p->descriptions = mem_alloc(size, 1);
	for (size_t i = 0; i < p->tu.n; i++) {
		struct profile_tu *u = &p->tu.at[i];
		u->json = memcpy(description, u->json, u->length);
		description += u->length;
	}
	size = 0;
	for (size_t i = 0; i < p->text.n; i++)
		size += strlen(p->text.at[i].kind) + strlen(p->text.at[i].text) + 2;
	char *kept = mem_alloc(size, 1), *end = kept;
	for (size_t i = 0; i < p->text.n; i++) {
		struct profile_text *t = &p->text.at[i];
		const char *kind = t->kind, *text = t->text;
		t->kind = strcpy(end, kind);
		t->text = strcpy(end += strlen(kind) + 1, text);
		end += strlen(text) + 1;
	}
	free(p->bytes);
	p->bytes = (unsigned char *)kept;
	p->size = size;
}

int profile_parse(struct profile *profile, const char *path, unsigned char *bytes, size_t size,
		  struct err *err)
{
	*profile = (struct profile){ .path = mem_string(path), .bytes = bytes, .size = size };
	struct reader r = { .profile = profile, .err = err };
	int rc = read_header(&r);
	rc = rc ? rc : find_chunks(&r);
	if (rc == 0)
		read_nodes(&r);
	for (size_t i = 0; rc == 0 && i < r.chunk.n; i++)
		rc = read_chunk(&r, &r.chunk.at[i]);
	rc = rc ? rc : profile_complete(profile, err);
	vec_free(&r.chunk);
	vec_free(&r.nodes);
	if (rc)
		profile_release(profile);
	else
		keep_texts(profile);
	return rc;
}

void profile_release(struct profile *p)
{
	vec_free(&p->thread);
	vec_free(&p->node);
	vec_free(&p->node_range);
	vec_free(&p->values);
	vec_free(&p->sum);
	vec_free(&p->user_value);
	vec_free(&p->culprit), vec_free(&p->unscheduled);
	vec_free(&p->polls);
	vec_free(&p->estimate);
	vec_free(&p->switched);
	vec_free(&p->sensor);
	vec_free(&p->record);
	vec_free(&p->life);
	vec_free(&p->no_processor);
	vec_free(&p->phase);
	vec_free(&p->tu);
	vec_free(&p->comm);
	vec_free(&p->member);
	vec_free(&p->text);
	vec_free(&p->call);
	free(p->path);
	free(p->bytes);
	free(p->descriptions);
	*p = (struct profile){ 0 };
}

void profile_share_descriptions(struct profile *p, const struct profile *other)
{
	bool same = p->tu.n == other->tu.n;
	for (size_t i = 0; same && i < p->tu.n; i++)
		same = p->tu.at[i].length == other->tu.at[i].length &&
			memcmp(p->tu.at[i].json, other->tu.at[i].json, p->tu.at[i].length) == 0;
	for (size_t i = 0; same && i < p->tu.n; i++)
		p->tu.at[i].json = other->tu.at[i].json;
	if (same)
		mem_free((void **)&p->descriptions);
}

uint32_t profile_node_at(const struct profile *p, uint64_t address)
{
	for (size_t i = 0; i < p->node_range.n; i++) {
		const struct profile_node_range *r = &p->node_range.at[i];
		if (address >= r->address && (address - r->address) / r->bytes < r->count)
			return (address - r->address) % r->bytes ?
				NONE :
				r->first + (uint32_t)((address - r->address) / r->bytes);
	}
	return NONE;
}

const struct profile_call *profile_call(const struct profile *p, uint32_t id)
{
	size_t n = search_first(i, 0, p->call.n, p->call.at[i].id < id);
	return n < p->call.n && p->call.at[n].id == id ? &p->call.at[n] : NULL;
}

/* The names are in lines `ID<TAB>NAME,NAME,...`. */
bool profile_builtin(const struct profile *p, uint32_t id, char *name, size_t size)
{
	const struct profile_call *call = profile_call(p, id);
	id = call ? call->builtin : id;
	for (size_t i = 0; i < p->text.n; i++) {
		char *at;
		unsigned long first = strtoul(p->text.at[i].text, &at, 10);
		if (strcmp(p->text.at[i].kind, "builtin") != 0 || *at != '\t' || id < first)
			continue;
		for (at++; first < id && (at = strchr(at, ',')); first++)
			at++;
		if (at && *at) {
			snprintf(name, size, "%.*s", (int)strcspn(at, ","), at);
			return true;
		}
	}
	return false;
}

const char *profile_first_text(const struct profile *p, const char *kind)
{
	for (size_t i = 0; i < p->text.n; i++)
		if (strcmp(p->text.at[i].kind, kind) == 0)
			return p->text.at[i].text;
	return NULL;
}

const char *profile_setting(const struct profile *p, const char *name)
{
	size_t length = strlen(name);
	for (size_t i = 0; i < p->text.n; i++) {
		const char *text = p->text.at[i].text;
		if (strcmp(p->text.at[i].kind, "env") == 0 && strncmp(text, name, length) == 0 &&
		    text[length] == '=')
			return text + length + 1;
	}
	return NULL;
}

/* A runtime that asks the kernel also writes a text `affinity`. If the kernel does not answer, the
 * runtime writes a text `involuntary`. */
bool profile_counts_no_processor(const struct profile *p)
{
	return profile_first_text(p, "affinity") && !profile_first_text(p, "involuntary");
}

const char *profile_text(const struct profile *p, const char *kind, uint32_t id)
{
	for (size_t i = 0; i < p->text.n; i++) {
		char *end;
		if (strcmp(p->text.at[i].kind, kind) == 0 &&
		    strtoul(p->text.at[i].text, &end, 10) == id && *end == '\t')
			return end + 1;
	}
	return NULL;
}
