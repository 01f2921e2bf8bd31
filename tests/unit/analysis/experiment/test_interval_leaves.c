/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/traced_make.c tests/unit/analysis/trace_write.c */
/* link: tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* Useful work and leaves within an interval, from traces and records that are known. */
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

#include "experiment/causes/interval_leaves.h"
#include "experiment/causes/unit_pieces.h"
#include "traced_make.h"

static struct experiment x;
static struct traces traces;
static struct timelines timelines;
static struct thread_waits threads;
static struct single_waits waits;

static void classified(void)
{
	make_classified(&x);
	traces_open(&traces, x.run.directory);
	timelines_init(&timelines, &x, &x.warning);
	thread_waits_find(&threads, &timelines);
	single_waits_init(&waits, &x, &threads);
}

static void finish(struct traced *const *t, int n)
{
	for (int i = 0; i < n; i++)
		traced_finish(t[i], &x);
	classified();
}

static void end(void)
{
	single_waits_release(&waits);
	thread_waits_release(&threads);
	timelines_release(&timelines);
	traces_release(&traces);
	traced_end(&x);
}

/* The times of each unit must add up to the interval. */
static struct interval_leaves read_ns(int64_t from, int64_t to)
{
	struct interval_leaves l;
	interval_leaves_find(&l, &waits, &timelines, &traces, from, to);
	for (uint32_t pu = 0; pu < x.model.pu.n; pu++) {
		int64_t all = 0;
		for (size_t i = 0; i < l.leaf.n; i++)
			all += l.leaf.at[i].pu == pu ? l.leaf.at[i].ns : 0;
		ck_assert_int_eq(all, to - from);
	}
	return l;
}

static int64_t sum_of(const struct interval_leaves *l, uint32_t pu, enum sis_overhead leaf,
		      uint32_t node)
{
	int64_t ns = 0;
	for (size_t i = 0; i < l->leaf.n; i++) {
		const struct interval_leaf *at = &l->leaf.at[i];
		if (at->pu == pu && at->leaf == leaf && (node == NONE || at->node == node))
			ns += at->ns;
	}
	return ns;
}

/* Milliseconds of a unit in an interval; leaf O_NONE: useful work. */
static int within(int from, int to, uint32_t pu, enum sis_overhead leaf)
{
	struct interval_leaves l = read_ns((int64_t)from * MS, (int64_t)to * MS);
	int64_t ns = sum_of(&l, pu, leaf, NONE);
	interval_leaves_release(&l);
	return (int)((ns + MS / 2) / MS);
}

static int not_known(int from, int to, uint32_t pu)
{
	struct interval_leaves l = read_ns((int64_t)from * MS, (int64_t)to * MS);
	int64_t ns = l.unknown_ns.at[pu];
	interval_leaves_release(&l);
	return (int)((ns + MS / 2) / MS);
}

enum { ROUNDING_NS = 1000 };
static void is_close(int64_t a, int64_t b, const char *what)
{
	ck_assert_msg(llabs(a - b) <= ROUNDING_NS, "%s: %lld ns and not %lld", what, (long long)a,
		      (long long)b);
}

/* The whole run is what was booked. Parts of it add up to that. */
static void adds_up(int step_ms)
{
	struct interval_leaves whole = read_ns(0, experiment_t_p(&x));
	int64_t(*sum)[SIS_OVERHEADS] = calloc(x.model.pu.n, sizeof *sum);
	for (size_t i = 0; i < x.classify.booking.n; i++) {
		const struct booking *b = &x.classify.booking.at[i];
		is_close(sum_of(&whole, b->pu, b->leaf, b->node), b->ns,
			 sis_overhead_table[b->leaf].name);
	}
	for (uint32_t pu = 0; pu < x.model.pu.n; pu++)
		ck_assert_int_le(whole.uncertain_ns.at[pu], ROUNDING_NS);
	for (int64_t from = 0, to; from < experiment_t_p(&x); from = to) {
		to = from + step_ms * MS + rand() % MS;
		to = to < experiment_t_p(&x) ? to : experiment_t_p(&x);
		struct interval_leaves l = read_ns(from, to);
		for (size_t i = 0; i < l.leaf.n; i++)
			sum[l.leaf.at[i].pu][l.leaf.at[i].leaf] += l.leaf.at[i].ns;
		interval_leaves_release(&l);
	}
	for (uint32_t pu = 0; pu < x.model.pu.n; pu++)
		for (int leaf = 0; leaf < SIS_OVERHEADS; leaf++)
			is_close(sum[pu][leaf], sum_of(&whole, pu, leaf, NONE),
				 sis_overhead_table[leaf].name);
	free(sum);
	interval_leaves_release(&whole);
}

