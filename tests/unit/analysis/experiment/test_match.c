/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* Waits between processes, with times that are known. */
#include "unit.h"
#include "experiment_make.h"

/* An operation from `enter` to `exit`, in milliseconds. */
static void record(const struct made_rank *r, enum sis_record_kind kind, uint64_t node, int enter,
		   int exit, int peer, int tag, uint64_t serial, unsigned flags)
{
	struct sis_record made = make_record(kind, node, enter, exit);
	made.peer = peer;
	made.tag = tag;
	made.serial = serial;
	made.flags = flags;
	writer_record(r->w, 0, made);
}

/* What the rank ran before a collective at `exit`: ms of a function (1 serial, 2 work). */
static void phase(const struct made_rank *r, int enter, int exit, int function, int ms)
{
	uint64_t node = writer_node(r->w, 0, r->main, WRITER_FUNCTION(function), 1,
				    (uint64_t)ms * MS);
	const struct sis_phase_entry entry[] = {
		{ (void *)(uintptr_t)r->main, 0 }, { (void *)(uintptr_t)node, (uint64_t)ms * MS } };
	writer_phase(r->w, 0, (uint64_t)enter * MS, (uint64_t)exit * MS, r->main, entry, 2);
}

static void booked(const struct experiment *x, int process, enum sis_overhead leaf, int ms)
{
	int64_t ns = make_booked(x, process, 0, leaf);
	ck_assert_msg(ns == (int64_t)ms * MS, "process %d %s: %lld ns, not %d ms", process,
		      sis_overhead_table[leaf].name, (long long)ns, ms);
}

START_TEST(a_receiver_waits_for_a_late_sender)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	make_send(&r[0], 400, 410, 1);
	make_receive(&r[1], 100, 415, 0);
	make_ranks_classified(&x, r, 2);
	booked(&x, 1, OSYNC_LATESEND, 300);
	booked(&x, 1, ODATA_RECV, 15);
	booked(&x, 0, ODATA_SEND, 10);
	booked(&x, 0, OSYNC_LATERECV, 0);
	experiment_release(&x);
}
END_TEST

START_TEST(a_sender_waits_for_a_late_receiver)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	record(&r[0], SIS_RECORD_SEND, make_call(&r[0], "MPI_Ssend", 205), 100, 305, 1, 0, 0,
	       SIS_RECORD_SYNCHRONOUS);
	make_receive(&r[1], 300, 310, 0);
	make_ranks_classified(&x, r, 2);
	booked(&x, 0, OSYNC_LATERECV, 200);
	booked(&x, 0, ODATA_SEND, 5);
	booked(&x, 1, ODATA_RECV, 10);
	experiment_release(&x);
}
END_TEST

START_TEST(a_buffered_send_does_not_wait)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	make_send(&r[0], 100, 105, 1);
	make_receive(&r[1], 300, 310, 0);
	make_ranks_classified(&x, r, 2);
	booked(&x, 0, OSYNC_LATERECV, 0);
	booked(&x, 0, ODATA_SEND, 5);
	experiment_release(&x);
}
END_TEST

/* Receives are posted in the order 1, 2 but completed by one Waitall; its wait is for the later
 * sender, once. */
START_TEST(waitall_waits_for_the_last_of_its_senders)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	uint64_t irecv = make_call(&r[0], "MPI_Irecv", 0),
		 all = make_call(&r[0], "MPI_Waitall", 400);
	record(&r[0], SIS_RECORD_IRECV, irecv, 10, 10, -1, -1, 1, 0);
	record(&r[0], SIS_RECORD_IRECV, irecv, 11, 11, 2, 0, 2, 0);
	record(&r[0], SIS_RECORD_DONE, all, 100, 500, 1, 0, 1, 0);
	record(&r[0], SIS_RECORD_DONE, all, 100, 500, 2, 0, 2, 0);
	make_send(&r[1], 300, 301, 0);
	make_send(&r[2], 495, 496, 0);
	make_ranks_classified(&x, r, 3);
	booked(&x, 0, OSYNC_LATESEND, 395);
	booked(&x, 0, ODATA_NBLK, 5);
	experiment_release(&x);
}
END_TEST

