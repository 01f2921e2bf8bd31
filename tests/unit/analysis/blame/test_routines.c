/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* The table of routines: what it knows, and what it says of lines that are wrong. */
#include "unit.h"
#include "blame/flow/routines.h"
#include "tables.h"

static const struct routine *found(struct routines *r, const char *name)
{
	const struct routine *routine = routines_find(r, name);
	ck_assert_msg(routine != NULL, "%s is not known", name);
	return routine;
}

static bool is_place(struct routine_place p, enum routine_base base, unsigned first, unsigned depth)
{
	return p.base == base && p.first == first && p.depth == depth;
}

/* Routines of these kinds move or make nothing of the program's own. */
static bool communicates(const char *name)
{
	static const char *const other[] = { "MPI_Type_", "MPI_Register_", "MPI_Op_",
					     "MPI_Group_" };
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		if (strncmp(name, other[i], strlen(other[i])) == 0)
			return false;
	return true;
}

START_TEST(knows_every_call_of_mpi)
{
	static const struct { const char *name; bool communicates; } mpi[] = {
#define SIS_MPI(routine, region, leaf, wait, match) { #routine, strcmp(#match, "NONE") != 0 },
#include "mpi.def"
	};
	struct routines *r = routines_new();
	for (size_t i = 0; i < sizeof mpi / sizeof *mpi; i++)
		if (mpi[i].communicates && communicates(mpi[i].name))
			found(r, mpi[i].name);
	routines_free(r);
}
END_TEST

START_TEST(knows_every_library_call_of_sisc)
{
	static const char *const call[] = {
#define SIS_CALL(routine, region, leaf) #routine,
#include "calls.def"
	};
	struct routines *r = routines_new();
	for (size_t i = 0; i < sizeof call / sizeof *call; i++)
		found(r, call[i]);
	routines_free(r);
}
END_TEST

START_TEST(names_have_variants)
{
	struct routines *r = routines_new();
	ck_assert_ptr_eq(found(r, "PMPI_Send"), found(r, "MPI_Send"));
	ck_assert_ptr_eq(found(r, "PMPI_Allreduce_c"), found(r, "MPI_Allreduce"));
	ck_assert_ptr_eq(found(r, "__memcpy_avx_unaligned_erms"), found(r, "memcpy"));
	ck_assert_ptr_eq(found(r, "__sin_fma"), found(r, "__sin"));
	found(r, "sinf");
	found(r, "hypotl");
	found(r, "zgemm_");
	found(r, "cblas_daxpy");
	found(r, "dgeqp3_");
	found(r, "omp_get_thread_num");
	found(r, "__vsnprintf_chk");
	found(r, "__isoc99_swscanf");
	found(r, "wcsrtombs");
	found(r, "__kmpc_for_static_init_8u");
	ck_assert_ptr_null(routines_find(r, "solve"));
	ck_assert_ptr_null(routines_find(r, "MPI_Nothing"));
	ck_assert_ptr_null(routines_find(r, ""));
	routines_free(r);
}
END_TEST

START_TEST(rows_say_what_calls_do)
{
	struct routines *r = routines_new();
	const struct routine *irecv = found(r, "MPI_Irecv"), *wait = found(r, "MPI_Wait");
	ck_assert_int_eq(irecv->effect[0].verb, ROUTINE_REFER);
	ck_assert(is_place(irecv->effect[0].to, ROUTINE_ARGUMENT, 7, 1));
	ck_assert(is_place(irecv->effect[0].from[0], ROUTINE_ARGUMENT, 1, 0));
	ck_assert_uint_eq(wait->blames, 1);
	ck_assert(is_place(wait->blame[0], ROUTINE_ARGUMENT, 1, 2));
	ck_assert_uint_eq(wait->flags & ROUTINE_WAITS, ROUTINE_WAITS);
	const struct routine *sort = found(r, "qsort");
	ck_assert_int_eq(sort->effect[0].from[1].base, ROUTINE_CALLED);
	ck_assert_int_eq(sort->effect[1].verb, ROUTINE_CALL);
	ck_assert_uint_eq(sort->effect[1].froms, 2);
	const struct routine *sum = found(r, "MPI_Reduce");
	ck_assert_uint_eq(sum->blames, 1);
	ck_assert(is_place(sum->blame[0], ROUTINE_ARGUMENT, 2, 1));
	ck_assert_uint_eq(found(r, "printf")->blames, 0);
	ck_assert_uint_eq(found(r, "scanf")->blame[0].last, UINT16_MAX);
	ck_assert_int_eq(found(r, "malloc")->effect[0].verb, ROUTINE_NEW);
	ck_assert_uint_eq(found(r, "MPI_Request")->flags, ROUTINE_HANDLE);
	ck_assert_uint_eq(found(r, "MPI_Win")->flags, ROUTINE_HANDLE);
	ck_assert_uint_eq(found(r, "MPI_Win_fence")->flags, ROUTINE_WAITS);
	routines_free(r);
}
END_TEST

/* Arguments of Fortran's interface, from the bits of `blamed`. */
static void check_blame(struct routines *r, const char *name, unsigned blamed)
{
	const struct routine *routine = found(r, name);
	unsigned places = 0;
	for (size_t i = 0; i < routine->blames; i++) {
		ck_assert_uint_eq(routine->blame[i].depth, 1);
		for (unsigned k = routine->blame[i].first; k <= routine->blame[i].last; k++)
			places |= 1u << k;
	}
	ck_assert_msg(places == blamed, "%s: %x, not %x", name, places, blamed);
}

