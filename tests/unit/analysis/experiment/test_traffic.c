/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* How much each process sent to each other one, where it is known. */
#include "unit.h"
#include "experiment_make.h"

struct rank { struct profile_writer *w; uint64_t main; };

static struct rank begin(int rank, int size)
{
	static const char *const names[] = { "main" };
	struct rank r = { .w = writer_new(rank, size) };
	writer_functions(r.w, names, 1);
	uint64_t root = writer_thread(r.w, 0);
	r.main = writer_node(r.w, 0, root, WRITER_FUNCTION(0), 1, 1000 * MS);
	return r;
}

static void record(const struct rank *r, enum sis_record_kind kind, uint64_t node, int enter,
		   int exit, int peer, int bytes)
{
	struct sis_record made = make_record(kind, node, enter, exit);
	made.peer = peer;
	made.bytes = (uint64_t)bytes;
	made.serial = (uint64_t)(kind >= SIS_RECORD_BARRIER);
	writer_record(r->w, 0, made);
}

static const struct traffic *find(const struct experiment *x, uint32_t from, uint32_t target)
{
	for (size_t i = 0; i < x->match.traffic.n; i++)
		if (x->model.pu.at[x->match.traffic.at[i].pu].process == from &&
		    x->match.traffic.at[i].target == target)
			return &x->match.traffic.at[i];
	ck_abort_msg("nothing from %u to %u", from, target);
}

static void finish(struct experiment *x, struct rank *r, int n)
{
	for (int i = 0; i < n; i++)
		make_process(x, r[i].w, SIS_STATE_ENDED);
	make_classified(x);
}

START_TEST(messages_are_counted_by_sender_and_receiver)
{
	struct experiment x = { 0 };
	struct rank r[] = { begin(0, 3), begin(1, 3), begin(2, 3) };
	uint64_t send = writer_node(r[0].w, 0, r[0].main, writer_mpi("MPI_Send"), 3, 30 * MS);
	uint64_t receive[3];
	for (int i = 1; i < 3; i++)
		receive[i] = writer_node(r[i].w, 0, r[i].main, writer_mpi("MPI_Recv"), 1, 100 * MS);
	record(&r[0], SIS_RECORD_SEND, send, 100, 110, 1, 1000);
	record(&r[0], SIS_RECORD_SEND, send, 200, 210, 1, 500);
	record(&r[0], SIS_RECORD_SEND, send, 300, 305, 2, 8);
	record(&r[1], SIS_RECORD_RECV, receive[1], 90, 110, 0, 1000);
	record(&r[1], SIS_RECORD_RECV, receive[1], 190, 215, 0, 500);
	record(&r[2], SIS_RECORD_RECV, receive[2], 300, 310, 0, 8);
	finish(&x, r, 3);
	const struct traffic *t = find(&x, 0, 1);
	ck_assert_uint_eq(t->calls, 2);
	ck_assert_uint_eq(t->bytes, 1500);
	ck_assert_int_eq(t->ns, 20 * MS);
	ck_assert_int_eq(t->receive_ns, 45 * MS);
	ck_assert(!t->estimated);
	ck_assert_uint_eq(find(&x, 0, 2)->bytes, 8);
	ck_assert_uint_eq(x.match.traffic.n, 2);
	ck_assert_uint_eq(x.match.communicator.n, 1);
	ck_assert_uint_eq(x.match.communicator.at[0].size, 3);
	experiment_release(&x);
}
END_TEST

START_TEST(collective_operations_have_no_receiver)
{
	struct experiment x = { 0 };
	struct rank r[] = { begin(0, 2), begin(1, 2) };
	for (int i = 0; i < 2; i++)
		record(&r[i], SIS_RECORD_NXN,
		       writer_node(r[i].w, 0, r[i].main, writer_mpi("MPI_Allreduce"), 1, 10 * MS),
		       100, 110, -1, 64);
	finish(&x, r, 2);
	ck_assert_uint_eq(find(&x, 0, NONE)->bytes, 64);
	ck_assert_uint_eq(find(&x, 1, NONE)->calls, 1);
	experiment_release(&x);
}
END_TEST

/* Two of ten sends are in the log: all ten are held to be like them. */
START_TEST(what_was_dropped_is_estimated)
{
	struct experiment x = { 0 };
	struct rank r[] = { begin(0, 3), begin(1, 3), begin(2, 3) };
	uint64_t send = writer_node(r[0].w, 0, r[0].main, writer_mpi("MPI_Send"), 10, 100 * MS);
	writer_thread_at(r[0].w, 0)->dropped_records = 8;
	record(&r[0], SIS_RECORD_SEND, send, 100, 110, 1, 1000);
	record(&r[0], SIS_RECORD_SEND, send, 200, 210, 2, 10);
	finish(&x, r, 3);
	ck_assert_uint_eq(find(&x, 0, 1)->calls, 5);
	ck_assert_uint_eq(find(&x, 0, 1)->bytes, 5000);
	ck_assert_uint_eq(find(&x, 0, 2)->bytes, 50);
	ck_assert(find(&x, 0, 1)->estimated);
	experiment_release(&x);
}
END_TEST

