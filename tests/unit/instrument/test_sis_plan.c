/* SPDX-License-Identifier: BSD-3-Clause */
/* test_sis_plan.c - choosing regions through the interface, and filters: what they mean, and what
 * they survive. Sources and filter files are written to a directory of the test's own. */
// link: instrument/plan/*.c instrument/common/*.c lib/libsis-ast.so
#include "unit.h"

#include "common/earlier_run.h"
#include "common/filter.h"
#include "plan/function_text.h"
#include "plan/sis_plan.h"

#include <unistd.h>

static char directory[UNIT_PATH], path[UNIT_PATH + 8];
static unsigned errors, warnings;

static void note(void *context, enum sis_ast_severity severity,
		 const struct sis_ast_position *where, const char *message)
{
	(void)context;
	ck_assert_ptr_nonnull(message);
	ck_assert(!where || where->line > 0);
	errors += severity == SIS_AST_ERROR;
	warnings += severity == SIS_AST_WARNING;
}
static const struct reporter reporter = { note, NULL };

static void write_file(const char *text, size_t length)
{
	if (!directory[0])
		ck_assert_ptr_nonnull(mkdtemp(unit_template(directory)));
	snprintf(path, sizeof path, "%s/t.c", directory);
	FILE *file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(text, 1, length, file), length);
	ck_assert_int_eq(fclose(file), 0);
	errors = warnings = 0;
}

static void remove_file(void)
{
	unlink(path);
	rmdir(directory);
	directory[0] = '\0';
}

static struct sis_plan *open_plan(const char *source)
{
	const struct sis_ast_options options = { "gcc", note, NULL, false };
	struct sis_ast *ast;
	char *message = NULL;
	write_file(source, strlen(source));
	ck_assert_msg(sis_ast_open(&ast, path, NULL, 0, &options, &message) == SIS_AST_OK, "%s",
		      message);
	return sis_plan_new(ast, note, NULL);
}

static void close_plan(struct sis_plan *plan)
{
	struct sis_ast *ast = sis_plan_ast(plan);
	sis_plan_free(plan);
	sis_ast_close(ast);
	remove_file();
}

/* Index of the first region of a type. */
static size_t first(struct sis_plan *plan, enum sis_region_type type)
{
	size_t i = 0;
	while (sis_ast_region(sis_plan_ast(plan), i)->type != type)
		i++;
	return i;
}

static const char source[] =
	"static int f(int n) { while (n > 9) n--; return n; }\n"
	"int main(int argc, char **argv) { (void)argv; again: while (argc < 3) { argc++; goto "
	"again; } return f(0); }\n";

START_TEST(nothing_is_measured_unless_it_is_asked_for)
{
	struct sis_plan *plan = open_plan(source);
	ck_assert_uint_eq(sis_plan_measured(plan), 0);
	ck_assert_str_eq(sis_plan_choice(plan, 0).why, "");
	ck_assert_int_eq(sis_plan_measure(plan, first(plan, CR_WHILE), "ctime, PAPI(a::b)", "me"),
			 0);
	ck_assert_str_eq(sis_plan_choice(plan, first(plan, CR_WHILE)).metrics, "CTIME,PAPI(a::b)");
	ck_assert_int_eq(sis_plan_measure(plan, first(plan, CR_WHILE), "VCSW", "you"), 0);
	ck_assert_str_eq(sis_plan_choice(plan, first(plan, CR_WHILE)).metrics,
			 "CTIME,VCSW,PAPI(a::b)");
	ck_assert_str_eq(sis_plan_choice(plan, first(plan, CR_WHILE)).why, "you");
	ck_assert_int_eq(sis_plan_measure(plan, 0, "NONE_SUCH", ""), -1);
	ck_assert_uint_eq(errors, 1);
	ck_assert_uint_eq(sis_plan_measured(plan), 1);
	sis_plan_leave(plan, first(plan, CR_WHILE), "no");
	ck_assert_uint_eq(sis_plan_measured(plan), 0);
	close_plan(plan);
}
END_TEST

