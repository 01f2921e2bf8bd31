/* SPDX-License-Identifier: BSD-3-Clause */
/* unified_read.c - makes a profile of a rank's part of the file of all ranks, the same profile as
 * the rank's own file would give. One thread a part.
 *
 * Nothing in it is trusted, although it has a checksum. Every count is bounded by the bytes that
 * are left, every index by the length of its array. Reads past the end give zeros, and `bad` is
 * checked at the end of each section. */
#include "read/unified_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "read/profile_check.h"

enum { MOST_VALUES = 1024, MOST_MEMBERS = 1 << 26 };

struct part {
	const struct unified *u;
	struct profile *p;
	struct err *err;
	struct byte_reader in;
	uint32_t rank;
	VEC(struct unified_path) own; /* paths that the definitions lack */
	/* for each translation unit of the definitions: its first id in this process; 0: it has
	 * none */
	uint32_t *first_id;
	uint32_t *path;               /* of each node */
};

static uint64_t number(struct part *part) { return read_number(&part->in); }
static uint32_t number32(struct part *part) { return read_number32(&part->in); }

/* -- header, translation units ----------------------------------------------------------------- */

static void read_header(struct part *part)
{
	unsigned char bytes[sizeof(struct sis_profile_header)];
	memcpy(bytes, &part->u->reference, sizeof bytes);
	for (size_t at = 0; !part->in.bad;) {
		uint64_t same = number(part), differ = number(part);
		const unsigned char *from = read_bytes(&part->in, differ);
		if (same == 0 && differ == 0)
			break;
		if (!from || same > sizeof bytes - at || differ > sizeof bytes - at - same) {
			part->in.bad = true;
			break;
		}
		memcpy(bytes + at + same, from, differ);
		at += same + differ;
	}
	memcpy(&part->p->head, bytes, sizeof bytes);
}

static void read_own_tus(struct part *part)
{
	const struct unified *u = part->u;
	part->first_id = mem_alloc(u->tu.n + 1, sizeof *part->first_id);
	for (uint64_t left = read_count(&part->in, 2); left && !part->in.bad; left--) {
		uint32_t first = number32(part), k = number32(part);
		if (k >= u->tu.n) {
			part->in.bad = true;
			return;
		}
		const struct unified_tu *tu = &u->tu.at[k];
		*vec_push(&part->p->tu) = (struct profile_tu){ first, tu->count, tu->json,
			tu->length };
		if (part->first_id[k] == 0)
			part->first_id[k] = first;
	}
}

/* -- nodes ------------------------------------------------------------------------------------- */

static size_t paths(const struct part *part) { return part->u->node.n + part->own.n; }

static const struct unified_path *path_at(const struct part *part, size_t k)
{
	return k < part->u->node.n ? &part->u->node.at[k] : &part->own.at[k - part->u->node.n];
}

/* The process's id of a region of the definitions; 0: none. */
static uint32_t region_id(const struct part *part, uint64_t region)
{
	const struct unified *u = part->u;
	uint64_t k = region >> 1;
	if (!(region & 1))
		return k < UINT32_MAX ? (uint32_t)k : 0;
	size_t behind = search_first(i, 0, u->tu.n, u->tu.at[i].first <= k);
	if (behind == 0)
		return 0;
	uint32_t first_id = part->first_id[behind - 1];
	uint64_t offset = k - u->tu.at[behind - 1].first;
	return first_id && offset < u->tu.at[behind - 1].count ? first_id + (uint32_t)offset : 0;
}

static void read_own_paths(struct part *part)
{
	for (uint64_t left = read_count(&part->in, 2); left && !part->in.bad; left--) {
		uint64_t parent = number(part), region = number(part);
		part->in.bad |= parent >= paths(part);
		if (!part->in.bad)
			*vec_push(&part->own) = (struct unified_path){ (uint32_t)parent, region };
	}
}

/* Each node has bytes in three columns at least. */
static void read_chunks(struct part *part)
{
	for (uint64_t left = read_count(&part->in, 2); left && !part->in.bad; left--) {
		uint32_t slot = number32(part);
		uint64_t count = number(part);
		if (count > bytes_left(&part->in) / 3 ||
		    part->p->node.n > bytes_left(&part->in) / 3 - count) {
			part->in.bad = true;
			return;
		}
		for (; count; count--)
			*vec_push(&part->p->node) = (struct profile_node){
				.slot = slot, .parent = NONE, .origin = NONE, .values = NONE,
			};
	}
}