/* -- waits for messages ------------------------------------------------------------------------ */

/* Rank 0 waits from 600 on, rank 1 sends at 780. */
START_TEST(a_wait_is_cut_at_the_border)
{
	traced_begin(&x);
	struct traced *t[] = { traced_new(0, 2), traced_new(1, 2) };
	traced_enter(t[0], 0, 0, WRITER_FUNCTION(MAIN));
	traced_visit(t[0], 0, 100, 500, WRITER_FUNCTION(WORK));
	traced_call(t[0], 0, SIS_RECORD_RECV, "MPI_Recv", 600, 800, 1, 0);
	traced_leave(t[0], 0, 1000);
	traced_enter(t[1], 0, 0, WRITER_FUNCTION(MAIN));
	traced_call(t[1], 0, SIS_RECORD_SEND, "MPI_Send", 780, 800, 0, 0);
	traced_leave(t[1], 0, 1000);
	finish(t, 2);
	ck_assert_int_eq(within(0, 600, 0, OSYNC_LATESEND), 0);
	ck_assert_int_eq(within(0, 700, 0, OSYNC_LATESEND), 100);
	ck_assert_int_eq(within(0, 700, 0, ODATA_RECV), 0);
	ck_assert_int_eq(within(700, 1000, 0, OSYNC_LATESEND), 80);
	ck_assert_int_eq(within(700, 1000, 0, ODATA_RECV), 20);
	ck_assert_int_eq(within(700, 1000, 0, O_NONE), 200);
	ck_assert_int_eq(within(700, 790, 1, O_NONE), 80);
	ck_assert_int_eq(within(700, 790, 1, ODATA_SEND), 10);
	adds_up(37);
	end();
}
END_TEST

/* A record of rank 0; between: ms between polls. */
static void record(struct traced *t, enum sis_record_kind kind, uint64_t node, int enter, int leave,
		   int between)
{
	struct sis_record made = make_record(kind, node, enter, leave);
	made.peer = 1;
	made.serial = 7;
	made.flags = kind == SIS_RECORD_DONE ? SIS_RECORD_POLL : 0;
	made.bytes = (uint64_t)between * MS;
	writer_record(traced_writer(t), 0, made);
}

/* Tests take half the time from 100 to 295. All of it is a wait, until the message is sent. */
START_TEST(time_between_polls_is_a_wait)
{
	traced_begin(&x);
	struct traced *t[] = { traced_new(0, 2), traced_new(1, 2) };
	uint64_t test = 0;
	traced_enter(t[0], 0, 0, WRITER_FUNCTION(MAIN));
	uint64_t begun = traced_visit(t[0], 0, 90, 91, writer_mpi("MPI_Irecv"));
	record(t[0], SIS_RECORD_IRECV, begun, 90, 91, 0);
	for (int ms = 100; ms < 300; ms += 10)
		test = traced_visit(t[0], 0, ms, ms + 5, writer_mpi("MPI_Test"));
	record(t[0], SIS_RECORD_POLLS, test, 100, 295, 95);
	traced_visit(t[0], 0, 350, 351, writer_mpi("MPI_Test"));
	record(t[0], SIS_RECORD_DONE, test, 350, 351, 0);
	traced_leave(t[0], 0, 1000);
	traced_enter(t[1], 0, 0, WRITER_FUNCTION(MAIN));
	traced_call(t[1], 0, SIS_RECORD_SEND, "MPI_Send", 290, 292, 0, 0);
	traced_leave(t[1], 0, 1000);
	finish(t, 2);
	ck_assert_int_eq(within(0, 1000, 0, OSYNC_LATESEND), 190);
	ck_assert_int_eq(within(0, 90, 0, O_NONE), 90);
	ck_assert_int_eq(within(100, 200, 0, OSYNC_LATESEND), 100);
	ck_assert_int_eq(within(107, 108, 0, OSYNC_LATESEND), 1);
	ck_assert_int_eq(within(280, 300, 0, OSYNC_LATESEND), 10);
	ck_assert_int_eq(within(600, 1000, 0, OSYNC_LATESEND), 0);
	adds_up(23);
	end();
}
END_TEST

/* -- threads ----------------------------------------------------------------------------------- */

/* Slot 0 works alone in `serial` to 400. Then both are in a team: slot 0 waits for slot 1 from 500
 * to 700. Slot 0 works alone again, in f, to 1000. */
