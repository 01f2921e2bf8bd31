/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* Delay costs between processes: the culprit of a wait, and its region, where it is known. */
#include "unit.h"
#include "experiment_make.h"

enum { SERIAL = 1, WORK };

/* What the rank ran from `enter` to a collective at `exit`: ms of serial, the rest of it work. */
static void phase(const struct made_rank *r, int enter, int exit, int serial_ms)
{
	uint64_t work_ns = (uint64_t)(exit - enter - serial_ms) * MS,
		 serial_ns = (uint64_t)serial_ms * MS;
	uint64_t serial = serial_ms ?
		writer_node(r->w, 0, r->main, WRITER_FUNCTION(SERIAL), 1, serial_ns) :
		0;
	uint64_t work = writer_node(r->w, 0, r->main, WRITER_FUNCTION(WORK), 1, work_ns);
	const struct sis_phase_entry entry[] = { { (void *)(uintptr_t)work, work_ns },
						 { (void *)(uintptr_t)serial, serial_ns } };
	writer_phase(r->w, 0, (uint64_t)enter * MS, (uint64_t)exit * MS, r->main, entry,
		     serial_ms ? 2 : 1);
}

/* All that is booked as waiting between processes has a culprit. */
static void whole(const struct experiment *x)
{
	int64_t booked = 0, known = 0, passed = 0, indirect = 0;
	for (size_t i = 0; i < x->classify.booking.n; i++)
		booked += sis_overhead_in(x->classify.booking.at[i].leaf, OSYNC_M) ?
			x->classify.booking.at[i].ns :
			0;
	for (size_t i = 0; i < x->causes.delay_cost.n; i++) {
		const struct delay_cost *d = &x->causes.delay_cost.at[i];
		known += sis_overhead_in(d->leaf, OSYNC_M) ? d->ns : 0;
		passed += d->passed_ns;
		indirect += d->indirect_ns;
		ck_assert_int_ge(d->ns, 0);
		ck_assert_int_le(d->passed_ns, d->ns);
	}
	ck_assert_int_eq(known, booked);
	ck_assert_msg(passed >= indirect - 10 && passed <= indirect + 10,
		      "passed on %lld, arrived %lld", (long long)passed, (long long)indirect);
}

/* Both work 200; rank 0 has 300 of serial beside it. */
START_TEST(the_cause_is_what_the_others_did_not_have)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	phase(&r[0], 0, 500, 300);
	phase(&r[1], 0, 200, 0);
	make_barrier(&r[0], 500, 501, 1);
	make_barrier(&r[1], 200, 501, 1);
	make_ranks_classified(&x, r, 2);
	ck_assert_int_eq(make_cost(&x, DIRECT, "MPI_Barrier", 0, 0, "serial"), 300);
	ck_assert_int_eq(make_cost(&x, DIRECT, "MPI_Barrier", 0, 0, "work"), 0);
	ck_assert_int_eq(make_cost(&x, ESTIMATED, "MPI_Barrier", 0, 0, "serial"), 0);
	experiment_release(&x);
}
END_TEST

/* Rank 1 comes to its second barrier 100 later: work of the time before the first one is no
 * cause. */
START_TEST(only_what_was_since_the_last_meeting_counts)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	phase(&r[0], 0, 400, 300);
	phase(&r[1], 0, 400, 0);
	phase(&r[0], 401, 501, 0);
	phase(&r[1], 401, 601, 0);
	for (int i = 0; i < 2; i++) {
		make_barrier(&r[i], 400, 401, 1);
		make_barrier(&r[i], i ? 601 : 501, 602, 2);
	}
	make_ranks_classified(&x, r, 2);
	ck_assert_int_eq(make_cost(&x, DIRECT, "MPI_Barrier", 1, 0, "work"), 100);
	ck_assert_int_eq(make_cost(&x, DIRECT, "MPI_Barrier", 1, 0, "serial"), 0);
	experiment_release(&x);
}
END_TEST

/* Rank 0 worked for 50 of the 400 before the barrier. It is not known in which region it was in the
 * rest of the time. Since it met rank 1 at 300, it was 90 late: not all of this was work. */
