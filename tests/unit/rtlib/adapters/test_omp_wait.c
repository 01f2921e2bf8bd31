/* SPDX-License-Identifier: BSD-3-Clause */
/* test_omp_wait.c - whose fault a wait at a barrier is: known answers, then invariants over random
 * teams. */
/* link: rtlib/adapters/omp/omp_wait.c */
#include "unit.h"

#include "adapters/omp/omp_wait.h"

#include <stdbool.h>

struct expected { uint32_t member; uint64_t unpar, part; };

static void check(struct sis_arrival *team, unsigned size, const struct expected *expected)
{
	sis__wait_split(team, size);
	for (unsigned i = 0; i < size; i++) {
		ck_assert_uint_eq(team[i].member, expected[i].member);
		ck_assert_uint_eq(team[i].unpar, expected[i].unpar);
		ck_assert_uint_eq(team[i].part, expected[i].part);
		if (i)
			ck_assert_uint_ge(team[i].at, team[i - 1].at);
	}
}

START_TEST(single_makes_others_wait)
{
	struct sis_arrival team[] = { { 100, 100, 0, 0, 0 }, { 0, 0, 1, 0, 0 }, { 0, 0, 2, 0, 0 } };
	sis__wait_split(team, 3);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_uint_ne(team[i].member, 0);
		ck_assert_uint_eq(team[i].unpar, 100);
		ck_assert_uint_eq(team[i].part, 0);
	}
	ck_assert_uint_eq(team[2].member, 0);
	ck_assert_uint_eq(team[2].unpar + team[2].part, 0);
}
END_TEST

START_TEST(uneven_common_work_is_imbalance)
{
	struct sis_arrival team[] = { { 30, 0, 0, 7, 7 }, { 10, 0, 1, 7, 7 }, { 20, 0, 2, 7, 7 } };
	check(team, 3, (struct expected[]){ { 1, 0, 0 }, { 2, 0, 0 }, { 0, 0, 0 } });
}
END_TEST

START_TEST(single_is_charged_once)
{
	/* Member 1 is late by 100: 40 in a single construct are `unpar`, the other 60 imbalance. */
	struct sis_arrival team[] = { { 0, 0, 0, 0, 0 }, { 100, 40, 1, 0, 0 } };
	check(team, 2, (struct expected[]){ { 0, 40, 0 }, { 1, 0, 0 } });
}
END_TEST

START_TEST(two_sections_for_three)
{
	/*  0 ..........      both work for 60 (part), then the second alone for 40 */
	struct sis_arrival team[] = { { 60, 60, 1, 0, 0 },
				      { 100, 100, 2, 0, 0 },
				      { 0, 0, 0, 0, 0 } };
	check(team, 3, (struct expected[]){ { 0, 40, 60 }, { 1, 40, 0 }, { 2, 0, 0 } });
}
END_TEST

START_TEST(part_needs_all_workers_alone)
{
	/* Until 60 two members work, but member 1 executes what all do: this time is no `part`. */
	struct sis_arrival team[] = { { 0, 0, 0, 0, 0 },
				      { 60, 0, 1, 0, 0 },
				      { 100, 100, 2, 0, 0 } };
	check(team, 3, (struct expected[]){ { 0, 40, 0 }, { 1, 40, 0 }, { 2, 0, 0 } });
}
END_TEST

START_TEST(teams_of_one_and_none)
{
	struct sis_arrival team[] = { { 5, 5, 0, 1, 1 } };
	sis__wait_split(team, 0);
	ck_assert_uint_eq(team[0].unpar, 1); /* untouched */
	check(team, 1, (struct expected[]){ { 0, 0, 0 } });
}
END_TEST

/* -- invariants -------------------------------------------------------------------------------- */

static void random_team(struct sis_arrival *team, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		team[i] = (struct sis_arrival){ .at = (uint64_t)(rand() % 50),
						.member = i,
						.single = rand() % 2 ? (uint64_t)(rand() % 60) :
								       0 };
}

/* The ticks that are charged of a member's wait are at most the wait itself. They are also at most
 * the ticks that the last member has in `single`. */
static void check_bounds(const struct sis_arrival *before, const struct sis_arrival *team,
			 unsigned size)
{
	uint64_t last = team[size - 1].at, single_last = before[team[size - 1].member].single;
	for (unsigned i = 0; i < size; i++) {
		ck_assert_uint_eq(team[i].at, before[team[i].member].at);
		ck_assert_uint_le(team[i].unpar + team[i].part, last - team[i].at);
		ck_assert_uint_le(team[i].unpar + team[i].part, single_last);
		ck_assert_uint_le(team[i].single, before[team[i].member].single);
		if (i == 0)
			continue;
		ck_assert_uint_le(team[i - 1].at, team[i].at);
		ck_assert_uint_ge(team[i - 1].part, team[i].part);
	}
	/* members that wait while one works wait for it alone */
	for (unsigned i = 0; i + 1 < size; i++)
		ck_assert_uint_eq(team[i].unpar, team[0].unpar);
}

START_TEST(random_teams)
{
	struct sis_arrival before[70], team[70];
	bool seen[70];
	srand(1);
	for (int round = 0; round < 5000; round++) {
		unsigned size = 1 + (unsigned)rand() % 70;
		random_team(before, size);
		memcpy(team, before, sizeof team);
		sis__wait_split(team, size);
		check_bounds(before, team, size);
		memset(seen, 0, sizeof seen);
		for (unsigned i = 0; i < size; i++) {
			ck_assert(!seen[team[i].member]);
			seen[team[i].member] = true;
		}
	}
}
END_TEST

UNIT_MAIN("omp_wait",
	  single_makes_others_wait, uneven_common_work_is_imbalance, single_is_charged_once,
	  two_sections_for_three,
	  part_needs_all_workers_alone, teams_of_one_and_none, random_teams)