static void team(struct traced *t)
{
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	traced_visit(t, 0, 0, 400, WRITER_FUNCTION(SERIAL));
	uint64_t fork = traced_enter(t, 0, 400, RT_PARALLEL);
	traced_visit(t, 0, 400, 500, WRITER_FUNCTION(WORK));
	traced_visit(t, 0, 500, 710, RT_IBAR);
	traced_leave(t, 0, 710);
	traced_visit(t, 0, 710, 1000, WRITER_FUNCTION(F));
	traced_leave(t, 0, 1000);
	traced_enter_of(t, 1, 400, RT_PARALLEL, fork);
	traced_visit(t, 1, 400, 700, WRITER_FUNCTION(WORK));
	traced_visit(t, 1, 700, 710, RT_IBAR);
	traced_leave(t, 1, 710);
}

static bool is_region(uint32_t node, const char *region)
{
	return node != NONE && strcmp(region_of_node(&x, node)->name, region) == 0;
}

/* Milliseconds of a leaf in a region, or in its children. */
static int in_place(int from, int to, uint32_t pu, enum sis_overhead leaf, const char *region,
		    bool children)
{
	struct interval_leaves l = read_ns((int64_t)from * MS, (int64_t)to * MS);
	int64_t ns = 0;
	for (uint32_t node = 0; node < x.model.node.n; node++)
		if (is_region(children ? x.model.node.at[node].parent : node, region))
			ns += sum_of(&l, pu, leaf, node);
	interval_leaves_release(&l);
	return (int)((ns + MS / 2) / MS);
}

static int in_region(int from, int to, uint32_t pu, enum sis_overhead leaf, const char *region)
{
	return in_place(from, to, pu, leaf, region, false);
}

static int below(int from, int to, uint32_t pu, enum sis_overhead leaf, const char *region)
{
	return in_place(from, to, pu, leaf, region, true);
}

START_TEST(a_wait_at_a_barrier_is_cut)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	team(t);
	finish(&t, 1);
	ck_assert_int_eq(within(400, 600, 0, OSYNC_IBAR), 100);
	ck_assert_int_eq(within(600, 1000, 0, OSYNC_IBAR), 110);
	ck_assert_int_eq(within(600, 1000, 1, OSYNC_IBAR), 10);
	ck_assert_int_eq(within(400, 600, 1, O_NONE), 200);
	adds_up(41);
	end();
}
END_TEST

/* The idle unit loses time where the initial thread works in the interval. */
START_TEST(an_idle_unit_waits_for_the_initial_thread)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	team(t);
	finish(&t, 1);
	ck_assert_int_eq(in_region(100, 300, 1, OLOSS_UNPAR, "serial"), 200);
	ck_assert_int_eq(in_region(100, 300, 1, OLOSS_UNPAR, "f"), 0);
	ck_assert_int_eq(in_region(300, 800, 1, OLOSS_UNPAR, "serial"), 100);
	ck_assert_int_eq(in_region(300, 800, 1, OLOSS_UNPAR, "f"), 90);
	ck_assert_int_eq(within(400, 710, 1, OLOSS_UNPAR), 0);
	end();
}
END_TEST

/* Pieces follow each other; `node`: the last one. */
struct seen { int64_t from, to; size_t n, waits; uint32_t node; };

static void see_piece(void *self, const struct unit_piece *piece)
{
	struct seen *seen = self;
	if (!seen->n++)
		seen->from = piece->from;
	else
		ck_assert_int_eq(piece->from, seen->to);
	ck_assert_int_lt(piece->from, piece->to);
	ck_assert_int_eq(piece->state, IDLE);
	seen->to = piece->to;
	seen->waits += piece->waits;
	seen->node = piece->node;
}

static struct seen see(int from, int to)
{
	static const struct piece_reader reader = { .piece = see_piece };
	struct seen seen = { .n = 0 };
	int64_t start = x.model.start_ns;
	idle_pieces_read(&waits, &timelines, 0, start + from * MS, start + to * MS, &reader, &seen);
	ck_assert_int_eq(seen.from, start + from * MS);
	ck_assert_int_eq(seen.to, start + to * MS);
	return seen;
}

START_TEST(pieces_tell_where_the_initial_thread_was)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	team(t);
	finish(&t, 1);
	struct seen seen = see(100, 300);
	ck_assert_uint_eq(seen.n, 1);
	ck_assert(is_region(seen.node, "serial"));
	seen = see(350, 550); /* serial, work, and the wait at the barrier */
	ck_assert_uint_eq(seen.n, 3);
	ck_assert_uint_eq(seen.waits, 1);
	seen = see(600, 1000);
	ck_assert(is_region(seen.node, "f"));
	end();
}
END_TEST