/* One call that sends to and receives from a rank that comes late: one wait, for the sender. */
START_TEST(sendrecv_waits_once)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	uint64_t early = make_call(&r[0], "MPI_Sendrecv", 305),
		 late = make_call(&r[1], "MPI_Sendrecv", 5);
	record(&r[0], SIS_RECORD_SEND, early, 100, 405, 1, 0, 0, 0);
	record(&r[0], SIS_RECORD_RECV, early, 100, 405, 1, 0, 0, 0);
	record(&r[1], SIS_RECORD_SEND, late, 400, 405, 0, 0, 0, 0);
	record(&r[1], SIS_RECORD_RECV, late, 400, 405, 0, 0, 0, 0);
	make_ranks_classified(&x, r, 2);
	booked(&x, 0, OSYNC_LATESEND, 300);
	booked(&x, 0, OSYNC_LATERECV, 0);
	booked(&x, 0, ODATA_SENDRECV, 5);
	experiment_release(&x);
}
END_TEST

/* Two messages on one channel: the second receive belongs to the second send. */
START_TEST(messages_keep_their_order)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	make_send(&r[0], 50, 51, 1);
	make_send(&r[0], 300, 301, 1);
	make_receive(&r[1], 90, 95, 0);
	make_receive(&r[1], 100, 305, 0);
	make_ranks_classified(&x, r, 2);
	booked(&x, 1, OSYNC_LATESEND, 200);
	experiment_release(&x);
}
END_TEST

START_TEST(what_has_no_partner_is_reported)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	make_send(&r[0], 50, 52, 1);
	record(&r[1], SIS_RECORD_RECV, make_call(&r[1], "MPI_Recv", 5), 90, 95, 0, 7, 0, 0);
	make_ranks_classified(&x, r, 2);
	ck_assert(make_warned(&x, "2 MPI operations could not be matched"));
	booked(&x, 1, ODATA_RECV, 5);
	experiment_release(&x);
}
END_TEST

/* Rank i arrives at 100 (i + 1) ms; all ran `work`. */
static void unequal(struct experiment *x, enum sis_record_kind kind, const char *routine, int root)
{
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	for (int i = 0; i < 3; i++) {
		phase(&r[i], 0, 100 * (i + 1), 2, 100 * (i + 1));
		record(&r[i], kind, make_call(&r[i], routine, 310 - 100 * (i + 1)), 100 * (i + 1),
		       310, root, -1, 1, 0);
	}
	make_ranks_classified(x, r, 3);
}

START_TEST(uneven_work_before_a_barrier_is_synchronization)
{
	struct experiment x = { 0 };
	unequal(&x, SIS_RECORD_BARRIER, "MPI_Barrier", -1);
	booked(&x, 0, OSYNC_MBAR, 200);
	booked(&x, 1, OSYNC_MBAR, 100);
	booked(&x, 0, OLOSS_UNPAR, 0);
	booked(&x, 0, OLOSS_PART, 0);
	experiment_release(&x);
}
END_TEST

/* All take 10 ms more when rank 2 has come. */
START_TEST(the_last_at_a_barrier_or_fence_waits_for_nobody)
{
	struct experiment barrier = { 0 }, fence = { 0 };
	unequal(&barrier, SIS_RECORD_BARRIER, "MPI_Barrier", -1);
	unequal(&fence, SIS_RECORD_FENCE, "MPI_Win_fence", -1);
	for (int i = 0; i < 3; i++) {
		booked(&barrier, i, OSYNC_MBAR, 100 * (2 - i));
		booked(&barrier, i, ODATA_MBAR, 10);
		booked(&fence, i, OSYNC_FENCE, 100 * (2 - i));
		booked(&fence, i, ODATA_FENCE, 10);
	}
	ck_assert_int_eq(barrier.causes.not_recorded_ns, 0);
	experiment_release(&barrier), experiment_release(&fence);
}
END_TEST