START_TEST(main_is_the_program)
{
	struct sis_plan *plan = open_plan(source);
	size_t program = first(plan, CR_P);
	ck_assert_int_eq(sis_plan_measure(plan, program + 1, "CTIME", "main"), 0);
	ck_assert(sis_plan_choice(plan, program).measured &&
		  !sis_plan_choice(plan, program + 1).measured);
	ck_assert_str_eq(sis_plan_choice(plan, program).metrics, "CTIME");
	close_plan(plan);
}
END_TEST

/* What is decided last is what is written, and writing changes nothing. */
START_TEST(text_follows_the_last_decision)
{
	struct sis_plan *plan = open_plan(source);
	struct sis_plan_facts facts = { 0 };
	size_t loop = first(plan, CR_WHILE), length;
	char *text, *message = NULL;
	for (int round = 0; round < 4; round++) {
		if (round % 2)
			sis_plan_leave(plan, loop, "");
		else
			ck_assert_int_eq(sis_plan_measure(plan, loop, "", ""), 0);
		ck_assert_int_eq(sis_plan_source(plan, &facts, &text, &length, &message), 0);
		ck_assert_uint_eq(strlen(text), length);
		ck_assert((strstr(text, "SIS_SCOPE(0)") != NULL) == (round % 2 == 0));
		free(text);
		char *json = sis_plan_idf(plan, &facts);
		ck_assert((strstr(json, "CR_WHILE") != NULL) == (round % 2 == 0));
		free(json);
	}
	close_plan(plan);
}
END_TEST

START_TEST(conditions_hold_until_somebody_decides_otherwise)
{
	struct sis_plan *plan = open_plan(
		"int f(int n) {\n#pragma sis cr CR_L if(n > 1) begin\n\twhile (n > 9) n--;\n"
		"#pragma sis end cr\n"
		"\treturn n;\n}\n");
	const struct sis_plan_options options = { 0 };
	const struct sis_plan_facts facts = { 0 };
	size_t loop = first(plan, CR_WHILE), length;
	char *text, *message = NULL;
	for (int round = 0; round < 3; round++) {
		ck_assert_int_eq(sis_plan_select(plan, &options), 0);
		ck_assert_str_eq(sis_plan_choice(plan, loop).why, "directive of line 2, if(n > 1)");
		if (round == 1)
			ck_assert_int_eq(sis_plan_measure(plan, loop, "", "me"), 0);
		ck_assert_int_eq(sis_plan_source(plan, &facts, &text, &length, &message), 0);
		const char *entered = strstr(
			text,
			"SIS_DO(SIS_IF_ENTER(0, n > 1))\n\t"
			"SIS_BLOCK_BEGIN SIS_SCOPE_IF(0, sis__if_0 > 0) while");
		ck_assert((entered != NULL) == (round != 1));
		ck_assert((strstr(text, "SIS_IF") != NULL) == (round != 1));
		free(text);
	}
	close_plan(plan);
}
END_TEST

START_TEST(wrong_wishes_are_errors)
{
	const char *const filters[] = { "/nonexistent/filter", NULL };
	const struct sis_plan_options wrong[] = { { .regions = "CR_LOP" },
						  { .metrics = "WTIM" },
						  { .filters = filters } };
	struct sis_plan *plan = open_plan(source);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		errors = 0;
		ck_assert_int_eq(sis_plan_select(plan, &wrong[i]), -1);
		ck_assert_uint_eq(errors, 1);
	}
	close_plan(plan);
}
END_TEST

/* What is chosen for the call around them holds for calls in its arguments, too: its metrics, and
 * that it has no condition. */
