/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* The run on an ideal network, and the critical path, where both are known. */
#include "unit.h"
#include "experiment_make.h"

/* A rank whose main lasts as long as the run: `ms`. */
struct rank { struct profile_writer *w; uint64_t main; };

static struct rank begin(int rank, int size, int ms)
{
	static const char *const names[] = { "main", "work" };
	struct rank r = { .w = writer_new(rank, size) };
	writer_times(r.w, 0, (uint64_t)ms * MS);
	writer_functions(r.w, names, 2);
	uint64_t root = writer_thread(r.w, 0);
	writer_node_at(r.w, root)->total = (uint64_t)ms * MS;
	r.main = writer_node(r.w, 0, root, WRITER_FUNCTION(0), 1, (uint64_t)ms * MS);
	return r;
}

static void record(const struct rank *r, enum sis_record_kind kind, const char *routine, int enter,
		   int exit, int peer)
{
	uint64_t node = writer_node(r->w, 0, r->main, writer_mpi(routine), 1,
				    (uint64_t)(exit - enter) * MS);
	struct sis_record made = make_record(kind, node, enter, exit);
	made.peer = peer;
	made.serial = (uint64_t)(kind >= SIS_RECORD_BARRIER);
	writer_record(r->w, 0, made);
}

static int64_t on_path(const struct experiment *x, const char *region, uint32_t process)
{
	int64_t ns = 0;
	for (size_t i = 0; i < x->causes.critical.n; i++)
		if (x->model.pu.at[x->causes.critical.at[i].pu].process == process &&
		    strcmp(region_of_node(x, x->causes.critical.at[i].node)->name, region) ==
			    0)
			ns += x->causes.critical.at[i].ns;
	return ns;
}

static void whole(const struct experiment *x)
{
	int64_t ns = 0;
	for (size_t i = 0; i < x->causes.critical.n; i++)
		ns += x->causes.critical.at[i].ns;
	ck_assert_int_eq(ns, experiment_t_p(x));
}

/* rank 0   ===100=== Send(1)                  ideal: rank 1 goes on at 100, not at 150
 * rank 1   =50= Recv ~~~~~~~~~~ ===100===     the path: 0 until 100, the transfer, 1 */
START_TEST(an_ideal_network_takes_no_time_for_transfers)
{
	struct experiment x = { 0 };
	struct rank r[] = { begin(0, 2, 110), begin(1, 2, 250) };
	record(&r[0], SIS_RECORD_SEND, "MPI_Send", 100, 101, 1);
	record(&r[1], SIS_RECORD_RECV, "MPI_Recv", 50, 150, 0);
	make_process(&x, r[0].w, SIS_STATE_ENDED);
	make_process(&x, r[1].w, SIS_STATE_ENDED);
	make_classified(&x);
	ck_assert_int_eq(x.causes.ideal_ns, 200 * MS);
	whole(&x);
	ck_assert_int_eq(on_path(&x, "main", 0), 100 * MS);
	ck_assert_int_eq(on_path(&x, "MPI_Recv", 1), 50 * MS);
	ck_assert_int_eq(on_path(&x, "main", 1), 100 * MS);
	experiment_release(&x);
}
END_TEST

/* All need the last one: the ideal run has its work and not the barrier's own 30. */
START_TEST(all_go_on_from_the_last_one_at_a_barrier)
{
	struct experiment x = { 0 };
	struct rank r[] = { begin(0, 3, 300), begin(1, 3, 300), begin(2, 3, 300) };
	static const int enter[] = { 100, 180, 20 };
	for (int i = 0; i < 3; i++)
		record(&r[i], SIS_RECORD_BARRIER, "MPI_Barrier", enter[i], 210, -1);
	for (int i = 0; i < 3; i++)
		make_process(&x, r[i].w, SIS_STATE_ENDED);
	make_classified(&x);
	ck_assert_int_eq(x.causes.ideal_ns, 270 * MS);
	whole(&x);
	ck_assert_int_ge(on_path(&x, "main", 1), 180 * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(an_unmatched_message_leaves_the_ideal_unknown)
{
	struct experiment x = { 0 };
	struct rank r[] = { begin(0, 2, 100), begin(1, 2, 100) };
	record(&r[0], SIS_RECORD_SEND, "MPI_Send", 10, 20, 1);
	make_process(&x, r[0].w, SIS_STATE_ENDED);
	make_process(&x, r[1].w, SIS_STATE_ENDED);
	make_classified(&x);
	ck_assert_int_eq(x.causes.ideal_ns, -1);
	whole(&x);
	experiment_release(&x);
}
END_TEST

/* Without messages the path is the process that ends last, and its regions are known exactly. */
START_TEST(alone_the_path_is_the_program)
{
	struct experiment x = { 0 };
	struct rank r = begin(0, 1, 100);
	writer_node(r.w, 0, r.main, WRITER_FUNCTION(1), 1, 70 * MS);
	make_process(&x, r.w, SIS_STATE_ENDED);
	make_classified(&x);
	ck_assert_int_eq(x.causes.ideal_ns, 100 * MS);
	ck_assert_int_eq(on_path(&x, "work", 0), 70 * MS);
	ck_assert_int_eq(on_path(&x, "main", 0), 30 * MS);
	ck_assert_int_eq(x.causes.critical_estimated_ns, 0);
	whole(&x);
	experiment_release(&x);
}
END_TEST

UNIT_MAIN("ideal_network", an_ideal_network_takes_no_time_for_transfers,
	  all_go_on_from_the_last_one_at_a_barrier, an_unmatched_message_leaves_the_ideal_unknown,
	  alone_the_path_is_the_program)
