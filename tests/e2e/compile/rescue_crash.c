/* rescue_crash.c - a plugin that crashes on the function `bad`: by abort(), by an endless
 * recursion, or by a null pointer. */
#include <sis/sis_plugin.h>
#include <stdlib.h>
#include <string.h>
static int dive(volatile int n)
{
	volatile char room[4096];
	room[n % 4096] = 1;
	return n < 0 ? 0 : dive(n + 1) + room[n % 4096];
}
static int start(const char *arguments, void **state, char *error, size_t room)
{
	(void)error, (void)room;
	*state = (void *)arguments;
	return 0;
}
static int unit(void *state, struct sis_plan *plan, char *error, size_t room)
{
	const char *how = state;
	(void)error, (void)room;
	if (strcmp(sis_ast_region(sis_plan_ast(plan), 0)->function, "bad") != 0)
		return 0;
	if (strcmp(how, "abort") == 0)
		abort();
	return strcmp(how, "dive") == 0 ? dive(1) : *(volatile int *)8;
}
const struct sis_plugin sis_plugin = {
	.abi = SIS_AST_ABI, .name = "crash", .start = start, .unit = unit
};
