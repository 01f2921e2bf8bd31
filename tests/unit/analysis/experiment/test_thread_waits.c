/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/traced_make.c tests/unit/analysis/trace_write.c */
/* link: tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* The single waits of traced threads: for which thread, how long; and what they cost whom. */
#include "unit.h"

#include "base/sort.h"
#include "experiment/causes/thread_waits.h"
#include "traced_make.h"

static struct experiment x;
static struct timelines timelines;
static struct thread_waits threads;

/* Finds the waits of n processes. */
static void finish(struct traced *const *t, int n)
{
	for (int i = 0; i < n; i++)
		traced_finish(t[i], &x);
	make_classified(&x);
	timelines_init(&timelines, &x, &x.warning);
	thread_waits_find(&threads, &timelines);
	ck_assert_int_eq(x.causes.error_ns, 0);
	for (int i = 0; i < n; i++)
		ck_assert(timelines_whole(&timelines, (uint32_t)i));
}

static void end(void)
{
	thread_waits_release(&threads);
	timelines_release(&timelines);
	traced_end(&x);
}

static int ms_of(int64_t ns) { return (int)((ns + MS / 2) / MS); }

static int by_slot_and_time(const void *va, const void *vb)
{
	const struct wait_state *a = va, *b = vb;
	int order = (int)a->slot - (int)b->slot;
	order = order ? order : (a->enter > b->enter) - (a->enter < b->enter);
	return order ? order : a->shares - b->shares;
}

/* Of each wait: "SLOT ENTER-UNTIL for CULPRIT: MILLISECONDS LEAF", in brackets if it is a part of
 * the wait before, with * if it is due to what the culprit did meanwhile. */
static const char *waits(void)
{
	static char text[512];
	size_t length = 0;
	text[0] = '\0';
	vec_sort(&threads.wait, by_slot_and_time);
	for (size_t i = 0; i < threads.wait.n; i++) {
		const struct wait_state *w = &threads.wait.at[i];
		ck_assert(w->among_threads && w->leaf[1] == O_NONE);
		length += (size_t)snprintf(
			text + length, sizeof text - length, "%s%s%u %d-%d for %u: %d %s%s%s",
			i ? ", " : "", w->shares ? "(" : "", w->slot,
			ms_of(w->enter - x.model.start_ns), ms_of(w->until - x.model.start_ns),
			w->culprit_slot, ms_of(w->ns[0]), sis_overhead_table[w->leaf[0]].name,
			w->direct ? "*" : "", w->shares ? ")" : "");
		ck_assert_uint_lt(length, sizeof text);
	}
	return text;
}

/* A member of the team that `fork` forked: works, comes to the barrier at `ms`, leaves at 510. */
static void member(struct traced *t, uint32_t slot, int ms, uint64_t fork)
{
	traced_enter_of(t, slot, 100, RT_PARALLEL, fork);
	traced_visit(t, slot, 100, ms, WRITER_FUNCTION(WORK));
	traced_visit(t, slot, ms, 510, RT_IBAR);
	traced_leave(t, slot, 510);
}

/* -- barriers ---------------------------------------------------------------------------------- */

START_TEST(at_a_barrier_the_last_thread_is_the_culprit)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	uint64_t fork = traced_enter(t, 0, 100, RT_PARALLEL);
	traced_visit(t, 0, 100, 300, WRITER_FUNCTION(WORK));
	traced_visit(t, 0, 300, 510, RT_IBAR);
	traced_leave(t, 0, 510);
	member(t, 1, 500, fork);
	member(t, 2, 400, fork);
	finish(&t, 1);
	ck_assert_str_eq(waits(),
			 "0 300-500 for 1: 200 OSYNC_IBAR, 2 400-500 for 1: 100 OSYNC_IBAR");
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 1, "work"), 300);
	ck_assert_int_eq(make_cost(&x, ESTIMATED, "implicit barrier", 0, 1, "work"), 0);
	end();
}
END_TEST

/* Each barrier has its own culprit. */
START_TEST(culprits_may_alternate)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	uint64_t fork = traced_enter(t, 0, 0, RT_PARALLEL);
	for (int slot = 0; slot < 2; slot++) {
		if (slot)
			traced_enter_of(t, 1, 0, RT_PARALLEL, fork);
		for (int i = 0; i < 8; i++) {
			int late = i % 2 == slot ? 100 : 60;
			traced_visit(t, (uint32_t)slot, 100 * i, 100 * i + late,
				     WRITER_FUNCTION(WORK));
			traced_visit(t, (uint32_t)slot, 100 * i + late, 100 * i + 100, RT_EBAR);
		}
		traced_leave(t, (uint32_t)slot, 800);
	}
	finish(&t, 1);
	ck_assert_uint_eq(threads.wait.n, 8);
	ck_assert_int_eq(make_cost(&x, DIRECT, "barrier wait", 0, 0, "work"), 160);
	ck_assert_int_eq(make_cost(&x, DIRECT, "barrier wait", 0, 1, "work"), 160);
	end();
}
END_TEST

