/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* Where each nanosecond goes: routines, what the runtime adds, idle workers, the probes; and that
 * all add up. */
#include "unit.h"
#include "experiment_make.h"
#include "repository/import/analyze.h"
#include "experiment/model/build.h"

static const char *const names[] = { "main", "serial", "work" };

static void booked(const struct experiment *x, uint32_t process, uint32_t slot,
		   enum sis_overhead leaf, int64_t ns)
{
	int64_t there = make_booked(x, process, slot, leaf);
	ck_assert_msg(there == ns, "%u.%u %s: %lld, not %lld", process, slot,
		      leaf ? sis_overhead_table[leaf].name : "useful", (long long)there,
		      (long long)ns);
}

static struct profile_writer *begin(void)
{
	struct profile_writer *w = writer_new(-1, 0);
	writer_functions(w, names, 3);
	return w;
}

START_TEST(exclusive_time_goes_to_the_row_of_the_region)
{
	struct experiment x = { 0 };
	struct profile_writer *w = begin();
	uint64_t root = writer_thread(w, 0),
		 main_node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 900 * MS);
	writer_node(w, 0, main_node, CR_READ, 4, 100 * MS);
	uint64_t wait = writer_node(w, 0, main_node, RT_TASKWAIT, 1, 300 * MS);
	writer_node(w, 0, wait, RT_TASK, 2, 200 * MS); /* a task executed while waiting is work */
	make_process(&x, w, SIS_STATE_ENDED);
	make_classified(&x);
	booked(&x, 0, 0, ODATA_READ, 100 * MS);
	booked(&x, 0, 0, OSYNC_TASKWAIT, 100 * MS);
	booked(&x, 0, 0, O_NONE, (500 + 200 + 100) * MS);
	ck_assert_int_eq(experiment_t_p(&x), 1000 * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(work_below_a_purpose_belongs_to_it)
{
	struct experiment x = { 0 };
	struct profile_writer *w = begin();
	uint64_t root = writer_thread(w, 0),
		 main_node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 900 * MS),
		 move = writer_node(w, 0, main_node, CR_REDIST, 1, 500 * MS),
		 pack = writer_node(w, 0, move, WRITER_FUNCTION(1), 1, 400 * MS);
	writer_node(w, 0, pack, CR_MEM, 2, 60 * MS);
	writer_node(w, 0, pack, CR_WRITE, 1, 70 * MS); /* files are something else */
	writer_node(w, 0, pack, CR_OMPBARRIER, 1, 50 * MS);
	writer_node(w, 0, main_node, CR_MEM, 1, 100 * MS);
	make_process(&x, w, SIS_STATE_ENDED);
	make_classified(&x);
	booked(&x, 0, 0, OCTRL_REDIST, 380 * MS);
	booked(&x, 0, 0, ODATA_WRITE, 70 * MS);
	booked(&x, 0, 0, OSYNC_EBAR, 50 * MS);
	booked(&x, 0, 0, ODATA_MEM, 100 * MS);
	booked(&x, 0, 0, O_NONE, (300 + 100) * MS);
	experiment_release(&x);
}
END_TEST

/* A team of two: the worker's tree begins at the node that forked it, and is that node. */
static struct profile_writer *team(uint64_t *par)
{
	struct profile_writer *w = begin();
	uint64_t root = writer_thread(w, 0),
		 main_node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 1000 * MS);
	*par = writer_node(w, 0, main_node, CR_OMPPA, 1, 400 * MS);
	writer_node(w, 0, main_node, WRITER_FUNCTION(1), 1, 600 * MS);
	uint64_t other = writer_thread(w, 1);
	writer_node_at(w, other)->total = 400 * MS;
	uint64_t node = writer_node(w, 1, other, CR_OMPPA, 1, 400 * MS);
	writer_origin(w, 1, node, *par);
	writer_node(w, 1, node, RT_IBAR, 1, 150 * MS);
	return w;
}

