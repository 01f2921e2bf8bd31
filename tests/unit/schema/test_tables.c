/* SPDX-License-Identifier: BSD-3-Clause */
/* test_tables.c - the tables: lookups, spelling, groups, and that rows agree with each other. */
// link: schema/tables.c
#include <string.h>

#include "tables.h"
#include "unit.h"

static bool suggests(const char *written, const char *meant)
{
	const char *region = sis_region_suggest(written, strlen(written));
	const char *metric = sis_metric_suggest(written, strlen(written));
	return (region && strcmp(region, meant) == 0) || (metric && strcmp(metric, meant) == 0);
}

START_TEST(names_are_found_in_any_case)
{
	ck_assert_int_eq(sis_region_by_name("cr_OmpFor", 9), CR_OMPFOR);
	ck_assert_int_eq(sis_region_by_name("CR_OMPFORX", 9), CR_OMPFOR);
	ck_assert_int_eq(sis_region_by_name("CR_OMPFORX", 10), CR_NONE);
	ck_assert_int_eq(sis_overhead_by_name("osync_mbar", 10), OSYNC_MBAR);
	ck_assert_int_eq(sis_metric_by_name("WTIME", 5), M_WTIME);
	ck_assert_ptr_null(sis_routine_by_name("MPI_send"));
	ck_assert_int_eq(sis_routine_by_name("MPI_Send")->type, CR_MPISEND);
	ck_assert_str_eq(sis_routine_by_name("MPI_Send_c")->name, "MPI_Send");
}
END_TEST

START_TEST(slips_of_the_pen_are_understood)
{
	ck_assert(suggests("CR_OMPFORR", "CR_OMPFOR"));
	ck_assert(suggests("cr_opmfor", "CR_OMPFOR"));
	ck_assert(suggests("WTIEM", "WTIME"));
	ck_assert(suggests("OSYNC_MBRA", "OSYNC_MBAR"));
	ck_assert_str_eq(sis_overhead_suggest("OSYNC_MBRA", 10), "OSYNC_MBAR");
	ck_assert_ptr_null(sis_overhead_suggest("WTIEM", 5));
	ck_assert_ptr_null(sis_region_suggest("SOLVER", 6));
	ck_assert_ptr_null(sis_metric_suggest("Q", 1));
}
END_TEST

START_TEST(groups_nest)
{
	ck_assert(sis_region_in(CR_MPISEND, CR_MPIP2P));
	ck_assert(sis_region_in(CR_MPISEND, CR_MPI));
	ck_assert(!sis_region_in(CR_MPI, CR_MPISEND));
	ck_assert(sis_overhead_in(OSYNC_MBAR, OTOTAL));
	ck_assert(!sis_overhead_in(OSYNC, OSYNC_MBAR));
}
END_TEST

START_TEST(metrics_know_what_influences_them)
{
	ck_assert(sis_overhead_influenced(ODATA_SEND, CR_MPISEND));
	ck_assert(!sis_overhead_influenced(ODATA_SEND, CR_MPIRECV));
	ck_assert(sis_overhead_influenced(OSYNC_IBAR, CR_OMPFOR));
	ck_assert(sis_overhead_influenced(OSYNC, CR_MPIBARRIER));
	ck_assert(sis_metric_influenced(M_L2_TCM, CR_FOR));
}
END_TEST

/* A tree has its parents before their children; what a region's time goes to is a leaf. */
START_TEST(rows_agree)
{
	bool inner[SIS_OVERHEADS] = { false };
	for (int o = OTOTAL + 1; o < SIS_OVERHEADS; o++) {
		ck_assert_int_lt(sis_overhead_table[o].parent, o);
		ck_assert_int_ne(sis_overhead_table[o].parent, O_NONE);
		inner[sis_overhead_table[o].parent] = true;
	}
	for (int t = 1; t < SIS_REGION_TYPES; t++) {
		ck_assert_msg(!inner[sis_region_table[t].leaf], "%s goes to an inner node",
			      sis_region_table[t].name);
		ck_assert_str_eq(sis_builtin_name((uint32_t)t), sis_region_table[t].name);
	}
	for (uint32_t id = SIS_REGION_TYPES; sis_builtin_name(id); id++) {
		const struct sis_routine_info *r = sis_routine_by_name(sis_builtin_name(id));
		ck_assert_ptr_nonnull(r);
		ck_assert_msg(!inner[r->leaf] && !inner[r->wait], "%s goes to an inner node",
			      r->name);
		ck_assert_msg(sis_region_in(r->type, CR_MPI) || r->type == CR_ALLOC,
			      "%s is no MPI call", r->name);
	}
}
END_TEST

