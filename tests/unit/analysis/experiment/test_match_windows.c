/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* Waits in one-sided communication outside of fences. The window has the processes of the world,
 * and its name. */
#include "unit.h"
#include "experiment_make.h"

static void record_at(const struct made_rank *r, uint64_t node, enum sis_record_kind kind,
		      int enter, int exit, int peer, unsigned flags)
{
	struct sis_record made = make_record(kind, node, enter, exit);
	made.peer = peer;
	made.tag = -1;
	made.flags = (uint16_t)flags;
	writer_record(r->w, 0, made);
}

static void record(const struct made_rank *r, enum sis_record_kind kind, const char *routine,
		   int enter, int exit, int peer, unsigned flags)
{
	record_at(r, make_call(r, routine, exit - enter), kind, enter, exit, peer, flags);
}

/* Milliseconds that `victim` waited for `culprit`. */
static int waited(const struct experiment *x, enum sis_overhead leaf, uint32_t victim,
		  uint32_t culprit)
{
	int64_t ns = 0;
	for (size_t i = 0; i < x->match.wait_state.n; i++) {
		const struct wait_state *l = &x->match.wait_state.at[i];
		if (l->process == victim && l->culprit == culprit && l->leaf[0] == leaf)
			ns += l->ns[0];
	}
	return (int)(ns / MS);
}

/* Rank 0 accesses 1, which posts at 300; it waits in its start, or in its complete. */
static void epoch(struct made_rank *r, int start_exit, int complete_enter, int complete_exit)
{
	record(&r[0], SIS_RECORD_START, "MPI_Win_start", 100, start_exit, 1, 0);
	record(&r[0], SIS_RECORD_COMPLETE, "MPI_Win_complete", complete_enter, complete_exit, -1,
	       0);
	record(&r[1], SIS_RECORD_POST, "MPI_Win_post", 300, 301, 0, 0);
	record(&r[1], SIS_RECORD_WAIT, "MPI_Win_wait", 302, complete_exit + 1, -1, 0);
}

START_TEST(start_waits_for_a_late_post)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	epoch(r, 301, 500, 501);
	make_ranks_classified(&x, r, 2);
	ck_assert_int_eq(waited(&x, OSYNC_PSCW, 0, 1), 200);
	ck_assert_int_eq(waited(&x, OSYNC_PSCW, 1, 0), 198);
	ck_assert(!make_warned(&x, "could not be matched"));
	experiment_release(&x);
}
END_TEST

START_TEST(complete_does_where_start_does_not)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	epoch(r, 101, 150, 302);
	make_ranks_classified(&x, r, 2);
	/* start as a whole, and complete until the post */
	ck_assert_int_eq(waited(&x, OSYNC_PSCW, 0, 1), 151);
	ck_assert_int_eq(waited(&x, OSYNC_PSCW, 1, 0), 0);
	experiment_release(&x);
}
END_TEST

START_TEST(an_epoch_of_many_waits_for_the_last)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	uint64_t start = make_call(&r[0], "MPI_Win_start", 301);
	for (int peer = 1; peer <= 2; peer++) {
		record_at(&r[0], start, SIS_RECORD_START, 100, 401, peer, 0);
		record(&r[peer], SIS_RECORD_POST, "MPI_Win_post", 200 * peer, 200 * peer + 1, 0, 0);
		record(&r[peer], SIS_RECORD_WAIT, "MPI_Win_wait", 200 * peer + 1, 502, -1, 0);
	}
	record(&r[0], SIS_RECORD_COMPLETE, "MPI_Win_complete", 500, 501, -1, 0);
	make_ranks_classified(&x, r, 3);
	ck_assert_int_eq(waited(&x, OSYNC_PSCW, 0, 2), 300);
	ck_assert_int_eq(waited(&x, OSYNC_PSCW, 0, 1), 0);
	ck_assert_int_eq(waited(&x, OSYNC_PSCW, 1, 0), 299);
	ck_assert_int_eq(waited(&x, OSYNC_PSCW, 2, 0), 99);
	experiment_release(&x);
}
END_TEST