START_TEST(an_idle_worker_is_loss_where_the_initial_thread_works)
{
	uint64_t par;
	struct experiment x = { 0 };
	make_process(&x, team(&par), SIS_STATE_ENDED);
	make_classified(&x);
	booked(&x, 0, 1, OSYNC_IBAR, 150 * MS);
	booked(&x, 0, 1, O_NONE, 250 * MS);
	booked(&x, 0, 1, OLOSS_UNPAR, 600 * MS);
	booked(&x, 0, 0, O_NONE, 1000 * MS);
	ck_assert_uint_eq(x.model.pu.n, 2);
	/* run, main, parallel, serial, implicit barrier: the worker's nodes are no others */
	ck_assert_uint_eq(x.model.node.n, 5);
	for (size_t i = 0; i < x.classify.booking.n; i++)
		if (x.classify.booking.at[i].leaf == OLOSS_UNPAR)
			ck_assert_str_eq(region_of_node(&x, x.classify.booking.at[i].node)->name,
					 "serial");
	experiment_release(&x);
}
END_TEST

/* The third slot was in no team: it is idle while two work, and while one does. */
START_TEST(a_worker_left_out_of_a_team_is_partial_loss)
{
	uint64_t par;
	struct experiment x = { 0 };
	struct profile_writer *w = team(&par);
	uint64_t root = writer_thread(w, 2);
	writer_node_at(w, root)->calls = 0;
	make_process(&x, w, SIS_STATE_ENDED);
	make_classified(&x);
	booked(&x, 0, 2, OLOSS_PART, 400 * MS);
	booked(&x, 0, 2, OLOSS_UNPAR, 600 * MS);
	experiment_release(&x);
}
END_TEST

/* A slot that threads filled, from and to these milliseconds. */
static void thread_slot(struct profile_writer *w, uint32_t slot, const int (*life)[2], size_t lives)
{
	uint64_t root = writer_thread(w, slot), ns = 0;
	for (size_t i = 0; i < lives; i++) {
		uint64_t from = (uint64_t)life[i][0] * MS, to = (uint64_t)life[i][1] * MS;
		ns += to - from;
		writer_record(w, slot,
			      (struct sis_record){ .kind = SIS_RECORD_LIFE,
						   .enter = from,
						   .exit = to,
						   .node = (void *)(uintptr_t)root });
	}
	writer_node_at(w, root)->calls = lives;
	writer_node_at(w, root)->total = ns;
	writer_node(w, slot, root, WRITER_FUNCTION(2), lives, ns);
}

/* The initial thread works until 100 ms and waits until 900 ms for a thread that works from 100 ms
 * on; another slot has two threads within that time, a third one a thread at the same time as the
 * first of these. */
START_TEST(a_unit_without_a_thread_is_idle_beside_those_that_work)
{
	struct experiment x = { 0 };
	struct profile_writer *w = begin();
	uint64_t root = writer_thread(w, 0),
		 main_node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 1000 * MS);
	uint64_t join = writer_node(w, 0, main_node, CR_PTJOIN, 1, 800 * MS);
	writer_record(w, 0,
		      (struct sis_record){ .kind = SIS_RECORD_BLOCKED,
					   .enter = 100 * MS,
					   .exit = 900 * MS,
					   .node = (void *)(uintptr_t)join });
	thread_slot(w, 1, (const int[][2]){ { 100, 900 } }, 1);
	thread_slot(w, 2, (const int[][2]){ { 200, 400 }, { 500, 700 } }, 2);
	thread_slot(w, 3, (const int[][2]){ { 200, 300 } }, 1);
	make_process(&x, w, SIS_STATE_ENDED);
	make_classified(&x);
	booked(&x, 0, 0, OSYNC_PTJOIN, 800 * MS);
	booked(&x, 0, 1, OLOSS_UNPAR, 200 * MS);
	booked(&x, 0, 2, OLOSS_UNPAR, (200 + 100 + 100 + 200) * MS);
	booked(&x, 0, 3, OLOSS_UNPAR, (200 + 100 + 100 + 200) * MS);
	booked(&x, 0, 3, OLOSS_PART, (100 + 200) * MS);
	for (size_t i = 0; i < x.causes.delay_cost.n; i++)
		if (x.causes.delay_cost.at[i].leaf == OLOSS_PART)
			ck_assert_int_eq(x.causes.delay_cost.at[i].ns,
					 150 * MS); /* of units 1 and 2 */
	experiment_release(&x);
}
END_TEST

