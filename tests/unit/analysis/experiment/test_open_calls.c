/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* Calls of MPI that were open when their process was killed: all of their time is waiting. */
#include "unit.h"
#include "experiment_make.h"

static struct experiment x;

/* A rank whose last sign of life is at 700 ms. It was in `region` since 300 ms, and before that for
 * 50 ms. */
static void add_rank(int rank, uint32_t region, enum sis_state state)
{
	static const char *const names[] = { "main" };
	struct profile_writer *w = writer_new(rank, 3);
	writer_functions(w, names, 1);
	uint64_t root = writer_thread(w, 0),
		 outer = writer_node(w, 0, root, WRITER_FUNCTION(0), 1,
				     state == SIS_STATE_ENDED ? 700 * MS : 0),
		 node = writer_node(w, 0, outer, region, 2, 50 * MS);
	writer_node_at(w, node)->start = WRITER_START + 300 * MS;
	writer_thread_at(w, 0)->current = (void *)(uintptr_t)node;
	writer_thread_at(w, 0)->stamp = WRITER_START + 700 * MS;
	writer_times(w, 0, 700 * MS);
	make_process(&x, w, state);
}

static int booked(uint32_t process, enum sis_overhead leaf)
{
	return (int)(make_booked(&x, process, 0, leaf) / MS);
}

START_TEST(open_messages_wait)
{
	x = (struct experiment){ 0 };
	add_rank(0, writer_mpi("MPI_Recv"), SIS_STATE_RUNNING);
	add_rank(1, writer_mpi("MPI_Ssend"), SIS_STATE_SIGNAL);
	make_classified(&x);
	ck_assert_int_eq(booked(0, OSYNC_LATESEND), 400);
	ck_assert_int_eq(booked(0, ODATA_RECV), 50);
	ck_assert_int_eq(booked(1, OSYNC_LATERECV), 400);
	ck_assert_int_eq(booked(1, ODATA_SEND), 50);
	experiment_release(&x);
}
END_TEST

START_TEST(a_call_that_cannot_wait_does_not)
{
	x = (struct experiment){ 0 };
	add_rank(0, writer_mpi("MPI_Isend"), SIS_STATE_RUNNING);
	add_rank(1, WRITER_FUNCTION(0), SIS_STATE_RUNNING);
	make_classified(&x);
	ck_assert_int_eq(booked(0, ODATA_NBLK), 450);
	ck_assert_int_eq(booked(1, O_NONE), 700);
	ck_assert_uint_eq(x.match.process.at[0].waits.n, 0);
	experiment_release(&x);
}
END_TEST

/* Nothing is open after the end, whatever the thread's last node was. */
START_TEST(a_process_that_ended_does_not_wait)
{
	x = (struct experiment){ 0 };
	add_rank(0, writer_mpi("MPI_Recv"), SIS_STATE_ENDED);
	add_rank(1, writer_mpi("MPI_Recv"), SIS_STATE_RUNNING);
	make_classified(&x);
	ck_assert_int_eq(booked(0, OSYNC_LATESEND), 0);
	ck_assert_int_eq(booked(1, OSYNC_LATESEND), 400);
	experiment_release(&x);
}
END_TEST

/* What the others waited for is known if one rank alone was not there. */
START_TEST(an_open_collective_waits_for_the_rank_that_has_not_come)
{
	x = (struct experiment){ 0 };
	add_rank(0, writer_mpi("MPI_Barrier"), SIS_STATE_RUNNING);
	add_rank(1, WRITER_FUNCTION(0), SIS_STATE_SIGNAL);
	add_rank(2, writer_mpi("MPI_Barrier"), SIS_STATE_RUNNING);
	make_classified(&x);
	ck_assert_uint_eq(x.match.wait_state.n, 2);
	for (uint32_t i = 0; i < 2; i++) {
		const struct wait_state *w = &x.match.wait_state.at[i];
		ck_assert_uint_eq(w->process, 2 * i);
		ck_assert_uint_eq(w->culprit, 1);
		ck_assert_int_eq((w->until - w->enter) / MS, 400);
		ck_assert(!w->estimated);
	}
	experiment_release(&x);
}
END_TEST

START_TEST(an_open_collective_waits_for_one_of_several)
{
	x = (struct experiment){ 0 };
	add_rank(0, writer_mpi("MPI_Barrier"), SIS_STATE_RUNNING);
	add_rank(1, WRITER_FUNCTION(0), SIS_STATE_SIGNAL);
	add_rank(2, WRITER_FUNCTION(0), SIS_STATE_SIGNAL);
	make_classified(&x);
	ck_assert_uint_eq(x.match.wait_state.n, 1);
	ck_assert(x.match.wait_state.at[0].estimated);
	experiment_release(&x);
}
END_TEST

/* A rank whose last sign of life is at 700 ms. Polls in vain ended at `last`: 250 ms in the call,
 * and 100 ms of main between them. */
static void add_polling_rank(int rank, int last, enum sis_state state)
{
	static const char *const names[] = { "main" };
	struct profile_writer *w = writer_new(rank, 3);
	writer_functions(w, names, 1);
	uint64_t root = writer_thread(w, 0),
		 outer = writer_node(w, 0, root, WRITER_FUNCTION(0), 1,
				     state == SIS_STATE_ENDED ? 700 * MS : 0),
		 node = writer_node(w, 0, outer, writer_mpi("MPI_Test"), 1000, 260 * MS);
	writer_node_at(w, outer)->start = WRITER_START;
	writer_thread_at(w, 0)->current = (void *)(uintptr_t)outer;
	writer_thread_at(w, 0)->stamp = WRITER_START + 700 * MS;
	const struct sis_polls polls[] = {
		{ .key = 0, .node = (void *)(uintptr_t)node, .ticks = 9 * MS },
		{ .key = 1, .node = (void *)(uintptr_t)node, .exit = WRITER_START + last * MS,
		  .ticks = 350 * MS, .between = 100 * MS },
	};
	writer_chunk(w, SIS_CHUNK_POLLS, SIS_NO_SLOT, polls, sizeof polls);
	writer_times(w, 0, 700 * MS);
	make_process(&x, w, state);
}

/* Only what the thread did last is open. */
START_TEST(open_polls_wait)
{
	x = (struct experiment){ 0 };
	add_polling_rank(0, 700, SIS_STATE_RUNNING);
	add_polling_rank(1, 600, SIS_STATE_RUNNING);
	add_polling_rank(2, 700, SIS_STATE_ENDED);
	make_classified(&x);
	ck_assert_int_eq(booked(0, OSYNC_LATESEND), 350);
	ck_assert_int_eq(booked(0, ODATA_NBLK), 10);
	ck_assert_int_eq(booked(0, O_NONE), 340);
	for (uint32_t rank = 1; rank < 3; rank++) {
		ck_assert_int_eq(booked(rank, OSYNC_LATESEND), 0);
		ck_assert_int_eq(booked(rank, ODATA_NBLK), 260);
		ck_assert_int_eq(booked(rank, O_NONE), 440);
	}
	experiment_release(&x);
}
END_TEST

UNIT_MAIN("open_calls", open_messages_wait, a_call_that_cannot_wait_does_not,
	  a_process_that_ended_does_not_wait,
	  an_open_collective_waits_for_the_rank_that_has_not_come,
	  an_open_collective_waits_for_one_of_several, open_polls_wait)
