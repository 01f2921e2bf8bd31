/* SPDX-License-Identifier: BSD-3-Clause */
/* test_sis_ast.c - the frontend through its interface: sources from strings, their regions,
 * directives and emitted text. Emitted text must also compile without a warning. */
/* link: lib/libsis-ast.so */
#include "unit.h"

#include "sis_ast.h"

#include <unistd.h>

static char directory[UNIT_PATH], source_path[UNIT_PATH + 8], output_path[UNIT_PATH + 8];
static char reported[2048]; /* "line: message\n" of every error */

static void note_error(void *context, enum sis_ast_severity severity,
		       const struct sis_ast_position *where, const char *message)
{
	size_t length = strlen(reported);
	(void)context;
	if (severity == SIS_AST_ERROR)
		snprintf(reported + length, sizeof reported - length, "%u: %s\n", where->line,
			 message);
}

static void write_file(const char *path, const char *text, size_t length)
{
	FILE *file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(text, 1, length, file), length);
	ck_assert_int_eq(fclose(file), 0);
}

static enum sis_ast_status try_open(const char *source, struct sis_ast **ast, char **message)
{
	static const char *const arguments[] = { "-fopenmp", "-Wall" };
	struct sis_ast_options options = { "gcc", note_error, NULL, false };
	if (!source_path[0]) {
		ck_assert_ptr_nonnull(mkdtemp(unit_template(directory)));
		snprintf(source_path, sizeof source_path, "%s/t.c", directory);
		snprintf(output_path, sizeof output_path, "%s/o.c", directory);
	}
	reported[0] = '\0';
	*message = NULL;
	write_file(source_path, source, strlen(source));
	return sis_ast_open(ast, source_path, arguments, 2, &options, message);
}

static struct sis_ast *open_source(const char *source)
{
	struct sis_ast *ast;
	char *message;
	enum sis_ast_status status = try_open(source, &ast, &message);
	ck_assert_msg(status == SIS_AST_OK, "status %d: %s %s", status, message ? message : "",
		      reported);
	return ast;
}

static void remove_files(void)
{
	unlink(source_path);
	unlink(output_path);
	rmdir(directory);
	source_path[0] = '\0';
}

static void close_source(struct sis_ast *ast)
{
	sis_ast_close(ast);
	remove_files();
}

/* The nth region of a type; fails when there is none. */
static const struct sis_ast_region *find(struct sis_ast *ast, enum sis_region_type type, unsigned n)
{
	for (size_t i = 0; i < sis_ast_region_count(ast); i++)
		if (sis_ast_region(ast, i)->type == type && n-- == 0)
			return sis_ast_region(ast, i);
	ck_abort_msg("no such region of type %s", sis_region_table[type].name);
	return NULL;
}

static unsigned count(struct sis_ast *ast, enum sis_region_type type)
{
	unsigned n = 0;
	for (size_t i = 0; i < sis_ast_region_count(ast); i++)
		n += sis_ast_region(ast, i)->type == type;
	return n;
}

/* Marks what is of `type` (CR_NONE: everything) and may be; the emitted text behind the prologue's
 * lines. */
static char *emit(struct sis_ast *ast, enum sis_region_type type, const char *prologue)
{
	char *text, *message;
	size_t length;
	uint32_t probes = 0;
	for (size_t i = 0; i < sis_ast_region_count(ast); i++) {
		const struct sis_ast_region *region = sis_ast_region(ast, i);
		if ((type == CR_NONE || region->type == type) && !region->obstacle)
			sis_ast_mark(ast, i, probes++);
	}
	ck_assert_int_eq(sis_ast_emit(ast, prologue, &text, &length, &message), SIS_AST_OK);
	ck_assert_uint_eq(strlen(text), length);
	return text;
}

static void check_emitted(const char *source, enum sis_region_type type, const char *expected)
{
	struct sis_ast *ast = open_source(source);
	char *text = emit(ast, type, "/* prologue */\n"), *line = strchr(text, '\n') + 1;
	ck_assert(strncmp(line, "#line 1 \"", 9) == 0);
	ck_assert_str_eq(strchr(line, '\n') + 1, expected);
	free(text);
	close_source(ast);
}

/* Everything marked: what comes out is C that gcc has nothing to say about. */
static void check_compiles(const char *source)
{
	static const char prologue[] =
		"#include \"rtlib/sis/probe.h\"\n"
		"static struct sis_region sis__regions[100];\n"
		"static struct sis_unit sis__unit = { SIS_PROBE_ABI, 100, \"\", 0, 0, "
		"sis__regions };\n"
		"__attribute__((constructor)) static void s(void) { "
		"sis_unit_register(&sis__unit); }\n";
	char command[sizeof output_path + 100];
	struct sis_ast *ast = open_source(source);
	char *text = emit(ast, CR_NONE, prologue);
	write_file(output_path, text, strlen(text));
	free(text);
	snprintf(command, sizeof command,
		 "gcc -I. -fopenmp -Wall -Wextra -Werror -fsyntax-only '%s'", output_path);
	ck_assert_msg(system(command) == 0, "does not compile: %s", source);
	close_source(ast);
}