START_TEST(no_region_has_more_of_a_phase_than_it_spent)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	uint64_t work = writer_node(r[0].w, 0, r[0].main, WRITER_FUNCTION(WORK), 1, 50u * MS);
	const struct sis_phase_entry entry = { (void *)(uintptr_t)work, 50u * MS };
	writer_phase(r[0].w, 0, 0, 400u * MS, r[0].main, &entry, 1);
	make_receive(&r[0], 299, 300, 1);
	make_send(&r[1], 299, 300, 0);
	make_barrier(&r[0], 400, 401, 1);
	make_barrier(&r[1], 310, 401, 1);
	make_ranks_classified(&x, r, 2);
	ck_assert_int_eq(x.causes.error_ns, 0);
	experiment_release(&x);
}
END_TEST

/* rank 0   ====300==== Send(1)
 * rank 1   =50= Recv(0) ~~~~~~ ===50=== Send(2)
 * rank 2   Recv(1) ~~~~~~~~~~~~~~~~~~~~~~~~~~~
 * Rank 2 waits for 1, which waited for 0: of 2's wait of 350, 250 are passed on to 0's work. */
START_TEST(a_culprit_that_waited_passes_on)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	make_send(&r[0], 300, 301, 1);
	make_receive(&r[1], 50, 300, 0);
	make_send(&r[1], 350, 351, 2);
	make_receive(&r[2], 0, 350, 1);
	make_ranks_classified(&x, r, 3);
	ck_assert_int_eq(make_cost(&x, DIRECT, "MPI_Recv", 1, 0, "MPI_Recv"), 250);
	ck_assert_int_eq(make_cost(&x, PASSED, "MPI_Recv", 1, 0, "MPI_Recv"), 250);
	ck_assert_int_eq(make_cost(&x, DIRECT, "MPI_Recv", 1, 0, "main"), 100);
	ck_assert_int_eq(make_cost(&x, DIRECT, "MPI_Recv", 0, 0, "main"), 250);
	ck_assert_int_eq(make_cost(&x, INDIRECT, "MPI_Recv", 0, 0, "main"), 250);
	whole(&x);
	experiment_release(&x);
}
END_TEST

/* Without phases the excess over the mean of all ranks decides: rank 0 was 200 ms longer in main,
 * and 67 ms longer in serial, because rank 2 was only in main. In this proportion serial would get
 * 200 ms of the wait, but rank 0 was there for 100 ms. */
START_TEST(no_region_is_charged_with_more_than_its_time)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	writer_node(r[0].w, 0, r[0].main, WRITER_FUNCTION(SERIAL), 1, 100 * MS);
	make_send(&r[0], 800, 801, 1);
	make_receive(&r[1], 0, 800, 0);
	make_ranks_classified(&x, r, 3);
	ck_assert_int_eq(make_cost(&x, DIRECT, "MPI_Recv", 0, 0, "serial"), 100);
	ck_assert_int_eq(make_cost(&x, ESTIMATED, "MPI_Recv", 0, 0, "serial"), 100);
	int main_ms = make_cost(&x, DIRECT, "MPI_Recv", 0, 0, "main");
	ck_assert_int_ge(main_ms, 590); /* it was in MPI_Send for 1 ms */
	ck_assert_int_le(main_ms, 600);
	ck_assert_int_eq(make_cost(&x, DIRECT, "MPI_Recv", 0, 0, "run") + main_ms, 700);
	ck_assert_int_eq(x.causes.error_ns, 0);
	whole(&x);
	experiment_release(&x);
}
END_TEST

/* Like the test of a culprit that waited, but rank 2 has a thread without a team. This thread waits
 * with its rank, so twice the time is passed on. */
START_TEST(idle_threads_count_in_what_is_passed_on)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	make_send(&r[0], 300, 301, 1);
	make_receive(&r[1], 50, 300, 0);
	make_send(&r[1], 350, 351, 2);
	make_receive(&r[2], 0, 350, 1);
	writer_thread(r[2].w, 1);
	make_ranks_classified(&x, r, 3);
	ck_assert_int_eq(make_cost(&x, PASSED, "MPI_Recv", 1, 0, "MPI_Recv"), 500);
	ck_assert_int_eq(make_cost(&x, INDIRECT, "MPI_Recv", 0, 0, "main"), 500);
	ck_assert_int_eq(make_cost(&x, DIRECT, "MPI_Recv", 0, 0, "main"), 250);
	whole(&x);
	experiment_release(&x);
}
END_TEST

