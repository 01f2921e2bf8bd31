/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c */
/* link: rtlib/merged_file/unify_image.c rtlib/merged_file/unify_defs.c */
/* link: rtlib/merged_file/unify_pack.c rtlib/merged_file/unify_pack_lists.c */
/* link: rtlib/merged_file/unify_file.c */
/* The file of all ranks: a profile that went through it is the same as one read from its own file;
 * damage is named, and never followed. */
#include <errno.h>
#include <unistd.h>

#include "unit.h"
#include "import/analyze.h"
#include "import/run_directory.h"
#include "model/build.h"
#include "model/experiment.h"
#include "read/unified_read.h"
#include "profile_write.h"
#include "record_write.h"
#include "rtlib/merged_file/unify.h"

enum { RANKS = 3, ROUNDS = 2000 };

static void *pointer(uint64_t address) { return (void *)(uintptr_t)address; }

static uint64_t add_values(struct profile_writer *w)
{
	/* set 1, 2 of it, no origin: enter, sum */
	uint64_t words[] = { 1 | UINT64_C(2) << 32, 0, 5, 100, 7, UINT64_MAX - 3 };
	return writer_chunk(w, SIS_CHUNK_VALUES, 0, words, sizeof words);
}

static void add_comms(struct profile_writer *w, int rank)
{
	struct { struct sis_profile_comm head; uint32_t member[6];
	} c[] = {
		{ { .id = 1,
		    .size = 6,
		    .rank = (uint32_t)rank,
		    .number = 3,
		    .parent = 0,
		    .name = "row" },
		  { 0, 2, 4, 9, 8, 7 } },
		{ { .id = 2, .size = 6, .leader = UINT32_MAX, .is_inter = 1, .parent = UINT32_MAX },
		  { 5, 5, 5, 5, 0, 4000000000u } },
	};
	writer_chunk(w, SIS_CHUNK_COMM, SIS_NO_SLOT, c, sizeof c);
}

/* What a slot's records need: whole ones, packed ones, a phase. */
static void add_records(struct profile_writer *w, uint64_t work, uint64_t call)
{
	static struct sis_record_place place[SIS_RECORD_SHAPES];
	struct sis_record_pack pack;
	unsigned char packed[1024];
	unsigned at = 0;
	sis_record_pack_begin(&pack, place);
	for (unsigned i = 0; i < 8; i++) {
		struct sis_record r = { .enter = WRITER_START + 100 * i,
					.exit = WRITER_START + 100 * i + 50,
					.node = pointer(call),
					.bytes = 8,
					.serial = i,
					.peer = 1,
					.tag = -1,
					.kind = SIS_RECORD_SEND };
		at += pack_record(&pack, &r, packed, at);
	}
	ck_assert_uint_lt(at, 8 * sizeof(struct sis_record));
	writer_chunk(w, SIS_CHUNK_RECORDS, 0, packed, at);
	const struct sis_phase_entry ran[] = { { pointer(work), 10 }, { NULL, 3 } };
	writer_record(w, 0,
		      (struct sis_record){ .enter = 5,
					   .exit = 10,
					   .node = pointer(call),
					   .peer = -1,
					   .kind = SIS_RECORD_BARRIER });
	writer_phase(w, 0, 10, 20, call, ran, 2);
}

