/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/flow_make.c */
/* test_flow_program.c - blobs are read and merged, positions are found, and damage is an error. */
#include "unit.h"

#include "blame/flow/program.h"
#include "flow_make.h"
#include "fnv.h"

static const char two_functions[] =
	"type double real 8\n"
	"type double* pointer 8 double\n"
	"global total double\n"
	"function add\n"
	" parameter a double*\n"
	" statement\n"
	" p = parameter 0\n"
	" v = load p 8\n"
	" t = address total\n"
	" store t v 8\n"
	"function main\n"
	" block to 1 2\n"
	" statement\n"
	" t = address total\n"
	" v = load t 8\n"
	" b = branch v\n"
	" block on b to 2\n"
	" statement\n"
	" f = address add\n"
	" call f t\n"
	" block\n";

static const char other_unit[] =
	"type double real 8\n"
	"global total double\n"
	"function other\n"
	" statement\n"
	" t = address total\n"
	" f = address add\n"
	" call f t\n";

START_TEST(values_and_names_are_read)
{
	struct flow_program p;
	flow_make(&p, two_functions);
	ck_assert_uint_eq(p.unit.n, 1);
	ck_assert_uint_eq(p.function.n, 2);
	uint32_t f = flow_function_find(&p, "main");
	ck_assert_uint_eq(f, 1);
	ck_assert_uint_eq(flow_function_find(&p, "sub"), FLOW_NONE);
	const struct flow_function *m = &p.function.at[f];
	ck_assert_uint_eq(m->value.n, 5);
	ck_assert_uint_eq(m->block.n, 3);
	ck_assert_uint_eq(m->statement.n, 4);
	const struct flow_value *call = &p.value.at[m->value.first + 4];
	ck_assert_int_eq(call->op, SIS_BLAME_CALL);
	const struct flow_value *callee = &p.value.at[p.number.at[call->operand.first]];
	ck_assert_uint_eq(p.object.at[callee->object].function, 0);
	const struct flow_block *block = &p.block.at[m->block.first + 1];
	ck_assert_uint_eq(p.number.at[block->controller.first], m->value.first + 2);
	flow_program_release(&p);
}
END_TEST

START_TEST(units_share_globals_and_functions)
{
	struct flow_program p = { 0 };
	flow_make_add(&p, two_functions);
	flow_make_add(&p, other_unit);
	flow_program_link(&p);
	const struct flow_function *other = &p.function.at[flow_function_find(&p, "other")];
	const struct flow_function *main = &p.function.at[flow_function_find(&p, "main")];
	ck_assert_uint_eq(p.value.at[other->value.first].object,
			  p.value.at[main->value.first].object);
	uint32_t add = p.value.at[other->value.first + 1].object;
	ck_assert_uint_eq(p.object.at[add].function, flow_function_find(&p, "add"));
	flow_program_release(&p);
}
END_TEST

START_TEST(anchors_have_statements)
{
	struct flow_program p;
	flow_make(&p, two_functions);
	uint32_t main = flow_function_find(&p, "main");
	const struct flow_anchor *anchor = &p.anchor.at[p.function.at[main].anchor.first];
	while (anchor->line != 30)
		anchor++;
	size_t n;
	const uint32_t *s = flow_anchor_statements(&p, main, anchor, &n);
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(*s, 3);
	flow_program_release(&p);
}
END_TEST

START_TEST(a_section_has_padding_and_repeated_blobs)
{
	struct flow_program p = { 0 };
	size_t size;
	unsigned char *blob = flow_make_blob(two_functions, &size);
	unsigned char *section = calloc(1, 2 * size + 24);
	memcpy(section + 8, blob, size);
	memcpy(section + 16 + size, blob, size);
	ck_assert_int_eq(flow_program_add_section(&p, section, 2 * size + 24, "x"), 1);
	ck_assert_uint_eq(p.warning.n, 0);
	ck_assert_uint_eq(p.unit.n, 1);
	free(section);
	free(blob);
	flow_program_release(&p);
}
END_TEST

START_TEST(damage_is_noticed)
{
	struct flow_program p = { 0 };
	size_t size;
	unsigned char *blob = flow_make_blob(two_functions, &size);
	blob[sizeof(struct sis_blame_header) + 20] ^= 1;
	ck_assert_int_eq(flow_program_add_section(&p, blob, size, "x"), 0);
	ck_assert_uint_eq(p.warning.n, 1);
	blob[sizeof(struct sis_blame_header) + 20] ^= 1;
	((struct sis_blame_header *)blob)->version++;
	ck_assert_int_eq(flow_program_add_section(&p, blob, size, "x"), 0);
	ck_assert_uint_eq(p.warning.n, 2);
	ck_assert_int_eq(flow_program_add_section(&p, blob, size - 9, "x"), 0);
	ck_assert_uint_eq(p.function.n, 0);
	free(blob);
	flow_program_release(&p);
}
END_TEST

/* All numbers that a reader may use are in their lists. */
static void check(const struct flow_program *p)
{
	for (size_t i = 0; i < p->function.n; i++) {
		const struct flow_function *f = &p->function.at[i];
		ck_assert_uint_le(f->value.first + f->value.n, p->value.n);
		ck_assert_uint_le(f->block.first + f->block.n, p->block.n);
		for (uint32_t v = f->value.first; v < f->value.first + f->value.n; v++) {
			const struct flow_value *value = &p->value.at[v];
			ck_assert_uint_lt(value->statement, f->statement.n);
			ck_assert_uint_lt(value->block, f->block.n);
			for (uint32_t k = 0; k < value->operand.n; k++) {
				uint32_t o = p->number.at[value->operand.first + k];
				ck_assert(o == FLOW_NONE || (o >= f->value.first &&
							     o < f->value.first + f->value.n));
			}
		}
	}
}

/* Bits are flipped behind the checksum's back. */
START_TEST(hostile_payloads_do_no_harm)
{
	size_t size;
	unsigned char *blob = flow_make_blob(two_functions, &size);
	unsigned char *copy = malloc(size);
	struct sis_blame_header *h = (struct sis_blame_header *)copy;
	uint32_t seed = 1, good = 0;
	for (int round = 0; round < 20000; round++) {
		struct flow_program p = { 0 };
		memcpy(copy, blob, size);
		for (int flips = round % 4; flips >= 0; flips--) {
			seed = seed * 1664525 + 1013904223;
			copy[sizeof *h + (seed >> 8) % h->stored] ^= 1u << (seed >> 3) % 8;
		}
		if (round % 5 == 0)
			h->stored = h->plain = (seed >> 8) % h->stored;
		h->checksum = sis_fnv(SIS_FNV_START, copy + sizeof *h, h->stored);
		good += flow_program_add_section(&p, copy, size, "x") == 1;
		flow_program_link(&p);
		check(&p);
		flow_program_release(&p);
	}
	ck_assert_uint_gt(good, 100);
	ck_assert_uint_lt(good, 19000);
	free(copy);
	free(blob);
}
END_TEST

UNIT_MAIN("flow_program", values_and_names_are_read, units_share_globals_and_functions,
	  anchors_have_statements, a_section_has_padding_and_repeated_blobs, damage_is_noticed,
	  hostile_payloads_do_no_harm)
