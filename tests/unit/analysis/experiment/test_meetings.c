/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* When two processes met before a wait; and when a process had all that it needed of a
 * collective operation. */
#include "unit.h"
#include "experiment/causes/meetings.h"
#include "experiment_make.h"

/* -- the walk ---------------------------------------------------------------------------------- */

enum { ALL = -1, LANES = 4 };

static sync_points points;

/* The lane did an operation with another one, or with all of the communicator. */
static void add(uint32_t operation, uint32_t lane, int other, int64_t moment, uint32_t comm)
{
	*vec_push(&points) = (struct sync_point){ .process = lane,
						  .other = other == ALL ? NONE : (uint32_t)other,
						  .comm = comm,
						  .operation = operation,
						  .moment = moment };
}

static void add_message(uint32_t operation, uint32_t from, int64_t sent, uint32_t to,
			int64_t received)
{
	add(operation, from, (int)to, sent, 0);
	add(operation, to, (int)from, received, 0);
}

/* The meetings of lane 0 with lane 1 before a time: "VICTIM/CULPRIT ...", the last one first. */
static const char *meetings_of(int64_t time, uint32_t comm)
{
	static char text[256];
	size_t length = 0;
	struct meetings m;
	struct meeting meeting;
	meetings_init(&m, points.at, points.n, LANES);
	struct meeting_walk walk = meetings_before(&m, 0, 1, comm, time);
	text[0] = '\0';
	while (meetings_next(&walk, &meeting) && length < sizeof text)
		length += (size_t)snprintf(text + length, sizeof text - length, "%s%d/%d",
					   length ? " " : "", (int)meeting.victim,
					   (int)meeting.culprit);
	meetings_release(&m);
	vec_free(&points);
	return text;
}

START_TEST(two_meet_in_what_both_did)
{
	add_message(0, 1, 10, 0, 20);
	add_message(1, 2, 25, 0, 26); /* with another one */
	add(2, 0, ALL, 30, 0);
	add(2, 1, ALL, 32, 0);
	add(2, 2, ALL, 33, 0);
	add_message(3, 0, 40, 1, 41);
	add_message(4, 1, 60, 0, 70); /* later */
	ck_assert_str_eq(meetings_of(50, 0), "40/41 30/32 20/10");
}
END_TEST

START_TEST(there_may_be_no_meeting)
{
	add_message(0, 1, 10, 2, 20);
	add_message(1, 0, 11, 3, 21);
	ck_assert_str_eq(meetings_of(50, 0), "");
	ck_assert_str_eq(meetings_of(50, 0), "");
}
END_TEST

/* Both lanes are members of the wait's communicator, 5. Others are passed over. */
START_TEST(collectives_count_in_the_world_and_in_the_communicator)
{
	static const uint32_t comms[] = { 0, 5, 6 };
	for (uint32_t i = 0; i < 3; i++) {
		add(i, 0, ALL, 10 + 10 * i, comms[i]);
		add(i, 1, ALL, 11 + 10 * i, comms[i]);
	}
	ck_assert_str_eq(meetings_of(50, 5), "20/21 10/11");
}
END_TEST

/* What lane 1 sent at 10 is received at 90. Meanwhile both were in a barrier at 50. */
START_TEST(a_late_receive_of_an_early_message_is_passed_over)
{
	add(0, 0, ALL, 50, 0);
	add(0, 1, ALL, 51, 0);
	add_message(1, 1, 10, 0, 90);
	ck_assert_str_eq(meetings_of(99, 0), "50/51");
	add_message(1, 1, 10, 0, 90); /* without the barrier it counts */
	ck_assert_str_eq(meetings_of(99, 0), "90/10");
}
END_TEST

/* After a thousand operations of lane 0 without lane 1, the next one is taken. */
START_TEST(a_search_is_bounded)
{
	add(0, 0, ALL, 1, 0);
	add(0, 1, ALL, 1, 0);
	for (uint32_t i = 0; i < 1500; i++)
		add_message(1 + i, 2, 10 + i, 0, 10 + i);
	ck_assert_int_eq(strncmp(meetings_of(5000, 0), "509/509", 7), 0);
}
END_TEST

/* -- moments of collectives -------------------------------------------------------------------- */

/* Milliseconds after the begin: from when on the rank had what it needed. */
static int moment(const struct experiment *x, uint32_t process)
{
	int ms = -1;
	for (size_t i = 0; i < x->match.sync_point.n; i++) {
		const struct sync_point *s = &x->match.sync_point.at[i];
		if (s->process != process || s->other != NONE)
			continue;
		ck_assert_int_eq(ms, -1);
		ms = (int)((s->moment - x->model.start_ns) / MS);
	}
	return ms;
}

/* Rank 0 is the root. The ranks enter at the times given, and leave at 600, or at `exit1`. */
static void collective(struct experiment *x, enum sis_record_kind kind, const char *routine,
		       const int *enter, int exit1)
{
	struct made_rank r[3];
	*x = (struct experiment){ 0 };
	for (int i = 0; i < 3; i++) {
		int exit = i == 1 ? exit1 : 600;
		r[i] = make_rank(i, 3);
		uint64_t node = make_call(&r[i], routine, exit - enter[i]);
		writer_record(r[i].w, 0, make_record(kind, node, enter[i], exit));
	}
	make_ranks_classified(x, r, 3);
}

START_TEST(from_a_root_all_need_the_root)
{
	static const int late_root[] = { 300, 100, 500 }, early_root[] = { 50, 100, 500 };
	struct experiment x;
	collective(&x, SIS_RECORD_FROM_ROOT, "MPI_Bcast", late_root, 600);
	ck_assert_int_eq(moment(&x, 0), 300);
	ck_assert_int_eq(moment(&x, 1), 300);
	ck_assert_int_eq(moment(&x, 2), 500);
	experiment_release(&x);
	collective(&x, SIS_RECORD_FROM_ROOT, "MPI_Bcast", early_root, 200);
	ck_assert_int_eq(moment(&x, 0), 50);
	ck_assert_int_eq(moment(&x, 1), 100);
	ck_assert_int_eq(moment(&x, 2), 500);
	experiment_release(&x);
}
END_TEST

START_TEST(to_a_root_only_the_root_needs_others)
{
	static const int enter[] = { 300, 100, 500 };
	struct experiment x;
	collective(&x, SIS_RECORD_TO_ROOT, "MPI_Reduce", enter, 110);
	ck_assert_int_eq(moment(&x, 0), 500);
	ck_assert_int_eq(moment(&x, 1), 100);
	ck_assert_int_eq(moment(&x, 2), 500);
	experiment_release(&x);
}
END_TEST

START_TEST(at_a_barrier_all_need_the_last)
{
	static const int enter[] = { 300, 100, 500 };
	struct experiment x;
	collective(&x, SIS_RECORD_BARRIER, "MPI_Barrier", enter, 600);
	for (uint32_t i = 0; i < 3; i++)
		ck_assert_int_eq(moment(&x, i), 500);
	experiment_release(&x);
}
END_TEST

UNIT_MAIN("meetings", two_meet_in_what_both_did, there_may_be_no_meeting,
	  collectives_count_in_the_world_and_in_the_communicator,
	  a_late_receive_of_an_early_message_is_passed_over, a_search_is_bounded,
	  from_a_root_all_need_the_root, to_a_root_only_the_root_needs_others,
	  at_a_barrier_all_need_the_last)