/* Ranks that are not alike: each has a path of its own, and the first has two units. */
static unsigned char *rank_profile(int rank, size_t *size)
{
	static const char *const names[] = { "main", "solve", "MPI_Bcast", "rest" };
	struct profile_writer *w = writer_new(rank, RANKS);
	writer_header(w)->pid = 4000 + 77 * (uint32_t)rank;
	if (rank == 0)
		writer_unit(w, 900, 3, "{\"source\":\"first.c\"}");
	writer_functions(w, names, 4);
	writer_text(w, "env", "SIS_UNIFY=1");
	writer_text(w, "warning", rank == 1 ? "of one rank" : "of the others");
	writer_text(w, "env", "SIS_LOG=quiet");
	uint64_t root = writer_thread(w, 0),
		 main_node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 900000);
	uint64_t work = writer_node(w, 0, main_node, WRITER_FUNCTION((uint32_t)rank + 1), 10,
				    500000);
	uint64_t call = writer_node(w, 0, work, writer_mpi("MPI_Send"), 3, 1000);
	uint64_t again = writer_node(w, 0, call, WRITER_FUNCTION(1), 2, 10);
	writer_node(w, 0, work, rank == 0 ? 901 : WRITER_FUNCTION(3), 1, 5);
	uint64_t team = writer_thread(w, 1), member = writer_node(w, 1, team, RT_PARALLEL, 1, 700);
	writer_origin(w, 1, member, work);
	member = writer_node(w, 1, team, RT_PARALLEL, 1, 701);
	writer_origin(w, 1, member, again);
	writer_node(w, 1, member, WRITER_FUNCTION(2), 4, 9);
	writer_node_at(w, again)->min = 3;
	writer_node_at(w, again)->max = 2;
	writer_node(w, 1, team, WRITER_FUNCTION(1), 0, 0);
	uint64_t values = add_values(w);
	writer_node_at(w, work)->values = pointer(values);
	writer_node_at(w, work)->region |= SIS_NODE_FOLDS;
	struct sis_user_value said[] = {
		{ .node = pointer(work), .id = 1, .count = 2, .sum = 3.5, .min = 1, .max = 2.5 },
		{ .node = NULL, .id = 2, .count = 0 }
	};
	writer_chunk(w, SIS_CHUNK_USER_VALUES, 0, said, sizeof said);
	struct sis_culprit for_whom[] = { { pointer(member), pointer(call), 0, SIS_CULPRIT_INSIDE,
					    3, 1u << 20 },
					  { NULL, NULL, SIS_NO_SLOT, 0, 2, 77 },
					  { pointer(work), pointer(member), 1, 0, 0, 0 } };
	writer_chunk(w, SIS_CHUNK_CULPRITS, 1, for_whom, sizeof for_whom);
	struct sis_estimate estimate[] = { { .node = pointer(work), .timed = 4, .ticks = 40,
					     .ticks_squared = 444 },
					   { .node = pointer(member), .samples = 3, .sampled = 77,
					     .sampled_squared = 2e9, .rungs = 4 },
					   { .node = NULL, .samples = 1 } };
	writer_chunk(w, SIS_CHUNK_ESTIMATES, 1, estimate, sizeof estimate);
	struct sis_switched switched[] = { { SIS_SWITCHED_REGION, 17, 300, 0, 5, 10, 900, 800, 70,
					     NULL },
					   { .what = SIS_SWITCHED_THREAD } };
	writer_chunk(w, SIS_CHUNK_SWITCHED, SIS_NO_SLOT, switched, sizeof switched);
	struct sis_unscheduled switches[] = { { .node = pointer(work), .slot = 1, .count = 3,
					     .preempted_ns = 300, .blocked_ns = 70000 },
					   { .node = pointer(member) } };
	writer_chunk(w, SIS_CHUNK_UNSCHEDULED, SIS_NO_SLOT, switches, sizeof switches);
	struct sis_sensor_sample sample = { .ticks = 5, .cpu_all = 7, .sent = SIS_SENSOR_NONE };
	writer_chunk(w, SIS_CHUNK_SENSORS, SIS_NO_SLOT, &sample, sizeof sample);
	add_comms(w, rank);
	add_records(w, work, call);
	writer_thread_at(w, 1)->mismatched = 12;
	return writer_take(w, SIS_STATE_ENDED, size);
}

/* -- through the file -------------------------------------------------------------------------- */

struct made {
	unsigned char *bytes[RANKS]; /* of each rank's own file */
	size_t size[RANKS];
	struct sis_image image[RANKS];
	struct sis_bytes definitions, part[RANKS];
};