/* The runtime divides the wait when it is over. */
START_TEST(lost_parallelism_is_a_part_of_the_wait)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	uint64_t fork = traced_enter(t, 0, 100, RT_PARALLEL);
	traced_visit(t, 0, 100, 300, WRITER_FUNCTION(WORK));
	traced_visit(t, 0, 300, 400, RT_IBAR);
	traced_visit(t, 0, 400, 510, RT_UNPAR);
	traced_leave(t, 0, 510);
	member(t, 1, 510, fork);
	finish(&t, 1);
	ck_assert_str_eq(waits(),
			 "0 300-510 for 1: 100 OSYNC_IBAR, (0 300-510 for 1: 110 OLOSS_UNPAR)");
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 1, "work"), 100);
	ck_assert_int_eq(make_cost(&x, DIRECT, "one works", 0, 1, "work"), 110);
	end();
}
END_TEST

/* Slot 0 waits from 200 to 300 and from 350 to 500, and executes a task between. */
START_TEST(a_task_interrupts_a_wait)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	uint64_t fork = traced_enter(t, 0, 100, RT_PARALLEL);
	traced_visit(t, 0, 100, 200, WRITER_FUNCTION(WORK));
	traced_enter(t, 0, 200, RT_IBAR);
	traced_visit(t, 0, 300, 350, RT_TASK);
	traced_leave(t, 0, 500);
	traced_leave(t, 0, 510);
	member(t, 1, 500, fork);
	finish(&t, 1);
	ck_assert_str_eq(waits(),
			 "0 200-300 for 1: 100 OSYNC_IBAR*, 0 350-500 for 1: 150 OSYNC_IBAR*");
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 1, "work"), 250);
	end();
}
END_TEST

/* The barrier is over at 310. Slot 1 executes a task of the next construct before it leaves. */
START_TEST(a_task_after_the_barrier_delays_nobody)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	uint64_t fork = traced_enter(t, 0, 100, RT_PARALLEL);
	traced_visit(t, 0, 100, 300, WRITER_FUNCTION(WORK));
	traced_visit(t, 0, 300, 310, RT_EBAR);
	traced_visit(t, 0, 310, 510, WRITER_FUNCTION(SERIAL));
	traced_leave(t, 0, 510);
	traced_enter_of(t, 1, 100, RT_PARALLEL, fork);
	traced_enter(t, 1, 100, RT_EBAR);
	traced_visit(t, 1, 310, 400, RT_TASK);
	traced_leave(t, 1, 401);
	traced_leave(t, 1, 510);
	finish(&t, 1);
	ck_assert_str_eq(waits(), "1 100-300 for 0: 200 OSYNC_EBAR*");
	ck_assert_int_eq(make_cost(&x, DIRECT, "barrier wait", 0, 0, "work"), 200);
	ck_assert_int_eq(threads.unknown_ns, 0);
	end();
}
END_TEST

/* Slot 1 waits from 100 to 200 until slot 0 comes, which created a task, and executes it. */
START_TEST(the_last_thread_may_have_waited)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	uint64_t fork = traced_enter(t, 0, 100, RT_PARALLEL);
	traced_visit(t, 0, 100, 200, WRITER_FUNCTION(WORK));
	traced_visit(t, 0, 200, 401, RT_IBAR);
	traced_leave(t, 0, 401);
	traced_enter_of(t, 1, 100, RT_PARALLEL, fork);
	traced_enter(t, 1, 100, RT_IBAR);
	traced_visit(t, 1, 200, 400, RT_TASK);
	traced_leave(t, 1, 401);
	traced_leave(t, 1, 401);
	finish(&t, 1);
	ck_assert_str_eq(waits(),
			 "0 200-400 for 1: 200 OSYNC_IBAR*, 1 100-200 for 0: 100 OSYNC_IBAR*");
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 0, "work"), 100);
	ck_assert_int_eq(threads.unknown_ns, 0);
	end();
}
END_TEST

/* The trace has the whole wait in the barrier. The profile says that half of it was lost
 * parallelism. */