START_TEST(each_kind_of_collective_waits_for_its_own)
{
	struct experiment nxn = { 0 }, from = { 0 }, to = { 0 }, scan = { 0 };
	unequal(&nxn, SIS_RECORD_NXN, "MPI_Allreduce", -1);
	booked(&nxn, 0, OSYNC_NXN, 200);
	booked(&nxn, 0, ODATA_RED, 10);
	unequal(&from, SIS_RECORD_FROM_ROOT, "MPI_Bcast", 1);
	booked(&from, 0, OSYNC_LATEBCAST, 100);
	booked(&from, 2, OSYNC_LATEBCAST, 0);
	unequal(&to, SIS_RECORD_TO_ROOT, "MPI_Reduce", 1);
	booked(&to, 1, OSYNC_EARLYRED, 100);
	booked(&to, 0, OSYNC_EARLYRED, 0);
	unequal(&scan, SIS_RECORD_SCAN, "MPI_Scan", -1);
	booked(&scan, 0, OSYNC_EARLYSCAN, 200); /* the library held it until rank 2 came */
	experiment_release(&nxn), experiment_release(&from), experiment_release(&to),
		experiment_release(&scan);
}
END_TEST

/* Three ranks in a line. Rank 0 comes last: its neighbour waits, and rank 2 does not. */
START_TEST(neighbours_wait_for_each_other)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	const int enter[] = { 400, 100, 200 }, exit[] = { 401, 401, 201 };
	for (int i = 0; i < 3; i++) {
		uint64_t call = make_call(&r[i], "MPI_Neighbor_allgather", exit[i] - enter[i]);
		for (int n = i - 1; n <= i + 1; n += 2)
			if (n >= 0 && n < 3)
				record(&r[i], SIS_RECORD_NEIGHBOUR, call, 0, 0, n, -1, 0, 0);
		record(&r[i], SIS_RECORD_NEIGH, call, enter[i], exit[i], -1, -1, 1, 0);
	}
	make_ranks_classified(&x, r, 3);
	booked(&x, 0, OSYNC_NEIGH, 0);
	booked(&x, 1, OSYNC_NEIGH, 300);
	booked(&x, 1, ODATA_NEIGH, 1);
	booked(&x, 2, OSYNC_NEIGH, 0);
	experiment_release(&x);
}
END_TEST

/* Rank 1 comes last to a collective call on a file, which rank 0 leaves at `exit`. */
static void file_call(struct experiment *x, int exit)
{
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	record(&r[0], SIS_RECORD_FILE, make_call(&r[0], "MPI_File_write_all", exit - 100), 100,
	       exit, -1, -1, 1, 0);
	record(&r[1], SIS_RECORD_FILE, make_call(&r[1], "MPI_File_write_all", 20), 300, 320, -1,
	       -1, 1, 0);
	make_ranks_classified(x, r, 2);
}

START_TEST(a_file_waits_unless_a_process_left_before)
{
	struct experiment held = { 0 }, left = { 0 };
	file_call(&held, 310);
	booked(&held, 0, OSYNC_FILE, 200);
	booked(&held, 0, ODATA_MPIIO_COL, 10);
	file_call(&left, 280);
	booked(&left, 0, OSYNC_FILE, 0);
	booked(&left, 0, ODATA_MPIIO_COL, 180);
	experiment_release(&held), experiment_release(&left);
}
END_TEST

/* Two groups of one process each; the ids of the communicator and its other side are 5 and 6. */
static void two_groups(const struct made_rank *r, uint32_t rank)
{
	struct { struct sis_profile_comm comm; uint32_t member; } side[2] = {
		{ { .id = 5, .size = 1, .leader = rank, .number = 77, .is_inter = 1,
		    .parent = UINT32_MAX }, rank },
		{ { .id = 6, .size = 1, .leader = UINT32_MAX, .number = 77, .is_inter = 1,
		    .parent = 5 }, 1 - rank },
	};
	for (int i = 0; i < 2; i++)
		writer_chunk(r->w, SIS_CHUNK_COMM, SIS_NO_SLOT, &side[i],
			     sizeof side[i].comm + sizeof side[i].member);
}

static void between_groups(const struct made_rank *r, enum sis_record_kind kind,
			   const char *routine, int enter, int exit, int peer, uint64_t serial)
{
	struct sis_record made = make_record(kind, make_call(r, routine, exit - enter), enter,
					     exit);
	made.comm = 5;
	made.peer = peer;
	made.serial = serial;
	writer_record(r->w, 0, made);
}