/* What rank 2 had sent at 10 is received after what rank 1 sends at 400. */
START_TEST(messages_may_be_received_in_the_wrong_order)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	make_receive(&r[0], 100, 401, 1);
	make_receive(&r[0], 410, 420, 2);
	make_send(&r[1], 400, 401, 0);
	make_send(&r[2], 10, 11, 0);
	make_ranks_classified(&x, r, 3);
	ck_assert_int_eq(make_cost(&x, WRONG_ORDER, "MPI_Recv", 1, 0, "main"), 300);
	whole(&x);
	experiment_release(&x);
}
END_TEST

START_TEST(waiting_for_the_first_message_is_no_wrong_order)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	make_receive(&r[0], 100, 401, 1);
	make_receive(&r[0], 410, 420, 2);
	make_send(&r[1], 400, 401, 0);
	make_send(&r[2], 405, 406, 0);
	make_ranks_classified(&x, r, 3);
	ck_assert_int_eq(make_cost(&x, DIRECT, "MPI_Recv", 1, 0, "main"), 300);
	ck_assert_int_eq(make_cost(&x, WRONG_ORDER, "MPI_Recv", 1, 0, "main"), 0);
	experiment_release(&x);
}
END_TEST

/* Units with work and a wait each, below a parallel region. */
static void team(const struct made_rank *r, enum sis_region_type wait, const int *work_ms,
		 const int *wait_ms, int n)
{
	uint64_t fork = writer_node(r->w, 0, r->main, RT_PARALLEL, 1,
				    (uint64_t)(work_ms[0] + wait_ms[0]) * MS);
	for (uint32_t slot = 0; slot < (uint32_t)n; slot++) {
		uint64_t root = slot ? writer_thread(r->w, slot) : 0;
		uint64_t ns = (uint64_t)(work_ms[slot] + wait_ms[slot]) * MS;
		uint64_t node = slot ? writer_node(r->w, slot, root, RT_PARALLEL, 1, ns) : fork;
		if (slot) {
			writer_origin(r->w, slot, node, fork);
			writer_node_at(r->w, root)->total = ns;
		}
		uint64_t inside = wait == RT_CRITICAL ?
			writer_node(r->w, slot, node, CR_OMPCRITICAL, 1, ns) :
			node;
		writer_node(r->w, slot, inside, WRITER_FUNCTION(WORK), 1,
			    (uint64_t)work_ms[slot] * MS);
		if (wait_ms[slot])
			writer_node(r->w, slot, inside, wait, 1, (uint64_t)wait_ms[slot] * MS);
	}
}

START_TEST(threads_wait_for_the_one_that_waits_least)
{
	struct experiment x = { 0 };
	struct made_rank r = make_rank(0, 1);
	static const int work_ms[] = { 100, 400, 200 }, wait_ms[] = { 300, 0, 200 };
	team(&r, RT_IBAR, work_ms, wait_ms, 3);
	make_ranks_classified(&x, &r, 1);
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 1, "work"), 500);
	ck_assert_int_eq(make_cost(&x, ESTIMATED, "implicit barrier", 0, 1, "work"), 500);
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 0, "work"), 0);
	experiment_release(&x);
}
END_TEST

/* Rank 0 waits for rank 1, whose initial thread waits for its other thread. Rank 0 has a team, too,
 * which delays no other rank. */
START_TEST(ranks_may_wait_for_a_thread_that_another_thread_delays)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	static const int work_ms[][2] = { { 100, 200 }, { 0, 500 } },
			 wait_ms[][2] = { { 100, 0 }, { 500, 0 } };
	for (int i = 0; i < 2; i++) {
		team(&r[i], RT_IBAR, work_ms[i], wait_ms[i], 2);
		make_barrier(&r[i], i ? 500 : 200, 501, 1);
	}
	make_ranks_classified(&x, r, 2);
	int passed = make_cost(&x, PASSED, "MPI_Barrier", 1, 0, "implicit barrier");
	ck_assert_int_gt(passed, 0);
	ck_assert_int_eq(make_cost(&x, INDIRECT, "implicit barrier", 1, 1, "work"), passed);
	ck_assert_int_eq(make_cost(&x, INDIRECT, "implicit barrier", 0, 1, "work"), 0);
	experiment_release(&x);
}
END_TEST