/* Slots 0 and 1 are in a team in f from 300 to 400, and in one in g from 500 to 700. Slot 2 is in
 * none of them, and loses its time there. */
START_TEST(an_idle_unit_waits_for_the_team)
{
	static const struct { int begin, end; uint32_t around; } small[] = {
		{ 300, 400, WRITER_FUNCTION(F) },
		{ 500, 700, WRITER_FUNCTION(G) },
	};
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	uint64_t fork = traced_enter(t, 0, 0, RT_PARALLEL);
	traced_leave(t, 0, 100);
	for (uint32_t slot = 1; slot < 3; slot++) {
		traced_enter_of(t, slot, 0, RT_PARALLEL, fork);
		traced_leave(t, slot, 100);
	}
	for (int i = 0; i < 2; i++) {
		traced_enter(t, 0, small[i].begin, small[i].around);
		fork = traced_enter(t, 0, small[i].begin, RT_PARALLEL);
		traced_visit(t, 0, small[i].begin, small[i].end, WRITER_FUNCTION(WORK));
		traced_leave(t, 0, small[i].end);
		traced_leave(t, 0, small[i].end);
		traced_enter_of(t, 1, small[i].begin, RT_PARALLEL, fork);
		traced_leave(t, 1, small[i].end);
	}
	finish(&t, 1);
	ck_assert_int_eq(within(300, 400, 2, OLOSS_PART), 100);
	ck_assert_int_eq(below(300, 400, 2, OLOSS_PART, "f"), 100);
	ck_assert_int_eq(below(350, 600, 2, OLOSS_PART, "f"), 50);
	ck_assert_int_eq(below(350, 600, 2, OLOSS_PART, "g"), 100);
	adds_up(71);
	end();
}
END_TEST

/* Rank 0 receives twice in one node: it waits from 600 to 780, and from 850 on not at all. Its
 * other unit, which is idle, waits with it. */
START_TEST(an_idle_unit_waits_with_the_initial_thread)
{
	traced_begin(&x);
	struct traced *t[] = { traced_new(0, 2), traced_new(1, 2) };
	uint64_t fork = traced_enter(t[0], 0, 0, RT_PARALLEL);
	traced_visit(t[0], 0, 0, 100, WRITER_FUNCTION(WORK));
	traced_leave(t[0], 0, 100);
	traced_call(t[0], 0, SIS_RECORD_RECV, "MPI_Recv", 600, 800, 1, 0);
	traced_call(t[0], 0, SIS_RECORD_RECV, "MPI_Recv", 850, 950, 1, 0);
	traced_enter_of(t[0], 1, 0, RT_PARALLEL, fork);
	traced_visit(t[0], 1, 0, 100, WRITER_FUNCTION(WORK));
	traced_leave(t[0], 1, 100);
	traced_call(t[1], 0, SIS_RECORD_SEND, "MPI_Send", 780, 790, 0, 0);
	traced_call(t[1], 0, SIS_RECORD_SEND, "MPI_Send", 790, 800, 0, 0);
	finish(t, 2);
	for (uint32_t pu = 0; pu < 2; pu++) {
		ck_assert_int_eq(within(500, 700, pu, OSYNC_LATESEND), 100);
		ck_assert_int_eq(within(700, 840, pu, OSYNC_LATESEND), 80);
		ck_assert_int_eq(within(840, 1000, pu, OSYNC_LATESEND), 0);
	}
	ck_assert_int_eq(within(840, 1000, 1, OLOSS_UNPAR), 60);
	ck_assert_int_eq(within(840, 1000, 1, ODATA_RECV), 100);
	adds_up(31);
	end();
}
END_TEST

/* -- time of leaves that is in no trace -------------------------------------------------------- */

/* Probes are booked for all calls of work: the time in it is divided in proportion. */
START_TEST(counted_time_is_divided_by_the_time_of_its_region)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	writer_header(traced_writer(t))->probe_inner_ns = MS / 2;
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	for (int ms = 0; ms < 400; ms += 10)
		traced_visit(t, 0, ms, ms + 10, WRITER_FUNCTION(WORK));
	traced_leave(t, 0, 1000);
	finish(&t, 1);
	int whole = within(0, 1000, 0, OPROBE);
	ck_assert_int_gt(whole, 10);
	ck_assert_int_eq(in_region(0, 200, 0, OPROBE, "work") * 2,
			 in_region(0, 400, 0, OPROBE, "work"));
	struct interval_leaves l = read_ns(0, 100 * MS);
	ck_assert_int_gt(l.uncertain_ns.at[0], 0);
	ck_assert_int_le(l.uncertain_ns.at[0], (int64_t)whole * MS);
	interval_leaves_release(&l);
	adds_up(77);
	end();
}
END_TEST