static void merge_all(struct made *m, unsigned known)
{
	struct sis_unify_defs defs;
	sis__unify_defs_init(&defs);
	for (int i = RANKS - 1; i >= 0; i--)
		if (known >> i & 1) {
			struct sis_unify_defs own;
			struct sis_bytes bytes = { 0 };
			sis__unify_defs_init(&own);
			sis__unify_defs_add(&own, &m->image[i]);
			sis__unify_defs_write(&own, &bytes);
			ck_assert(sis__unify_defs_merge(&defs, bytes.at, bytes.used));
			sis__unify_defs_release(&own);
			struct sis_bytes merged = { 0 };
			sis__unify_defs_write(&defs, &merged); /* it points into both */
			sis__bytes_release(&m->definitions);
			m->definitions = merged;
			sis__unify_defs_release(&defs);
			sis__unify_defs_init(&defs);
			ck_assert(sis__unify_defs_merge(&defs, m->definitions.at,
							m->definitions.used));
			sis__bytes_release(&bytes);
		}
	sis__unify_defs_release(&defs);
	sis__unify_defs_write_rest(&m->image[0], &m->definitions);
	ck_assert(!m->definitions.failed);
}

/* Definitions are those of the ranks in the set `known`. */
static void make(struct made *m, unsigned known)
{
	*m = (struct made){ 0 };
	for (int i = 0; i < RANKS; i++) {
		m->bytes[i] = rank_profile(i, &m->size[i]);
		ck_assert(sis__image_open(&m->image[i], (const void *)m->bytes[i]));
	}
	merge_all(m, known);
	for (int i = 0; i < RANKS; i++) {
		struct sis_unify_defs defs;
		struct sis_bytes counting = { .counting = true };
		sis__unify_defs_init(&defs);
		ck_assert(sis__unify_defs_read(&defs, m->definitions.at, m->definitions.used));
		ck_assert(sis__unify_pack(&m->image[i], &defs, &m->part[i]));
		ck_assert(sis__unify_pack(&m->image[i], &defs, &counting));
		ck_assert_uint_eq(counting.used, m->part[i].used);
		sis__unify_defs_release(&defs);
	}
}

static void unmake(struct made *m)
{
	for (int i = 0; i < RANKS; i++) {
		sis__image_close(&m->image[i]);
		sis__bytes_release(&m->part[i]);
		free(m->bytes[i]);
	}
	sis__bytes_release(&m->definitions);
}

static void *copy_of(const void *bytes, size_t size)
{
	return memcpy(malloc(size + 1), bytes, size);
}

static void define(struct unified *u, const struct made *m)
{
	struct err err = { 0 };
	*u = (struct unified){ .path = strdup("x.sis"), .fd = -1,
		.head.version = SIS_UNIFIED_VERSION,
		.head.profile_version = SIS_PROFILE_VERSION };
	ck_assert_msg(unified_define(u, copy_of(m->definitions.at, m->definitions.used),
				     m->definitions.used, &err) == 0,
		      "%s", err.text);
}

#define SAME_ARRAY(a, b, field) \
	ck_assert_uint_eq((a)->field.n, (b)->field.n); \
	for (size_t i_ = 0; i_ < (a)->field.n; i_++) \
		ck_assert_mem_eq(&(a)->field.at[i_], &(b)->field.at[i_], sizeof (a)->field.at[i_])

static void same_nodes(const struct profile *a, const struct profile *b)
{
	ck_assert_uint_eq(a->node.n, b->node.n);
	for (size_t i = 0; i < a->node.n; i++) {
		struct profile_node x = a->node.at[i], y = b->node.at[i];
		ck_assert_uint_eq(x.region, y.region);
		ck_assert_uint_eq(x.slot, y.slot);
		ck_assert_uint_eq(x.parent, y.parent);
		ck_assert_uint_eq(x.origin, y.origin);
		ck_assert_uint_eq(x.values, y.values);
		ck_assert(x.reachable == y.reachable && x.open == y.open && x.folds == y.folds);
		ck_assert(x.calls == y.calls && x.total == y.total && x.min == y.min &&
			  x.max == y.max);
	}
}

