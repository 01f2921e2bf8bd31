/* library_tool.cc SOURCE - a tool on the installed library: prints the source with function f
 * measured. */
#include <sis/sis_plan.h>
#include <cstdlib>
#include <cstring>
static void report(void *, sis_ast_severity, const sis_ast_position *, const char *text)
{
	fprintf(stderr, "said: %s\n", text);
}
int main(int argc, char **argv)
{
	sis_ast_options options = { "cc", report, nullptr, false };
	sis_ast *ast;
	char *message = nullptr, *text;
	size_t length;
	if (sis_ast_open_for(SIS_AST_ABI + 1, &ast, argv[1], nullptr, 0, &options, &message) ==
	    SIS_AST_FAILED)
		fprintf(stderr, "%s\n", message);
	free(message);
	if (argc != 2 || sis_ast_open(&ast, argv[1], nullptr, 0, &options, &message))
		return 1;
	sis_plan *plan = sis_plan_new(ast, report, nullptr);
	for (size_t i = 0; i < sis_ast_region_count(ast); i++) {
		const struct sis_ast_region *region = sis_ast_region(ast, i);
		if (region->type == CR_F && !strcmp(region->name, "f"))
			sis_plan_measure(plan, i, "VCSW", "f");
		if (region->type == CR_FOR && sis_plan_measure(plan, i, "NONSENSE", "") != -1)
			return 2;
		if (region->obstacle && sis_plan_measure(plan, i, "", "") != -1)
			return 3;
	}
	struct sis_plan_facts facts = {};
	if (sis_plan_measured(plan) != 1 || sis_plan_source(plan, &facts, &text, &length, &message))
		return 4;
	fwrite(text, 1, length, stdout);
	free(text);
	sis_plan_free(plan);
	sis_ast_close(ast);
}
