/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis schema/tables.c */
/* Descriptions of units as sisc writes them, and as damage or another version leaves them. */
#include <string.h>

#include "experiment/read/idf_read.h"
#include "base/err.h"
#include "unit.h"

#define REGION(id, type) \
	"{\"id\":" #id ",\"name\":\"r\",\"type\":\"" type \
	"\",\"file\":\"f.c\",\"unit\":\"main\",\"line_start\":3," \
	"\"column_start\":1,\"line_end\":4,\"column_end\":2,\"metrics\":[\"WTIME\",\"CTIME\"]," \
	"\"key\":\"k" #id \
	"\"," \
	"\"aux\":{\"callee\":\"MPI_Send\"}}"
#define UNIT(regions) \
	"{\"source\":\"f.c\",\"directory\":\"/d\",\"compiler\":\"cc\",\"flags\":\"-g\"," \
	"\"sisc\":\"0\",\"regions\":[" regions "]}"

static struct err err;
static struct idf_tu tu;

static int read_text(const char *json)
{
	memset(&err, 0, sizeof err);
	return idf_read(&tu, json, strlen(json), "profile", &err);
}

START_TEST(a_unit_is_read_by_ids)
{
	ck_assert_int_eq(read_text(UNIT(REGION(1, "CR_F") "," REGION(0, "CR_MPISEND"))), 0);
	ck_assert_uint_eq(tu.region.n, 2);
	const struct region *send = &tu.region.at[0];
	ck_assert_int_eq(send->type, CR_MPISEND);
	ck_assert_str_eq(send->key, "k0");
	ck_assert_str_eq(send->metrics, "WTIME,CTIME");
	ck_assert_str_eq(send->routine->name, "MPI_Send");
	ck_assert_uint_eq(send->line_end, 4);
	ck_assert_int_eq(tu.region.at[1].type, CR_F);
	idf_release(&tu);
}
END_TEST

START_TEST(reductions_are_names)
{
	ck_assert_int_eq(read_text("{\"regions\":[{\"id\":0,\"key\":\"k\",\"aux\":{"
				   "\"reductions\":[\"sum\",\"hist[0:n]\",3,\"(*best)\"]}},"
				   "{\"id\":1,\"key\":\"l\",\"aux\":{\"reductions\":[\"+\"]}}]}"),
			 0);
	ck_assert_str_eq(tu.region.at[0].reductions, "sum hist best");
	ck_assert_ptr_null(tu.region.at[1].reductions);
	idf_release(&tu);
}
END_TEST

#define BUILT(tokens) \
	"{\"source\":\"f.c\",\"directory\":\"/d\",\"build\":\"gcc 12 -O2\"," \
	"\"regions\":[{\"id\":0,\"key\":\"k\",\"tokens\":" tokens "}]}"

/* Older versions of sisc record neither. */
START_TEST(tokens_have_the_build_of_their_unit)
{
	ck_assert_int_eq(read_text(BUILT("\"12.34\"")), 0);
	ck_assert_str_eq(tu.region.at[0].tokens, "12.34");
	ck_assert_str_eq(tu.region.at[0].build, "gcc 12 -O2");
	idf_release(&tu);
	static const char *const none[] = { BUILT("\"\""), BUILT("12"), UNIT(REGION(0, "CR_F")) };
	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		ck_assert_int_eq(read_text(none[i]), 0);
		ck_assert_ptr_null(tu.region.at[0].tokens);
		ck_assert_ptr_null(tu.region.at[0].build);
		idf_release(&tu);
	}
}
END_TEST

/* The type of a region may be used as an index, and its name printed. */
START_TEST(an_unknown_type_is_some_region)
{
	ck_assert_int_eq(read_text(UNIT(REGION(0, "CR_FROM_THE_FUTURE"))), 0);
	ck_assert_int_eq(tu.region.at[0].type, CR_A);
	idf_release(&tu);
	ck_assert_int_eq(read_text(UNIT("{\"id\":0,\"type\":7}")), 0);
	ck_assert_int_eq(tu.region.at[0].type, CR_A);
	ck_assert_str_eq(tu.region.at[0].key, "");
	idf_release(&tu);
}
END_TEST

START_TEST(damage_is_an_error)
{
	static const char *const text[] = {
		"",
		"{",
		"[]",
		"{\"regions\":7}",
		UNIT("7"),
		UNIT(REGION(1, "CR_F")),
		UNIT(REGION(-1, "CR_F")),
		UNIT(REGION(0, "CR_F") "," REGION(0, "CR_F")),
	};
	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		ck_assert_msg(read_text(text[i]) != 0, "'%s' was read", text[i]);
}
END_TEST

START_TEST(a_program_is_its_units)
{
	idf_tus tus = { 0 };
	const char *two = "{\"sis_idf\":1,\"units\":[" UNIT(REGION(0, "CR_F")) "," UNIT("") "]}",
		   *one = UNIT(REGION(0, "CR_F"));
	ck_assert_int_eq(idf_read_program(&tus, two, strlen(two), "prog.idf", &err), 0);
	ck_assert_int_eq(idf_read_program(&tus, one, strlen(one), "prog.o", &err), 0);
	ck_assert_uint_eq(tus.n, 3);
	ck_assert_uint_eq(tus.at[1].region.n, 0);
	ck_assert_str_eq(tus.at[0].region.at[0].callee, "MPI_Send");
	ck_assert_int_eq(tus.at[0].region.at[0].parent, -1);
	for (size_t i = 0; i < tus.n; i++)
		idf_release(&tus.at[i]);
	vec_free(&tus);
}
END_TEST

UNIT_MAIN("idf_read", tokens_have_the_build_of_their_unit, a_unit_is_read_by_ids,
	  reductions_are_names, an_unknown_type_is_some_region, damage_is_an_error,
	  a_program_is_its_units)