START_TEST(groups_wait_for_each_other)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	two_groups(&r[0], 0);
	two_groups(&r[1], 1);
	between_groups(&r[0], SIS_RECORD_FROM_ROOT, "MPI_Bcast", 300, 301, SIS_ROOT_SELF, 0);
	between_groups(&r[1], SIS_RECORD_FROM_ROOT, "MPI_Bcast", 100, 301, 0, 0);
	between_groups(&r[0], SIS_RECORD_TO_ROOT, "MPI_Reduce", 400, 551, SIS_ROOT_SELF, 1);
	between_groups(&r[1], SIS_RECORD_TO_ROOT, "MPI_Reduce", 550, 551, 0, 1);
	between_groups(&r[0], SIS_RECORD_BARRIER, "MPI_Barrier", 700, 701, -1, 2);
	between_groups(&r[1], SIS_RECORD_BARRIER, "MPI_Barrier", 600, 701, -1, 2);
	make_ranks_classified(&x, r, 2);
	booked(&x, 1, OSYNC_LATEBCAST, 200);
	booked(&x, 0, OSYNC_EARLYRED, 150);
	booked(&x, 1, OSYNC_MBAR, 100);
	booked(&x, 0, OSYNC_MBAR, 0);
	experiment_release(&x);
}
END_TEST

START_TEST(a_serial_phase_before_a_broadcast_is_unparallelized)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	phase(&r[0], 0, 400, 1, 390);
	record(&r[0], SIS_RECORD_FROM_ROOT, make_call(&r[0], "MPI_Bcast", 5), 400, 405, 0, -1, 1,
	       0);
	for (int i = 1; i < 3; i++)
		record(&r[i], SIS_RECORD_FROM_ROOT, make_call(&r[i], "MPI_Bcast", 305), 100, 405, 0,
		       -1, 1, 0);
	make_ranks_classified(&x, r, 3);
	booked(&x, 1, OLOSS_UNPAR, 300);
	booked(&x, 2, OLOSS_UNPAR, 300);
	booked(&x, 1, OSYNC_LATEBCAST, 0);
	booked(&x, 1, ODATA_BCAST, 5);
	experiment_release(&x);
}
END_TEST

/* Rank 0 is alone in `serial` for 150 of the 300 ms that the others wait: the rest is not explained
 * by it. */
START_TEST(only_the_time_in_a_region_of_its_own_is_loss)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	phase(&r[0], 0, 400, 1, 150);
	make_barrier(&r[0], 400, 400, 1);
	make_barrier(&r[1], 100, 400, 1);
	make_ranks_classified(&x, r, 2);
	booked(&x, 1, OLOSS_UNPAR, 150);
	booked(&x, 1, OSYNC_MBAR, 150);
	experiment_release(&x);
}
END_TEST

START_TEST(two_of_three_in_regions_of_their_own_are_partial)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	phase(&r[0], 0, 300, 1, 300);
	phase(&r[1], 0, 400, 1, 400);
	make_barrier(&r[0], 300, 400, 1);
	make_barrier(&r[1], 400, 400, 1);
	make_barrier(&r[2], 100, 400, 1);
	make_ranks_classified(&x, r, 3);
	booked(&x, 2, OLOSS_PART, 200);
	booked(&x, 2, OSYNC_MBAR, 100); /* rank 0 waits as well then, and it ran `serial` */
	booked(&x, 0, OSYNC_MBAR, 100);
	experiment_release(&x);
}
END_TEST

/* The first rank came so soon that no phase of it was written; it has run `work`, too, if only for
 * a moment. */
START_TEST(a_short_phase_is_no_proof_of_loss)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	writer_node(r[0].w, 0, r[0].main, WRITER_FUNCTION(2), 1, 1000);
	make_barrier(&r[0], 0, 300, 1);
	phase(&r[1], 0, 300, 2, 300);
	make_barrier(&r[1], 300, 300, 1);
	make_ranks_classified(&x, r, 2);
	booked(&x, 0, OSYNC_MBAR, 300);
	booked(&x, 0, OLOSS_UNPAR, 0);
	experiment_release(&x);
}
END_TEST

/* Rank 1's clock shows 50 ms less. The barrier of 4 ms allows 4 ms more or less. */
static void of_two_nodes(struct made_rank *r, bool barrier)
{
	struct sis_profile_header *h = writer_header(r[1].w);
	make_send(&r[0], 300, 310, 1);
	make_receive(&r[1], 50, 265, 0);
	if (barrier) {
		make_barrier(&r[0], 500, 504, 1);
		make_barrier(&r[1], 450, 454, 1);
		make_barrier(&r[0], 600, 700, 2);
	}
	writer_header(r[0].w)->boot = 1;
	h->boot = 2;
	strcpy(h->host, "other");
	/* the nodes' time of day differs by 10 */
	h->start.realtime_ns = writer_header(r[0].w)->start.realtime_ns + 40 * MS;
}

