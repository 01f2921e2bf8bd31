/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Replicated, divided or partly replicated: by the times and the calls of processing units. */
#include "unit.h"
#include "answers/query/replication.h"

#define SECOND 1e9
enum { MOST = 16 };

/* The sharing of work in `processes` with `threads` each, where each thread works for `seconds` and
 * calls `calls` times; one alone works a second and calls four times. */
static enum sharing judge(int processes, int threads, double seconds, int64_t calls)
{
	struct pu_work work[MOST];
	for (int i = 0; i < processes * threads; i++)
		work[i] = (struct pu_work){ i / threads, i % threads, seconds * SECOND, calls };
	return replication_judge(work, (size_t)(processes * threads), SECOND, 4).sharing;
}

START_TEST(times_and_calls_say_replicated)
{
	ck_assert_int_eq(judge(4, 1, 1, 4), SHARING_REPLICATED);
	ck_assert_int_eq(judge(1, 4, 1, 4), SHARING_REPLICATED);
	ck_assert_int_eq(judge(1, 2, 1.4, 4), SHARING_REPLICATED);
	ck_assert_int_eq(judge(1, 2, 0.8, 4), SHARING_REPLICATED);
}
END_TEST

/* The loop inside of the region is divided: each calls it as often as one alone. */
START_TEST(time_that_shrinks_is_divided)
{
	ck_assert_int_eq(judge(4, 1, 0.25, 4), SHARING_DIVIDED);
	ck_assert_int_eq(judge(2, 2, 0.3, 4), SHARING_DIVIDED);
	ck_assert_int_eq(judge(1, 2, 0.7, 4), SHARING_DIVIDED);
}
END_TEST

START_TEST(as_many_calls_in_total_are_divided)
{
	ck_assert_int_eq(judge(4, 1, 1, 1), SHARING_CALLS);
	ck_assert_int_eq(judge(1, 2, 1, 2), SHARING_CALLS);
	ck_assert_int_eq(judge(1, 2, 0.5, 2), SHARING_DIVIDED);
}
END_TEST

START_TEST(processes_or_threads_may_replicate)
{
	ck_assert_int_eq(judge(4, 2, 0.5, 2), SHARING_PROCESSES);
	ck_assert_int_eq(judge(4, 2, 0.5, 4), SHARING_PROCESSES);
	ck_assert_int_eq(judge(2, 4, 0.5, 2), SHARING_THREADS);
	ck_assert_int_eq(judge(4, 2, 0.5, 1), SHARING_DIVIDED); /* each call takes twice as long */
	ck_assert_int_eq(judge(4, 2, 0.2, 4), SHARING_DIVIDED);
}
END_TEST

START_TEST(one_unit_at_work_replicates_nothing)
{
	const struct pu_work work[] = {
		{ 0, 0, 1.5 * SECOND, 4 }, { 1, 0, 0, 4 }, { 2, 0, 0.01 * SECOND, 4 },
		{ 3, 0, 0, 0 }
	};
	struct replication found = replication_judge(work, 4, SECOND, 4);
	ck_assert_int_eq(found.sharing, SHARING_ONE);
	ck_assert(!replication_is(&found));
	ck_assert_double_lt(found.units, 1.1);
}
END_TEST

/* Two of four work, each as long as one alone. */
START_TEST(units_without_work_do_not_count)
{
	const struct pu_work work[] = {
		{ 0, 0, SECOND, 4 }, { 1, 0, SECOND, 4 }, { 2, 0, 0, 0 }, { 3, 0, 0, 4 }
	};
	struct replication found = replication_judge(work, 4, SECOND, 4);
	ck_assert_int_eq(found.sharing, SHARING_REPLICATED);
	ck_assert_double_eq_tol(found.units, 2, 1e-9);
	ck_assert_double_eq_tol(found.ratio, 1, 1e-9);
}
END_TEST

/* Each unit repeats at most the work of one alone. What it takes longer is no repeated work. */
START_TEST(only_the_work_of_one_is_repeated)
{
	static const struct { int processes, threads; double seconds, repeated; } test[] = {
		{ 4, 1, 1, 3 }, { 1, 2, 0.8, 0.6 }, { 2, 1, 3, 1 }, { 4, 1, 0.25, 0 },
		{ 4, 2, 0.5, 3 }, { 2, 4, 0.5, 3 }, { 1, 1, 3, 0 },
	};
	for (size_t i = 0; i < sizeof test / sizeof *test; i++) {
		struct pu_work work[MOST];
		int n = test[i].processes * test[i].threads;
		for (int k = 0; k < n; k++)
			work[k] = (struct pu_work){ k / test[i].threads, k % test[i].threads,
						    test[i].seconds * SECOND, 4 };
		struct replication found = replication_judge(work, (size_t)n, SECOND, 4);
		ck_assert_double_eq_tol(found.repeated_ns / SECOND, test[i].repeated, 1e-9);
		ck_assert_double_le(found.repeated_ns, found.sum_ns);
	}
}
END_TEST

/* The threads of a team work inside of a region that only the initial thread calls. */
START_TEST(calls_of_others_say_nothing)
{
	const struct pu_work work[] = { { 0, 0, SECOND, 4 }, { 0, 1, SECOND, 0 } };
	struct replication found = replication_judge(work, 2, SECOND, 4);
	ck_assert(!found.calls_known);
	ck_assert_int_eq(found.sharing, SHARING_REPLICATED);
	ck_assert_int_eq(replication_judge(work, 2, SECOND, 0).sharing, SHARING_REPLICATED);
	ck_assert_int_eq(replication_judge(work, 2, 2 * SECOND, 4).sharing, SHARING_DIVIDED);
}
END_TEST

START_TEST(work_without_a_reference_is_not_judged)
{
	const struct pu_work work[] = { { 0, 0, SECOND, 4 }, { 0, 1, SECOND, 4 }, { 1, 0, 0, 0 } };
	ck_assert_int_eq(replication_judge(work, 2, 0, 0).sharing, SHARING_NONE);
	ck_assert_int_eq(replication_judge(&work[2], 1, SECOND, 1).sharing, SHARING_ONE);
}
END_TEST

UNIT_MAIN("replication", times_and_calls_say_replicated, time_that_shrinks_is_divided,
	  as_many_calls_in_total_are_divided, processes_or_threads_may_replicate,
	  one_unit_at_work_replicates_nothing, units_without_work_do_not_count,
	  only_the_work_of_one_is_repeated, calls_of_others_say_nothing,
	  work_without_a_reference_is_not_judged)
