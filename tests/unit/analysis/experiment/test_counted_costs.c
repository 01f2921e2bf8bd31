/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* Leaves that are counted: events times what one costs, out of the useful work where they happened,
 * and no more than that. */
#include "unit.h"
#include "experiment_make.h"

static const char *const names[] = { "main", "solver", "sweep", "norm" };
enum { MAIN, SOLVER, SWEEP, NORM };

static void booked(const struct experiment *x, const char *region, enum sis_overhead leaf,
		   int64_t ns)
{
	int64_t there = 0;
	for (size_t i = 0; i < x->classify.booking.n; i++)
		if (x->classify.booking.at[i].leaf == leaf &&
		    strcmp(region_of_node(x, x->classify.booking.at[i].node)->name, region) ==
			    0)
			there += x->classify.booking.at[i].ns;
	ck_assert_msg(there == ns, "%s in %s: %lld, not %lld", sis_overhead_table[leaf].name,
		      region, (long long)there, (long long)ns);
}

/* Gives the node these counts of the metrics of a set. */
static void counted(struct profile_writer *w, uint64_t node, uint32_t set, uint32_t count,
		    const uint64_t *sum)
{
	struct {
		uint32_t set, count;
		uint64_t origin;
		struct {
			uint64_t enter, sum;
		} value[4];
	} values = { .set = set, .count = count };
	for (uint32_t i = 0; i < count; i++)
		values.value[i].sum = sum[i];
	uint64_t at = writer_chunk(w, SIS_CHUNK_VALUES, 0, &values,
				   sizeof(struct sis_values) + count * sizeof values.value[0]);
	writer_node_at(w, node)->values = (void *)(uintptr_t)at;
}

/* main 1000 ms: solver 400 (sweep 300 of them), norm in sweep 100, read 50 in solver. Sets: 1
 * L1_DCM,
 * 2 MINFLT,L1_DCM,L3_TCM. */
struct made { struct profile_writer *w; uint64_t main, solver, sweep, norm; };
static struct made begin(void)
{
	struct made m = { .w = writer_new(-1, 0) };
	writer_functions(m.w, names, 4);
	uint64_t root = writer_thread(m.w, 0);
	m.main = writer_node(m.w, 0, root, WRITER_FUNCTION(MAIN), 1, 1000 * MS);
	m.solver = writer_node(m.w, 0, m.main, WRITER_FUNCTION(SOLVER), 1, 400 * MS);
	m.sweep = writer_node(m.w, 0, m.solver, WRITER_FUNCTION(SWEEP), 1, 300 * MS);
	m.norm = writer_node(m.w, 0, m.sweep, WRITER_FUNCTION(NORM), 1, 100 * MS);
	writer_node(m.w, 0, m.solver, CR_READ, 1, 50 * MS);
	writer_text(m.w, "set", "1\tL1_DCM");
	writer_text(m.w, "set", "2\tMINFLT,L1_DCM,L3_TCM");
	return m;
}

static void classify_it(struct experiment *x, struct made *m)
{
	make_process(x, m->w, SIS_STATE_ENDED);
	make_classified(x); /* asserts the identity */
}

/* Solver's ground is itself, 50 ms of work, and sweep, 200; what norm counts is norm's. */
START_TEST(an_event_is_paid_once_and_where_it_happened)
{
	struct experiment x = { 0 };
	struct made m = begin();
	writer_text(m.w, "env", "SIS_LATENCY=TLB_DM=4,L1_DCM=10");
	counted(m.w, m.solver, 1, 1, (uint64_t[]){ 15000000 });
	counted(m.w, m.norm, 1, 1, (uint64_t[]){ 5000000 });
	classify_it(&x, &m);
	booked(&x, "solver", ODATA_L1, 20 * MS);
	booked(&x, "sweep", ODATA_L1, 80 * MS);
	booked(&x, "norm", ODATA_L1, 50 * MS);
	booked(&x, "main", ODATA_L1, 0);
	booked(&x, "read", ODATA_L1, 0);
	ck_assert_int_eq(make_booked(&x, 0, 0, ODATA_READ), 50 * MS);
	ck_assert_int_eq(make_booked(&x, 0, 0, O_NONE), (1000 - 50 - 150) * MS);
	ck_assert(make_warned(&x,
			      "ODATA_L1 is an estimate: L1_DCM times 10 ns (as SIS_LATENCY says)"));
	ck_assert(!make_warned(&x, "ODATA_TLB"));
	experiment_release(&x);
}
END_TEST