START_TEST(barriers_tell_the_clocks_of_two_nodes)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	of_two_nodes(r, true);
	make_ranks_classified(&x, r, 2);
	booked(&x, 1, OSYNC_LATESEND, 200); /* from 100 to 300 */
	ck_assert_uint_eq(x.model.process.at[1].start_ns - x.model.process.at[0].start_ns, 50 * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(without_barriers_the_time_of_day_tells_them)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	of_two_nodes(r, false);
	make_ranks_classified(&x, r, 2);
	booked(&x, 1, OSYNC_LATESEND, 210);
	ck_assert_uint_eq(x.model.process.at[1].start_ns - x.model.process.at[0].start_ns, 40 * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(clocks_of_two_nodes_are_brought_together)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	struct sis_profile_header *h = writer_header(r[1].w);
	make_send(&r[0], 400, 410, 1);
	make_receive(&r[1], 100, 415, 0);
	h->clock_offset_ns = 50 * MS; /* rank 1's 100 is rank 0's 150 */
	make_ranks_classified(&x, r, 2);
	booked(&x, 1, OSYNC_LATESEND, 250);
	booked(&x, 1, OCTRL_SPAWN, 50);
	booked(&x, 0, OSYNC_FINWAIT, 50);
	experiment_release(&x);
}
END_TEST

/* Two of the receives are in the log, 300 of the call's 600; 200 of them are waits. The others were
 * like them. */
START_TEST(waits_of_a_full_log_stand_for_the_others)
{
	struct experiment x = { 0 };
	struct made_rank r[] = { make_rank(0, 2), make_rank(1, 2) };
	uint64_t send = make_call(&r[0], "MPI_Send", 2),
		 receive = make_call(&r[1], "MPI_Recv", 600);
	writer_thread_at(r[1].w, 0)->dropped_records = 2;
	record(&r[1], SIS_RECORD_RECV, receive, 100, 300, 0, 5, 0, 0);
	record(&r[1], SIS_RECORD_RECV, receive, 400, 500, 0, 5, 0, 0);
	record(&r[0], SIS_RECORD_SEND, send, 250, 251, 1, 5, 0, 0);
	record(&r[0], SIS_RECORD_SEND, send, 450, 451, 1, 5, 0, 0);
	record(&r[0], SIS_RECORD_SEND, send, 550, 551, 1, 5, 0, 0);
	make_ranks_classified(&x, r, 2);
	booked(&x, 1, OSYNC_LATESEND, 400);
	booked(&x, 1, ODATA_RECV, 200);
	ck_assert(make_warned(&x, "0.200 s of 0.400 s of waits are estimated"));
	ck_assert_int_eq(x.causes.delay_cost.at[0].ns, x.causes.delay_cost.at[0].estimated_ns);
	experiment_release(&x);
}
END_TEST

UNIT_MAIN("match", a_receiver_waits_for_a_late_sender, a_sender_waits_for_a_late_receiver,
	  a_buffered_send_does_not_wait, waitall_waits_for_the_last_of_its_senders,
	  sendrecv_waits_once, messages_keep_their_order, what_has_no_partner_is_reported,
	  uneven_work_before_a_barrier_is_synchronization,
	  the_last_at_a_barrier_or_fence_waits_for_nobody,
	  each_kind_of_collective_waits_for_its_own, neighbours_wait_for_each_other,
	  groups_wait_for_each_other, a_file_waits_unless_a_process_left_before,
	  a_serial_phase_before_a_broadcast_is_unparallelized,
	  only_the_time_in_a_region_of_its_own_is_loss,
	  two_of_three_in_regions_of_their_own_are_partial, a_short_phase_is_no_proof_of_loss,
	  clocks_of_two_nodes_are_brought_together, barriers_tell_the_clocks_of_two_nodes,
	  without_barriers_the_time_of_day_tells_them, waits_of_a_full_log_stand_for_the_others)