START_TEST(an_interrupted_wait_is_divided_as_in_the_profile)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	uint64_t fork = traced_enter(t, 0, 100, RT_PARALLEL);
	traced_visit(t, 0, 100, 200, WRITER_FUNCTION(WORK));
	uint64_t barrier = traced_enter(t, 0, 200, RT_IBAR);
	traced_visit(t, 0, 300, 400, RT_TASK);
	traced_leave(t, 0, 500);
	traced_leave(t, 0, 510);
	member(t, 1, 500, fork);
	writer_node_at(traced_writer(t), barrier)->total -= 100u * MS;
	writer_node(traced_writer(t), 0, fork, RT_UNPAR, 1, 100u * MS);
	finish(&t, 1);
	ck_assert_str_eq(waits(),
			 "0 200-300 for 1: 50 OLOSS_UNPAR*, (0 200-300 for 1: 50 OSYNC_IBAR*), "
			 "0 400-500 for 1: 50 OLOSS_UNPAR*, (0 400-500 for 1: 50 OSYNC_IBAR*)");
	end();
}
END_TEST

/* The outer barrier waits for slot 1, which forks a team with slot 2 and waits for that. */
START_TEST(nested_teams_have_barriers_of_their_own)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	uint64_t outer = traced_enter(t, 0, 0, RT_PARALLEL);
	traced_visit(t, 0, 0, 100, WRITER_FUNCTION(WORK));
	traced_visit(t, 0, 100, 902, RT_IBAR);
	traced_leave(t, 0, 902);
	traced_enter_of(t, 1, 0, RT_PARALLEL, outer);
	traced_visit(t, 1, 0, 100, WRITER_FUNCTION(WORK));
	uint64_t inner = traced_enter(t, 1, 100, RT_PARALLEL);
	traced_visit(t, 1, 100, 901, RT_IBAR);
	traced_leave(t, 1, 901);
	traced_visit(t, 1, 901, 902, RT_IBAR);
	traced_leave(t, 1, 902);
	traced_enter_of(t, 2, 100, RT_PARALLEL, inner);
	traced_visit(t, 2, 100, 900, WRITER_FUNCTION(SERIAL));
	traced_visit(t, 2, 900, 901, RT_IBAR);
	traced_leave(t, 2, 901);
	finish(&t, 1);
	ck_assert_str_eq(waits(),
			 "0 100-901 for 1: 801 OSYNC_IBAR, 1 100-900 for 2: 800 OSYNC_IBAR");
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 2, "serial"), 800);
	ck_assert_int_eq(make_cost(&x, INDIRECT, "implicit barrier", 0, 2, "serial"), 800);
	ck_assert_int_eq(make_cost(&x, PASSED, "implicit barrier", 0, 1, "implicit barrier"), 800);
	end();
}
END_TEST

/* -- locks ------------------------------------------------------------------------------------- */

/* slot 0   |=== serial ===|
 * slot 1   |~~~~ lock ~~~~|==== work ====|
 * slot 2   |~~~~~~~~~~~~ lock ~~~~~~~~~~~|= f =|
 *          100            250            400 */
START_TEST(a_lock_goes_through_three_threads)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	uint64_t holder[2], wait[3], fork = traced_enter(t, 0, 0, RT_PARALLEL);
	holder[0] = traced_visit(t, 0, 100, 250, WRITER_FUNCTION(SERIAL));
	traced_leave(t, 0, 500);
	traced_enter_of(t, 1, 0, RT_PARALLEL, fork);
	wait[1] = traced_visit(t, 1, 100, 250, RT_LOCK);
	holder[1] = traced_visit(t, 1, 250, 400, WRITER_FUNCTION(WORK));
	traced_leave(t, 1, 500);
	traced_enter_of(t, 2, 0, RT_PARALLEL, fork);
	wait[2] = traced_visit(t, 2, 100, 400, RT_LOCK);
	traced_visit(t, 2, 400, 450, WRITER_FUNCTION(F));
	traced_leave(t, 2, 500);
	traced_culprit(t, 1, wait[1], 0, holder[0], 150);
	traced_culprit(t, 2, wait[2], 0, holder[0], 150);
	traced_culprit(t, 2, wait[2], 1, holder[1], 150);
	finish(&t, 1);
	ck_assert_str_eq(waits(),
			 "1 100-250 for 0: 150 OSYNC_LOCK*, "
			 "2 100-250 for 0: 150 OSYNC_LOCK*, "
			 "2 250-400 for 1: 150 OSYNC_LOCK*");
	ck_assert_int_eq(make_cost(&x, DIRECT, "lock wait", 0, 0, "serial"), 300);
	ck_assert_int_eq(make_cost(&x, DIRECT, "lock wait", 0, 1, "work"), 150);
	ck_assert_int_eq(make_cost(&x, DIRECT, "lock wait", 0, 1, "lock wait"), 0);
	end();
}
END_TEST

/* Slot 2 waits for a lock that the others have in turn, a millisecond each. Returns what it costs
 * to divide the wait among them. */
