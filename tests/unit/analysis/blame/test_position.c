/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis */
/* The rules by which a position becomes statements, with a program of one function made by hand:
 *
 *      9    int f(int x)                   entry 0
 *      10   {  g(x);                       2
 *      11      a = 1; b = g(a);            3, 4
 *      12      long_name(1,                5 goes on in line 13
 *      13                g(2));
 *      14      MACRO(x);                   6, 7 at one position; 7 calls h
 *      15   }                              exit 1                                             */
#include "unit.h"

#include "blame/place/position.h"
#include "experiment/read/profile_read.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRY, EXIT, CALL, FIRST, SECOND, LONG, MACRO, MACRO_CALL };

static struct flow_program program;
static struct positions positions;
static struct position position;

/* -- the program ------------------------------------------------------------------------------- */

static void add_statement(uint32_t line, uint32_t column, uint32_t end_line)
{
	*vec_push(&program.statement) = (struct flow_statement){ 0, line, column, end_line,
								 SIS_BLAME_EXPRESSION };
	*vec_push(&program.anchor) = (struct flow_anchor){ 0, line, column,
							   program.statement.n - 1, false };
}

static void add_call(uint32_t statement, const char *callee)
{
	uint32_t first = program.number.n, object = program.object.n;
	*vec_push(&program.object) = (struct flow_object){ .linkage = callee };
	*vec_push(&program.value) = (struct flow_value){ .op = SIS_BLAME_ADDRESS,
							 .statement = statement,
							 .object = object };
	*vec_push(&program.number) = program.value.n - 1;
	*vec_push(&program.value) = (struct flow_value){ .op = SIS_BLAME_CALL,
							 .statement = statement,
							 .operand = { first, 1 } };
}

static void set_up(void)
{
	struct flow_function f = { .linkage = "f", .name = "f", .line = 9 };
	*vec_push(&program.file) = "a.c";
	*vec_push(&program.unit) = (struct flow_unit){ .path = "a.c", .directory = "/src",
							.checksum = "", .function = { 0, 1 } };
	add_statement(9, 5, 9);
	add_statement(15, 1, 15);
	add_statement(10, 4, 10);
	add_statement(11, 4, 11);
	add_statement(11, 11, 11);
	add_statement(12, 4, 13);
	add_statement(14, 4, 14);
	add_statement(14, 4, 14);
	program.anchor.n -= 2;
	*vec_push(&program.number) = MACRO;
	*vec_push(&program.number) = MACRO_CALL;
	*vec_push(&program.group) = (struct flow_range){ 0, 2 };
	*vec_push(&program.anchor) = (struct flow_anchor){ 0, 14, 4, 0, true };
	add_call(CALL, "g");
	add_call(SECOND, "g");
	add_call(LONG, "long_name");
	add_call(MACRO_CALL, "h");
	f.statement.n = program.statement.n;
	f.anchor.n = program.anchor.n;
	f.value.n = program.value.n;
	f.group.n = program.group.n;
	*vec_push(&program.function) = f;
	positions_init(&positions, &program);
}

/* How a site in f at the position is placed. */
static enum placed_how find(uint32_t line, uint32_t column, const char *callee)
{
	struct code_site site = { .function = "f", .unit = "a.c", .directory = "/src",
				  .file = "/src/../src/a.c", .line = line, .column = column };
	positions_find(&positions, &site, callee, &position);
	return position.how;
}

static void ck_statements(size_t n, uint32_t first, uint32_t last)
{
	ck_assert_uint_eq(position.function, 0);
	ck_assert_uint_eq(position.statement.n, n);
	ck_assert_uint_eq(position.statement.at[0], first);
	ck_assert_uint_eq(position.statement.at[n - 1], last);
}

/* -- rules ------------------------------------------------------------------------------------- */

