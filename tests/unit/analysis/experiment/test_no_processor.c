/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* Time without a processor: how much, and where it is taken from. make_classified checks that
 * everything adds up. */
#include "unit.h"
#include "experiment_make.h"

enum { SERIAL = 1, WORK };

static struct experiment x;
static struct made_rank r;
static uint64_t serial, work, barrier;

/* main lasts 1000 ms: serial 400, work 200, a barrier of threads 100, writing 100, starting threads
 * 100. */
static void begin(void)
{
	x = (struct experiment){ 0 };
	r = make_rank(-1, 0);
	serial = writer_node(r.w, 0, r.main, WRITER_FUNCTION(SERIAL), 1, 400u * MS);
	work = writer_node(r.w, 0, r.main, WRITER_FUNCTION(WORK), 1, 200u * MS);
	barrier = writer_node(r.w, 0, r.main, RT_EBAR, 1, 100u * MS);
	writer_node(r.w, 0, r.main, CR_WRITE, 1, 100u * MS);
	writer_node(r.w, 0, r.main, RT_FORK, 1, 100u * MS);
	writer_text(r.w, "affinity", "0-1");
}

/* The kernel's count between two looks, in a wait in the node. */
static void lack_waiting(uint64_t node, int from, int to, uint64_t ns)
{
	struct sis_record record = make_record(SIS_RECORD_NOCPU, node, from, to);
	record.bytes = ns;
	writer_record(r.w, 0, record);
}

static void lack(int from, int to, uint64_t ns) { lack_waiting(r.root, from, to, ns); }

static void finish(void)
{
	make_process(&x, r.w, SIS_STATE_ENDED);
	make_classified(&x);
}

static int booked(enum sis_overhead leaf)
{
	return (int)((make_booked(&x, 0, 0, leaf) + MS / 2) / MS);
}

/* Milliseconds without a processor in the region. */
static int lack_in(const char *name)
{
	int64_t ns = 0;
	for (size_t i = 0; i < x.classify.booking.n; i++) {
		const struct booking *b = &x.classify.booking.at[i];
		if (b->leaf == OLOSS_NOCPU && strcmp(region_of_node(&x, b->node)->name, name) == 0)
			ns += b->ns;
	}
	return (int)((ns + MS / 2) / MS);
}

/* A tenth of all time. The part in the wait stays there. */
START_TEST(it_is_taken_from_work_and_data)
{
	begin();
	lack(0, 1000, 100u * MS);
	finish();
	ck_assert_int_eq(booked(OLOSS_NOCPU), 90);
	ck_assert_int_eq(booked(O_NONE), 630);
	ck_assert_int_eq(booked(OSYNC_EBAR), 100);
	ck_assert_int_eq(booked(ODATA_WRITE), 90);
	ck_assert_int_eq(booked(OCTRL_FORK), 90);
	ck_assert_int_eq(lack_in("serial"), 40);
	ck_assert_int_eq(lack_in("work"), 20);
	experiment_release(&x);
}
END_TEST

/* From 100 to 300 the thread was in work for 150 ms, and at the barrier for 50 ms. */
START_TEST(phases_say_where_it_was)
{
	begin();
	writer_phase(r.w, 0, 100u * MS, 300u * MS, r.main,
		     (struct sis_phase_entry[]){
			     { (struct sis_node *)(uintptr_t)work, 150u * MS },
			     { (struct sis_node *)(uintptr_t)barrier, 50u * MS } },
		     2);
	lack(100, 300, 80u * MS);
	finish();
	ck_assert_int_eq(lack_in("work"), 60);
	ck_assert_int_eq(lack_in("serial"), 0);
	ck_assert_int_eq(booked(OLOSS_NOCPU), 60);
	experiment_release(&x);
}
END_TEST

/* What is known to be in a wait stays a wait. More than the wait lasted cannot be in it. */
START_TEST(the_lack_of_a_wait_stays_a_wait)
{
	begin();
	lack_waiting(barrier, 600, 700, 90u * MS);
	lack_waiting(barrier, 700, 800, 18u * MS);
	finish();
	ck_assert_int_eq(booked(OLOSS_NOCPU), 8);
	ck_assert_int_eq(booked(OSYNC_EBAR), 100);
	experiment_release(&x);
}
END_TEST

/* From its begin to `until`, the rank is in the function. */
static void run_alone(const struct made_rank *rank, uint32_t function, int until)
{
	uint64_t ns = (uint64_t)until * MS;
	uint64_t node = writer_node(rank->w, 0, rank->main, WRITER_FUNCTION(function), 1, ns);
	writer_phase(rank->w, 0, 0, ns, rank->main,
		     &(struct sis_phase_entry){ (struct sis_node *)(uintptr_t)node, ns }, 1);
}