START_TEST(regions_have_type_place_and_parent)
{
	struct sis_ast *ast = open_source(
		"int main(void)\n{\n\tint s = 0;\n"
		"\tfor (int i = 0; i < 3; i++)\n\t\twhile (s < i)\n\t\t\ts++;\n"
		"\tif (s)\n\t\treturn 1;\n\treturn 0;\n}\n");
	const struct sis_ast_region *program = sis_ast_region(ast, 0),
				    *function = sis_ast_region(ast, 1);
	ck_assert_int_eq(program->type, CR_P);
	ck_assert_int_eq(function->type, CR_F);
	ck_assert_uint_eq(program->parent, SIS_AST_NONE);
	ck_assert_uint_eq(function->parent, 0);
	ck_assert_uint_eq(function->end.line, 10);
	ck_assert_uint_eq(function->exits, 2);
	const struct sis_ast_region *outer = find(ast, CR_FOR, 0), *inner = find(ast, CR_WHILE, 0);
	ck_assert_str_eq(outer->name, "for@4");
	ck_assert_str_eq(outer->function, "main");
	ck_assert(outer->outer_loop && !outer->inner_loop && !inner->outer_loop &&
		  inner->inner_loop);
	ck_assert_uint_eq(outer->begin.column, 2);
	ck_assert_uint_eq(outer->end.line, 6);
	ck_assert_uint_eq(outer->end.column, 7);
	ck_assert_ptr_eq(sis_ast_region(ast, inner->parent), outer);
	ck_assert(sis_ast_inside(ast, 2, 1) && !sis_ast_inside(ast, 1, 2) &&
		  sis_ast_inside(ast, 1, 1));
	ck_assert_uint_eq(find(ast, CR_IF, 0)->exits, 2);
	close_source(ast);
}
END_TEST

START_TEST(calls_are_of_the_library_or_of_the_program)
{
	struct sis_ast *ast = open_source(
		"#include <stdio.h>\n#include <stdlib.h>\n"
		"int MPI_Send(int);\nint MPI_Recv(int x) { return x; }\n"
		"int main(void)\n{\n\tint MPI_Bcast = 0, n = (int)sizeof(getchar());\n"
		"\tputs(\"x\"); MPI_Send(MPI_Bcast); MPI_Recv(n); free(malloc(1)); exit(0);\n}\n");
	ck_assert_uint_eq(count(ast, CR_WRITE), 1);
	ck_assert_uint_eq(count(ast, CR_READ), 0); /* not evaluated */
	ck_assert_uint_eq(count(ast, CR_ALLOC), 2);
	ck_assert_uint_eq(count(ast, CR_MPISEND), 1);
	ck_assert_uint_eq(count(ast, CR_MPIRECV), 0); /* the program's own */
	ck_assert_str_eq(find(ast, CR_S, 0)->callee, "MPI_Recv");
	ck_assert_str_eq(find(ast, CR_S, 1)->obstacle, "does not return");
	close_source(ast);
}
END_TEST

START_TEST(ordinals_count_one_name_in_a_function)
{
	struct sis_ast *ast = open_source(
		"void g(void);\nvoid f(void) { g(); for (;;) { g(); } }\nvoid h(void) { g(); }\n");
	ck_assert_uint_eq(find(ast, CR_S, 0)->ordinal, 0);
	ck_assert_uint_eq(find(ast, CR_S, 1)->ordinal, 1);
	ck_assert_uint_eq(find(ast, CR_S, 2)->ordinal, 0);
	close_source(ast);
}
END_TEST