START_TEST(a_column_says_which_statement)
{
	set_up();
	ck_assert_int_eq(find(11, 4, NULL), PLACED_STATEMENT);
	ck_statements(1, FIRST, FIRST);
	ck_assert_int_eq(find(11, 11, NULL), PLACED_STATEMENT);
	ck_statements(1, SECOND, SECOND);
	ck_assert_int_eq(find(11, 9, NULL), PLACED_STATEMENT); /* after the begin of the first */
	ck_statements(1, FIRST, FIRST);
	ck_assert_int_eq(find(13, 20, NULL), PLACED_STATEMENT); /* it goes on there */
	ck_statements(1, LONG, LONG);
}
END_TEST

START_TEST(entry_and_exit_are_no_statements)
{
	set_up();
	ck_assert_int_eq(find(9, 5, NULL), PLACED_BOUNDARY);
	ck_statements(1, ENTRY, ENTRY);
	ck_assert_int_eq(find(15, 1, NULL), PLACED_BOUNDARY);
	ck_statements(1, EXIT, EXIT);
	struct code_site prologue = { .function = "f", .unit = "a.c", .directory = "/src",
				      .file = "a.c", .line = 10, .prologue = true };
	positions_find(&positions, &prologue, NULL, &position);
	ck_assert_int_eq(position.how, PLACED_BOUNDARY);
	ck_statements(1, ENTRY, ENTRY);
}
END_TEST

START_TEST(a_macro_is_a_group_unless_the_callee_decides)
{
	set_up();
	ck_assert_int_eq(find(14, 4, NULL), PLACED_GROUP);
	ck_statements(2, MACRO, MACRO_CALL);
	ck_assert_int_eq(find(14, 4, "h"), PLACED_STATEMENT);
	ck_statements(1, MACRO_CALL, MACRO_CALL);
	ck_assert_int_eq(find(14, 4, "unknown"), PLACED_GROUP);
}
END_TEST

START_TEST(without_a_column_the_line_counts)
{
	set_up();
	ck_assert_int_eq(find(11, 0, NULL), PLACED_LINE);
	ck_statements(2, FIRST, SECOND);
	ck_assert_int_eq(find(10, 0, NULL), PLACED_LINE);
	ck_statements(1, CALL, CALL);
	ck_assert_int_eq(find(9, 0, NULL), PLACED_BOUNDARY);
	ck_assert_int_eq(find(8, 0, NULL), PLACED_FUNCTION);
}
END_TEST

START_TEST(without_a_line_only_a_callee_helps)
{
	set_up();
	ck_assert_int_eq(find(0, 0, NULL), PLACED_FUNCTION);
	ck_assert_uint_eq(position.statement.n, 0);
	ck_assert_int_eq(find(0, 0, "unknown"), PLACED_FUNCTION);
	ck_assert_int_eq(find(0, 0, "h"), PLACED_STATEMENT);
	ck_statements(1, MACRO_CALL, MACRO_CALL);
	ck_assert_int_eq(find(0, 0, "g"), PLACED_AMBIGUOUS);
	ck_statements(2, CALL, SECOND);
}
END_TEST

START_TEST(other_units_are_not_guessed)
{
	struct code_site site = { .function = "f", .unit = "b.c", .directory = "/src",
				  .file = "/src/a.c", .line = 11, .column = 4 };
	set_up();
	positions_find(&positions, &site, NULL, &position);
	ck_assert_int_eq(position.how, PLACED_NOTHING);
	ck_assert_int_eq(position.reason, PLACED_NO_BLAME);
	site.unit = NULL;
	positions_find(&positions, &site, NULL, &position);
	ck_assert_int_eq(position.reason, PLACED_NO_BLAME);
	site.unit = "/mapped/a.c"; /* -ffile-prefix-map: the base name is that of one unit */
	site.file = "/mapped/a.c";
	positions_find(&positions, &site, NULL, &position);
	ck_assert_int_eq(position.how, PLACED_STATEMENT);
	site.function = "other";
	site.line = 100;
	positions_find(&positions, &site, NULL, &position);
	ck_assert_int_eq(position.reason, PLACED_NO_FUNCTION);
}
END_TEST

UNIT_MAIN("position", a_column_says_which_statement, entry_and_exit_are_no_statements,
	  a_macro_is_a_group_unless_the_callee_decides, without_a_column_the_line_counts,
	  without_a_line_only_a_callee_helps, other_units_are_not_guessed)