static void read_path_column(struct part *part)
{
	size_t nodes = part->p->node.n;
	uint64_t due = 0;
	part->path = mem_alloc(nodes + 1, sizeof *part->path);
	for (size_t i = 0; i < nodes && !part->in.bad;) {
		uint64_t first = due + (uint64_t)read_signed(&part->in), more = number(part);
		if (first >= paths(part) || more >= paths(part) - first || more >= nodes - i) {
			part->in.bad = true;
			return;
		}
		for (uint64_t k = 0; k <= more; k++, i++)
			part->path[i] = (uint32_t)(first + k);
		due = first + more + 1;
	}
	for (size_t i = 0; i < nodes; i++)
		part->p->node.at[i].region = region_id(part, path_at(part, part->path[i])->region);
}

/* A column that only few nodes have: the distance to the next such node, and its value. */
struct sparse { uint64_t left; size_t next; };

static void step(struct part *part, struct sparse *s)
{
	uint64_t distance = s->left ? number(part) : 0;
	if (s->left == 0 || distance > part->p->node.n - s->next || distance == 0) {
		part->in.bad |= s->left != 0;
		s->next = SIZE_MAX;
		return;
	}
	s->left--;
	s->next += distance;
}

static struct sparse begin_sparse(struct part *part, uint64_t least)
{
	struct sparse s = { read_count(&part->in, least), 0 };
	step(part, &s);
	return s;
}

static void read_parents(struct part *part)
{
	struct profile *p = part->p;
	uint32_t *last = mem_alloc(paths(part) + 1, sizeof *last); /* node + 1 */
	struct sparse s = begin_sparse(part, 2);
	for (size_t i = 0; i < p->node.n && !part->in.bad; i++) {
		uint32_t path = part->path[i];
		uint64_t parent = path ? last[path_at(part, path)->parent] : 0;
		if (s.next == i + 1) {
			parent = number(part);
			step(part, &s);
		}
		p->node.at[i].parent = unified_node(p, parent);
		last[path] = (uint32_t)(i + 1);
	}
	free(last);
}

static void read_origins(struct part *part)
{
	for (struct sparse s = begin_sparse(part, 2); s.next != SIZE_MAX && !part->in.bad;
	     step(part, &s))
		part->p->node.at[s.next - 1].origin = unified_node(part->p, number(part));
}

static void read_times(struct part *part)
{
	struct profile *p = part->p;
	for (size_t i = 0; i < p->node.n; i++)
		p->node.at[i].calls = number(part);
	for (size_t i = 0; i < p->node.n; i++)
		p->node.at[i].total = number(part);
	for (size_t i = 0; i < p->node.n; i++) {
		struct profile_node *node = &p->node.at[i];
		uint64_t how = number(part);
		node->min = how == 0 ? node->total : how == 1 ? UINT64_MAX : number(part);
		node->max = how == 0 ? node->total : how == 1 ? 0 : number(part);
		node->max += how == 2 ? node->min : 0;
		part->in.bad |= how > 3;
	}
}

static void read_values(struct part *part)
{
	struct profile *p = part->p;
	for (struct sparse s = begin_sparse(part, 3); s.next != SIZE_MAX && !part->in.bad;
	     step(part, &s)) {
		uint32_t set = number32(part);
		uint64_t count = read_count(&part->in, 1);
		part->in.bad |= count > MOST_VALUES;
		p->node.at[s.next - 1].values = p->values.n;
		*vec_push(&p->values) = (struct profile_values){ set, count, p->sum.n };
		for (; count; count--)
			*vec_push(&p->sum) = number(part);
	}
}

static void read_folds(struct part *part)
{
	struct sparse s = begin_sparse(part, 1);
	for (; s.next != SIZE_MAX && !part->in.bad; step(part, &s))
		part->p->node.at[s.next - 1].folds = true;
}

static int read_nodes(struct part *part)
{
	read_own_paths(part);
	read_chunks(part);
	if (!part->in.bad)
		read_path_column(part);
	if (part->in.bad)
		return ERR_FAILED;
	read_parents(part);
	read_origins(part);
	read_times(part);
	read_values(part);
	if (part->u->head.version > 2)
		read_folds(part);
	return part->in.bad ? ERR_FAILED : 0;
}

