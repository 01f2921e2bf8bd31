/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/traced_make.c tests/unit/analysis/trace_write.c */
/* link: tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* What was sent within an interval, from records whose calls are known, and from traces. */
#include "unit.h"

#include <stdlib.h>

#include "experiment/timeline/traffic_times.h"
#include "traced_make.h"

static struct experiment x;
static struct traces traces;
static traffic_times times;

static void begin(void)
{
	traced_begin(&x);
	x.match.keeps_traffic_calls = true;
}

static void finish(struct traced *const *t, int n)
{
	for (int i = 0; i < n; i++)
		traced_finish(t[i], &x);
	make_classified(&x);
	traces_open(&traces, x.run.directory);
	traffic_times_list(&times, &x, &traces);
}

static void end(void)
{
	vec_free(&times);
	traces_release(&traces);
	traced_end(&x);
}

static struct traced *begin_rank(int rank)
{
	struct traced *t = traced_new(rank, 2);
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	return t;
}

/* A call with its record, of so many bytes. */
static void call(struct traced *t, enum sis_record_kind kind, const char *routine, int enter,
		 int leave, int peer, int bytes)
{
	uint64_t node = traced_visit(t, 0, enter, leave, writer_mpi(routine));
	struct sis_record record = make_record(kind, node, enter, leave);
	record.peer = peer;
	record.bytes = (uint64_t)bytes;
	record.serial = kind == SIS_RECORD_NXN ? (uint64_t)enter / 100 + 1 : 0;
	writer_record(traced_writer(t), 0, record);
}

static struct traffic within(int from, int to, uint32_t process, uint32_t target)
{
	struct traffic_parts parts;
	struct traffic found = { 0 };
	traffic_parts_find(&parts, &x, &times, (int64_t)from * MS, to < 0 ? -1 : (int64_t)to * MS);
	ck_assert_uint_eq(parts.part.n, x.match.traffic.n);
	for (size_t i = 0; i < parts.part.n; i++)
		if (x.model.pu.at[parts.part.at[i].pu].process == process &&
		    parts.part.at[i].target == target)
			found = parts.part.at[i];
	traffic_parts_release(&parts);
	return found;
}

/* Intervals of `step` milliseconds add up to the run, whose values are those of the match. */
static void adds_up(int step)
{
	for (size_t i = 0; i < x.match.traffic.n; i++) {
		const struct traffic *t = &x.match.traffic.at[i];
		uint32_t process = x.model.pu.at[t->pu].process;
		struct traffic all = within(0, -1, process, t->target), sum = { 0 };
		ck_assert_uint_eq(all.calls, t->calls);
		ck_assert_uint_eq(all.bytes, t->bytes);
		ck_assert_int_eq(all.ns, t->ns);
		ck_assert_int_eq(all.receive_ns, t->receive_ns);
		ck_assert(all.estimated == t->estimated);
		for (int from = 0; from < 1000; from += step) {
			struct traffic part = within(from, from + step, process, t->target);
			sum.calls += part.calls, sum.bytes += part.bytes;
			sum.ns += part.ns, sum.receive_ns += part.receive_ns;
		}
		int64_t parts = 1000 / step + 1;
		ck_assert_int_le(llabs((int64_t)(all.calls - sum.calls)), parts);
		ck_assert_int_le(llabs((int64_t)(all.bytes - sum.bytes)), parts);
		ck_assert_int_le(llabs(all.ns - sum.ns), parts);
		ck_assert_int_le(llabs(all.receive_ns - sum.receive_ns), parts);
	}
}

