/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* Times that are estimates are made to fit what is known exactly. */
#include "unit.h"
#include "experiment_make.h"
#include "repository/import/analyze.h"
#include "experiment/model/build.h"
#include "experiment/model/estimates.h"

#include <math.h>

static const char *const names[] = { "main", "a", "b", "c" };
enum { MAIN, A, B, C };

static struct profile_writer *begin(uint32_t timing)
{
	struct profile_writer *w = writer_new(-1, 0);
	writer_functions(w, names, 4);
	writer_header(w)->timing = timing;
	return w;
}

/* A node with 100 activations, one of which was short: so only some were timed. */
static uint64_t estimate(struct profile_writer *w, uint64_t parent, uint32_t region, uint64_t total)
{
	uint64_t node = writer_node(w, 0, parent, region, 100, total);
	writer_node_at(w, node)->min = SIS_SHORT - 1;
	return node;
}

static void end(struct experiment *x, struct profile_writer *w)
{
	make_process(x, w, SIS_STATE_ENDED);
	make_classified(x);
}

static int64_t inclusive(const struct experiment *x, const char *name)
{
	int64_t sum = 0;
	for (size_t i = 0; i < x->model.summary.n; i++)
		if (strcmp(region_of_node(x, x->model.summary.at[i].node)->name, name) == 0)
			sum += x->model.summary.at[i].incl_ns;
	return sum;
}

/* Whether no exclusive time is negative, and all of them are the run's. */
static void whole(const struct experiment *x)
{
	int64_t sum = 0;
	for (size_t i = 0; i < x->model.summary.n; i++) {
		ck_assert_int_ge(x->model.summary.at[i].excl_ns, 0);
		sum += x->model.summary.at[i].excl_ns;
	}
	ck_assert_int_eq(sum, 1000 * MS);
	ck_assert_int_eq(x->model.pu.at[0].clipped_ns, 0);
}

START_TEST(children_share_what_their_parent_has)
{
	struct experiment x = { 0 };
	struct profile_writer *w = begin(16);
	uint64_t root = writer_thread(w, 0);
	estimate(w, root, WRITER_FUNCTION(A), 900 * MS);
	estimate(w, root, WRITER_FUNCTION(B), 600 * MS);
	end(&x, w);
	whole(&x);
	ck_assert_int_eq(inclusive(&x, "a"), 600 * MS);
	ck_assert_int_eq(inclusive(&x, "b"), 400 * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(an_estimate_holds_what_is_exact_below_it)
{
	struct experiment x = { 0 };
	struct profile_writer *w = begin(16);
	uint64_t root = writer_thread(w, 0),
		 a = estimate(w, root, WRITER_FUNCTION(A), 100 * MS);
	uint64_t b = estimate(w, a, WRITER_FUNCTION(B), 50 * MS);
	writer_node(w, 0, b, CR_READ, 100, 300 * MS);
	estimate(w, root, WRITER_FUNCTION(C), 900 * MS);
	end(&x, w);
	whole(&x);
	ck_assert_int_eq(inclusive(&x, "a"), 300 * MS);
	ck_assert_int_eq(inclusive(&x, "b"), 300 * MS);
	ck_assert_int_eq(inclusive(&x, "c"), 700 * MS);
	ck_assert_int_eq(make_booked(&x, 0, 0, ODATA_READ), 300 * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(what_was_never_short_is_exact)
{
	struct experiment x = { 0 };
	struct profile_writer *w = begin(16);
	uint64_t root = writer_thread(w, 0);
	writer_node(w, 0, root, WRITER_FUNCTION(A), 100, 500 * MS);
	estimate(w, root, WRITER_FUNCTION(B), 900 * MS);
	end(&x, w);
	whole(&x);
	ck_assert_int_eq(inclusive(&x, "a"), 500 * MS);
	ck_assert_int_eq(inclusive(&x, "b"), 500 * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(what_fits_stays_as_it_is)
{
	struct experiment x = { 0 };
	struct profile_writer *w = begin(16);
	uint64_t root = writer_thread(w, 0),
		 a = estimate(w, root, WRITER_FUNCTION(A), 500 * MS);
	estimate(w, a, WRITER_FUNCTION(B), 500 * MS);
	end(&x, w);
	whole(&x);
	ck_assert_int_eq(inclusive(&x, "a"), 500 * MS);
	ck_assert_int_eq(inclusive(&x, "b"), 500 * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(the_experiment_says_so)
{
	struct experiment x = { 0 };
	struct profile_writer *w = begin(16);
	writer_thread(w, 0);
	end(&x, w);
	ck_assert(make_warned(&x, "SIS_TIMING=1/16"));
	experiment_release(&x);
}
END_TEST

/* Under the budget, two of ten activations were not timed. */
START_TEST(an_estimate_of_which_none_was_timed_holds_what_is_exact_below_it)
{
	struct experiment x = { 0 };
	struct profile_writer *w = begin(0);
	uint64_t a = writer_node(w, 0, writer_thread(w, 0), WRITER_FUNCTION(A), 10, 8 * MS);
	writer_node_at(w, a)->min = SIS_SHORT - 1;
	struct sis_estimate estimate = {
		.rungs = 1u << SIS_RUNG_FULL | 1u << SIS_RUNG_FRACTION,
		.below[SIS_RUNG_FRACTION - 1] = 2,
	};
	memcpy(&estimate.node, &a, sizeof estimate.node);
	writer_chunk(w, SIS_CHUNK_ESTIMATES, 0, &estimate, sizeof estimate);
	writer_node(w, 0, a, CR_READ, 10, 9 * MS);
	end(&x, w);
	whole(&x);
	ck_assert_int_eq(inclusive(&x, "a"), 9 * MS);
	/* each of the two may have taken the millisecond that the others did */
	const struct process *process = &x.model.process.at[0];
	double error = 0;
	for (size_t i = 0; i < process->profile.node.n; i++)
		error = fmax(error, ESTIMATE_95 * sqrt(process->incl_variance[i]));
	ck_assert_double_eq_tol(error, 2 * MS, 1);
	experiment_release(&x);
}
END_TEST

START_TEST(without_sampling_what_does_not_fit_is_an_error)
{
	struct err err = { 0 };
	struct experiment x = { 0 };
	struct profile_writer *w = begin(0);
	writer_node(w, 0, writer_thread(w, 0), WRITER_FUNCTION(A), 100, 1100 * MS);
	make_process(&x, w, SIS_STATE_ENDED);
	ck_assert_int_eq(experiment_build(&x, &x.model, &x.warning, &err), 0);
	ck_assert_int_eq(x.model.pu.at[0].clipped_ns, 100 * MS);
	experiment_release(&x);
}
END_TEST

UNIT_MAIN("sampled_times", children_share_what_their_parent_has, what_was_never_short_is_exact,
	  an_estimate_holds_what_is_exact_below_it, what_fits_stays_as_it_is,
	  the_experiment_says_so, an_estimate_of_which_none_was_timed_holds_what_is_exact_below_it,
	  without_sampling_what_does_not_fit_is_an_error)