/* A node of a worker's tree that begins at the node which forked the team. */
static uint64_t member(const struct made_rank *r, uint32_t slot, uint64_t fork, int ms)
{
	uint64_t root = writer_thread(r->w, slot);
	uint64_t node = writer_node(r->w, slot, root, RT_PARALLEL, 1, (uint64_t)ms * MS);
	writer_origin(r->w, slot, node, fork);
	writer_node_at(r->w, root)->total = (uint64_t)ms * MS;
	return node;
}

/* Threads 0 and 1 of a team fork a team each, at the same place. Thread 2 works 200 for thread 0,
 * thread 3 works 300 for thread 1. Then thread 0 waits for thread 1, indirectly for thread 3. */
START_TEST(inner_teams_at_one_place_have_culprits_of_their_own)
{
	struct experiment x = { 0 };
	struct made_rank r = make_rank(0, 1);
	uint64_t outer[2], inner[2];
	outer[0] = writer_node(r.w, 0, r.main, RT_PARALLEL, 1, 300u * MS);
	outer[1] = member(&r, 1, outer[0], 300);
	for (uint32_t slot = 0; slot < 2; slot++) {
		int ms = slot ? 300 : 200;
		inner[slot] = writer_node(r.w, slot, outer[slot], RT_PARALLEL, 1,
					  (uint64_t)ms * MS);
		writer_node(r.w, slot, inner[slot], RT_IBAR, 1, (uint64_t)ms * MS);
		if (slot == 0)
			writer_node(r.w, 0, outer[0], RT_IBAR, 1, 100u * MS);
		uint64_t node = member(&r, slot + 2, inner[slot], ms);
		writer_node(r.w, slot + 2, node, WRITER_FUNCTION(WORK), 1, (uint64_t)ms * MS);
	}
	make_ranks_classified(&x, &r, 1);
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 2, "work"), 200);
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 3, "work"), 300);
	ck_assert_int_eq(make_cost(&x, INDIRECT, "implicit barrier", 0, 2, "work"), 0);
	ck_assert_int_eq(make_cost(&x, INDIRECT, "implicit barrier", 0, 3, "work"), 100);
	experiment_release(&x);
}
END_TEST

/* Thread 0 waits for thread 1, which waits in its own team until thread 2 has worked alone. */
START_TEST(a_culprit_may_wait_while_one_thread_works)
{
	struct experiment x = { 0 };
	struct made_rank r = make_rank(0, 1);
	uint64_t outer = writer_node(r.w, 0, r.main, RT_PARALLEL, 1, 300u * MS);
	writer_node(r.w, 0, outer, RT_IBAR, 1, 300u * MS);
	uint64_t inner = writer_node(r.w, 1, member(&r, 1, outer, 300), RT_PARALLEL, 1, 300u * MS);
	writer_node(r.w, 1, inner, RT_UNPAR, 1, 300u * MS);
	writer_node(r.w, 2, member(&r, 2, inner, 300), WRITER_FUNCTION(WORK), 1, 300u * MS);
	make_ranks_classified(&x, &r, 1);
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 1, "one works"), 300);
	ck_assert_int_eq(make_cost(&x, PASSED, "implicit barrier", 0, 1, "one works"), 300);
	ck_assert_int_eq(make_cost(&x, INDIRECT, "one works", 0, 2, "work"), 300);
	experiment_release(&x);
}
END_TEST

/* A barrier in each of 20000 functions: unit 1 works 20 us before each, unit 0 10 us. Asking all
 * nodes about each barrier would take hours. */