START_TEST(a_call_counts_where_it_began_and_its_time_where_it_passed)
{
	begin();
	struct traced *t[] = { begin_rank(0), begin_rank(1) };
	call(t[0], SIS_RECORD_SEND, "MPI_Send", 100, 140, 1, 1000);
	call(t[0], SIS_RECORD_SEND, "MPI_Send", 500, 510, 1, 8);
	traced_leave(t[0], 0, 1000);
	call(t[1], SIS_RECORD_RECV, "MPI_Recv", 80, 150, 0, 1000);
	call(t[1], SIS_RECORD_RECV, "MPI_Recv", 490, 520, 0, 8);
	traced_leave(t[1], 0, 1000);
	finish(t, 2);
	struct traffic first = within(100, 120, 0, 1), rest = within(120, 500, 0, 1),
		       last = within(500, -1, 0, 1);
	ck_assert_uint_eq(first.calls, 1);
	ck_assert_uint_eq(first.bytes, 1000);
	ck_assert_int_eq(first.ns, 20 * MS);
	ck_assert_int_eq(first.receive_ns, 20 * MS);
	ck_assert_uint_eq(rest.calls, 0);
	ck_assert_uint_eq(rest.bytes, 0);
	ck_assert_int_eq(rest.ns, 20 * MS);
	ck_assert_int_eq(rest.receive_ns, 40 * MS);
	ck_assert_uint_eq(last.bytes, 8);
	ck_assert(!last.estimated);
	adds_up(37);
	end();
}
END_TEST

/* Four calls have 64 bytes of each rank together. */
START_TEST(calls_of_a_collective_operation_share_its_bytes)
{
	begin();
	struct traced *t[] = { begin_rank(0), begin_rank(1) };
	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < 4; k++)
			call(t[i], SIS_RECORD_NXN, "MPI_Allreduce", 100 * k, 100 * k + 10, -1, 16);
		traced_leave(t[i], 0, 1000);
	}
	finish(t, 2);
	struct traffic all = within(0, -1, 0, NONE), some = within(100, 300, 0, NONE);
	ck_assert_uint_eq(all.bytes, 64);
	ck_assert(!all.estimated);
	ck_assert_uint_eq(some.calls, 2);
	ck_assert_uint_eq(some.bytes, 32);
	ck_assert(some.estimated);
	ck_assert(!within(0, 350, 0, NONE).estimated);
	adds_up(90);
	end();
}
END_TEST

/* Two of eight sends have records. The trace has all, of which six are in the second half. */
START_TEST(a_full_log_is_divided_by_the_calls_of_the_trace)
{
	static const int at[] = { 100, 200, 500, 550, 600, 650, 700, 750 };
	begin();
	struct traced *t[] = { begin_rank(0), begin_rank(1) };
	for (int i = 0; i < 8; i++)
		if (i < 2)
			call(t[0], SIS_RECORD_SEND, "MPI_Send", at[i], at[i] + 10, 1, 100);
		else
			traced_visit(t[0], 0, at[i], at[i] + 10, writer_mpi("MPI_Send"));
	traced_leave(t[0], 0, 1000);
	writer_thread_at(traced_writer(t[0]), 0)->dropped_records = 6;
	for (int i = 0; i < 2; i++)
		call(t[1], SIS_RECORD_RECV, "MPI_Recv", at[i], at[i] + 20, 0, 100);
	traced_leave(t[1], 0, 1000);
	finish(t, 2);
	struct traffic all = within(0, -1, 0, 1), half = within(500, -1, 0, 1);
	ck_assert_uint_eq(all.calls, 8);
	ck_assert_uint_eq(all.bytes, 800);
	ck_assert_uint_eq(half.calls, 6);
	ck_assert_uint_eq(half.bytes, 600);
	ck_assert_int_eq(half.ns, 60 * MS);
	ck_assert(half.estimated);
	ck_assert_uint_eq(within(800, -1, 0, 1).calls, 0);
	adds_up(40);
	end();
}
END_TEST

UNIT_MAIN("traffic_times", a_call_counts_where_it_began_and_its_time_where_it_passed,
	  calls_of_a_collective_operation_share_its_bytes,
	  a_full_log_is_divided_by_the_calls_of_the_trace)
