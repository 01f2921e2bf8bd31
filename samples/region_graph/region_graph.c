/* region_graph.c - prints the tree of a source file's code regions for Graphviz. The regions that
 * sisc would measure are filled.
 *
 *     region_graph prog.c -O2 -fopenmp | dot -Tsvg > prog.svg
 *     region_graph -p build/compile_commands.json prog.c | dot -Tsvg > prog.svg
 * / */
#include <sis/sis_plan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_message(void *unused, enum sis_ast_severity severity,
			  const struct sis_ast_position *where, const char *message)
{
	static const char *const word[] = { "note", "warning", "error" };
	(void)unused;
	if (where)
		fprintf(stderr, "%s:%u:%u: ", where->file, where->line, where->column);
	fprintf(stderr, "%s: %s\n", word[severity], message);
}

static void print_quoted(const char *text)
{
	for (; *text; text++)
		printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
}

static void print_region(const struct sis_plan *plan, size_t index)
{
	const struct sis_ast_region *region = sis_ast_region(sis_plan_ast(plan), index);
	struct sis_plan_choice choice = sis_plan_choice(plan, index);
	printf("\tr%zu [label=\"", index);
	print_quoted(region->name);
	printf("\\n%s, line %u\"%s tooltip=\"", sis_region_table[region->type].name,
	       region->begin.line,
	       choice.measured		? " style=filled" :
		       region->obstacle ? " style=dashed" :
					  "");
	print_quoted(choice.why);
	printf("\"];\n");
	if (region->parent != SIS_AST_NONE)
		printf("\tr%u -> r%zu;\n", region->parent, index);
}

static int print_graph(struct sis_ast *ast)
{
	const struct sis_plan_options as_sisc = { .openmp = true };
	struct sis_plan *plan = sis_plan_new(ast, print_message, NULL);
	int failed = sis_plan_select(plan, &as_sisc);
	if (!failed) {
		printf("digraph \"");
		print_quoted(sis_ast_unit(ast)->file);
		printf("\" {\n\tnode [shape=box];\n");
		for (size_t i = 0; i < sis_ast_region_count(ast); i++)
			print_region(plan, i);
		printf("}\n");
	}
	sis_plan_free(plan);
	return failed;
}

/* Opens the file with the compiler options that follow it on the command line, or, with -p, those
 * of the compilation database. */
static enum sis_ast_status open_file(struct sis_ast **ast, int argc, char **argv, char **message)
{
	const char *compiler = getenv("CC");
	struct sis_ast_options options = { .report = print_message };
	if (strcmp(argv[1], "-p") == 0)
		return sis_ast_open_command(ast, argv[3], argv[2], &options, message);
	options.compiler = compiler ? compiler : "cc";
	return sis_ast_open(ast, argv[1], (const char *const *)argv + 2, (size_t)argc - 2, &options,
			    message);
}

int main(int argc, char **argv)
{
	bool database = argc == 4 && strcmp(argv[1], "-p") == 0;
	struct sis_ast *ast;
	char *message = NULL;
	if (argc < 2 || (argv[1][0] == '-' && !database)) {
		fputs("usage: region_graph FILE COMPILER-OPTION...\n"
		      "       region_graph -p compile_commands.json FILE\n",
		      stderr);
		return 2;
	}
	int failed = open_file(&ast, argc, argv, &message) != SIS_AST_OK;
	if (message)
		fprintf(stderr, "region_graph: error: %s\n", message);
	if (!failed) {
		failed = print_graph(ast);
		sis_ast_close(ast);
	}
	free(message);
	return failed ? 1 : 0;
}