START_TEST(a_team_may_have_as_many_barriers_as_nodes)
{
	enum { OUTER = 100, INNER = 200, US = 1000, ALL = OUTER * INNER * 20 * US };
	struct experiment x = { 0 };
	struct made_rank r = { .w = writer_new(0, 1) };
	char text[INNER][16];
	const char *name[INNER];
	for (int i = 0; i < INNER; i++) {
		snprintf(text[i], sizeof text[i], "f%d", i);
		name[i] = text[i];
	}
	writer_functions(r.w, name, INNER);
	r.root = writer_thread(r.w, 0);
	uint64_t fork = writer_node(r.w, 0, r.root, RT_PARALLEL, 1, ALL);
	for (uint32_t slot = 0; slot < 2; slot++) {
		uint64_t root = slot ? writer_thread(r.w, slot) : 0;
		uint64_t node = slot ? writer_node(r.w, slot, root, RT_PARALLEL, 1, ALL) : fork;
		if (slot) {
			writer_origin(r.w, slot, node, fork);
			writer_node_at(r.w, root)->total = ALL;
		}
		for (int i = 0; i < OUTER; i++) {
			uint64_t outer = writer_node(r.w, slot, node, WRITER_FUNCTION(i), 1,
						     ALL / OUTER);
			for (int j = 0; j < INNER; j++) {
				uint64_t inner = writer_node(r.w, slot, outer, WRITER_FUNCTION(j),
							     1, 20 * US);
				if (slot == 0)
					writer_node(r.w, slot, inner, RT_EBAR, 1, 10 * US);
			}
		}
	}
	make_ranks_classified(&x, &r, 1);
	int64_t ns = 0;
	for (size_t i = 0; i < x.causes.delay_cost.n; i++)
		ns += x.causes.delay_cost.at[i].culprit == 1 &&
				x.causes.delay_cost.at[i].culprit_node != NONE ?
			x.causes.delay_cost.at[i].estimated_ns :
			0;
	ck_assert_int_le(OUTER * INNER * 10 * US - ns, OUTER * INNER * 64); /* rounding */
	ck_assert_int_le(ns, OUTER * INNER * 10 * US);
	experiment_release(&x);
}
END_TEST

/* Each waited as long as the others together worked: no one was late on the whole. */
START_TEST(who_takes_turns_has_no_culprit)
{
	struct experiment x = { 0 };
	struct made_rank r = make_rank(0, 1);
	static const int work_ms[] = { 200, 200 }, wait_ms[] = { 200, 200 };
	team(&r, RT_EBAR, work_ms, wait_ms, 2);
	make_ranks_classified(&x, &r, 1);
	ck_assert_int_eq(make_cost(&x, DIRECT, "barrier wait", 0, 0, "work") +
				 make_cost(&x, DIRECT, "barrier wait", 0, 1, "work"),
			 0);
	experiment_release(&x);
}
END_TEST

START_TEST(a_critical_construct_is_waited_for_by_those_outside)
{
	struct experiment x = { 0 };
	struct made_rank r = make_rank(0, 1);
	static const int work_ms[] = { 300, 100 }, wait_ms[] = { 0, 250 };
	team(&r, RT_CRITICAL, work_ms, wait_ms, 2);
	make_ranks_classified(&x, &r, 1);
	ck_assert_int_eq(make_cost(&x, DIRECT, "critical wait", 0, 0, "work"), 250);
	ck_assert_int_eq(make_cost(&x, DIRECT, "critical wait", 0, 1, "work"), 0);
	experiment_release(&x);
}
END_TEST

/* A worker without a team has nothing to do because of what the initial thread does alone. */
START_TEST(who_is_idle_waits_for_the_initial_thread)
{
	struct experiment x = { 0 };
	struct made_rank r = make_rank(0, 1);
	static const int work_ms[] = { 100, 100 }, wait_ms[] = { 0, 0 };
	team(&r, RT_IBAR, work_ms, wait_ms, 2);
	writer_node(r.w, 0, r.main, WRITER_FUNCTION(SERIAL), 1, 600 * MS);
	make_ranks_classified(&x, &r, 1);
	ck_assert_int_eq(make_cost(&x, DIRECT, "serial", 0, 0, "serial"), 600);
	experiment_release(&x);
}
END_TEST

UNIT_MAIN("delay", the_cause_is_what_the_others_did_not_have,
	  only_what_was_since_the_last_meeting_counts,
	  no_region_has_more_of_a_phase_than_it_spent, a_culprit_that_waited_passes_on,
	  no_region_is_charged_with_more_than_its_time, idle_threads_count_in_what_is_passed_on,
	  messages_may_be_received_in_the_wrong_order,
	  waiting_for_the_first_message_is_no_wrong_order,
	  threads_wait_for_the_one_that_waits_least,
	  ranks_may_wait_for_a_thread_that_another_thread_delays,
	  inner_teams_at_one_place_have_culprits_of_their_own,
	  a_culprit_may_wait_while_one_thread_works, a_team_may_have_as_many_barriers_as_nodes,
	  who_takes_turns_has_no_culprit, a_critical_construct_is_waited_for_by_those_outside,
	  who_is_idle_waits_for_the_initial_thread)