/* The first rank waits at a barrier of MPI for the second one, which works alone, so the wait is
 * OLOSS_UNPAR. The lack of a processor was in this wait. */
START_TEST(a_wait_for_one_that_works_has_room)
{
	struct experiment two = { 0 };
	struct made_rank rank[] = { make_rank(0, 2), make_rank(1, 2) };
	run_alone(&rank[0], WORK, 100);
	run_alone(&rank[1], SERIAL, 700);
	make_barrier(&rank[0], 100, 700, 1);
	make_barrier(&rank[1], 700, 700, 1);
	struct sis_record record = make_record(SIS_RECORD_NOCPU, rank[0].root, 100, 700);
	record.bytes = 300u * MS;
	writer_record(rank[0].w, 0, record);
	make_ranks_classified(&two, rank, 2);
	ck_assert_int_gt(make_booked(&two, 0, 0, OLOSS_UNPAR), 590 * (int64_t)MS);
	ck_assert_int_eq(make_booked(&two, 0, 0, OLOSS_NOCPU), 0);
	experiment_release(&two);
}
END_TEST

/* A call that completes two requests has two records, and its time counts once: it gets half of the
 * lack. The other half is distributed over 700 ms of work and the 200 ms that the call has left. */
START_TEST(a_call_with_two_records_counts_once)
{
	struct experiment two = { 0 };
	struct made_rank rank[] = { make_rank(0, 2), make_rank(1, 2) };
	uint64_t all = make_call(&rank[0], "MPI_Waitall", 300);
	writer_node(rank[0].w, 0, rank[0].main, WRITER_FUNCTION(WORK), 1, 700u * MS);
	for (uint64_t request = 1; request <= 2; request++) {
		struct sis_record record = make_record(SIS_RECORD_DONE, all, 400, 700);
		record.peer = 1;
		record.serial = request;
		writer_record(rank[0].w, 0, record);
	}
	struct sis_record record = make_record(SIS_RECORD_NOCPU, rank[0].root, 100, 700);
	record.bytes = 200u * MS;
	writer_record(rank[0].w, 0, record);
	make_ranks_classified(&two, rank, 2);
	ck_assert_int_eq((int)(make_booked(&two, 0, 0, O_NONE) / MS), 700 - 100 * 7 / 9 - 1);
	experiment_release(&two);
}
END_TEST

/* A node cannot have lost more than its time: the rest is distributed over the others. */
START_TEST(no_node_loses_more_than_it_has)
{
	begin();
	writer_phase(r.w, 0, 0, 400u * MS, r.main,
		     &(struct sis_phase_entry){ (struct sis_node *)(uintptr_t)work, 400u * MS }, 1);
	lack(0, 400, 300u * MS);
	finish();
	ck_assert_int_eq(lack_in("work"), 200);
	ck_assert_int_eq(booked(OLOSS_NOCPU), 200 + 88); /* 7/8 of 100 */
	experiment_release(&x);
}
END_TEST

/* Damaged records: more than there is time for, an interval that ends before it begins. */
START_TEST(a_count_may_be_damaged)
{
	begin();
	lack(0, 100, UINT64_MAX);
	lack(100, 1000, 5000u * (uint64_t)MS);
	lack(500, 400, 50u * MS);
	finish();
	ck_assert_int_eq(booked(OLOSS_NOCPU), 810); /* of 900 ms, in 900 of 1000 ms */
	ck_assert_int_eq(booked(OSYNC_EBAR), 100);
	ck_assert_int_eq(booked(O_NONE), 70);
	ck_assert_int_eq(booked(OCTRL_FORK), 10);
	experiment_release(&x);
}
END_TEST

/* -- the kernel's records ---------------------------------------------------------------------- */

static struct sis_unscheduled switches(uint64_t node, int preempted, int blocked)
{
	return (struct sis_unscheduled){ .node = (struct sis_node *)(uintptr_t)node,
				      .count = 1,
				      .preempted_ns = (uint64_t)preempted * MS,
				      .blocked_ns = (uint64_t)blocked * MS };
}

static void add_switches(const struct sis_unscheduled *s, size_t n)
{
	writer_chunk(r.w, SIS_CHUNK_UNSCHEDULED, SIS_NO_SLOT, s, n * sizeof *s);
}

