/* mpi_loops.c - a plugin of sisc: measures the program and its loops that have MPI calls inside,
 * and no other regions.
 *
 *     sisc --sis-plugin=./mpi_loops.so prog.c -o prog              for the default metrics
 *     sisc --sis-plugin=./mpi_loops.so,CTIME,VCSW prog.c -o prog   for these metrics, too
 * / */
#include <sis/sis_plugin.h>

#include <stdlib.h>
#include <string.h>

static int start(const char *arguments, void **state, char *error, size_t room)
{
	(void)error, (void)room;
	*state = strdup(arguments); /* the metrics */
	return *state ? 0 : -1;
}

/* Regions are in source order, so those inside a loop come after it. */
static bool holds_mpi_calls(const struct sis_ast *ast, size_t loop)
{
	for (size_t i = loop + 1; i < sis_ast_region_count(ast) && sis_ast_inside(ast, i, loop);
	     i++)
		if (sis_region_in(sis_ast_region(ast, i)->type, CR_MPI))
			return true;
	return false;
}

static int unit(void *state, struct sis_plan *plan, char *error, size_t room)
{
	const struct sis_ast *ast = sis_plan_ast(plan);
	(void)error, (void)room;
	for (size_t i = 0; i < sis_ast_region_count(ast); i++) {
		const struct sis_ast_region *region = sis_ast_region(ast, i);
		if (region->type == CR_P)
			continue;
		/* a loop with an obstacle is not measured, and the obstacle is the reason */
		if (sis_region_in(region->type, CR_L) && holds_mpi_calls(ast, i))
			sis_plan_measure(plan, i, state, "a loop with MPI calls");
		else
			sis_plan_leave(plan, i, "no loop with MPI calls");
	}
	return 0;
}

const struct sis_plugin sis_plugin = {
	.abi = SIS_AST_ABI, .name = "mpi_loops", .start = start, .unit = unit, .end = free
};