static void same_texts(const struct profile *a, const struct profile *b)
{
	ck_assert_uint_eq(a->text.n, b->text.n);
	for (size_t i = 0; i < a->text.n; i++) {
		ck_assert_str_eq(a->text.at[i].kind, b->text.at[i].kind);
		ck_assert_str_eq(a->text.at[i].text, b->text.at[i].text);
	}
	ck_assert_uint_eq(a->tu.n, b->tu.n);
	for (size_t i = 0; i < a->tu.n; i++) {
		ck_assert_uint_eq(a->tu.at[i].first_id, b->tu.at[i].first_id);
		ck_assert_uint_eq(a->tu.at[i].count, b->tu.at[i].count);
		ck_assert_uint_eq(a->tu.at[i].length, b->tu.at[i].length);
		ck_assert_mem_eq(a->tu.at[i].json, b->tu.at[i].json, a->tu.at[i].length);
	}
}

/* Structures with room between their fields are compared field by field. */
static void same_switches(const struct profile *a, const struct profile *b)
{
	ck_assert_uint_eq(a->unscheduled.n, 1); /* the other one counts nothing */
	ck_assert_uint_eq(b->unscheduled.n, 1);
	const struct profile_unscheduled *x = a->unscheduled.at, *y = b->unscheduled.at;
	ck_assert_uint_eq(x->slot, y->slot);
	ck_assert_uint_eq(x->node, y->node);
	ck_assert_uint_eq(x->flags, y->flags);
	ck_assert_uint_eq(x->count, y->count);
	ck_assert_uint_eq(x->preempted_ns, y->preempted_ns);
	ck_assert_uint_eq(x->blocked_ns, y->blocked_ns);
	ck_assert_uint_eq(x->lost, y->lost);
}

static void same_culprits(const struct profile *a, const struct profile *b)
{
	ck_assert_uint_eq(a->culprit.n, b->culprit.n);
	for (size_t i = 0; i < a->culprit.n; i++) {
		const struct profile_culprit *x = &a->culprit.at[i], *y = &b->culprit.at[i];
		ck_assert_uint_eq(x->slot, y->slot);
		ck_assert_uint_eq(x->node, y->node);
		ck_assert_uint_eq(x->culprit, y->culprit);
		ck_assert_uint_eq(x->other, y->other);
		ck_assert_uint_eq(x->flags, y->flags);
		ck_assert_uint_eq(x->count, y->count);
		ck_assert_uint_eq(x->ticks, y->ticks);
	}
}

static void same_phases(const struct profile *a, const struct profile *b)
{
	ck_assert_uint_eq(a->phase.n, b->phase.n);
	for (size_t i = 0; i < a->phase.n; i++) {
		ck_assert_uint_eq(a->phase.at[i].node, b->phase.at[i].node);
		ck_assert_uint_eq(a->phase.at[i].ticks, b->phase.at[i].ticks);
	}
}

static void same(const struct profile *a, const struct profile *b)
{
	ck_assert_mem_eq(&a->head, &b->head, sizeof a->head);
	same_nodes(a, b);
	same_texts(a, b);
	SAME_ARRAY(a, b, thread);
	SAME_ARRAY(a, b, values);
	SAME_ARRAY(a, b, sum);
	SAME_ARRAY(a, b, user_value);
	ck_assert_uint_eq(a->culprit.n, 2); /* the last one counts nothing */
	same_culprits(a, b);
	same_switches(a, b);
	ck_assert_uint_eq(a->estimate.n, 2); /* the last one is of no node */
	SAME_ARRAY(a, b, estimate);
	ck_assert_uint_eq(a->switched.n, 1); /* the last one has no count */
	SAME_ARRAY(a, b, switched);
	SAME_ARRAY(a, b, sensor);
	SAME_ARRAY(a, b, record);
	same_phases(a, b);
	SAME_ARRAY(a, b, comm);
	SAME_ARRAY(a, b, member);
}

static void check_all_the_same(const struct made *m)
{
	struct unified u;
	define(&u, m);
	for (uint32_t i = 0; i < RANKS; i++) {
		struct profile own, other;
		struct err err = { 0 };
		ck_assert(profile_parse(&own, "own", copy_of(m->bytes[i], m->size[i]), m->size[i],
					&err) == 0);
		ck_assert_msg(unified_parse(&u, i, m->part[i].at, m->part[i].used, &other, &err) ==
				      0,
			      "%s", err.text);
		same(&own, &other);
		profile_release(&own);
		profile_release(&other);
	}
	unified_close(&u);
}