static uint64_t steps_of_turns(int turns)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	uint64_t holder[2], fork = traced_enter(t, 0, 0, RT_PARALLEL);
	for (uint32_t slot = 0; slot < 2; slot++) {
		if (slot)
			traced_enter_of(t, slot, 0, RT_PARALLEL, fork);
		for (int i = (int)slot; i < turns; i += 2)
			holder[slot] = traced_visit(t, slot, i, i + 1, WRITER_FUNCTION(WORK));
		traced_leave(t, slot, turns);
	}
	traced_enter_of(t, 2, 0, RT_PARALLEL, fork);
	uint64_t wait = traced_visit(t, 2, 0, turns, RT_LOCK);
	traced_leave(t, 2, turns);
	for (uint32_t slot = 0; slot < 2; slot++)
		traced_culprit(t, 2, wait, slot, holder[slot], turns / 2);
	finish(&t, 1);
	ck_assert_uint_eq(threads.wait.n, (size_t)turns);
	uint64_t steps = timelines_steps(&timelines);
	end();
	return steps;
}

/* Each event is looked at once, not again for each part of the wait. */
START_TEST(dividing_a_wait_costs_as_much_as_it_has_parts)
{
	uint64_t few = steps_of_turns(100), many = steps_of_turns(800);
	ck_assert_uint_gt(few, 0);
	ck_assert_uint_le(many, 9 * few);
}
END_TEST

/* The runtime recorded no culprit of the wait at 200, and the one at 500 is too short for one. */
START_TEST(a_culprit_may_be_unknown)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	traced_visit(t, 0, 200, 350, RT_LOCK);
	traced_visit(t, 0, 500, 500, RT_LOCK);
	finish(&t, 1);
	ck_assert_str_eq(waits(), "");
	ck_assert_int_eq(threads.unknown_ns, 150 * MS);
	ck_assert_int_eq(x.causes.not_recorded_ns, 150 * MS);
	end();
}
END_TEST

/* -- with MPI ---------------------------------------------------------------------------------- */

/* rank 0, slot 0   |~~~~~ Recv ~~~~~|= work =|barrier     100 to 500, to 550
 *         slot 1   |= work =|~~~~ barrier ~~~~~~~~|       100 to 200, to 560
 * rank 1           ===== serial ====|Send                 0 to 500 */
START_TEST(a_master_that_waits_in_mpi_passes_on)
{
	traced_begin(&x);
	struct traced *t[] = { traced_new(0, 2), traced_new(1, 2) };
	uint64_t fork = traced_enter(t[0], 0, 100, RT_PARALLEL);
	traced_call(t[0], 0, SIS_RECORD_RECV, "MPI_Recv", 100, 500, 1, 0);
	traced_visit(t[0], 0, 500, 550, WRITER_FUNCTION(WORK));
	traced_visit(t[0], 0, 550, 560, RT_IBAR);
	traced_leave(t[0], 0, 560);
	traced_enter_of(t[0], 1, 100, RT_PARALLEL, fork);
	traced_visit(t[0], 1, 100, 200, WRITER_FUNCTION(WORK));
	traced_visit(t[0], 1, 200, 560, RT_IBAR);
	traced_leave(t[0], 1, 560);
	traced_visit(t[1], 0, 0, 500, WRITER_FUNCTION(SERIAL));
	traced_call(t[1], 0, SIS_RECORD_SEND, "MPI_Send", 500, 501, 0, 0);
	finish(t, 2);
	ck_assert_str_eq(waits(), "1 200-550 for 0: 350 OSYNC_IBAR");
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 0, "MPI_Recv"), 350);
	ck_assert_int_eq(make_cost(&x, PASSED, "implicit barrier", 0, 0, "MPI_Recv"), 350);
	ck_assert_int_eq(make_cost(&x, DIRECT, "implicit barrier", 0, 0, "work"), 0);
	ck_assert_int_eq(make_cost(&x, DIRECT, "MPI_Recv", 1, 0, "serial"), 400);
	ck_assert_int_eq(make_cost(&x, INDIRECT, "MPI_Recv", 1, 0, "serial"), 350);
	end();
}
END_TEST

UNIT_MAIN("thread_waits", at_a_barrier_the_last_thread_is_the_culprit, culprits_may_alternate,
	  lost_parallelism_is_a_part_of_the_wait, a_task_interrupts_a_wait,
	  a_task_after_the_barrier_delays_nobody, the_last_thread_may_have_waited,
	  an_interrupted_wait_is_divided_as_in_the_profile, nested_teams_have_barriers_of_their_own,
	  a_lock_goes_through_three_threads, dividing_a_wait_costs_as_much_as_it_has_parts,
	  a_culprit_may_be_unknown, a_master_that_waits_in_mpi_passes_on)