START_TEST(calls_in_arguments_are_measured_like_the_call)
{
	struct sis_plan *plan = open_plan(
		"int printf(const char *, ...);\n"
		"static int f(int n) { return n + 1; }\n"
		"int main(int argc, char **argv) { (void)argv;\n"
		"#pragma sis cr CR_S if(argc > 1) begin\n"
		"printf(\"%d\", f(f(1) + (int)sizeof f(2)));\n"
		"f(3);\n"
		"#pragma sis end cr\n"
		"return f(4); }\n");
	const struct sis_plan_options options = { .regions = "CR_IO", .metrics = "CTIME" };
	ck_assert_int_eq(sis_plan_select(plan, &options), 0);
	char *text, *message = NULL;
	size_t length;
	ck_assert_int_eq(sis_plan_source(plan, &(struct sis_plan_facts){ 0 }, &text, &length,
					 &message), 0);
	ck_assert_ptr_nonnull(strstr(text, "SIS_VCALL_BEGIN(1) printf(\"%d\", "
					   "SIS_CALL_BEGIN(2) f(SIS_CALL_BEGIN(3) f(1) "
					   "SIS_CALL_END(3) + (int)sizeof f(2)) "
					   "SIS_CALL_END(2)) SIS_VCALL_END(1)"));
	ck_assert_ptr_nonnull(strstr(text, "SIS_VCALL_BEGIN_IF(4, "));
	ck_assert_ptr_nonnull(strstr(text, "return f(4)"));
	size_t outer = first(plan, CR_WRITE);
	ck_assert_str_eq(sis_plan_choice(plan, outer + 1).metrics, "CTIME");
	ck_assert_str_eq(sis_plan_choice(plan, outer + 2).metrics, "CTIME");
	free(text);
	close_plan(plan);
}
END_TEST

/* -- filters ----------------------------------------------------------------------------------- */

static const char filter_text[] =
	"# comment\n"
	"SCOREP_REGION_NAMES_BEGIN EXCLUDE * INCLUDE f\\ g f[a-c]? SCOREP_REGION_NAMES_END\n"
	"SIS_REGION_TYPES_BEGIN EXCLUDE CR_* INCLUDE CR_F CR_MPI EXCLUDE MANGLED CR_MPISEND "
	"SIS_REGION_TYPES_END\n";

static int read_filter(struct filter *filter, const char *text, size_t length)
{
	*filter = (struct filter){ 0 };
	write_file(text, length);
	int failed = sis_filter_read(filter, path, &reporter);
	remove_file();
	return failed;
}

static bool passes(struct filter *filter, enum sis_region_type type, const char *name)
{
	const struct sis_ast_region region = {
		.type = type, .name = name, .function = "u", .callee = "", .begin = { "x.c", 1, 1 }
	};
	return !sis_filter_excludes(filter, &region);
}

static char *text_in(const char *text, const char *regions, size_t function)
{
	struct sis_plan *plan = open_plan(text);
	struct function_texts texts;
	const struct sis_plan_options options = { .regions = regions };
	ck_assert_int_eq(sis_plan_select(plan, &options), 0);
	sis_function_texts_init(&texts, plan);
	char *sum = sis_function_text(&texts, function);
	sis_function_texts_release(&texts);
	close_plan(plan);
	return sum;
}

/* Work of a function that is not measured counts for its callers. */
START_TEST(texts_of_unmeasured_functions_count_for_callers)
{
	static const char *const build[] = {
		"int e(int n) { return n; } int d(int n) { return e(n); } "
		"int f(int n) { while (n > 0) n -= d(n); return n; }\n",
		"int e(int n) { return n + 1; } int d(int n) { return e(n); } "
		"int f(int n) { while (n > 0) n -= d(n); return n; }\n",
	};
	static const struct { const char *regions; bool same; } wanted[] = {
		{ "CR_L", false }, { "CR_F", true } };
	for (int i = 0; i < 2; i++) {
		char *text[2];
		for (int k = 0; k < 2; k++) {
			text[k] = text_in(build[k], wanted[i].regions, 2);
			ck_assert_uint_eq(strlen(text[k]), 50);
		}
		ck_assert_int_eq(strncmp(text[0], text[1], 17), 0);
		ck_assert_int_eq(strncmp(text[0] + 17, text[1] + 17, 16) == 0, wanted[i].same);
		ck_assert_str_ne(text[0] + 34, text[1] + 34);
		free(text[0]), free(text[1]);
	}
	char *alone = text_in("int f(int n) { return n; }\n", "CR_F", 0);
	ck_assert_uint_eq(strlen(alone), 16);
	free(alone);
}
END_TEST