static void locked(const struct made_rank *r, unsigned flags, int target, int lock, int had,
		   int unlock, int end)
{
	record(r, SIS_RECORD_LOCK, "MPI_Win_lock", lock, had, target, flags);
	record(r, SIS_RECORD_UNLOCK, "MPI_Win_unlock", unlock, end, target, 0);
}

START_TEST(a_queue_waits_for_each_in_turn)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	locked(&r[0], 0, 0, 100, 101, 300, 301);
	locked(&r[1], 0, 0, 150, 301, 500, 501);
	locked(&r[2], 0, 0, 200, 501, 600, 601);
	make_ranks_classified(&x, r, 3);
	ck_assert_int_eq(waited(&x, OSYNC_RMALOCK, 1, 0), 150);
	ck_assert_int_eq(waited(&x, OSYNC_RMALOCK, 2, 0), 100);
	ck_assert_int_eq(waited(&x, OSYNC_RMALOCK, 2, 1), 200);
	ck_assert_int_eq(waited(&x, OSYNC_RMALOCK, 0, 1), 0);
	experiment_release(&x);
}
END_TEST

START_TEST(those_that_share_do_not_wait_for_each_other)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	locked(&r[0], SIS_RECORD_SHARED, -1, 100, 101, 300, 301);
	locked(&r[1], SIS_RECORD_SHARED, 1, 150, 400, 500, 501);  /* slow, for some other reason */
	locked(&r[2], 0, 1, 200, 501, 600, 601);
	make_ranks_classified(&x, r, 3);
	ck_assert_int_eq(waited(&x, OSYNC_RMALOCK, 1, 0), 0);
	ck_assert_int_eq(waited(&x, OSYNC_RMALOCK, 2, 0), 100);
	ck_assert_int_eq(waited(&x, OSYNC_RMALOCK, 2, 1), 200);
	experiment_release(&x);
}
END_TEST

START_TEST(other_targets_are_other_locks)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	locked(&r[0], 0, 0, 100, 101, 300, 301);
	locked(&r[1], 0, 1, 150, 301, 500, 501);
	make_ranks_classified(&x, r, 2);
	ck_assert_int_eq(waited(&x, OSYNC_RMALOCK, 1, 0), 0);
	experiment_release(&x);
}
END_TEST

/* An MPI may take the lock in the first flush. */
START_TEST(a_flush_may_wait_for_the_lock)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	locked(&r[0], 0, 0, 100, 101, 300, 301);
	record(&r[1], SIS_RECORD_LOCK, "MPI_Win_lock", 150, 151, 0, 0);
	record(&r[1], SIS_RECORD_FLUSH, "MPI_Win_flush", 160, 302, 0, 0);
	record(&r[1], SIS_RECORD_UNLOCK, "MPI_Win_unlock", 400, 401, 0, 0);
	make_ranks_classified(&x, r, 2);
	ck_assert_int_eq(waited(&x, OSYNC_RMALOCK, 1, 0), 140);
	ck_assert_int_eq(make_booked(&x, 1, 0, OSYNC_RMALOCK) / MS, 142);
	ck_assert_int_eq(make_booked(&x, 1, 0, OSYNC_RMAFLUSH) / MS, 2);
	experiment_release(&x);
}
END_TEST

/* As one may that asserts that nothing precedes it. */
START_TEST(a_fence_that_lets_go_waits_for_nobody)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	record(&r[0], SIS_RECORD_FENCE, "MPI_Win_fence", 100, 110, -1, 0);
	record(&r[1], SIS_RECORD_FENCE, "MPI_Win_fence", 300, 310, -1, 0);
	make_ranks_classified(&x, r, 2);
	ck_assert_int_eq(waited(&x, OSYNC_FENCE, 0, 1), 0);
	ck_assert_uint_eq(x.match.sync_point.n, 1); /* of the last one, with all */
	experiment_release(&x);
}
END_TEST

UNIT_MAIN("match_windows", start_waits_for_a_late_post, complete_does_where_start_does_not,
	  an_epoch_of_many_waits_for_the_last, a_queue_waits_for_each_in_turn,
	  those_that_share_do_not_wait_for_each_other, other_targets_are_other_locks,
	  a_flush_may_wait_for_the_lock, a_fence_that_lets_go_waits_for_nobody)
