/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* The reader of debug information, for data: this program's own variables by their addresses. */
#include "unit.h"

#include "experiment/code/code_places.h"

#include <link.h>

/* Builds with sanitizers have debug information without variables (-g1), and frames of another
 * form: the symbol table has the names alone. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { HAS_VARIABLES = 0 };
#else
enum { HAS_VARIABLES = 1 };
#endif

struct pair { double a; int b[3]; };
typedef struct pair pair;
double outside[7][3];
static pair in_file[5];
static __thread int own[4];
static __thread double own_too;

static uint64_t base;

static int take_base(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	base = info->dlpi_addr;
	return 1;
}

static struct code_places find(struct code_data data)
{
	const struct code_module module = { .path = "/proc/self/exe" };
	const struct code_questions questions = { .data = &data, .datas = 1 };
	struct code_places places;
	struct err err = { "" };
	ck_assert_int_eq(code_places_find(&places, &module, &questions, &err), 0);
	ck_assert_uint_eq(places.variable.n, 1);
	return places;
}

static struct code_data static_data(const void *at)
{
	dl_iterate_phdr(take_base, NULL);
	return (struct code_data){ .kind = CODE_STATIC, .at = (uint64_t)(uintptr_t)at - base };
}

/* function "": none. */
static void ck_variable(struct code_data data, const char *name, const char *function,
			const char *type, uint64_t bytes)
{
	struct code_places places = find(data);
	const struct code_variable *v = &places.variable.at[0];
	ck_assert_ptr_nonnull(v->name);
	ck_assert_int_eq(strncmp(v->name, name, strlen(name)), 0); /* count.0 is a symbol */
	if (HAS_VARIABLES) {
		ck_assert_str_eq(v->name, name);
		ck_assert_str_eq(v->function ? v->function : "", function);
		ck_assert_str_eq(v->type, type);
		ck_assert_uint_eq(v->bytes, bytes);
		ck_assert_ptr_nonnull(strstr(v->file, "test_data_places.c"));
		ck_assert_uint_gt(v->line, 0);
	}
	code_places_release(&places);
}

static int *counter(void)
{
	static int count[9];
	return count;
}

START_TEST(static_variables_have_addresses)
{
	ck_variable(static_data(&outside[6][2]), "outside", "", "double[7][3]",
		    sizeof outside);
	ck_variable(static_data(&in_file[4].b[2]), "in_file", "", "struct pair[5]",
		    sizeof in_file);
	ck_variable(static_data(counter() + 8), "count", "counter", "int[9]", 9 * sizeof(int));
}
END_TEST

#ifdef __x86_64__
static struct code_data own_data(const void *at)
{
	uintptr_t pointer;
	__asm__("mov %%fs:0, %0" : "=r"(pointer));
	return (struct code_data){ .kind = CODE_THREAD_LOCAL,
				   .offset = (int64_t)((uintptr_t)at - pointer) };
}

START_TEST(thread_local_variables_have_offsets)
{
	own[0] = 1;
	own_too = 2;
	ck_variable(own_data(&own[3]), "own", "", "int[4]", sizeof own);
	ck_variable(own_data(&own_too), "own_too", "", "double", sizeof own_too);
}
END_TEST
#endif

/* -- frames ------------------------------------------------------------------------------------ */

struct seen { uint64_t pc; int64_t offset; };
static struct seen seen;

/* Notes an address of the caller's frame, which has a frame pointer: its canonical frame address is
 * two words above. */
static __attribute__((noinline)) void note(const void *at, const void *frame)
{
	seen.pc = (uint64_t)(uintptr_t)__builtin_return_address(0);
	seen.offset = (int64_t)((uintptr_t)at - ((uintptr_t)frame + 16));
}

static __attribute__((noinline)) double work(int n)
{
	double values[20];
	int index[10];
	for (int i = 0; i < 20; i++)
		values[i] = n;
	for (int i = 0; i < 10; i++)
		index[i] = i;
	note(n == 1 ? (void *)&values[n + 2] : (void *)&index[n], __builtin_frame_address(0));
	return values[n] + index[n];
}

static struct code_data frame_data(int n)
{
	dl_iterate_phdr(take_base, NULL);
	ck_assert(work(n) > 0);
	return (struct code_data){ .kind = CODE_FRAME, .at = seen.pc - base, .after_call = true,
				   .offset = seen.offset };
}

START_TEST(variables_in_a_frame_have_offsets)
{
#ifdef __x86_64__
	if (!HAS_VARIABLES)
		return;
	ck_variable(frame_data(1), "values", "work", "double[20]", 160);
	ck_variable(frame_data(2), "index", "work", "int[10]", 40);
	struct code_data data = frame_data(2);
	data.offset = -1000000;
	struct code_places places = find(data);
	ck_assert_ptr_null(places.variable.at[0].name);
	ck_assert_str_eq(places.variable.at[0].function, "work");
	code_places_release(&places);
#endif
}
END_TEST

START_TEST(what_is_no_variable_has_no_name)
{
	struct code_data nowhere = { .kind = CODE_STATIC, .at = 3 };
	struct code_places places = find(nowhere);
	ck_assert_ptr_null(places.variable.at[0].name);
	code_places_release(&places);
}
END_TEST

UNIT_MAIN("data_places", static_variables_have_addresses,
#ifdef __x86_64__
	  thread_local_variables_have_offsets,
#endif
	  variables_in_a_frame_have_offsets, what_is_no_variable_has_no_name)
