/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* The parts of delay costs by victim. experiment_make.c checks in all tests that they add up. */
#include "unit.h"
#include "experiment/causes/wait_pairs.h"
#include "experiment_make.h"

static uint32_t pu_of(const struct experiment *x, uint32_t process, uint32_t slot)
{
	return x->model.process.at[process].first_pu + slot;
}

/* Milliseconds that the victim waited for the culprit. */
static int waited(const struct experiment *x, uint32_t victim, uint32_t culprit)
{
	int64_t ns = 0;
	for (size_t i = 0; i < x->causes.wait_pair.n; i++) {
		const struct wait_pair *w = &x->causes.wait_pair.at[i];
		if (w->victim == victim && x->causes.delay_cost.at[w->cost].culprit == culprit)
			ns += w->ns;
	}
	return (int)((ns + MS / 2) / MS);
}

static int ranks_waited(const struct experiment *x, uint32_t victim, uint32_t culprit)
{
	return waited(x, pu_of(x, victim, 0), pu_of(x, culprit, 0));
}

/* Rank 1 is there at 100, rank 2 at 250, rank 0 at 400. */
START_TEST(each_waits_for_the_last)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	make_barrier(&r[0], 400, 401, 1);
	make_barrier(&r[1], 100, 401, 1);
	make_barrier(&r[2], 250, 401, 1);
	make_ranks_classified(&x, r, 3);
	ck_assert_int_eq(ranks_waited(&x, 1, 0), 300);
	ck_assert_int_eq(ranks_waited(&x, 2, 0), 150);
	ck_assert_int_eq(ranks_waited(&x, 1, 2), 0);
	ck_assert_int_eq(ranks_waited(&x, 0, 1) + ranks_waited(&x, 0, 2), 0);
	experiment_release(&x);
}
END_TEST

/* The second thread of rank 1 has no team, so it waits with its rank. */
START_TEST(an_idle_thread_is_a_victim_of_its_own)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	make_send(&r[0], 300, 301, 1);
	make_receive(&r[1], 50, 300, 0);
	writer_thread(r[1].w, 1);
	make_ranks_classified(&x, r, 2);
	ck_assert_int_eq(ranks_waited(&x, 1, 0), 250);
	ck_assert_int_eq(waited(&x, pu_of(&x, 1, 1), pu_of(&x, 0, 0)), 250);
	experiment_release(&x);
}
END_TEST

/* A worker without a team has nothing to do because of what the initial thread does alone. */
START_TEST(an_idle_thread_waits_for_the_one_that_works)
{
	struct experiment x = { 0 };
	struct made_rank r = make_rank(0, 1);
	writer_thread(r.w, 1);
	make_ranks_classified(&x, &r, 1);
	ck_assert_int_eq(waited(&x, pu_of(&x, 0, 1), pu_of(&x, 0, 0)),
			 (make_booked(&x, 0, 1, OLOSS_UNPAR) + MS / 2) / MS);
	experiment_release(&x);
}
END_TEST

/* -- few pairs --------------------------------------------------------------------------------- */

static int64_t sum(const struct experiment *x)
{
	int64_t ns = 0;
	for (size_t i = 0; i < x->causes.wait_pair.n; i++)
		ns += x->causes.wait_pair.at[i].ns;
	return ns;
}

static size_t with_victim(const struct experiment *x)
{
	size_t n = 0;
	for (size_t i = 0; i < x->causes.wait_pair.n; i++)
		n += x->causes.wait_pair.at[i].victim != NONE;
	return n;
}

/* Six ranks wait for rank 0, each 50 longer than the one after it. Only two of the pairs may keep
 * their victims. The others are one pair of the same cost. */
START_TEST(small_pairs_lose_their_victims)
{
	struct experiment x = { 0 };
	struct made_rank r[7];
	for (int i = 0; i < 7; i++) {
		r[i] = make_rank(i, 7);
		make_barrier(&r[i], i ? 50 * i : 400, 401, 1);
	}
	make_ranks_classified(&x, r, 7);
	size_t all = x.causes.wait_pair.n;
	int64_t before = sum(&x);
	wait_pairs_finish(&x, &x.causes, all);
	ck_assert_int_eq(x.causes.wait_pair.n, all);
	wait_pairs_finish(&x, &x.causes, 2);
	ck_assert_int_eq(with_victim(&x), 2);
	ck_assert_int_lt(x.causes.wait_pair.n, all);
	ck_assert_int_eq(ranks_waited(&x, 1, 0), 350);
	ck_assert_int_eq(ranks_waited(&x, 2, 0), 300);
	ck_assert_int_eq(waited(&x, NONE, pu_of(&x, 0, 0)), 250 + 200 + 150 + 100);
	ck_assert_int_eq(sum(&x), before);
	experiment_release(&x);
}
END_TEST

/* If several pairs are as long as the limit, none of them keeps its victim. */
START_TEST(equal_pairs_are_treated_alike)
{
	struct experiment x = { 0 };
	struct made_rank r[4];
	for (int i = 0; i < 4; i++) {
		r[i] = make_rank(i, 4);
		make_barrier(&r[i], i ? 100 : 400, 401, 1);
	}
	make_ranks_classified(&x, r, 4);
	wait_pairs_finish(&x, &x.causes, 1);
	ck_assert_int_eq(with_victim(&x), 0);
	ck_assert_int_eq(waited(&x, NONE, pu_of(&x, 0, 0)), 900);
	experiment_release(&x);
}
END_TEST

/* Pairs are in the order of the rows of table wait_pair. */
START_TEST(pairs_are_sorted)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	for (int i = 0; i < 3; i++) {
		make_barrier(&r[i], i == 2 ? 200 : 100 * i, 201, 1);
		make_barrier(&r[i], i == 0 ? 700 : 400, 701, 2);
	}
	make_ranks_classified(&x, r, 3);
	ck_assert_int_gt(x.causes.wait_pair.n, 2);
	for (size_t i = 1; i < x.causes.wait_pair.n; i++) {
		const struct wait_pair *w = &x.causes.wait_pair.at[i];
		const struct delay_cost *d = &x.causes.delay_cost.at[w->cost],
					*before = &x.causes.delay_cost.at[w[-1].cost];
		ck_assert(before->node < d->node ||
			  (before->node == d->node && before->culprit < d->culprit) ||
			  (before->node == d->node && before->culprit == d->culprit &&
			   (d != before || w[-1].victim < w->victim)));
	}
	experiment_release(&x);
}
END_TEST

UNIT_MAIN("wait_pairs", each_waits_for_the_last, an_idle_thread_is_a_victim_of_its_own,
	  an_idle_thread_waits_for_the_one_that_works, small_pairs_lose_their_victims,
	  equal_pairs_are_treated_alike, pairs_are_sorted)
