/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/traced_make.c tests/unit/analysis/trace_write.c */
/* link: tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* The critical path through threads and processes: where it goes over, and that it is as long as
 * the run. */
#include "unit.h"
#include "experiment/causes/path_jumps.h"
#include "traced_make.h"

static struct experiment x;

static void finish(struct traced *const *t, int n)
{
	for (int i = 0; i < n; i++)
		traced_finish(t[i], &x);
	make_classified(&x);
}

/* The path is T_p long, and in no node longer than the processing unit was there. */
static void check_sums(void)
{
	int64_t ns = 0;
	for (size_t i = 0; i < x.causes.critical.n; i++) {
		const struct booking *b = &x.causes.critical.at[i];
		uint32_t s = experiment_summary(&x, b->node, b->pu);
		ck_assert_int_gt(b->ns, 0);
		ck_assert_uint_ne(s, INDEX_NONE);
		ck_assert_int_le(b->ns, x.model.summary.at[s].excl_ns);
		ns += b->ns;
	}
	ck_assert_int_eq(ns, experiment_t_p(&x));
}

/* Milliseconds of a processing unit in a region on the path. */
static int on_path(uint32_t pu, const char *region)
{
	int64_t ns = 0;
	for (size_t i = 0; i < x.causes.critical.n; i++) {
		const struct booking *b = &x.causes.critical.at[i];
		if (b->pu == pu && strcmp(region_of_node(&x, b->node)->name, region) == 0)
			ns += b->ns;
	}
	return (int)((ns + MS / 2) / MS);
}

/* "UNIT<OTHER@TIME ...": at the time, the unit could go on because of the other one. */
static const char *jumps(void)
{
	static char text[256];
	size_t length = 0;
	struct timelines timelines;
	struct thread_waits threads;
	struct path_jumps j;
	timelines_init(&timelines, &x, &x.warning);
	thread_waits_find(&threads, &timelines);
	path_jumps_init(&j, &x, &threads);
	for (size_t i = 0; i < j.jump.n; i++) {
		const struct path_jump *p = &j.jump.at[i];
		length += (size_t)snprintf(text + length, sizeof text - length, "%s%u<%u@%d",
					   i ? " " : "", p->unit, p->other,
					   (int)((p->time - x.model.start_ns) / MS));
		ck_assert_uint_lt(length, sizeof text);
	}
	path_jumps_release(&j);
	thread_waits_release(&threads);
	timelines_release(&timelines);
	return text;
}

/* slot 0   main |= work =|~~~~ barrier ~~~|barrier| main         100 to 200, 500, 510
 * slot 1        |========= serial ========|barrier|              105 to 500 */
static struct traced *two_threads(int rank, int size)
{
	struct traced *t = traced_new(rank, size);
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	uint64_t fork = traced_enter(t, 0, 100, RT_PARALLEL);
	traced_visit(t, 0, 100, 200, WRITER_FUNCTION(WORK));
	traced_visit(t, 0, 200, 510, RT_IBAR);
	traced_leave(t, 0, 510);
	traced_enter_of(t, 1, 105, RT_PARALLEL, fork);
	traced_visit(t, 1, 105, 500, WRITER_FUNCTION(SERIAL));
	traced_visit(t, 1, 500, 510, RT_IBAR);
	traced_leave(t, 1, 510);
	return t;
}

START_TEST(the_path_goes_through_two_threads)
{
	traced_begin(&x);
	struct traced *t = two_threads(-1, 0);
	traced_leave(t, 0, 1000);
	finish(&t, 1);
	ck_assert_str_eq(jumps(), "0<1@500 1<0@105");
	check_sums();
	ck_assert_int_eq(on_path(0, "main"), 100 + 490);
	ck_assert_int_eq(on_path(0, "work"), 5);
	ck_assert_int_eq(on_path(1, "serial"), 395);
	ck_assert_int_eq(on_path(0, "implicit barrier"), 10);
	ck_assert_int_eq(x.causes.critical_estimated_ns, 0);
	traced_end(&x);
}
END_TEST

/* After the barrier, rank 1 waits for a message of rank 0 until 700, and ends last. */
START_TEST(the_path_goes_through_threads_of_another_process)
{
	traced_begin(&x);
	struct traced *t[] = { two_threads(0, 2), traced_new(1, 2) };
	traced_call(t[0], 0, SIS_RECORD_SEND, "MPI_Send", 700, 710, 1, 0);
	traced_leave(t[0], 0, 900);
	writer_times(traced_writer(t[0]), 0, 900u * MS);
	traced_enter(t[1], 0, 0, WRITER_FUNCTION(MAIN));
	traced_call(t[1], 0, SIS_RECORD_RECV, "MPI_Recv", 50, 710, 0, 0);
	traced_visit(t[1], 0, 710, 1000, WRITER_FUNCTION(F));
	traced_leave(t[1], 0, 1000);
	finish(t, 2);
	ck_assert_str_eq(jumps(), "0<1@500 1<0@105 2<0@700");
	check_sums();
	ck_assert_int_eq(on_path(2, "f"), 290);
	ck_assert_int_eq(on_path(2, "MPI_Recv"), 10);
	ck_assert_int_eq(on_path(2, "main"), 0);
	ck_assert_int_eq(on_path(0, "main"), 100 + 190);
	ck_assert_int_eq(on_path(1, "serial"), 395);
	traced_end(&x);
}
END_TEST

/* The lock goes from slot 0 to slot 1, and so does the path. */
START_TEST(the_path_goes_through_a_lock)
{
	traced_begin(&x);
	struct traced *t = traced_new(-1, 0);
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	uint64_t fork = traced_enter(t, 0, 0, RT_PARALLEL);
	uint64_t holder = traced_visit(t, 0, 0, 400, WRITER_FUNCTION(SERIAL));
	traced_visit(t, 0, 400, 910, RT_IBAR);
	traced_leave(t, 0, 910);
	traced_leave(t, 0, 1000);
	traced_enter_of(t, 1, 0, RT_PARALLEL, fork);
	uint64_t wait = traced_visit(t, 1, 100, 400, RT_LOCK);
	traced_visit(t, 1, 400, 900, WRITER_FUNCTION(WORK));
	traced_visit(t, 1, 900, 910, RT_IBAR);
	traced_leave(t, 1, 910);
	traced_culprit(t, 1, wait, 0, holder, 300);
	finish(&t, 1);
	ck_assert_str_eq(jumps(), "0<1@900 1<0@0 1<0@400");
	check_sums();
	ck_assert_int_eq(on_path(0, "serial"), 400);
	ck_assert_int_eq(on_path(1, "work"), 500);
	ck_assert_int_eq(on_path(0, "implicit barrier"), 10);
	ck_assert_int_eq(on_path(0, "main"), 90);
	traced_end(&x);
}
END_TEST

/* If events are missing, the path stays in the initial thread. Its wait of 310 ms goes to the
 * thread that it waited for. */
START_TEST(without_a_whole_trace_the_path_is_estimated)
{
	traced_begin(&x);
	struct traced *t = two_threads(-1, 0);
	traced_drop(t, 0, true);
	traced_leave(t, 0, 1000);
	finish(&t, 1);
	ck_assert_str_eq(jumps(), "");
	check_sums();
	ck_assert_int_gt(x.causes.critical_estimated_ns, 0);
	ck_assert_int_eq(on_path(1, "serial"), 310);
	traced_end(&x);
}
END_TEST

UNIT_MAIN("critical_path", the_path_goes_through_two_threads,
	  the_path_goes_through_threads_of_another_process, the_path_goes_through_a_lock,
	  without_a_whole_trace_the_path_is_estimated)
