/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* Polls in vain, of requests and of messages, wait for what a later call finds complete. */
#include "unit.h"
#include "experiment_make.h"

enum { SERIAL = 7, TAG = 5 };

/* A record of an operation with the other one of two ranks; ms of time between polls. */
static void record(const struct made_rank *r, enum sis_record_kind kind, uint64_t node, int enter,
		   int exit, unsigned flags, int between)
{
	struct sis_record made = make_record(kind, node, enter, exit);
	made.peer = writer_header(r->w)->mpi_rank ? 0 : 1;
	made.tag = TAG;
	made.serial = kind == SIS_RECORD_SEND || kind == SIS_RECORD_RECV ? 0 : SERIAL;
	made.flags = (uint16_t)flags;
	made.bytes = (uint64_t)between * MS;
	writer_record(r->w, 0, made);
}

static void finish(struct experiment *x, struct made_rank *r)
{
	make_process(x, r[0].w, SIS_STATE_ENDED);
	make_process(x, r[1].w, SIS_STATE_ENDED);
	make_classified(x);
}

static void booked(const struct experiment *x, int process, enum sis_overhead leaf, int ms)
{
	int64_t ns = make_booked(x, process, 0, leaf);
	ck_assert_msg(ns == (int64_t)ms * MS, "process %d %s: %lld ns, not %d ms", process,
		      sis_overhead_table[leaf].name, (long long)ns, ms);
}

/* Rank 0 begins a request at 90, polls it for the time of [100, exit] and finds it done in the
 * call [350, 351]. */
static uint64_t poll(const struct made_rank *r, enum sis_record_kind begins, const char *routine,
		     unsigned flags, int exit, int between)
{
	uint64_t test = make_call(r, "MPI_Test", exit - 100 - between + 1);
	unsigned begun = flags & SIS_RECORD_BEGUN;
	record(r, begins, make_call(r, routine, 0), 90, 90, begun, 0);
	record(r, SIS_RECORD_POLLS, test, 100, exit, begun, between);
	record(r, SIS_RECORD_DONE, test, 350, 351, flags | SIS_RECORD_POLL, 0);
	return test;
}

START_TEST(until_the_message_is_sent)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	poll(&r[0], SIS_RECORD_IRECV, "MPI_Irecv", 0, 300, 0);
	record(&r[1], SIS_RECORD_SEND, make_call(&r[1], "MPI_Send", 1), 250, 251, 0, 0);
	finish(&x, r);
	booked(&x, 0, OSYNC_LATESEND, 150);
	booked(&x, 0, ODATA_NBLK, 51);
	ck_assert_uint_eq(x.match.blocked.n, 1);
	ck_assert_int_eq(x.match.blocked.at[0].until - x.match.blocked.at[0].enter, 150 * MS);
	experiment_release(&x);
}
END_TEST

/* The message came while the program did something else. */
START_TEST(no_longer_than_the_polls)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	poll(&r[0], SIS_RECORD_IRECV, "MPI_Irecv", 0, 200, 0);
	record(&r[1], SIS_RECORD_SEND, make_call(&r[1], "MPI_Send", 1), 250, 251, 0, 0);
	finish(&x, r);
	booked(&x, 0, OSYNC_LATESEND, 100);
	booked(&x, 0, ODATA_NBLK, 1);
	ck_assert_uint_eq(x.match.blocked.n, 0);
	experiment_release(&x);
}
END_TEST

START_TEST(time_between_polls_belongs_to_them)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	poll(&r[0], SIS_RECORD_IRECV, "MPI_Irecv", 0, 300, 80);
	record(&r[1], SIS_RECORD_SEND, make_call(&r[1], "MPI_Send", 1), 400, 401, 0, 0);
	finish(&x, r);
	booked(&x, 0, OSYNC_LATESEND, 201); /* and the call that found it */
	booked(&x, 0, ODATA_NBLK, 0);
	ck_assert_int_eq(make_booked(&x, 0, 0, O_NONE), (1000 - 201) * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(a_synchronous_send_waits_for_its_receiver)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	poll(&r[0], SIS_RECORD_ISEND, "MPI_Issend", SIS_RECORD_IS_SEND, 300, 0);
	record(&r[1], SIS_RECORD_RECV, make_call(&r[1], "MPI_Recv", 100), 280, 380, 0, 0);
	finish(&x, r);
	booked(&x, 0, OSYNC_LATERECV, 180);
	booked(&x, 1, OSYNC_LATESEND, 0);
	experiment_release(&x);
}
END_TEST

START_TEST(a_collective_waits_for_the_last)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	uint64_t wait = make_call(&r[1], "MPI_Wait", 51);
	poll(&r[0], SIS_RECORD_BARRIER, "MPI_Ibarrier", SIS_RECORD_BEGUN, 310, 0);
	record(&r[1], SIS_RECORD_BARRIER, make_call(&r[1], "MPI_Ibarrier", 0), 300, 300,
	       SIS_RECORD_BEGUN, 0);
	record(&r[1], SIS_RECORD_DONE, wait, 300, 351, SIS_RECORD_BEGUN, 0);
	finish(&x, r);
	booked(&x, 0, OSYNC_MBAR, 200);
	booked(&x, 0, OSYNC_LATESEND, 0);
	booked(&x, 1, OSYNC_MBAR, 0);
	experiment_release(&x);
}
END_TEST

/* The polls of a probe end at 300. A message that was received before is not theirs. */
START_TEST(probes_in_vain_wait_for_the_message_found)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	uint64_t probe = make_call(&r[0], "MPI_Iprobe", 200),
		 recv = make_call(&r[0], "MPI_Recv", 2), send = make_call(&r[1], "MPI_Send", 2);
	record(&r[0], SIS_RECORD_RECV, recv, 150, 151, 0, 0);
	record(&r[0], SIS_RECORD_PROBE, probe, 100, 300, SIS_RECORD_POLL, 0);
	record(&r[0], SIS_RECORD_RECV, recv, 310, 311, 0, 0);
	record(&r[1], SIS_RECORD_SEND, send, 120, 121, 0, 0);
	record(&r[1], SIS_RECORD_SEND, send, 290, 291, 0, 0);
	finish(&x, r);
	booked(&x, 0, OSYNC_LATESEND, 190);
	booked(&x, 0, ODATA_RECV, 12);
	experiment_release(&x);
}
END_TEST

UNIT_MAIN("match_polls", until_the_message_is_sent, no_longer_than_the_polls,
	  time_between_polls_belongs_to_them, a_synchronous_send_waits_for_its_receiver,
	  a_collective_waits_for_the_last, probes_in_vain_wait_for_the_message_found)
