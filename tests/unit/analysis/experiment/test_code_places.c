/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* The reader of debug information: this program's own functions, inlined calls and callees; what
 * has none says why; a damaged file gives reasons and no crash. */
#include "unit.h"

#include "experiment/code/code_places.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[UNIT_PATH], copy[UNIT_PATH + 32];

/* -- code whose places are known --------------------------------------------------------------- */

static void *after; /* the return address of a call of note() */
static int last_line;

static __attribute__((noinline)) int note(int line)
{
	after = __builtin_return_address(0);
	last_line = line;
	return line;
}

static __attribute__((noinline)) int outer(void)
{
	return note(__LINE__) + 1;
}

static inline __attribute__((always_inline)) int inner(void)
{
	return note(__LINE__) + 2;
}

static __attribute__((noinline)) int around(void)
{
	return inner() + 3;
}

static int outer_line = __LINE__ - 13, inner_line = __LINE__ - 8, around_line = __LINE__ - 3;

/* This program is the first object of the list. */
static int take_base(struct dl_phdr_info *info, size_t size, void *base)
{
	(void)size;
	*(uint64_t *)base = info->dlpi_addr;
	return 1;
}

static struct code_address address_after(int (*call)(void))
{
	uint64_t base = 0;
	dl_iterate_phdr(take_base, &base);
	ck_assert_int_gt(call(), 0);
	return (struct code_address){ (uint64_t)(uintptr_t)after - base, true };
}

static struct code_places find(const struct code_module *module, struct code_address address)
{
	struct code_places places;
	struct err err = { "" };
	const struct code_data data[] = {
		{ .kind = CODE_STATIC, .at = address.at + 0x4000 },
		{ .kind = CODE_THREAD_LOCAL, .offset = -8 },
		{ .kind = CODE_FRAME, .at = address.at, .after_call = true, .offset = -32 },
	};
	const struct code_questions questions = {
		.address = &address, .addresses = 1, .data = data, .datas = 3 };
	ck_assert_int_eq(code_places_find(&places, module, &questions, &err), 0);
	ck_assert_uint_eq(places.place.n, 1);
	ck_assert_uint_eq(places.variable.n, 3);
	return places;
}

static void ck_site(const struct code_places *places, uint32_t i, const char *function, int line)
{
	const struct code_site *site = &places->site.at[i];
	ck_assert_str_eq(site->function, function);
	ck_assert_ptr_nonnull(strstr(site->file, "test_code_places.c"));
	ck_assert_ptr_nonnull(strstr(site->unit, "test_code_places.c"));
	ck_assert_uint_eq(site->line, (uint32_t)line);
	ck_assert_uint_gt(site->column, 0);
}

START_TEST(a_call_has_its_position_and_its_callee)
{
	struct code_module module = { .path = "/proc/self/exe" };
	struct code_places places = find(&module, address_after(outer));
	ck_assert_int_eq(places.place.at[0].reason, PLACED_OK);
	ck_assert_uint_eq(places.place.at[0].count, 1);
	ck_assert_str_eq(places.place.at[0].symbol, "outer");
	ck_assert_str_eq(places.place.at[0].callee, "note");
	ck_site(&places, 0, "outer", outer_line);
	ck_assert_int_eq(outer_line, last_line);
	code_places_release(&places);
}
END_TEST

START_TEST(an_inlined_call_is_a_site_of_its_own)
{
	struct code_module module = { .path = "/proc/self/exe" };
	struct code_places places = find(&module, address_after(around));
	ck_assert_uint_eq(places.place.at[0].count, 2);
	ck_site(&places, 0, "inner", inner_line);
	ck_site(&places, 1, "around", around_line);
	code_places_release(&places);
}
END_TEST

/* -- files that do not tell -------------------------------------------------------------------- */

static enum placed_reason reason_of(const struct code_module *module, struct code_address address)
{
	struct code_places places = find(module, address);
	enum placed_reason reason = places.place.at[0].reason;
	ck_assert_uint_eq(places.place.at[0].count, 0);
	code_places_release(&places);
	return reason;
}

START_TEST(what_has_no_place_says_why)
{
	struct code_address address = address_after(outer), nowhere = { 1, false };
	struct code_module missing = { .path = "/nowhere/at/all" };
	struct code_module text = { .path = __FILE__ };
	struct code_module self = { .path = "/proc/self/exe" };
	struct code_module older = { .path = "/proc/self/exe", .size = 17 };
	struct code_module other = {
		.path = "/proc/self/exe", .build_id = (unsigned char *)"abcdefghijklmnopqrst",
		.build_id_bytes = 20
	};
	ck_assert_int_eq(reason_of(&missing, address), PLACED_NO_FILE);
	ck_assert_int_eq(reason_of(&text, address), PLACED_NO_FILE);
	ck_assert_int_eq(reason_of(&older, address), PLACED_CHANGED);
	ck_assert_int_eq(reason_of(&other, address), PLACED_CHANGED);
	ck_assert_int_eq(reason_of(&self, nowhere), PLACED_NO_DEBUG);
}
END_TEST

/* -- damage ------------------------------------------------------------------------------------ */

struct contents { unsigned char *at; size_t size; };

static struct contents read_self(void)
{
	struct contents c = { 0 };
	struct stat st;
	FILE *in = fopen("/proc/self/exe", "r");
	ck_assert_ptr_nonnull(in);
	ck_assert_int_eq(fstat(fileno(in), &st), 0);
	c.size = (size_t)st.st_size;
	c.at = malloc(c.size);
	ck_assert_uint_eq(fread(c.at, 1, c.size, in), c.size);
	fclose(in);
	return c;
}

static void save(const struct contents *c, size_t size)
{
	FILE *out = fopen(copy, "w");
	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(c->at, 1, size, out), size);
	ck_assert_int_eq(fclose(out), 0);
}

START_TEST(a_damaged_file_is_no_crash)
{
	struct code_address address = address_after(around);
	struct code_module module = { .path = copy };
	struct contents c = read_self();
	ck_assert_ptr_nonnull(mkdtemp(unit_template(directory)));
	snprintf(copy, sizeof copy, "%s/program", directory);
	srand(1);
	for (int round = 0; round < 60; round++) {
		struct { size_t at; unsigned char old; } flip[200];
		for (int i = 0; i < 200; i++) {
			flip[i].at = (size_t)rand() % c.size;
			flip[i].old = c.at[flip[i].at];
			c.at[flip[i].at] ^= (unsigned char)(1 << rand() % 8);
		}
		save(&c, round % 3 ? c.size : (size_t)rand() % c.size);
		struct code_places places = find(&module, address);
		ck_assert_uint_le(places.place.at[0].count, places.site.n);
		code_places_release(&places);
		for (int i = 200; i-- > 0;)
			c.at[flip[i].at] = flip[i].old;
	}
	free(c.at);
	unlink(copy);
	rmdir(directory);
}
END_TEST

UNIT_MAIN("code_places", a_call_has_its_position_and_its_callee,
	  an_inlined_call_is_a_site_of_its_own, what_has_no_place_says_why,
	  a_damaged_file_is_no_crash)