/* A row that lacks a property would be left out of what asks for it. */
START_TEST(leaves_have_the_properties_of_their_kind)
{
	ck_assert(sis_overhead_is(OSYNC_LATESEND, IS_WAIT)); /* as OSYNC_M */
	ck_assert(!sis_overhead_is(OSYNC_UNCONT, IS_WAIT));
	ck_assert(!sis_overhead_is(OSYNC, IS_WAIT) && !sis_overhead_is(O_NONE, IS_WAIT));
	for (int o = 1; o < SIS_OVERHEADS; o++) {
		const char *name = sis_overhead_table[o].name;
		bool inner = false, wait = sis_overhead_is(o, IS_WAIT),
		     local = sis_overhead_is(o, IS_LOCAL);
		for (int below = 1; below < SIS_OVERHEADS; below++)
			inner |= sis_overhead_table[below].parent == (enum sis_overhead)o;
		if (inner)
			continue;
		ck_assert_msg(!sis_overhead_in(o, OSYNC) || wait != local, "%s", name);
		ck_assert_msg(!sis_overhead_in(o, ODATA) || local ||
			      sis_overhead_is(o, IS_MOVING), "%s", name);
		ck_assert_msg(!sis_overhead_in(o, OCTRL) || sis_overhead_is(o, IS_SCHEDULING) ||
			      sis_overhead_is(o, IS_SHARED) || sis_overhead_is(o, IS_OF_RUN),
			      "%s", name);
		ck_assert_msg(wait || (!sis_overhead_is(o, IS_UNEVEN) &&
				       !sis_overhead_is(o, IS_IDLE) &&
				       !sis_overhead_is(o, IS_OF_ENDS)), "%s", name);
		ck_assert_msg(!sis_overhead_is(o, IS_INSTRUCTION) ||
			      sis_overhead_is(o, IS_OPERATION), "%s", name);
	}
}
END_TEST

START_TEST(latencies_are_metrics_with_numbers)
{
	const char *list = "l1_dcm=3.5, MINFLT=0,L3_TCM=-1,L2_TCM=2";
	enum sis_cost cost;
	double ns;
	ck_assert(sis_cost_next(&list, &cost, &ns) && cost == COST_ODATA_L1 && ns > 3.4 &&
		  ns < 3.6);
	ck_assert(sis_cost_next(&list, &cost, &ns) && cost == COST_ODATA_PGFLT && ns < 0.1);
	ck_assert(!sis_cost_next(&list, &cost, &ns));
	ck_assert_str_eq(list, "L3_TCM=-1,L2_TCM=2");
	static const char *const wrong[] = { "CTIME=3",	   "L1_DCM",	 "L1_DCM=", "L1_DCM=x",
					     "L1_DCM=3ns", "L1_DCM=nan", "=3",	    "L1_DCM=2e9" };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		list = wrong[i];
		ck_assert_msg(!sis_cost_next(&list, &cost, &ns) && *list, "%s", wrong[i]);
	}
	list = " ,";
	ck_assert(!sis_cost_next(&list, &cost, &ns) && !*list);
}
END_TEST

UNIT_MAIN("tables", latencies_are_metrics_with_numbers, names_are_found_in_any_case,
	  slips_of_the_pen_are_understood, groups_nest, metrics_know_what_influences_them,
	  rows_agree, leaves_have_the_properties_of_their_kind)