START_TEST(a_receiver_that_is_not_there_is_left_out)
{
	struct experiment x = { 0 };
	struct rank r[] = { begin(0, 2) };
	uint64_t send = writer_node(r[0].w, 0, r[0].main, writer_mpi("MPI_Send"), 1, 10 * MS);
	record(&r[0], SIS_RECORD_SEND, send, 100, 110, 1, 1000);
	finish(&x, r, 1);
	ck_assert_uint_eq(x.match.traffic.n, 0);
	experiment_release(&x);
}
END_TEST

/* The side of an intercommunicator that a process sends to: its members are ranks of the world. */
static void other_side(const struct rank *r, uint32_t first, uint32_t second)
{
	struct { struct sis_profile_comm head; uint32_t member[2];
	} side = { .head = { .id = 5,
			     .size = 2,
			     .leader = UINT32_MAX,
			     .number = 77,
			     .is_inter = 1,
			     .name = "coupling" },
		   .member = { first, second } };
	writer_chunk(r->w, SIS_CHUNK_COMM, SIS_NO_SLOT, &side,
		     sizeof side.head + sizeof side.member);
}

static void record_inter(const struct rank *r, enum sis_record_kind kind, const char *routine,
			 int enter, int exit, int peer)
{
	uint64_t node = writer_node(r->w, 0, r->main, writer_mpi(routine), 1,
				    (uint64_t)(exit - enter) * MS);
	struct sis_record made = make_record(kind, node, enter, exit);
	made.comm = 5;
	made.peer = peer;
	made.bytes = 24;
	writer_record(r->w, 0, made);
}

/* 0 and 1 on one side, 2 and 3 on the other: rank 1 of either is another process. */
START_TEST(peers_of_an_intercommunicator_are_on_its_other_side)
{
	struct experiment x = { 0 };
	struct rank r[] = { begin(0, 4), begin(1, 4), begin(2, 4), begin(3, 4) };
	other_side(&r[0], 2, 3), other_side(&r[1], 2, 3);
	other_side(&r[2], 0, 1), other_side(&r[3], 0, 1);
	record_inter(&r[0], SIS_RECORD_SEND, "MPI_Send", 400, 410, 1);
	record_inter(&r[3], SIS_RECORD_RECV, "MPI_Recv", 100, 415, 0);
	record_inter(&r[2], SIS_RECORD_SEND, "MPI_Send", 200, 210, 1);
	record_inter(&r[1], SIS_RECORD_RECV, "MPI_Recv", 150, 215, 0);
	finish(&x, r, 4);
	ck_assert_uint_eq(x.match.traffic.n, 2);
	ck_assert_uint_eq(find(&x, 0, 3)->bytes, 24);
	ck_assert_uint_eq(find(&x, 2, 1)->calls, 1);
	ck_assert_str_eq(x.match.communicator.at[find(&x, 2, 1)->communicator].kind, "inter");
	ck_assert_str_eq(x.match.communicator.at[find(&x, 2, 1)->communicator].name, "coupling");
	ck_assert_int_eq(make_booked(&x, 3, 0, OSYNC_LATESEND), 300 * MS);
	ck_assert_int_eq(make_booked(&x, 1, 0, OSYNC_LATESEND), 50 * MS);
	ck_assert(!make_warned(&x, "could not be matched"));
	experiment_release(&x);
}
END_TEST

START_TEST(what_a_window_moves_is_traffic)
{
	struct experiment x = { 0 };
	struct rank r[] = { begin(0, 2), begin(1, 2) };
	record(&r[0], SIS_RECORD_PUT,
	       writer_node(r[0].w, 0, r[0].main, writer_mpi("MPI_Put"), 1, 10 * MS), 100, 110, 1,
	       48);
	record(&r[0], SIS_RECORD_GET,
	       writer_node(r[0].w, 0, r[0].main, writer_mpi("MPI_Get"), 1, 10 * MS), 200, 210, 1,
	       8);
	finish(&x, r, 2);
	ck_assert_uint_eq(x.match.traffic.n, 2);
	ck_assert_uint_eq(find(&x, 0, 1)->bytes, 48);
	ck_assert_str_eq(x.match.communicator.at[0].kind, "window");
	experiment_release(&x);
}
END_TEST

UNIT_MAIN("traffic", peers_of_an_intercommunicator_are_on_its_other_side,
	  what_a_window_moves_is_traffic, messages_are_counted_by_sender_and_receiver,
	  collective_operations_have_no_receiver, what_was_dropped_is_estimated,
	  a_receiver_that_is_not_there_is_left_out)