/* As programs left them before lives were recorded, or where the log was full. */
START_TEST(threads_of_unknown_lives_are_laid_over_the_initial_thread)
{
	struct experiment x = { 0 };
	struct profile_writer *w = begin();
	writer_node(w, 0, writer_thread(w, 0), WRITER_FUNCTION(0), 1, 1000 * MS);
	for (uint32_t slot = 1; slot <= 2; slot++) {
		struct sis_node *root = writer_node_at(w, writer_thread(w, slot));
		root->calls = 1;
		root->total = 300 * MS;
	}
	make_process(&x, w, SIS_STATE_ENDED);
	make_classified(&x);
	booked(&x, 0, 1, OLOSS_UNPAR, 700 * MS);
	booked(&x, 0, 2, OLOSS_UNPAR, 700 * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(a_worker_waits_with_the_initial_thread)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	make_barrier(&r[0], 100, 500, 1);
	make_barrier(&r[1], 400, 500, 1);
	make_call(&r[0], "MPI_Init", 100);
	writer_node_at(r[0].w, writer_thread(r[0].w, 1))->calls = 0;
	make_ranks_classified(&x, r, 2);
	booked(&x, 0, 1, OSYNC_MBAR, 300 * MS);
	booked(&x, 0, 1, OCTRL_MPIMGMT, 100 * MS);
	booked(&x, 0, 1, ODATA_MBAR, 100 * MS); /* of the barrier itself */
	booked(&x, 0, 1, OLOSS_UNPAR, 500 * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(probes_are_taken_out_of_the_time_that_they_are_in)
{
	struct experiment x = { 0 };
	struct profile_writer *w = begin();
	writer_header(w)->probe_inner_ns = 10;
	writer_header(w)->probe_outer_ns = 20;
	uint64_t root = writer_thread(w, 0),
		 main_node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 1000 * MS);
	writer_node(w, 0, main_node, WRITER_FUNCTION(1), 100000, 500 * MS);
	writer_node(w, 0, main_node, CR_READ, 100000, 3 * MS);
	/* shorter than its own probes */
	writer_node(w, 0, main_node, WRITER_FUNCTION(2), 1000000, 1 * MS);
	make_process(&x, w, SIS_STATE_ENDED);
	make_classified(&x);
	booked(&x, 0, 0, ODATA_READ, 2 * MS);
	/* inner: main's 10 ns, serial's 1 ms, all of work, 1 ms of the calls that read; outer, from
	 * main: 1.2 million probes */
	booked(&x, 0, 0, OPROBE, 10 + 1 * MS + 1 * MS + 1 * MS + 24 * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(processes_begin_and_end_at_different_times)
{
	struct experiment x = { 0 };
	struct profile_writer *w[2] = { writer_new(0, 2), writer_new(1, 2) };
	writer_times(w[0], 0, 900 * MS);
	writer_times(w[1], 50 * MS, 1000 * MS);
	for (int i = 0; i < 2; i++) {
		writer_thread(w[i], 0);
		make_process(&x, w[i], SIS_STATE_ENDED);
	}
	make_classified(&x);
	ck_assert_int_eq(experiment_t_p(&x), 1000 * MS);
	booked(&x, 0, 0, OSYNC_FINWAIT, 100 * MS);
	booked(&x, 1, 0, OCTRL_SPAWN, 50 * MS);
	booked(&x, 1, 0, O_NONE, 950 * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(a_killed_process_has_partial_times)
{
	struct experiment x = { 0 };
	struct profile_writer *w = begin();
	uint64_t root = writer_thread(w, 0),
		 main_node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 0);
	uint64_t node = writer_node(w, 0, main_node, WRITER_FUNCTION(2), 5, 200 * MS);
	writer_node_at(w, main_node)->start = WRITER_START + 10 * MS;
	writer_node_at(w, node)->start = WRITER_START + 400 * MS;
	writer_thread_at(w, 0)->current = (void *)(uintptr_t)node;
	writer_thread_at(w, 0)->stamp = WRITER_START + 700 * MS;
	make_process(&x, w, SIS_STATE_RUNNING);
	make_classified(&x);
	ck_assert(!x.model.complete);
	ck_assert(make_warned(&x, "did not end"));
	ck_assert_int_eq(experiment_t_p(&x), 700 * MS);
	for (size_t i = 0; i < x.model.summary.n; i++) {
		const struct summary *s = &x.model.summary.at[i];
		const char *name = region_of_node(&x, s->node)->name;
		if (strcmp(name, "work") == 0)
			ck_assert(s->open && s->incl_ns == 500 * MS);
		if (strcmp(name, "main") == 0)
			ck_assert(s->open && s->incl_ns == 690 * MS && s->excl_ns == 190 * MS);
	}
	experiment_release(&x);
}
END_TEST

/* Rank 0 was in main since 10 ms, without a probe, when rank 1 died at 700. */
START_TEST(a_stopped_rank_lasts_until_the_last_sign_of_the_others)
{
	struct experiment x = { 0 };
	for (int rank = 0; rank < 2; rank++) {
		struct profile_writer *w = writer_new(rank, 2);
		writer_functions(w, names, 3);
		uint64_t root = writer_thread(w, 0),
			 main_node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 0);
		writer_node_at(w, main_node)->start = WRITER_START + 10 * MS;
		writer_thread_at(w, 0)->current = (void *)(uintptr_t)main_node;
		writer_thread_at(w, 0)->stamp = WRITER_START + (rank == 0 ? 10 : 700) * MS;
		make_process(&x, w, SIS_STATE_RUNNING);
	}
	make_classified(&x);
	ck_assert_int_eq(experiment_t_p(&x), 700 * MS);
	for (size_t i = 0; i < x.model.summary.n; i++)
		if (strcmp(region_of_node(&x, x.model.summary.at[i].node)->name, "main") == 0)
			ck_assert_int_eq(x.model.summary.at[i].incl_ns, 690 * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(time_that_does_not_fit_is_reported)
{
	struct experiment x = { .run.directory = mem_string("d"),
				.run.run_id = mem_string("r"),
				.run.program = mem_string("p") };
	struct err err = { 0 };
	struct profile_writer *w = begin();
	uint64_t root = writer_thread(w, 0),
		 main_node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 500 * MS);
	/* longer than what it is part of */
	writer_node(w, 0, main_node, WRITER_FUNCTION(1), 1, 600 * MS);
	make_process(&x, w, SIS_STATE_ENDED);
	ck_assert_int_eq(experiment_build(&x, &x.model, &x.warning, &err), 0);
	analyze(&x);
	ck_assert(make_warned(&x, "bookkeeping of process 0 thread 0 is off by 0.100000000 s"));
	booked(&x, 0, 0, O_NONE, 1000 * MS);
	experiment_release(&x);
}
END_TEST

/* Nodes whose mean time is long have a wait, unless one activation took the time of an atomic or
 * flush. */
START_TEST(operations_without_contention_are_no_waits)
{
	struct experiment x = { 0 };
	struct profile_writer *w = begin();
	uint64_t root = writer_thread(w, 0),
		 top = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 1000 * MS);
	writer_node(w, 0, top, CR_OMPATOMIC, 1000, MS / 10);
	writer_node(w, 0, top, RT_CRITICAL, 10, 10 * MS);
	uint64_t flush = writer_node(w, 0, top, CR_OMPFLUSH, 10, 8 * MS + 1000),
		 lock = writer_node(w, 0, top, CR_OMPLOCK, 1000000, 300 * MS);
	writer_node_at(w, flush)->max = 8 * MS;
	struct sis_culprit c = { .node = (void *)(uintptr_t)lock,
				 .culprit = (void *)(uintptr_t)top,
				 .slot = 1,
				 .count = 5,
				 .ticks = 200 * MS };
	writer_chunk(w, SIS_CHUNK_CULPRITS, 0, &c, sizeof c);
	make_process(&x, w, SIS_STATE_ENDED);
	make_classified(&x);
	booked(&x, 0, 0, OSYNC_ATOMIC, 0);
	booked(&x, 0, 0, OSYNC_FLUSH, 0);
	booked(&x, 0, 0, OSYNC_CRIT, 10 * MS - 5000);
	booked(&x, 0, 0, OSYNC_LOCK, 200 * MS);
	booked(&x, 0, 0, OSYNC_UNCONT, MS / 10 + 5000 + 8 * MS + 1000 + 100 * MS);
	experiment_release(&x);
}
END_TEST

/* Of an atomic that is in two threads of a process; `alone`: what it takes alone. */
static void atomics(const char *alone, uint32_t threads, uint64_t ns, uint64_t least,
		    uint64_t longest, int64_t contended, int64_t probes)
{
	enum { CALLS = 100000 };
	struct experiment x = { 0 };
	struct profile_writer *w = begin();
	writer_header(w)->max_slots = threads;
	writer_header(w)->probe_inner_ns = 3;
	if (alone)
		writer_text(w, "atomic", alone);
	uint64_t root = writer_thread(w, 0),
		 top = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 900 * MS),
		 node = writer_node(w, 0, top, CR_OMPATOMIC, CALLS, ns * CALLS + longest);
	writer_node_at(w, node)->min = least;
	writer_node_at(w, node)->max = longest;
	make_process(&x, w, SIS_STATE_ENDED);
	make_classified(&x);
	booked(&x, 0, 0, OSYNC_ATOMIC, contended * CALLS);
	booked(&x, 0, 0, OSYNC_UNCONT,
	       (int64_t)(ns * CALLS + longest) - (contended + probes) * CALLS);
	experiment_release(&x);
}

START_TEST(what_atomics_take_beyond_one_alone_is_contention)
{
	atomics("5", 2, 28, 4, 1000, 20, 3);
	atomics("5", 2, 12, 4, 1000, 0, 3);      /* less than 2.5 times */
	atomics("5", 2, 12, 4, 50 * MS, 0, 3);   /* interrupted */
	atomics("5", 2, 28, 10, 1000, 18, 3);    /* another operation: 7 ns alone */
	atomics("5", 2, 19, 10, 1000, 0, 3);     /* so it is not contended */
	atomics("5", 1, 28, 4, 1000, 0, 3);      /* with whom? */
	atomics(NULL, 2, 28, 4, 1000, 0, 3);     /* of an older runtime */
	atomics("-1", 2, 28, 4, 1000, 0, 3);
}
END_TEST

UNIT_MAIN("classify", exclusive_time_goes_to_the_row_of_the_region,
	  work_below_a_purpose_belongs_to_it,
	  operations_without_contention_are_no_waits,
	  what_atomics_take_beyond_one_alone_is_contention,
	  an_idle_worker_is_loss_where_the_initial_thread_works,
	  a_worker_left_out_of_a_team_is_partial_loss,
	  a_unit_without_a_thread_is_idle_beside_those_that_work,
	  threads_of_unknown_lives_are_laid_over_the_initial_thread,
	  a_worker_waits_with_the_initial_thread, probes_are_taken_out_of_the_time_that_they_are_in,
	  processes_begin_and_end_at_different_times, a_killed_process_has_partial_times,
	  a_stopped_rank_lasts_until_the_last_sign_of_the_others,
	  time_that_does_not_fit_is_reported)
