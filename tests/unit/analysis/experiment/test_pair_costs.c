/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* What pairs of probes cost: those around nothing, and those around work of some length. */
#include "unit.h"
#include "experiment/classify/pair_costs.h"
#include "experiment_make.h"

enum { CALLS = 1000, INNER = 10, OUTER = 20 };

/* Inside and outside of one call of a region whose activations take `length` ns. `lines`: of kind
 * pair_around, to NULL. */
static struct pair_cost cost_of_region(uint32_t region, uint64_t length, const char *const *lines)
{
	static const char *const names[] = { "main", "f" };
	struct experiment x = { .run = { 0 } };
	struct profile_writer *w = writer_new(0, 1);
	writer_functions(w, names, 2);
	writer_header(w)->probe_inner_ns = INNER;
	writer_header(w)->probe_outer_ns = OUTER;
	for (; *lines; lines++)
		writer_text(w, "pair_around", *lines);
	uint64_t node = writer_node(w, 0, writer_thread(w, 0), WRITER_FUNCTION(0), 1, 900 * MS);
	writer_text(w, "pair", "6\t2");
	writer_node(w, 0, node, region, CALLS, length * CALLS);
	writer_thread_at(w, 0)->stamp = WRITER_START + 1000 * MS;
	make_process(&x, w, SIS_STATE_ENDED);
	make_classified(&x);
	const struct process *process = &x.model.process.at[0];
	struct pair_cost *all = pair_costs(&x, process), cost = { 0 };
	for (size_t n = 0; n < process->profile.node.n; n++)
		if (process->profile.node.at[n].calls == CALLS)
			cost = all[n];
	free(all);
	experiment_release(&x);
	return (struct pair_cost){ cost.inside / CALLS, cost.outside / CALLS };
}

static struct pair_cost cost_of(uint64_t length, const char *const *lines)
{
	return cost_of_region(WRITER_FUNCTION(1), length, lines);
}

static void check(uint64_t length, const char *const *lines, double inside, double outside)
{
	struct pair_cost cost = cost_of(length, lines);
	ck_assert_double_eq_tol(cost.inside, inside, 1e-6);
	ck_assert_double_eq_tol(cost.outside, outside, 1e-6);
}

START_TEST(the_header_has_the_cost_around_nothing)
{
	static const char *const none[] = { NULL };
	check(1000, none, INNER, OUTER);
}
END_TEST

/* The length is what is measured without the part inside. */
START_TEST(around_work_it_depends_on_the_length)
{
	static const char *const lines[] = { "100\t4\t30", "200\t0\t10", NULL };
	check(5, lines, INNER, OUTER);
	check(INNER, lines, INNER, OUTER);
	check(50 + INNER, lines, 7, 25);
	check(100 + INNER, lines, 4, 30);
	check(150 + INNER, lines, 2, 20);
	check(200 + INNER, lines, 0, 10);
	check(100000, lines, 0, 10);
}
END_TEST

START_TEST(impossible_lines_are_left_out)
{
	static const char *const lines[] = { "nothing", "-1\t1\t1", "nan\t1\t1", "50\t-1\t1",
					     "60\t1e9\t1", "70\t1", "100\t4\t30", "80\t1\t1",
					     "1e300\t1\t1", NULL };
	check(100 + INNER, lines, 4, 30);
	check(1000, lines, 4, 30);
}
END_TEST

START_TEST(many_lines)
{
	static const char *const lines[] = { "1\t1\t1", "2\t1\t1", "3\t1\t1", "4\t1\t1", "5\t1\t1",
					     "6\t1\t1", "7\t1\t1", "8\t2\t2", "9\t3\t3", "10\t4\t4",
					     NULL };
	check(1000, lines, 2, 2);
}
END_TEST

static void check_region(uint32_t region, uint64_t length, double inside, double outside)
{
	static const char *const none[] = { NULL };
	struct pair_cost cost = cost_of_region(region, length, none);
	ck_assert_double_eq_tol(cost.inside, inside, 1e-6);
	ck_assert_double_eq_tol(cost.outside, outside, 1e-6);
}

START_TEST(entries_that_are_counted_cost_as_a_counted_pair)
{
	check_region(RT_CRITICAL, 10, 0, 2);
	check_region(RT_ATOMIC, 10, 0, 2);
	check_region(RT_IBAR, 0, 0, 2);
	check_region(RT_IBAR, 1000, INNER, OUTER);
	check_region(CR_OMPLOCK, 1000, INNER, OUTER + 2); /* its call, and the entry */
}
END_TEST

UNIT_MAIN("pair_costs", the_header_has_the_cost_around_nothing,
	  around_work_it_depends_on_the_length, impossible_lines_are_left_out, many_lines,
	  entries_that_are_counted_cost_as_a_counted_pair)