static void read_user_values(struct part *part)
{
	for (uint64_t left = read_count(&part->in, 27); left && !part->in.bad; left--) {
		struct sis_user_value v = { 0 };
		uint32_t node = unified_node(part->p, number(part));
		v.id = number32(part);
		v.count = number(part);
		const unsigned char *sums = read_bytes(&part->in, 3 * sizeof v.sum);
		if (sums)
			memcpy(&v.sum, sums, 3 * sizeof v.sum);
		profile_add_user_value(part->p, &v, node);
	}
}

static void read_culprits(struct part *part)
{
	for (uint64_t left = read_count(&part->in, 7); left && !part->in.bad; left--) {
		struct profile_culprit c = { .slot = number32(part) };
		c.node = unified_node(part->p, number(part));
		c.culprit = unified_node(part->p, number(part));
		c.other = number32(part);
		c.flags = number32(part);
		c.count = number(part);
		c.ticks = number(part);
		profile_add_culprit(part->p, &c);
	}
}

/* -- threads, sensors -------------------------------------------------------------------------- */

static void read_threads(struct part *part)
{
	struct profile *p = part->p;
	for (uint64_t left = read_count(&part->in, 10); left && !part->in.bad; left--) {
		struct profile_thread t = { .slot = number32(part), .tid = number32(part) };
		t.root = unified_node(p, number(part));
		t.current = unified_node(p, number(part));
		t.stamp = number(part);
		t.mismatched = number(part);
		t.unwound = number(part);
		t.dropped_nodes = number(part);
		t.dropped_records = number(part);
		t.probes = number(part);
		if (t.root != NONE && p->node.at[t.root].slot != t.slot)
			t.root = NONE;
		*vec_push(&p->thread) = t;
	}
}

static void read_sensors(struct part *part)
{
	for (uint64_t left = read_count(&part->in, sizeof(struct sis_sensor_sample)); left; left--)
		memcpy(vec_push(&part->p->sensor),
		       read_bytes(&part->in, sizeof(struct sis_sensor_sample)),
		       sizeof(struct sis_sensor_sample));
}

/* -- communicators ----------------------------------------------------------------------------- */

static void read_members(struct part *part, uint32_t size)
{
	struct profile *p = part->p;
	int64_t due = 0;
	for (uint64_t got = 0; got < size && !part->in.bad;) {
		int64_t first = due + read_signed(&part->in);
		uint64_t run = number(part);
		int64_t by = read_signed(&part->in);
		if (run == 0 || run > size - got || first < 0 || first > UINT32_MAX ||
		    by < -INT64_C(0xffffffff) || by > UINT32_MAX ||
		    p->member.n + run > MOST_MEMBERS) {
			part->in.bad = true;
			return;
		}
		for (uint64_t k = 0; k < run; k++)
			*vec_push(&p->member) = (uint32_t)(first + by * (int64_t)k);
		due = p->member.at[p->member.n - 1];
		got += run;
	}
}

static void read_comms(struct part *part)
{
	struct profile *p = part->p;
	for (uint64_t left = read_count(&part->in, 9); left && !part->in.bad; left--) {
		struct profile_comm c = { .first = p->member.n };
		c.head.id = number32(part);
		c.head.size = number32(part);
		c.head.rank = number32(part);
		c.head.leader = number32(part);
		c.head.number = number(part);
		c.head.is_world = number32(part);
		c.head.is_inter = number32(part);
		c.head.parent = number(part);
		uint64_t length = number(part);
		const unsigned char *name = read_bytes(&part->in, length);
		part->in.bad |= length >= sizeof c.head.name;
		if (name && !part->in.bad)
			memcpy(c.head.name, name, length);
		if (!c.head.is_world && !part->in.bad)
			read_members(part, c.head.size);
		*vec_push(&p->comm) = c;
	}
}

/* -- texts: the last ones, so that what is left has room for all of its own -------------------- */

static void read_run_of_lines(struct part *part, uint64_t first)
{
	const struct unified *u = part->u;
	uint64_t more = number(part);
	if (first >= u->line.n || more >= u->line.n - first || part->p->text.n + more > 1 << 20) {
		part->in.bad = true;
		return;
	}
	for (uint64_t k = first; k <= first + more; k++)
		if (u->line.at[k].kind[0])
			*vec_push(&part->p->text) = u->line.at[k];
}

static void read_own_line(struct part *part, char **room)
{
	uint64_t length = number(part);
	const unsigned char *text = read_bytes(&part->in, length);
	if (!text)
		return;
	char *line = *room, *tab = memcpy(line, text, length);
	line[length] = 0;
	*room += length + 1;
	tab = memchr(line, '\t', length);
	if (!tab)
		return;
	*tab = 0;
	*vec_push(&part->p->text) = (struct profile_text){ line, tab + 1 };
}