/* -- at random --------------------------------------------------------------------------------- */

static uint32_t random_below(uint32_t n)
{
	static uint32_t state = 4711;
	state = state * 1664525 + 1013904223;
	return (state >> 8) % n;
}

/* Regions and receptions within each other; the messages come 50 ms after the receptions began, or
 * as late as the next. */
static void at_random(struct traced *receiver, struct traced *sender)
{
	static const uint32_t region[] = { WRITER_FUNCTION(MAIN), WRITER_FUNCTION(F),
					   WRITER_FUNCTION(WORK) };
	int depth = 0, sent = 0;
	for (int ms = 0; ms < 880; ms += 1 + (int)random_below(8)) {
		if (depth && random_below(4) == 0) {
			int late = ms + 1 + (int)random_below(50);
			late = late > sent ? late : sent;
			traced_call(receiver, 0, SIS_RECORD_RECV, "MPI_Recv", ms, late + 2, 1, 0);
			traced_call(sender, 0, SIS_RECORD_SEND, "MPI_Send", late, late + 1, 0, 0);
			ms = sent = late + 2;
		} else if (depth < 3 && random_below(2)) {
			traced_enter(receiver, 0, ms, region[depth++]);
		} else if (depth) {
			traced_leave(receiver, 0, ms);
			depth--;
		}
		if (random_below(10) == 0)
			traced_cut(receiver, 0);
	}
	for (; depth; depth--)
		traced_leave(receiver, 0, 950);
}

START_TEST(parts_add_up_to_the_whole)
{
	traced_begin(&x);
	struct traced *t[] = { traced_new(0, 2), traced_new(1, 2) };
	writer_header(traced_writer(t[0]))->probe_inner_ns = 10000;
	at_random(t[0], t[1]);
	finish(t, 2);
	ck_assert_int_gt(within(0, 1000, 0, OSYNC_LATESEND), 100);
	adds_up(13);
	adds_up(120);
	end();
}
END_TEST

/* -- what is missing --------------------------------------------------------------------------- */

/* The probe of main cost 0.1 ms, maybe during the pause. */
START_TEST(pauses_are_not_measured)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	writer_header(traced_writer(t))->probe_inner_ns = MS / 10;
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	traced_stop(t, 0, 300);
	traced_cut(t, 0);
	traced_visit(t, 0, 500, 600, WRITER_FUNCTION(F));
	traced_leave(t, 0, 900);
	finish(&t, 1);
	ck_assert_int_eq(not_known(100, 600, 0), 200);
	ck_assert_int_eq(within(100, 600, 0, UNMEASURED), 200);
	ck_assert_int_eq(within(100, 600, 0, O_NONE), 300);
	ck_assert_int_eq(not_known(600, 1000, 0), 0);
	struct interval_leaves l = read_ns(0, 1000 * MS);
	ck_assert_int_eq(l.uncertain_ns.at[0], MS / 10);
	interval_leaves_release(&l);
	end();
}
END_TEST

START_TEST(without_a_trace_nothing_is_known)
{
	char path[UNIT_PATH];
	traced_begin(&x);
	struct traced *t = traced_new(0, 1);
	team(t);
	traced_path(&x, 0, path);
	traced_finish(t, &x);
	ck_assert_int_eq(truncate(path, sizeof(struct sis_trace_header)), 0);
	classified();
	ck_assert_int_eq(not_known(100, 300, 0), 200);
	ck_assert_int_eq(not_known(100, 300, 1), 200);
	ck_assert_int_eq(within(100, 300, 1, UNMEASURED), 200);
	end();
}
END_TEST

UNIT_MAIN("interval_leaves", a_wait_is_cut_at_the_border, time_between_polls_is_a_wait,
	  a_wait_at_a_barrier_is_cut, an_idle_unit_waits_for_the_initial_thread,
	  pieces_tell_where_the_initial_thread_was,
	  an_idle_unit_waits_for_the_team, an_idle_unit_waits_with_the_initial_thread,
	  counted_time_is_divided_by_the_time_of_its_region, parts_add_up_to_the_whole,
	  pauses_are_not_measured, without_a_trace_nothing_is_known)