START_TEST(directives_are_read_by_form)
{
	struct sis_ast *ast = open_source(
		"#pragma sis cr CR_S pmetric WTIME\n"
		"int main(void)\n{\n\tint x = 1;\n"
		"#pragma SIS Code_Region Half, CR_L, \\\n\tCR_S pmetric L2_TCM, PAPI(a::b:u=1) "
		"if(x > (1)) BEGIN\n"
		"\twhile (x)\n\t\tx--;\n"
		"#pragma sis end cr Half\n"
		"#pragma sis measure disable\n\tx++;\n#pragma sis measure enable\n"
		"\treturn x;\n}\n");
	ck_assert_uint_eq(sis_ast_directive_count(ast), 5);
	const struct sis_ast_directive *global = sis_ast_directive(ast, 0),
				       *begin = sis_ast_directive(ast, 1);
	ck_assert_int_eq(global->kind, SIS_AST_CR_GLOBAL);
	ck_assert_str_eq(global->function, "");
	ck_assert_str_eq(begin->name, "Half");
	ck_assert_str_eq(begin->items[0], "CR_L");
	ck_assert_str_eq(begin->items[1], "CR_S");
	ck_assert_ptr_null(begin->items[2]);
	ck_assert_str_eq(begin->metrics[1], "PAPI(a::b:u=1)");
	ck_assert_str_eq(begin->condition, "x > (1)");
	ck_assert_str_eq(begin->function, "main");
	ck_assert_uint_eq(begin->match, 2);
	ck_assert_str_eq(sis_ast_region(ast, begin->region)->name, "Half");
	ck_assert(sis_ast_in_directive(ast, begin->region, 1) && !sis_ast_in_directive(ast, 0, 1));
	ck_assert(find(ast, CR_STMT, 1)->measure_off && !find(ast, CR_STMT, 0)->measure_off);
	close_source(ast);
}
END_TEST

/* What the two quick questions answer, asked of each region and directive. */
static void check_reach(const struct sis_ast *ast, size_t region, size_t directive)
{
	const struct sis_ast_directive *asks = sis_ast_directive(ast, directive);
	bool of_others = (asks->kind == SIS_AST_CR_BEGIN || asks->kind == SIS_AST_CR_GLOBAL) &&
		(!asks->name[0] || asks->items[0]);
	bool reaches = sis_ast_in_directive(ast, region, directive);
	size_t first, end;
	ck_assert_int_eq(sis_ast_next_directive(ast, region, directive) == directive,
			 of_others && reaches);
	sis_ast_directive_regions(ast, directive, &first, &end);
	ck_assert(!reaches || (first <= region && region < end));
}

START_TEST(directives_are_found_by_what_they_reach)
{
	struct sis_ast *ast = open_source(
		"#pragma sis cr CR_L\n"
		"int f(int x)\n{\n"
		"#pragma sis cr CR_IF\n"
		"\tfor (int i = 0; i < x; i++) {\n"
		"#pragma sis cr CR_S if(x) begin\n#pragma sis cr named begin\n"
		"\t\tif (i)\n\t\t\tx = f(x);\n"
		"#pragma sis end cr named\n\t\tx--;\n#pragma sis end cr\n"
		"\t}\n\twhile (x)\n\t\tx = f(x - 1);\n\treturn x;\n}\n"
		"#pragma sis cr CR_STMT pmetric CTIME begin\n"
		"int g(int x)\n{\n#pragma sis cr a, CR_WHILE begin\n\tx++;\n#pragma sis cr "
		"pmetric WTIME begin\n"
		"\twhile (f(x))\n\t\tx++;\n#pragma sis end cr a\n\tx++;\n#pragma sis end cr\n"
		"\treturn x;\n}\n"
		"#pragma sis end cr\n"
		"int h(int x)\n{\n#pragma sis cr CR_STMT\n\treturn f(x);\n}\n");
	size_t directives = sis_ast_directive_count(ast), regions = sis_ast_region_count(ast);
	ck_assert_uint_eq(directives, 13);
	ck_assert_uint_gt(regions, 15);
	for (size_t region = 0; region < regions; region++)
		for (size_t directive = 0; directive < directives; directive++)
			check_reach(ast, region, directive);
	close_source(ast);
}
END_TEST

