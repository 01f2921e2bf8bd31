/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* Which texts of a user name a region. */
#include "unit.h"
#include "answers/query/region_names.h"

static const struct region_name loop = {
	.name = "omp for@12", .key = "src/a:b.c:solve:CR_OMPFOR:omp for:0", .file = "src/a:b.c",
	.line = 12
};
static const struct region_name call = {
	.name = "MPI_Recv", .key = "x.c:main:CR_MPIRECV:MPI_Recv:1", .file = "x.c", .line = 25
};
static const struct region_name run = { .name = "run", .key = "type:RT_RUN", .file = "" };

START_TEST(names_lines_and_files_name_a_region)
{
	static const char *const of_loop[] = { "omp for@12", "omp for", "src/a:b.c:12", "a:b.c:12",
					       "src/a:b.c:solve:CR_OMPFOR:omp for:0" };
	for (size_t i = 0; i < sizeof of_loop / sizeof *of_loop; i++)
		ck_assert_msg(region_is_named(&loop, of_loop[i]), "%s", of_loop[i]);
	ck_assert(region_is_named(&call, "MPI_Recv") && region_is_named(&call, "MPI_Recv@25") &&
		  region_is_named(&call, "x.c:25"));
	ck_assert(region_is_named(&run, "run"));
}
END_TEST

START_TEST(other_texts_do_not)
{
	static const char *const others[] = {
		"",	"omp",	 "omp for@13", "omp for@",  "omp for@12x", "@12",  ":12",	"12",
		".c:12", "b.c:12", "a:b.c:1",  "a:b.c:+12", "rc/a:b.c:12", "solve", "CR_OMPFOR",
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ck_assert_msg(!region_is_named(&loop, others[i]), "%s", others[i]);
	ck_assert(!region_is_named(&run, "") && !region_is_named(&run, "RT_RUN@0") &&
		  !region_is_named(&run, ":0") && !region_is_named(&call, "MPI_Recv@2"));
}
END_TEST

UNIT_MAIN("region_names", names_lines_and_files_name_a_region, other_texts_do_not)