/* 100 ms of work against 100 ms of L1, 200 of L3 and 100 of faults. */
START_TEST(there_is_no_more_to_take_than_work)
{
	struct experiment x = { 0 };
	struct made m = begin();
	writer_text(m.w, "env", "SIS_LATENCY=L1_DCM=1,L3_TCM=100");
	writer_text(m.w, "cost", "MINFLT\t1000.0\tmeasured");
	counted(m.w, m.norm, 2, 3, (uint64_t[]){ 100000, 100000000, 1000000 });
	classify_it(&x, &m);
	booked(&x, "norm", ODATA_L1, 33333333);
	booked(&x, "norm", ODATA_L3, 33333333);
	booked(&x, "norm", ODATA_PGFLT, 33333333);
	booked(&x, "sweep", ODATA_L1, 0);
	ck_assert(make_warned(
		&x,
		"ODATA_PGFLT is an estimate: MINFLT times 1000 ns (measured at the start of a "
		"process)"));
	experiment_release(&x);
}
END_TEST

START_TEST(what_was_lost_or_is_less_than_nothing_costs_nothing)
{
	struct experiment x = { 0 };
	struct made m = begin();
	writer_text(m.w, "lost", "0\tL1_DCM\tit was lost");
	counted(m.w, m.sweep, 2, 3, (uint64_t[]){ 10, 1000000, 1000 });
	counted(m.w, m.norm, 2, 3, (uint64_t[]){ 10, 1000000, 3000 });
	classify_it(&x, &m);
	booked(&x, "sweep", ODATA_L3, 0);
	booked(&x, "norm", ODATA_L3, 3000 * 70);
	booked(&x, "norm", ODATA_PGFLT, 10 * 500);
	booked(&x, "norm", ODATA_L1, 0);
	ck_assert(make_warned(&x, "L1_DCM could not be read and has no value there: it was lost"));
	ck_assert(make_warned(&x, "ODATA_L3 is an estimate: L3_TCM times 70 ns (a usual value"));
	ck_assert(!make_warned(&x, "ODATA_L1 is"));
	experiment_release(&x);
}
END_TEST

/* Twice, around what is timed. */
START_TEST(reading_counters_is_the_probes_cost)
{
	struct experiment x = { 0 };
	struct made m = begin();
	writer_node_at(m.w, m.norm)->calls = 1000;
	writer_text(m.w, "reading", "2\t2000");
	writer_text(m.w, "reading", "1\tno number");
	counted(m.w, m.norm, 2, 3, (uint64_t[]){ 0, 0, 0 });
	counted(m.w, m.main, 1, 1, (uint64_t[]){ 0 });
	classify_it(&x, &m);
	booked(&x, "sweep", OPROBE, 4 * MS);
	ck_assert_int_eq(make_booked(&x, 0, 0, OPROBE), 4 * MS);
	experiment_release(&x);
}
END_TEST

START_TEST(no_price_is_taken_from_nonsense)
{
	struct experiment x = { 0 };
	struct made m = begin();
	writer_text(m.w, "env", "SIS_LATENCY=L1_DCM=2,L1_DCM=-7,L3_TCM=1");
	writer_text(m.w, "cost", "MINFLT\tmuch");
	writer_text(m.w, "cost", "MINFLT");
	writer_text(m.w, "lost", "x");
	counted(m.w, m.norm, 2, 3, (uint64_t[]){ 100, 1000, 1000 });
	classify_it(&x, &m);
	booked(&x, "norm", ODATA_L1, 2000);
	booked(&x, "norm", ODATA_L3, 70000);
	booked(&x, "norm", ODATA_PGFLT, 50000);
	experiment_release(&x);
}
END_TEST

UNIT_MAIN("counted_costs", an_event_is_paid_once_and_where_it_happened,
	  there_is_no_more_to_take_than_work, what_was_lost_or_is_less_than_nothing_costs_nothing,
	  reading_counters_is_the_probes_cost, no_price_is_taken_from_nonsense)