static void read_texts(struct part *part)
{
	char *room = mem_alloc(bytes_left(&part->in) + 1, 1);
	part->p->bytes = (unsigned char *)room;
	for (uint64_t left = read_count(&part->in, 2); left && !part->in.bad; left--) {
		uint64_t line = number(part);
		if (line)
			read_run_of_lines(part, line - 1);
		else
			read_own_line(part, &room);
	}
	part->in.bad |= part->in.at != part->in.end;
}

/* -- all of it --------------------------------------------------------------------------------- */

static double read_double(struct part *part)
{
	double value = 0;
	const unsigned char *bytes = read_bytes(&part->in, sizeof value);
	if (bytes)
		memcpy(&value, bytes, sizeof value);
	return value;
}

static void read_estimates(struct part *part)
{
	enum { LEAST = 7 + SIS_RUNGS - 1 + 3 * sizeof(double) }; /* bytes of one */
	for (uint64_t left = read_count(&part->in, LEAST); left && !part->in.bad; left--) {
		uint64_t node = number(part);
		struct sis_estimate e = { .timed = number(part) };
		e.ticks = read_double(part);
		e.ticks_squared = read_double(part);
		e.samples = number(part);
		e.sampled = number(part);
		e.sampled_squared = read_double(part);
		e.rungs = number(part);
		for (int i = 0; i < SIS_RUNGS - 1; i++)
			e.below[i] = number(part);
		e.since = number(part);
		e.rung = number(part);
		if (!part->in.bad && node && node <= part->p->node.n)
			profile_add_estimate(part->p, &e, (uint32_t)(node - 1));
	}
}

static void read_switched(struct part *part)
{
	for (uint64_t left = read_count(&part->in, 8); left && !part->in.bad; left--) {
		struct sis_switched s = { .what = (uint32_t)number(part) };
		s.cause = (uint32_t)number(part);
		s.id = (uint32_t)number(part);
		s.count = number(part);
		s.first = number(part);
		s.last = number(part);
		s.on = number(part);
		s.ticks = number(part);
		if (!part->in.bad)
			profile_add_switched(part->p, &s);
	}
}

static void read_unscheduled(struct part *part)
{
	for (uint64_t left = read_count(&part->in, 7); left && !part->in.bad; left--) {
		struct profile_unscheduled s = { .slot = number32(part) };
		s.node = unified_node(part->p, number(part));
		s.flags = number32(part);
		s.count = number(part);
		s.preempted_ns = number(part);
		s.blocked_ns = number(part);
		s.lost = number(part);
		profile_add_unscheduled(part->p, &s);
	}
}

static int read_part(struct part *part)
{
	read_header(part);
	read_own_tus(part);
	if (part->in.bad || profile_check_header(part->p, part->err) ||
	    part->p->head.state != SIS_STATE_ENDED || part->p->head.mpi_rank != (int32_t)part->rank)
		return ERR_FAILED;
	if (read_nodes(part))
		return ERR_FAILED;
	read_user_values(part);
	if (part->u->head.version > 1)
		read_culprits(part);
	if (part->u->head.version > 3)
		read_estimates(part);
	if (part->u->head.version > 4)
		read_switched(part);
	if (part->u->head.version > 5)
		read_unscheduled(part);
	read_threads(part);
	if (part->in.bad || unified_records(&part->in, part->p, part->err))
		return ERR_FAILED;
	read_sensors(part);
	read_comms(part);
	if (!part->in.bad)
		read_texts(part);
	return part->in.bad ? ERR_FAILED : profile_complete(part->p, part->err);
}

int unified_parse(const struct unified *u, uint32_t rank, const unsigned char *bytes, size_t size,
		  struct profile *p, struct err *err)
{
	struct part part = {
		.u = u, .p = p, .err = err, .in = { bytes, bytes + size, false }, .rank = rank
	};
	*p = (struct profile){ .path = mem_print("%s, rank %" PRIu32, u->path, rank) };
	int rc = read_part(&part);
	if (rc)
		rc = profile_fail(p, err, "damaged: its part cannot be read" DAMAGED);
	vec_free(&part.own);
	free(part.first_id);
	free(part.path);
	if (rc)
		profile_release(p);
	return rc;
}