/* Other regions are measured, and the text is the same. */
START_TEST(texts_of_all_used_functions_are_one_checksum)
{
	static const char text[] = "int e(int n) { return n; } int d(int n) { return e(n); } "
				   "int f(int n) { while (n > 0) n -= d(n); return n; }\n";
	char *all = text_in(text, "CR_F", 2), *few = text_in(text, "CR_L", 2);
	ck_assert_str_ne(all, few);
	ck_assert_str_eq(all + 34, few + 34);
	free(all), free(few);
}
END_TEST

START_TEST(builds_have_the_flags_that_choose_the_code)
{
	static const struct { const char *flags, *build; } test[] = {
		{ "", "gcc 12 -O0" },
		{ "-g -Wall -DN=5 -I . -o x -c -pipe -MMD -fdiagnostics-color", "gcc 12 -O0" },
		{ "-O3 -O", "gcc 12 -O1" },
		{ "-fopenmp -O2 -march=native", "gcc 12 -O2 -fopenmp -march=native" },
		{ "-march=x86-64 -fopenmp -march=native -O0 -O2",
		  "gcc 12 -O2 -fopenmp -march=native" },
		{ "-fno-inline -finline -mavx -mno-avx", "gcc 12 -O0 -finline -mno-avx" },
		{ "--param=a=1 --param=b=2 --param=a=3 -std=c99 -ansi -pg",
		  "gcc 12 --param=a=3 --param=b=2 -O0 -ansi -pg -std=c99" },
	};
	for (size_t i = 0; i < sizeof test / sizeof *test; i++) {
		char *build = sis_code_build("gcc 12", test[i].flags);
		ck_assert_str_eq(build, test[i].build);
		free(build);
	}
}
END_TEST

START_TEST(the_last_rule_that_matches_holds)
{
	struct filter filter;
	ck_assert_int_eq(read_filter(&filter, filter_text, strlen(filter_text)), 0);
	ck_assert_uint_eq(warnings, 0);
	ck_assert(passes(&filter, CR_F, "f g") && passes(&filter, CR_F, "fbx"));
	ck_assert(!passes(&filter, CR_F, "fdx") && !passes(&filter, CR_F, "f") &&
		  !passes(&filter, CR_FOR, "fbx"));
	ck_assert(passes(&filter, CR_MPIRECV, "MPI_Recv") &&
		  !passes(&filter, CR_MPISEND, "MPI_Send"));
	sis_filter_release(&filter);
}
END_TEST

/* If any byte is flipped, inserted or lost, the result is rules or errors, nothing else. */
START_TEST(filters_survive_damage)
{
	char text[sizeof filter_text];
	struct filter filter;
	for (size_t at = 0; at < sizeof filter_text - 1; at++) {
		const char bytes[] = { '\\', '#', '\n', '[', 'E', (char)0xff, 1 };
		memcpy(text, filter_text, sizeof text);
		text[at] = bytes[at % sizeof bytes];
		int failed = read_filter(&filter, text, sizeof text - 1);
		ck_assert((failed == 0) == (errors == 0));
		sis_filter_release(&filter);
		failed = read_filter(&filter, filter_text, at);
		ck_assert((failed == 0) == (errors == 0));
		sis_filter_release(&filter);
	}
}
END_TEST

