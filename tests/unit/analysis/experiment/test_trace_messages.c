/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* Which calls sent and received each message, from records whose partners are known. */
#include "unit.h"

#include "experiment/timeline/trace_messages.h"
#include "experiment_make.h"

static struct experiment x;
static trace_messages list;

/* A call of MPI_Sendrecv. */
static void exchange(const struct made_rank *rank, int enter, int exit, int to, int from)
{
	uint64_t node = make_call(rank, "MPI_Sendrecv", exit - enter);
	struct sis_record send = make_record(SIS_RECORD_SEND, node, enter, exit),
			  receive = make_record(SIS_RECORD_RECV, node, enter, exit);
	send.peer = to, send.bytes = (uint64_t)(100 + to);
	receive.peer = from, receive.bytes = (uint64_t)(100 + from);
	writer_record(rank->w, 0, send);
	writer_record(rank->w, 0, receive);
}

/* MPI_Waitall, which completes a request for each of the ranks up to `last`. */
static void wait_for(const struct made_rank *rank, int posted, int enter, int exit, int last)
{
	for (int from = 1; from <= last; from++) {
		struct sis_record post = make_record(SIS_RECORD_IRECV,
						     make_call(rank, "MPI_Irecv", 0), posted,
						     posted);
		post.peer = from, post.serial = (uint64_t)from;
		writer_record(rank->w, 0, post);
	}
	uint64_t node = make_call(rank, "MPI_Waitall", exit - enter);
	for (int from = last; from >= 1; from--) {
		struct sis_record done = make_record(SIS_RECORD_DONE, node, enter, exit);
		done.peer = from, done.serial = (uint64_t)from;
		writer_record(rank->w, 0, done);
	}
}

static void read_messages(const struct made_rank *rank, int n)
{
	make_ranks_classified(&x, rank, n);
	trace_messages_list(&list, &x);
}

static void end(void)
{
	vec_free(&list);
	experiment_release(&x);
}

static int ms_of(const struct trace_message *m) { return (int)((m->ns - x.model.start_ns) / MS); }

/* "0>1 10-40": from process 0 at 10 ms to process 1 at 40 ms; those that have both ends, in order
 * of the list. */
static const char *pairs(void)
{
	static char text[300];
	text[0] = 0;
	for (size_t i = 0; i < list.n && !list.at[i].receives; i++) {
		const struct trace_message *from = &list.at[i];
		if (from->other == NONE)
			continue;
		const struct trace_message *to = &list.at[from->other];
		ck_assert(to->receives && to->other == i);
		ck_assert_uint_eq(from->peer, to->process);
		ck_assert_uint_eq(to->peer, from->process);
		sprintf(text + strlen(text), "%s%u>%u %d-%d", *text ? ", " : "", from->process,
			to->process, ms_of(from), ms_of(to));
	}
	return text;
}

START_TEST(a_send_begins_a_message_and_a_receive_ends_it)
{
	struct made_rank rank[] = { make_rank(0, 2), make_rank(1, 2) };
	make_send(&rank[0], 10, 15, 1);
	make_send(&rank[0], 50, 55, 1);
	make_receive(&rank[1], 5, 40, 0);
	make_receive(&rank[1], 60, 61, 0);
	read_messages(rank, 2);
	ck_assert_str_eq(pairs(), "0>1 10-40, 0>1 50-61");
	ck_assert_uint_eq(trace_messages_first(&list, 0, 0, false, INT64_MIN), 0);
	ck_assert_uint_eq(trace_messages_first(&list, 0, 0, false, list.at[0].ns + 1), 1);
	ck_assert_uint_eq(trace_messages_first(&list, 0, 1, false, INT64_MIN), 2);
	ck_assert_uint_eq(trace_messages_first(&list, 1, 0, true, INT64_MIN), 2);
	ck_assert_uint_eq(trace_messages_first(&list, 1, 0, true, INT64_MAX), 4);
	end();
}
END_TEST

/* Ranks 1 and 2 come late, so that the send of rank 0 waits for the call of rank 1, which sends to
 * another rank. */
START_TEST(a_call_that_sends_and_receives_has_two_messages)
{
	struct made_rank rank[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	exchange(&rank[0], 10, 100, 1, 2);
	exchange(&rank[1], 50, 100, 2, 0);
	exchange(&rank[2], 60, 100, 0, 1);
	read_messages(rank, 3);
	ck_assert_str_eq(pairs(), "0>1 10-100, 1>2 50-100, 2>0 60-100");
	for (size_t i = 0; i < list.n; i++)
		ck_assert_uint_eq(list.at[i].bytes, 100 + list.at[i].peer);
	end();
}
END_TEST

START_TEST(one_call_completes_several_messages)
{
	struct made_rank rank[] = { make_rank(0, 3), make_rank(1, 3), make_rank(2, 3) };
	wait_for(&rank[0], 5, 10, 80, 2);
	make_send(&rank[1], 70, 71, 0);
	make_send(&rank[2], 20, 21, 0);
	read_messages(rank, 3);
	ck_assert_str_eq(pairs(), "1>0 70-80, 2>0 20-80");
	end();
}
END_TEST

START_TEST(a_message_without_a_partner_has_one_end)
{
	struct made_rank rank[] = { make_rank(0, 2), make_rank(1, 2) };
	make_send(&rank[0], 10, 15, 1);
	make_barrier(&rank[0], 20, 30, 0);
	make_barrier(&rank[1], 20, 30, 0);
	read_messages(rank, 2);
	ck_assert_str_eq(pairs(), "");
	ck_assert_uint_eq(list.n, 1);
	ck_assert_uint_eq(list.at[0].peer, 1);
	end();
}
END_TEST

UNIT_MAIN("trace_messages", a_send_begins_a_message_and_a_receive_ends_it,
	  a_call_that_sends_and_receives_has_two_messages, one_call_completes_several_messages,
	  a_message_without_a_partner_has_one_end)