/* They replace the count. The barrier keeps its part. */
START_TEST(records_say_where_it_was)
{
	begin();
	lack(0, 1000, 300u * MS);
	add_switches((struct sis_unscheduled[]){ switches(0, 0, 0), switches(work, 50, 0),
					      switches(barrier, 60, 0), { .node = NULL } }, 4);
	finish();
	ck_assert_int_eq(lack_in("work"), 50);
	ck_assert_int_eq(lack_in("serial"), 0);
	ck_assert_int_eq(booked(OLOSS_NOCPU), 50);
	ck_assert_int_eq(booked(OSYNC_EBAR), 100);
	ck_assert(make_warned(&x, "known by the kernel's records of switches"));
	experiment_release(&x);
}
END_TEST

/* What has no node, and what a node has no time for, is distributed. */
START_TEST(records_without_a_node)
{
	begin();
	add_switches((struct sis_unscheduled[]){ switches(0, 70, 0), switches(work, 220, 0) }, 2);
	finish();
	ck_assert_int_eq(lack_in("work"), 200);
	ck_assert_int_eq(booked(OLOSS_NOCPU), 200 + 79);
	experiment_release(&x);
}
END_TEST

START_TEST(records_that_are_not_all_do_not_count)
{
	struct sis_unscheduled all = switches(0, 0, 0);
	begin();
	lack(0, 1000, 100u * MS);
	all.lost = 17;
	all.flags = SIS_UNSCHEDULED_STOPPED;
	add_switches((struct sis_unscheduled[]){ all, switches(work, 50, 0) }, 2);
	finish();
	ck_assert_int_eq(lack_in("work"), 20);
	ck_assert_int_eq(lack_in("serial"), 40);
	ck_assert(make_warned(&x, "estimated from the kernel's counts; 17 records were lost"));
	experiment_release(&x);
}
END_TEST

/* At the looks at the thread, the runtime has added what lost records would have said. */
START_TEST(records_may_be_lost)
{
	struct sis_unscheduled all = switches(0, 0, 0);
	begin();
	lack(0, 1000, 100u * MS);
	all.lost = 17;
	add_switches((struct sis_unscheduled[]){ all, switches(work, 50, 0) }, 2);
	finish();
	ck_assert_int_eq(booked(OLOSS_NOCPU), 50);
	ck_assert(make_warned(&x, "records of switches; in place of 17 that were lost"));
	experiment_release(&x);
}
END_TEST

/* Work that slept was no work. Of 60 ms asleep in serial, 25 were added as RT_ASLEEP by a call that
 * had read; of 30 ms in another node RT_ASLEEP all are its own. */
START_TEST(records_say_what_slept)
{
	begin();
	writer_node(r.w, 0, serial, RT_ASLEEP, 1, 25u * MS);
	uint64_t slept = writer_node(r.w, 0, work, RT_ASLEEP, 1, 30u * MS);
	add_switches((struct sis_unscheduled[]){ switches(0, 0, 0), switches(serial, 0, 60),
					      switches(work, 0, 10), switches(slept, 0, 30),
					      switches(barrier, 0, 100) }, 5);
	finish();
	ck_assert_int_eq(booked(OLOSS_ASLEEP), 60 + 10 + 30);
	ck_assert_int_eq(booked(OSYNC_EBAR), 100);
	ck_assert_int_eq(booked(O_NONE), 700 - 60 - 10 - 30);
	experiment_release(&x);
}
END_TEST

START_TEST(records_may_be_damaged)
{
	struct sis_unscheduled much = switches(work, 0, 0), other = switches(1, 5, 5);
	begin();
	much.preempted_ns = much.blocked_ns = INT64_MAX;
	other.slot = 77;
	add_switches((struct sis_unscheduled[]){ switches(0, 0, 0), much, much, much, other }, 5);
	finish();
	ck_assert_int_le(booked(OLOSS_NOCPU), 900);
	ck_assert_int_eq(booked(OSYNC_EBAR), 100);
	experiment_release(&x);
}
END_TEST

START_TEST(without_a_count_there_is_a_warning)
{
	begin();
	writer_text(r.w, "involuntary", "17");
	finish();
	ck_assert_int_eq(booked(OLOSS_NOCPU), 0);
	ck_assert(make_warned(&x, "for 1 of 1 processes"));
	ck_assert(make_warned(&x, "they lost one 17 times"));
	experiment_release(&x);
}
END_TEST

UNIT_MAIN("no_processor", it_is_taken_from_work_and_data, phases_say_where_it_was,
	  the_lack_of_a_wait_stays_a_wait, a_wait_for_one_that_works_has_room,
	  a_call_with_two_records_counts_once,
	  no_node_loses_more_than_it_has, a_count_may_be_damaged, records_say_where_it_was,
	  records_without_a_node, records_that_are_not_all_do_not_count, records_may_be_lost,
	  records_say_what_slept,
	  records_may_be_damaged,
	  without_a_count_there_is_a_warning)