/* Reads `text` as a file of --sis-profile. */
static int read_earlier(struct earlier_run *earlier, const char *text)
{
	write_file(text, strlen(text));
	int failed = sis_earlier_read(earlier, path, &reporter);
	remove_file();
	return failed;
}

START_TEST(lines_of_an_earlier_run_are_found_by_function_and_file)
{
	struct earlier_run earlier = { 0 };
	ck_assert_int_eq(read_earlier(&earlier, "# comment\n\n  leave 10 2.5 f a dir/x.c\r\n"
						"leave\t7 1 g x.c\nmeasure 8 1 g ./y.c\n"
						"inside 1 1 g x.c\nmeasure 9 3 g x.c"),
			 0);
	ck_assert_uint_eq(earlier.count, 5);
	const struct earlier_line *f = sis_earlier_find(&earlier, "f", "a dir/x.c", false);
	ck_assert_ptr_nonnull(f);
	ck_assert(f->verdict == EARLIER_LEAVE && f->calls == 10 && f->ns == 2.5 && f->line == 3);
	ck_assert_ptr_eq(sis_earlier_find(&earlier, "f", "/top/a dir/x.c", false), f);
	ck_assert_ptr_eq(sis_earlier_find(&earlier, "f", "x.c", false), f);
	ck_assert_ptr_null(sis_earlier_find(&earlier, "f", "xx.c", false));
	ck_assert_ptr_null(sis_earlier_find(&earlier, "f", "b dir/x.c", false));
	ck_assert_ptr_null(sis_earlier_find(&earlier, "f", "x.c", true));
	ck_assert_ptr_null(sis_earlier_find(&earlier, "h", "x.c", false));
	ck_assert_uint_eq(sis_earlier_find(&earlier, "g", "x.c", false)->line, 7);
	ck_assert_uint_eq(sis_earlier_find(&earlier, "g", "src/y.c", false)->line, 5);
	ck_assert_uint_eq(sis_earlier_find(&earlier, "g", "x.c", true)->line, 6);
	sis_earlier_release(&earlier);
}
END_TEST

START_TEST(wrong_lines_of_an_earlier_run_are_errors)
{
	static const char *const wrong[] = {
		"x", "leave", "leave 1", "leave 1 2", "leave 1 2 f", "leave 1 2 f ",
		"leave -1 2 f x.c", "leave 1 nan f x.c", "leave 1e400 2 f x.c", "leave 1x 2 f x.c",
		"LEAVE 1 2 f x.c",
	};
	struct earlier_run earlier = { 0 };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		ck_assert_int_eq(read_earlier(&earlier, wrong[i]), -1);
		ck_assert_uint_eq(errors, 1);
	}
	write_file("leave 1 2 f\0x.c", 15);
	ck_assert_int_eq(sis_earlier_read(&earlier, path, &reporter), -1);
	remove_file();
	ck_assert_int_eq(sis_earlier_read(&earlier, "/", &reporter), -1);
	ck_assert_int_eq(sis_earlier_read(&earlier, "/dev/null", &reporter), -1);
	ck_assert_uint_eq(earlier.count, 0);
	sis_earlier_release(&earlier);
}
END_TEST

UNIT_MAIN("sis_plan", lines_of_an_earlier_run_are_found_by_function_and_file,
	  wrong_lines_of_an_earlier_run_are_errors,
	  texts_of_all_used_functions_are_one_checksum,
	  texts_of_unmeasured_functions_count_for_callers,
	  builds_have_the_flags_that_choose_the_code,
	  nothing_is_measured_unless_it_is_asked_for, main_is_the_program,
	  text_follows_the_last_decision, conditions_hold_until_somebody_decides_otherwise,
	  calls_in_arguments_are_measured_like_the_call, wrong_wishes_are_errors,
	  the_last_rule_that_matches_holds, filters_survive_damage)