START_TEST(wrong_directives_are_errors)
{
	static const struct { const char *body, *error;
	} cases[] = {
		{ "#pragma sis cr A begin\n;", "2: 'cr ... begin' without an 'end cr' after it\n" },
		{ ";\n#pragma sis end cr", "3: 'end cr' without a 'cr ... begin' before it\n" },
		{ "#pragma sis cr A, B begin\n;\n#pragma sis end cr",
		  "2: two names, 'A' and 'B', for one region\n" },
		{ "#pragma sis cr A begin\n;\n#pragma sis end cr B",
		  "4: 'end cr B' does not match 'cr A begin' at line 2\n" },
		{ "#pragma sis frob",
		  "2: unknown directive 'frob': expected 'cr', 'end cr', 'measure', 'trace' or "
		  "'blame'\n" },
		{ "#pragma sis cr A begni\n;\n#pragma sis end cr",
		  "2: unexpected 'begni' in directive; did you mean 'begin'?\n" },
		{ "#pragma sis trace", "2: expected 'start' or 'stop' after 'trace'\n" },
		{ "#pragma sis trace begin", "2: expected 'start' or 'stop' after 'trace'\n" },
		{ "#pragma sis trace start now", "2: unexpected 'now' in directive\n" },
		{ "if (1)\n#pragma sis trace start\n;",
		  "3: directive stands where no statement may\n" },
		{ "int x[] = {\n#pragma sis trace stop\n1};",
		  "3: directive stands where no statement may\n" },
		{ "}\n#pragma sis trace stop\nvoid g(void) {",
		  "3: directive stands where no statement may: outside a function\n" },
		{ "#pragma sis measure enable",
		  "2: 'measure enable' without a 'measure disable' before it\n" },
		{ "struct s {\n#pragma sis cr A begin\nint x;\n#pragma sis end cr\n};",
		  "3: directive stands where no statement may\n5: directive stands where no "
		  "statement may\n" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char source[512], *message;
		struct sis_ast *ast;
		snprintf(source, sizeof source, "void f(void) {\n%s\n}\n", cases[i].body);
		ck_assert_int_eq(try_open(source, &ast, &message), SIS_AST_INVALID);
		ck_assert_str_eq(reported, cases[i].error);
	}
	remove_files();
}
END_TEST

START_TEST(text_without_marks_stays_as_it_is)
{
	static const char source[] =
		"int\tf( int x ){\r\n  return x ;/* } */}\r\n%:define A <::>\nint g;";
	struct sis_ast *ast = open_source(source);
	char *text = emit(ast, CR_MPI, "");
	ck_assert_str_eq(strchr(text, '\n') + 1, source);
	free(text);
	close_source(ast);
}
END_TEST

START_TEST(statements_stay_one_statement)
{
	check_emitted(
		"void f(int x) {\n\tif (x) while (x) x--; else x++;\n}\n", CR_WHILE,
		"void f(int x) {\n\tif (x) SIS_BLOCK_BEGIN SIS_SCOPE(0) while (x) x--; "
		"SIS_BLOCK_END else x++;\n}\n");
	check_emitted("int f(int x) { return x; }\n", CR_F,
		      "int f(int x) { SIS_SCOPE(0) return x; }\n");
	check_emitted(
		"void g(void); int h(int);\nint f(int x) { if (x) g(); h(x); return -h(h(x)); }\n",
		CR_S,
		"void g(void); int h(int);\nint f(int x) { if (x) SIS_VCALL_BEGIN(0) g() "
		"SIS_VCALL_END(0); "
		"SIS_VCALL_BEGIN(1) h(x) SIS_VCALL_END(1); return -SIS_CALL_BEGIN(2) "
		"h(SIS_CALL_BEGIN(3) h(x) "
		"SIS_CALL_END(3)) SIS_CALL_END(2); }\n");
}
END_TEST

START_TEST(named_regions_keep_exits_and_declarations)
{
	check_emitted(
		"int f(int n) {\n#pragma sis cr A begin\n\tif (n) return 1;\n#pragma sis end cr\n"
		"\treturn 0;\n}\n",
		CR_A,
		"int f(int n) {\nSIS_BLOCK_BEGIN SIS_SCOPE(0)\n\tif (n) return 1;\nSIS_BLOCK_END\n"
		"\treturn 0;\n}\n");
	check_emitted(
		"int f(int n) {\n#pragma sis cr A begin\n\tint k = n;\n#pragma sis end cr\n"
		"\treturn k;\n}\n",
		CR_A, "int f(int n) {\nSIS_OPEN(0)\n\tint k = n;\nSIS_CLOSE(0)\n\treturn k;\n}\n");
	check_emitted(
		"int f(int n) {\n#pragma sis measure disable\n\tif (n) return 1;\n#pragma sis "
		"measure enable\n"
		"\treturn 0;\n}\n",
		CR_A,
		"int f(int n) {\nSIS_BLOCK_BEGIN SIS_OFF_SCOPE(0)\n\tif (n) return 1;\n"
		"SIS_BLOCK_END\n\treturn 0;\n}\n");
	check_emitted(
		"int f(int n) {\n\tif (n)\n#pragma sis cr A begin\n\t\tn++;\n#pragma sis end cr\n"
		"\telse n--;\n\treturn n;\n}\n",
		CR_A,
		"int f(int n) {\n\tif (n)\nSIS_BLOCK_BEGIN SIS_SCOPE(0)\n\t\tn++;\nSIS_BLOCK_END\n"
		"\telse n--;\n\treturn n;\n}\n");
}
END_TEST

START_TEST(a_region_that_redistributes_has_its_type)
{
	struct sis_ast *ast = open_source(
		"int f(int n) {\n#pragma sis cr A, CR_L Redistribute pmetric WTIME begin\n\tn++;\n"
		"#pragma sis end cr A\n\treturn n;\n}\n");
	const struct sis_ast_region *region = find(ast, CR_REDIST, 0);
	ck_assert_str_eq(region->name, "A");
	ck_assert_uint_eq(region->directive, 0);
	ck_assert_str_eq(sis_ast_directive(ast, 0)->metrics[0], "WTIME");
	sis_ast_close(ast);
}
END_TEST

START_TEST(the_trace_is_switched_by_a_statement)
{
	check_emitted(
		"int f(int n) {\n#pragma sis trace start\n\tif (n) { n--;\n#pragma SIS Trace \\\n "
		"Stop\n\t}\n\treturn n;\n}\n",
		CR_A,
		"int f(int n) {\nSIS_START_TRACE\n\tif (n) { n--;\nSIS_STOP_TRACE\n\n\t}\n"
		"\treturn n;\n}\n");
}
END_TEST

START_TEST(jumps_into_a_region_enter_it)
{
	struct sis_ast *ast = open_source(
		"int f(int n) {\n\tif (n > 3) goto in;\n#pragma sis cr A begin\n\tn++;\nin:\tn--;\n"
		"#pragma sis end cr\n\twhile (n) { out: n--; }\n\tif (n < -5) goto out;\n\treturn "
		"n;\n}\n");
	ck_assert_ptr_null(find(ast, CR_A, 0)->obstacle);
	ck_assert_uint_eq(find(ast, CR_A, 0)->entries, 2);
	ck_assert_ptr_null(find(ast, CR_WHILE, 0)->obstacle);
	char *text = emit(ast, CR_WHILE, "");
	ck_assert_ptr_nonnull(strstr(text, "f(int n) { SIS_FLAG(0)\n"));
	ck_assert_ptr_nonnull(strstr(
		text,
		"SIS_BLOCK_BEGIN SIS_DO(SIS_FLAG_ENTER(0)) while (n) { out: "
		"SIS_DO(SIS_FLAG_ENTER(0)) n--; } "
		"SIS_DO(SIS_FLAG_LEAVE(0)) SIS_BLOCK_END\n"));
	free(text);
	close_source(ast);
	ast = open_source(
		"void f(int n) {\n#pragma omp parallel\n\tswitch (n) { case 1: while (n) { case "
		"2: n--; } }\n}\n");
	/* the variable would stand outside the construct */
	ck_assert_str_eq(
		find(ast, CR_WHILE, 0)->obstacle,
		"has more than one way in or out, and no block around them all where a variable "
		"may stand");
	close_source(ast);
}
END_TEST

START_TEST(plain_forms_stay_where_they_can)
{
	struct sis_ast *ast = open_source(
		"int f(int n) {\n\tswitch (n) {\n\tcase 1: n++;\n\t}\n#pragma sis cr A begin\n"
		"\tif (n) {\n"
		"\t\tn++;\n#pragma sis end cr\n\t}\n\treturn n;\n}\n");
	/* its block, without probes, is entered by the case */
	char *text = emit(ast, CR_SWITCH, "");
	ck_assert_ptr_nonnull(strstr(text, "SIS_BLOCK_BEGIN SIS_SCOPE(0) switch"));
	free(text);
	text = emit(ast, CR_IF, ""); /* the region that overlaps it has no probes */
	ck_assert_ptr_nonnull(strstr(text, "SIS_BLOCK_BEGIN SIS_SCOPE(0) if"));
	free(text);
	close_source(ast);
}
END_TEST

START_TEST(guards_must_see_every_way_out)
{
	struct sis_ast *ast = open_source(
		"int f(int n) {\n\tstatic void *const at[] = { &&one, &&two };\n\tfor (;;)\n"
		"\t\tgoto *at[n];\none:\treturn 1;\ntwo:\treturn 2;\n}\n");
	char *text = emit(ast, CR_FOR, "");
	ck_assert_ptr_nonnull(strstr(text, "one:\tSIS_DO(SIS_FLAG_LEAVE(0)) return 1;\n"
				     "two:\tSIS_DO(SIS_FLAG_LEAVE(0)) return 2;"));
	free(text);
	ck_assert_ptr_null(find(ast, CR_F, 0)->obstacle);
	close_source(ast);
	ast = open_source(
		"int *p;\nint *g(int *);\nvoid f(void) { p = &(int){ 1 }; p = g((int[]){ 1 }); "
		"}\n");
	ck_assert_str_eq(find(ast, CR_STMT, 0)->obstacle,
			 "has a compound literal that must outlive it");
	ck_assert_str_eq(find(ast, CR_S, 0)->obstacle,
			 "has a compound literal that must outlive it");
	close_source(ast);
}
END_TEST

START_TEST(openmp_is_wrapped_from_outside)
{
	struct sis_ast *ast = open_source(
		"void f(int *a) {\n#pragma omp parallel for collapse(2) default(none) shared(a)\n"
		"\tfor (int i = 0; i < 3; i++)\n\t\tfor (int j = 0; j < 3; j++)\n\t\t\ta[i] = j;\n"
		"#pragma omp barrier\n\ta[0]++;\n}\n");
	ck_assert_ptr_nonnull(find(ast, CR_FOR, 0)->obstacle);
	ck_assert_ptr_nonnull(find(ast, CR_FOR, 1)->obstacle);
	ck_assert_uint_eq(find(ast, CR_OMPPAFOR, 0)->end.line, 5);
	char *text = emit(ast, CR_OMPBARRIER, "");
	ck_assert_ptr_nonnull(strstr(text, "SIS_BLOCK_BEGIN SIS_SCOPE(0)\n#line 6 \""));
	ck_assert_ptr_nonnull(strstr(text, "#pragma omp barrier\nSIS_BLOCK_END\n#line 7 \""));
	ck_assert_ptr_null(strstr(text, "sis__unit"));
	free(text);
	text = emit(ast, CR_STMT, "");
	ck_assert_ptr_nonnull(strstr(text, "default(none) SIS_SHARED shared(a)\n\tfor (int i"));
	free(text);
	close_source(ast);
}
END_TEST

START_TEST(what_is_emitted_compiles)
{
	check_compiles(
		"#include <stdio.h>\n#define LOOP(n) for (int i = 0; i < (n); i++)\n#define "
		"BOTH(x) do { x; x; } while (0)\n"
		"int k(int a) { LOOP(a) printf(\"%d\", i); BOTH(puts(\"\")); return a; }\n"
		"int main(void) { int v[k(2)]; v[0] = k(1); switch (v[0]) { case 1: do { k(1); "
		"case 2: k(2); } while (0); }\n"
		"lab: if (v[0]++ < 3) goto lab; return _Generic(v[0], int: k(0), default: 1) + ({ "
		"k(2); k(3); }); }\n");
	check_compiles(
		"#include <omp.h>\nint f(int n) {\n\tint s = 0, a = 0;\n#pragma omp parallel "
		"default(none) shared(s, n, a)\n\t{\n"
		"#pragma omp for reduction(+:s)\n\tfor (int i = 0; i < n; i++) s += i;\n#pragma "
		"omp sections\n\t{\n"
		"#pragma omp section\n\t{ a++; }\n#pragma omp section\n\tn++;\n\t}\n#pragma omp "
		"single\n\tif (n)\n\t\tn--;\n"
		"\telse\n\t\tn++;\n#pragma omp critical\n\tn++;\n#pragma omp atomic capture\n\t{ "
		"a = s; s++; }\n"
		"#pragma omp task\n\ta = omp_get_thread_num();\n#pragma omp taskwait\n\t}\n"
		"\treturn s + a;\n}\n");
}
END_TEST

START_TEST(what_clang_cannot_read_is_told)
{
	struct sis_ast *ast;
	char *message;
	ck_assert_int_eq(
		try_open(
			"int f(int x) { return x; }\nint g(int n, struct { int at[n]; } s) { "
			"return f(n); }\n",
			&ast, &message),
		SIS_AST_UNPARSED);
	ck_assert_ptr_nonnull(strstr(message, "t.c:2: "));
	free(message);
	/* GCC only warns */
	ck_assert_int_eq(try_open("int f(void) { return g(); }\n", &ast, &message), SIS_AST_OK);
	sis_ast_close(ast);
	struct sis_ast_options options = { "no-such-compiler", NULL, NULL, false };
	ck_assert_int_eq(sis_ast_open(&ast, source_path, NULL, 0, &options, &message),
			 SIS_AST_FAILED);
	ck_assert_str_eq(message, "cannot run 'no-such-compiler': No such file or directory");
	free(message);
	remove_files();
}
END_TEST

/* What a body holds is nothing to the other functions. */
START_TEST(what_clang_cannot_read_stays_as_it_is)
{
	struct sis_ast *ast = open_source(
		"int f(int x) {\n\tint g(int y) { while (y > 3) y--; return y; }\n\tfor (;;) "
		"return g(x);\n}\n"
		"int h(int x) { while (x) x--; return f(x); }\n");
	ck_assert_str_eq(
		find(ast, CR_F, 0)->obstacle,
		"is in a function that clang cannot parse: line 2: function definition is not "
		"allowed here");
	ck_assert_ptr_nonnull(find(ast, CR_FOR, 0)->obstacle);
	ck_assert_uint_eq(find(ast, CR_F, 0)->cost, UINT32_MAX);
	ck_assert_ptr_null(find(ast, CR_F, 1)->obstacle);
	ck_assert_ptr_null(find(ast, CR_WHILE, 0)->obstacle);
	ck_assert_str_eq(find(ast, CR_WHILE, 0)->function, "h");
	close_source(ast);
}
END_TEST

/* GNU C may define an inline function twice: ordinals, and so keys, are still different. */
START_TEST(ordinals_are_unique)
{
	struct sis_ast *ast = open_source(
		"extern inline __attribute__((gnu_inline)) int f(int n) { while (n > 3) n--; "
		"return n; }\n"
		"int f(int n) { while (n > 3) n--; while (n > 2) n--; return n; }\n");
	ck_assert_uint_eq(find(ast, CR_F, 1)->ordinal, 1);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_uint_eq(find(ast, CR_WHILE, i)->ordinal, i);
	close_source(ast);
}
END_TEST

/* The checksum of a function of this source. */
static uint64_t checksum_in(const char *source, size_t function)
{
	struct sis_ast *ast = open_source(source);
	ck_assert_uint_gt(sis_ast_function_count(ast), function);
	uint64_t checksum = sis_ast_function(ast, function)->checksum;
	close_source(ast);
	return checksum;
}

START_TEST(checksums_are_of_expanded_tokens)
{
	static const char first[] = "#include <assert.h>\n#define N 5\n"
		"int f(int n) {\n\tassert(n);\n\tfor (int i = 0; i < N; i++)\n\t\tn += i;\n"
		"\treturn n + __COUNTER__ + sizeof __FILE__;\n}\nint g(int n) { return n; }\n";
	static const char same[] = "#include <assert.h>\n#define N 5 /* five */\n"
		"int g(int n) { return n + __COUNTER__; }\n\n\n"
		"int f(int n) {\n\tassert(n); // n\n\n#pragma omp parallel for reduction(+ : n)\n"
		"\tfor (int i=0; i<N; i++)\n_Pragma(\"omp critical\")\n#pragma GCC unroll 4\n"
		"#pragma sis cr x begin\n\t\tn   += i;\n#pragma sis end cr\n"
		"\treturn n + __COUNTER__ + sizeof __FILE__;\n}\n";
	static const char other[] = "#include <assert.h>\n#define N 6\n"
		"int f(int n) {\n\tassert(n);\n\tfor (int i = 0; i < N; i++)\n\t\tn += i;\n"
		"\treturn n + __COUNTER__ + sizeof __FILE__;\n}\nint g(int n) { return n; }\n";
	ck_assert_uint_ne(checksum_in(first, 0), 0);
	ck_assert_uint_eq(checksum_in(first, 0), checksum_in(same, 1));
	ck_assert_uint_ne(checksum_in(first, 0), checksum_in(other, 0));
	ck_assert_uint_eq(checksum_in(first, 1), checksum_in(other, 1));
	ck_assert_uint_ne(checksum_in(first, 1), checksum_in(same, 0));
}
END_TEST

START_TEST(functions_know_what_they_use)
{
	struct sis_ast *ast = open_source("int e(int);\nstatic int f(int n) { return e(n); }\n"
					  "int (*g(int n))(int) { return n ? f : g(n - 1); }\n"
					  "int h(void) { while (g(f(0)) != f) ; return 0; }\n");
	static const size_t callees[] = { 0, 1, 2 };
	ck_assert_uint_eq(sis_ast_function_count(ast), 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert_uint_eq(sis_ast_function(ast, i)->callee_count, callees[i]);
	ck_assert_uint_eq(sis_ast_function(ast, 1)->callees[0], 0);
	ck_assert_uint_eq(sis_ast_function(ast, 2)->callees[0], 1);
	ck_assert_str_eq(sis_ast_function(ast, 2)->name, "h");
	for (size_t i = 0; i < sis_ast_region_count(ast); i++)
		ck_assert_str_eq(sis_ast_function(ast, sis_ast_function_of(ast, i))->name,
				 sis_ast_region(ast, i)->function);
	ck_assert_ptr_nonnull(strstr(sis_ast_compiler(ast), "gcc "));
	close_source(ast);
}
END_TEST

START_TEST(bounds_of_loops_may_be_of_any_width)
{
	struct sis_ast *ast = open_source(
		"int f(int *a) {\n\tfor (unsigned long long i = ~0ULL - 3; i <= ~0ULL - 1; i++) "
		"a[0]++;\n"
		"\tfor (__int128 i = (__int128)1 << 90; i > 0; i -= (__int128)1 << 80) a[0]++;\n"
		"\tfor (unsigned i = 0; i < 3u; i++) a[0]++;\n\treturn 0;\n}\n"
		"int g(int *a) {\n\tfor (unsigned i = 0; i < 3000000000u; i += 1000000000u) "
		"a[0]++;\n\treturn 0;\n}\n");
	ck_assert_uint_lt(find(ast, CR_F, 0)->cost, UINT32_MAX);
	ck_assert_uint_lt(find(ast, CR_F, 1)->cost, 100); /* three turns */
	close_source(ast);
}
END_TEST

/* What is cold costs nothing; what may take long without a region of its own costs much. */
START_TEST(costs_are_of_what_is_likely)
{
	struct sis_ast *ast = open_source(
		"#include <stdio.h>\n#include <stdlib.h>\nint g(int);\n"
		"static void die(void) { fputs(\"\", stderr); exit(1); }\n"
		"static int cold(int n) { if (n) { g(n); die(); } if (n) { perror(\"\"); g(n); } "
		"return __builtin_expect(n, 0) ? g(n) : n; }\n"
		"static int unseen(int n) { return g(n); }\n"
		"static int twice(int n) { do n = g(n) + g(n); while (0); return n; }\n"
		"static int arm(int n) { return n ? g(n) : n; }\n"
		"static int all(const int *a, int n)\n"
		"{ int s = 0; while (n--) s += a[n]; return s; }\n"
		"static int search(const int *a)\n"
		"{ while (*a) if (*a++ == 7) return 1; return 0; }\n"
		"static int itself(int n) { return n ? itself(n - 1) : 0; }\n"
		"static int library(const char *s) { return system(s); }\n"
		"static int object(int n) { return g(n); }\n"
		"static int user(int n) { int s = 0; while (n--) s += object(n); return s; }\n");
	static const uint32_t least[] = { 0, 0, UINT32_MAX, UINT32_MAX, 50, 1000, 30, UINT32_MAX,
					  UINT32_MAX, 100, 1000 };
	static const uint32_t most[] = { UINT32_MAX, 20, UINT32_MAX, UINT32_MAX, 80, 1100, 239,
					 UINT32_MAX, UINT32_MAX, 120, UINT32_MAX };
	for (unsigned i = 0; i < sizeof least / sizeof *least; i++) {
		const struct sis_ast_region *f = find(ast, CR_F, i);
		ck_assert_msg(f->cost >= least[i] && f->cost <= most[i], "%s: %u", f->name,
			      f->cost);
	}
	close_source(ast);
}
END_TEST

/* The cost of a call is 0 if the compiler replaces it, else unknown. */
START_TEST(calls_that_are_replaced_cost_nothing)
{
	static const struct { const char *name; bool replaced; } call[] = {
		{ "strlen", true }, { "strlen", false }, { "fabs", true }, { "exp", false },
		{ "abs", true },    { "f", false },
	};
	struct sis_ast *ast = open_source(
		"#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n"
		"static int f(int n) { return n; }\n"
		"double g(const char *s, double x) {\n"
		"\treturn strlen(\"four\") + strlen(s) + fabs(x) + exp(x) + abs(f(1));\n}\n");
	for (unsigned i = 0; i < sizeof call / sizeof *call; i++) {
		ck_assert_str_eq(find(ast, CR_S, i)->name, call[i].name);
		ck_assert_uint_eq(find(ast, CR_S, i)->cost, call[i].replaced ? 0 : UINT32_MAX);
	}
	close_source(ast);
}
END_TEST

UNIT_MAIN("sis_ast", costs_are_of_what_is_likely, checksums_are_of_expanded_tokens,
	  functions_know_what_they_use,
	  calls_that_are_replaced_cost_nothing,
	  bounds_of_loops_may_be_of_any_width, ordinals_are_unique,
	  regions_have_type_place_and_parent, calls_are_of_the_library_or_of_the_program,
	  ordinals_count_one_name_in_a_function, directives_are_read_by_form,
	  directives_are_found_by_what_they_reach, wrong_directives_are_errors,
	  text_without_marks_stays_as_it_is, statements_stay_one_statement,
	  named_regions_keep_exits_and_declarations,
	  a_region_that_redistributes_has_its_type, the_trace_is_switched_by_a_statement,
	  jumps_into_a_region_enter_it, plain_forms_stay_where_they_can,
	  guards_must_see_every_way_out, openmp_is_wrapped_from_outside, what_is_emitted_compiles,
	  what_clang_cannot_read_is_told, what_clang_cannot_read_stays_as_it_is)