START_TEST(a_profile_comes_back_the_same)
{
	struct made m;
	make(&m, 7);
	check_all_the_same(&m);
	unmake(&m);
}
END_TEST

/* What version 2 has more is cut out: the three sums, of which the second one is found by its
 * bytes. */
static size_t cut_culprits(unsigned char *bytes, size_t size)
{
	static const unsigned char second[] = { 1, 0, 0, 255, 255, 255, 255, 15, 0, 2, 77 };
	enum { BEFORE = 10, AFTER = 7 };
	unsigned char *at = memmem(bytes, size, second, sizeof second);
	ck_assert_ptr_nonnull(at);
	unsigned char *end = at + sizeof second + AFTER;
	memmove(at - BEFORE, end, size - (size_t)(end - bytes));
	return size - BEFORE - sizeof second - AFTER;
}

/* What version 6 has more: one sum, which is found by its bytes. */
static size_t cut_switches(unsigned char *bytes, size_t size)
{
	static const unsigned char sum[] = { 0, 3, 0xac, 0x02, 0xf0, 0xa2, 0x04, 0 };
	enum { BEFORE = 3 /* number, slot, node */ };
	unsigned char *at = memmem(bytes, size, sum, sizeof sum);
	ck_assert_ptr_nonnull(at);
	unsigned char *end = at + sizeof sum;
	at -= BEFORE;
	memmove(at, end, size - (size_t)(end - bytes));
	return size - (size_t)(end - at);
}

/* What version 4 has more: three estimates, from their number to the end of the last one, which is
 * found by its bytes. */
static size_t cut_estimates(unsigned char *bytes, size_t size)
{
	static const double first[] = { 40, 444 };
	static const unsigned char last[] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 0 };
	enum { BEFORE = 3, AFTER = 5 /* rungs, below, since, rung */ };
	unsigned char *at = memmem(bytes, size, first, sizeof first);
	ck_assert_ptr_nonnull(at);
	unsigned char *end = memmem(at, size - (size_t)(at - bytes), last, sizeof last);
	ck_assert_ptr_nonnull(end);
	end += sizeof last + sizeof(double) + AFTER;
	at -= BEFORE;
	memmove(at, end, size - (size_t)(end - bytes));
	return size - (size_t)(end - at);
}

/* What version 5 has more, which is found by its bytes. */
static size_t cut_switched(unsigned char *bytes, size_t size)
{
	static const unsigned char all[] = { 2, SIS_SWITCHED_REGION, 17, 172, 2, 5, 10, 132, 7, 160,
					     6, 70, SIS_SWITCHED_THREAD, 0, 0, 0, 0, 0, 0, 0 };
	unsigned char *at = memmem(bytes, size, all, sizeof all);
	ck_assert_ptr_nonnull(at);
	memmove(at, at + sizeof all, size - (size_t)(at + sizeof all - bytes));
	return size - sizeof all;
}

/* What version 3 has more: that `work` folds, in two bytes. Behind them are the user values, whose
 * first one is found. */
static size_t cut_folds(unsigned char *bytes, size_t size)
{
	enum { FOLDS = 2, BEFORE = 2 };
	static const double sum = 3.5;
	unsigned char first[2 + sizeof sum] = { 1, 2 };
	memcpy(first + 2, &sum, sizeof sum);
	unsigned char *at = memmem(bytes, size, first, sizeof first);
	ck_assert_ptr_nonnull(at);
	at -= BEFORE;
	ck_assert_uint_eq(at[-FOLDS], 1);
	memmove(at - FOLDS, at, size - (size_t)(at - bytes));
	return size - FOLDS;
}