START_TEST(time_of_lapack_belongs_to_results)
{
	struct routines *r = routines_new();
	check_blame(r, "dgetrf_", 1u << 3);
	check_blame(r, "zgesv_", 1u << 3 | 1u << 6);
	check_blame(r, "sgeev_", 1u << 6 | 1u << 7 | 1u << 8 | 1u << 10); /* not A: it is lost */
	check_blame(r, "dgeqrf", 1u << 3);
	check_blame(r, "dpstrf_64_", 1u << 3);
	check_blame(r, "zcgesv_", 1u << 3 | 1u << 5 | 1u << 8);
	check_blame(r, "LAPACKE_dgesv", 1u << 4 | 1u << 7);
	check_blame(r, "LAPACKE_dsyev_work", 1u << 5 | 1u << 7);
	static const char *const others[] = {
		"dhgeqz_", "dtgsyl_", "stgevc_", "ztgsen_", "dpftrf_", "dbdsvdx_", "zhesv_aa_",
		"dsytrf_rook_", "csytrf_rk_", "dsyevd_2stage_", "drotmg_", "zrot_", "dcabs1_",
		"LAPACKE_zgesvdx", "LAPACKE_dgejsv_work",
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		for (size_t k = 0; k < found(r, others[i])->effects; k++)
			ck_assert_msg(found(r, others[i])->effect[k].to.last != UINT16_MAX, "%s",
				      others[i]);
	ck_assert_int_eq(found(r, "dlange_")->blame[0].base, ROUTINE_RESULT);
	routines_free(r);
}
END_TEST

static int add(struct routines *r, const char *text, struct err *err)
{
	return routines_add_text(r, text, strlen(text), "my.routines", true, err);
}

START_TEST(users_have_the_last_word)
{
	struct routines *r = routines_new();
	struct err err = { "" };
	ck_assert_int_eq(add(r, "my_{put,get} : *2 <- *1 3, # a comment\n  blame *2\n"
				"mem*: nothing\nmemset: ret = 1, ret <- 2\n", &err), 0);
	ck_assert_ptr_eq(found(r, "my_put"), found(r, "my_get"));
	ck_assert_uint_eq(found(r, "my_put")->effect[0].froms, 2);
	ck_assert(found(r, "memcpy")->by_user);
	ck_assert_uint_eq(found(r, "memset")->blames, 1);
	ck_assert_int_eq(add(r, "my_three: *1 *3-4 ret <- *2 5", &err), 0);
	const struct routine *three = found(r, "my_three");
	ck_assert_uint_eq(three->effects, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert(is_place(three->effect[i].from[1], ROUTINE_ARGUMENT, 5, 0));
	ck_assert_uint_eq(three->blames, 3);
	ck_assert_int_eq(add(r, "memset: nothing", &err), 0);
	ck_assert_uint_eq(found(r, "memset")->blames, 0);
	routines_free(r);
}
END_TEST

static const struct { const char *text, *message; } wrong[] = {
	{ "f *1 <- 2", "':' is missing" },
	{ "f\ng: nothing", ":2:1: ':' is missing" },
	{ ": nothing", ":1:1: a name" },
	{ "f:", "an effect is needed" },
	{ "f: *1 <- 2,", "an effect is needed" },
	{ "f: *1 <- 2 ; *3 <- 1", ":1:12: ';' is not expected" },
	{ "f: *0 <- 2", ":1:4: '*0' is no place" },
	{ "f: ***1 <- 2", "is no place" },
	{ "f: *256 <- 1", "is no place" },
	{ "f: *3-2 <- 1", "is no place" },
	{ "f: *1 2", "'<-' or '='" },
	{ "f: *1 <-", "at least one place" },
	{ "f: *1 = 2 3", "one place, or 'new'" },
	{ "f: *1 *2 = 3", ":1:10: one place is needed before" },
	{ "f: called <- 1", "right side" },
	{ "f: *1 called <- 2", ":1:7: 'called' can only stand" },
	{ "f: blame", "who gets the time" },
	{ "f: blame called", "can get time" },
	{ "f: call 1", "parentheses" },
	{ "f: call 1 (2", "')' is missing" },
	{ "f: free", "the row ends" },
	{ "{a,b: nothing", "braces" },
	{ "a}: nothing", "braces" },
	{ "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}: nothing", "braces" },
	{ "\n  f: nothing", ":2:3: a row begins" },
	{ "f: nothing\001", "not text" },
};

START_TEST(wrong_lines_have_a_position)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct routines *r = routines_new();
		struct err err = { "" };
		ck_assert_int_eq(add(r, wrong[i].text, &err), ERR_FAILED);
		ck_assert_msg(strstr(err.text, wrong[i].message) != NULL, "%s: %s", wrong[i].text,
			      err.text);
		ck_assert_ptr_nonnull(strstr(err.text, "my.routines"));
		routines_free(r);
	}
}
END_TEST

/* Any prefix of the table is read, or refused. */
START_TEST(any_text_is_read_or_refused)
{
	static const char text[] = "f{a,b} g*: *1 <- *2 3... 4-5, ret = 1, **2 = new, "
				   "call 4 (1 2), free 1,\n blame *1 ret, "
				   "output # end\nh: nothing\nt: handle\n";
	struct routines *r = routines_new();
	for (size_t length = 0; length < sizeof text; length++) {
		struct err err = { "" };
		char *copy = malloc(length ? length : 1);
		memcpy(copy, text, length);
		int result = routines_add_text(r, copy, length, "prefix", true, &err);
		ck_assert(result == 0 || err.text[0]);
		free(copy);
	}
	routines_free(r);
}
END_TEST

UNIT_MAIN("routines", knows_every_call_of_mpi, knows_every_library_call_of_sisc,
	  names_have_variants, rows_say_what_calls_do, time_of_lapack_belongs_to_results,
	  users_have_the_last_word, wrong_lines_have_a_position, any_text_is_read_or_refused)