START_TEST(parts_of_older_versions_have_less)
{
	struct made m;
	struct unified u;
	struct profile p;
	struct err err = { 0 };
	make(&m, 7);
	define(&u, &m);
	unsigned char *bytes = copy_of(m.part[0].at, m.part[0].used);
	size_t size = cut_switches(bytes, m.part[0].used);
	u.head.version = 5;
	ck_assert_msg(unified_parse(&u, 0, bytes, size, &p, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(p.unscheduled.n, 0);
	profile_release(&p);
	size = cut_switched(bytes, size);
	u.head.version = 4;
	ck_assert_msg(unified_parse(&u, 0, bytes, size, &p, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(p.switched.n, 0);
	profile_release(&p);
	size = cut_estimates(bytes, size);
	u.head.version = 3;
	ck_assert_msg(unified_parse(&u, 0, bytes, size, &p, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(p.estimate.n, 0);
	profile_release(&p);
	size = cut_folds(bytes, size);
	for (u.head.version = 2; u.head.version; u.head.version--) {
		ck_assert_msg(unified_parse(&u, 0, bytes, size, &p, &err) == 0, "%s", err.text);
		ck_assert_uint_eq(p.culprit.n > 0, u.head.version > 1);
		ck_assert_uint_eq(p.sensor.n, 1);
		profile_release(&p);
		if (u.head.version > 1)
			size = cut_culprits(bytes, size);
	}
	free(bytes);
	unified_close(&u);
	unmake(&m);
}
END_TEST

/* A process may make nodes after the ranks have agreed: they are its own. The descriptions of units
 * it cannot add. */
START_TEST(paths_that_nobody_else_knows_come_back)
{
	struct made m;
	make(&m, 1);
	check_all_the_same(&m);
	unmake(&m);
}
END_TEST

START_TEST(a_unit_that_is_not_known_keeps_the_file)
{
	struct made m;
	struct sis_unify_defs defs;
	struct sis_bytes out = { 0 };
	make(&m, 7);
	sis__unify_defs_init(&defs);
	sis__unify_defs_add(&defs, &m.image[1]);
	ck_assert(!sis__unify_pack(&m.image[0], &defs, &out));
	sis__unify_defs_release(&defs);
	sis__bytes_release(&out);
	unmake(&m);
}
END_TEST

START_TEST(ranks_that_are_alike_add_nothing)
{
	struct made m;
	make(&m, 1);
	uint64_t alone = m.definitions.used;
	unmake(&m);
	make(&m, 3); /* the second has paths of its own, but no unit */
	ck_assert_uint_lt(m.definitions.used, alone + 40);
	unmake(&m);
}
END_TEST

/* -- damage ------------------------------------------------------------------------------------ */

static unsigned long random_state = 20261121;

static unsigned long next_random(void)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return random_state >> 33;
}

static void damage(unsigned char *bytes, size_t size)
{
	for (unsigned long flips = 1 + next_random() % 4; flips; flips--)
		bytes[next_random() % size] ^= next_random() % 3 ? 1u << next_random() % 8 : 0xff;
}

START_TEST(a_part_may_hold_anything)
{
	struct made m;
	struct unified u;
	make(&m, 1);
	define(&u, &m);
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t rank = next_random() % RANKS;
		unsigned char *bytes = copy_of(m.part[rank].at, m.part[rank].used);
		struct profile p;
		struct err err = { 0 };
		damage(bytes, m.part[rank].used);
		if (unified_parse(&u, rank, bytes, m.part[rank].used, &p, &err) == 0)
			profile_release(&p);
		else
			ck_assert_msg(strncmp(err.text, "x.sis, rank ", 12) == 0, "%s", err.text);
		free(bytes);
	}
	unified_close(&u);
	unmake(&m);
}
END_TEST

static void add_process(struct experiment *x, const struct unified *u, uint32_t rank,
			const struct sis_bytes *part, bool spoil)
{
	unsigned char *bytes = copy_of(part->at, part->used);
	struct profile p;
	struct err err = { 0 };
	if (spoil)
		damage(bytes, part->used);
	if (unified_parse(u, rank, bytes, part->used, &p, &err) == 0)
		vec_push(&x->model.process.fill)->profile = p;
	free(bytes);
}

/* Damage that the reader lets pass must be survived by all that follows. */
START_TEST(spoilt_parts_make_experiments_or_errors)
{
	struct made m;
	struct unified u;
	make(&m, 7);
	define(&u, &m);
	for (int i = 0; i < ROUNDS; i++) {
		struct experiment x = { .run = { mem_string("made"), mem_string("run"),
						 mem_string("p") } };
		struct err err = { 0 };
		for (uint32_t rank = 0; rank < RANKS; rank++)
			add_process(&x, &u, rank, &m.part[rank], next_random() % 2);
		if (x.model.process.n && experiment_build(&x, &x.model, &x.warning, &err) == 0)
			analyze(&x);
		experiment_release(&x);
	}
	unified_close(&u);
	unmake(&m);
}
END_TEST

START_TEST(a_part_that_is_cut_is_refused)
{
	struct made m;
	struct unified u;
	make(&m, 7);
	define(&u, &m);
	for (size_t size = 0; size < m.part[0].used; size++) {
		struct profile p;
		struct err err = { 0 };
		unsigned char *bytes = copy_of(m.part[0].at, size);
		ck_assert_int_ne(unified_parse(&u, 0, bytes, size, &p, &err), 0);
		free(bytes);
	}
	unified_close(&u);
	unmake(&m);
}
END_TEST

START_TEST(definitions_may_hold_anything)
{
	struct made m;
	make(&m, 7);
	for (int i = 0; i < ROUNDS; i++) {
		struct unified u = { .path = strdup("x.sis"), .fd = -1 };
		struct err err = { 0 };
		struct profile p;
		size_t size = next_random() % 4 ? m.definitions.used :
						  next_random() % m.definitions.used;
		unsigned char *bytes = copy_of(m.definitions.at, size);
		if (size)
			damage(bytes, size);
		uint32_t rank = next_random() % RANKS;
		if (unified_define(&u, bytes, size, &err) == 0 &&
		    unified_parse(&u, rank, m.part[rank].at, m.part[rank].used, &p, &err) == 0)
			profile_release(&p);
		unified_close(&u);
	}
	unmake(&m);
}
END_TEST

/* -- the file ---------------------------------------------------------------------------------- */

static char path[UNIT_PATH + 16];

/* One with the parts of all ranks but the last. */
static uint64_t write_file(const struct made *m)
{
	struct sis_unified_slot slot[RANKS] = { 0 };
	struct sis_unified_header head = {
		.magic = SIS_UNIFIED_MAGIC,
		.version = SIS_UNIFIED_VERSION,
		.endian = SIS_PROFILE_ENDIAN,
		.profile_version = SIS_PROFILE_VERSION,
		.ranks = RANKS,
		.id = 77,
		.run_id = "run",
		.definitions = SIS_PAGE + sizeof slot,
		.definitions_bytes = m->definitions.used,
	};
	ck_assert_ptr_nonnull(mkdtemp(unit_template(path)));
	strcat(path, "/ranks.sis");
	head.size = (head.definitions + head.definitions_bytes + SIS_PAGE) / SIS_PAGE * SIS_PAGE;
	for (int i = 0; i < RANKS; i++) {
		slot[i] = (struct sis_unified_slot){ head.size, 4 * SIS_PAGE };
		head.size += slot[i].bytes;
	}
	head.checksums[0] = sis_checksum(slot, sizeof slot);
	head.checksums[1] = sis_checksum(m->definitions.at, m->definitions.used);
	head.checksum = sis_checksum(&head, offsetof(struct sis_unified_header, checksum));
	ck_assert_int_eq(sis__unify_write_head(path, &head, slot, &m->definitions), 0);
	for (uint32_t i = 0; i < RANKS - 1; i++) {
		struct sis_unified_part part = { SIS_UNIFIED_PART, i, head.id, m->part[i].used,
						 sis_checksum(m->part[i].at, m->part[i].used) };
		ck_assert_int_eq(sis__unify_write_part(path, slot[i].offset, &part, &m->part[i]),
				 0);
	}
	return head.size;
}

static void remove_file(void)
{
	unlink(path);
	*strrchr(path, '/') = 0;
	rmdir(path);
}

START_TEST(a_rank_that_wrote_nothing_is_not_there)
{
	struct made m;
	struct unified u;
	struct profile p;
	struct err err = { 0 };
	make(&m, 7);
	write_file(&m);
	ck_assert_msg(unified_open(&u, path, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(u.head.ranks, RANKS);
	for (uint32_t i = 0; i < RANKS; i++) {
		ck_assert_int_eq(unified_profile(&u, i, &p, &err), i < RANKS - 1);
		if (i < RANKS - 1)
			profile_release(&p);
	}
	unified_close(&u);
	struct sis_unified_part foreign = { SIS_UNIFIED_PART, 2, 78, 0, 0 };
	ck_assert_int_eq(sis__unify_write_part(path, 8 * SIS_PAGE, &foreign, &m.part[2]), ESTALE);
	remove_file();
	unmake(&m);
}
END_TEST

static void write_bytes(const unsigned char *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	fclose(file);
}

/* What can be read of it; 0: nothing, and the error names the file. */
static int ranks_in_file(void)
{
	struct unified u;
	struct profile p;
	struct err err = { 0 };
	int ranks = 0;
	if (unified_open(&u, path, &err)) {
		ck_assert_ptr_nonnull(strstr(err.text, path));
		return 0;
	}
	for (uint32_t i = 0; i < RANKS; i++)
		if (unified_profile(&u, i, &p, &err) > 0) {
			ranks++;
			profile_release(&p);
		}
	unified_close(&u);
	return ranks;
}

START_TEST(a_damaged_file_is_named)
{
	struct made m;
	make(&m, 7);
	size_t size = write_file(&m);
	unsigned char *bytes = malloc(size), *bad = malloc(size);
	FILE *file = fopen(path, "rb");
	ck_assert_uint_eq(fread(bytes, 1, size, file), size);
	fclose(file);
	ck_assert_int_eq(ranks_in_file(), RANKS - 1);
	for (int i = 0; i < 60; i++) {
		memcpy(bad, bytes, size);
		bad[next_random() % sizeof(struct sis_unified_header)] ^= 1u << next_random() % 8;
		write_bytes(bad, size);
		ck_assert_int_eq(ranks_in_file(), 0);
		memcpy(bad, bytes, size);
		bad[SIS_PAGE +
		    next_random() %
			    (RANKS * sizeof(struct sis_unified_slot) + m.definitions.used)] ^= 1;
		write_bytes(bad, size);
		ck_assert_int_eq(ranks_in_file(), 0);
		write_bytes(bytes, next_random() % size);
		ck_assert_int_eq(ranks_in_file(), 0);
	}
	memcpy(bad, bytes, size);
	bad[size - 3 * 4 * SIS_PAGE + 60] ^= 1; /* in the first part */
	write_bytes(bad, size);
	ck_assert_int_eq(ranks_in_file(), RANKS - 2);
	free(bytes);
	free(bad);
	remove_file();
	unmake(&m);
}
END_TEST

START_TEST(numbers_come_back)
{
	unsigned char out[SIS_NUMBER_MOST];
	for (unsigned bit = 0; bit < 64; bit++)
		for (int more = -1; more < 2; more++) {
			uint64_t number = (UINT64_C(1) << bit) + (uint64_t)more, back;
			unsigned n = sis_number_put(out, number);
			ck_assert_uint_eq(sis_number_get(out, n, &back), n);
			ck_assert_uint_eq(back, number);
			ck_assert_uint_eq(sis_number_get(out, n - 1, &back), 0);
			ck_assert_int_eq(sis_zigzag_back(sis_zigzag((int64_t)number)),
					 (int64_t)number);
		}
	memset(out, 0xff, sizeof out);
	uint64_t back;
	ck_assert_uint_eq(sis_number_get(out, sizeof out, &back), 0);
}
END_TEST

UNIT_MAIN("unified", a_profile_comes_back_the_same, parts_of_older_versions_have_less,
	  paths_that_nobody_else_knows_come_back, a_unit_that_is_not_known_keeps_the_file,
	  ranks_that_are_alike_add_nothing, a_part_may_hold_anything,
	  spoilt_parts_make_experiments_or_errors, a_part_that_is_cut_is_refused,
	  definitions_may_hold_anything, a_rank_that_wrote_nothing_is_not_there,
	  a_damaged_file_is_named, numbers_come_back)
