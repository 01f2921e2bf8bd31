/* SPDX-License-Identifier: BSD-3-Clause */
/* sis_plugin.h - plugins of sisc: shared objects that look at every unit after its regions are
 * chosen, and may choose otherwise.
 *
 *     #include <sis/sis_plugin.h>
 *     static int unit(void *state, struct sis_plan *plan, char *error, size_t room)
 *     {
 *             ...
 *             return 0;
 *     }
 *     const struct sis_plugin sis_plugin = { .abi = SIS_AST_ABI, .name = "mine", .unit = unit };
 *
 *     cc -shared -fPIC mine.c -o mine.so $(pkg-config --cflags --libs sis-ast)
 *     sisc --sis-plugin=mine.so,ARGUMENTS ...
 *
 * Several plugins are called in the order they are named; each sees what those before it decided.
 * All calls come from one thread. A plugin that fails ends the compilation.
 */
#ifndef SIS_PLUGIN_H
#define SIS_PLUGIN_H

#include "sis_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct sis_plugin {
	uint32_t abi;          /* SIS_AST_ABI; a plugin with another one is refused */
	const char *name;      /* in messages */
	/* Before the first unit. `arguments`: what follows the comma, "" if nothing does. *state is
	 * the plugin's own. -1: `error`, of `room` bytes, says why. NULL: nothing to do. */
	int (*start)(const char *arguments, void **state, char *error, size_t room);
	/* After the regions of a unit are chosen: sis_plan_measure, sis_plan_leave,
	 * sis_plan_choice, and all of sis_ast.h through sis_plan_ast. -1: `error` says why. NULL:
	 * nothing to do. */
	int (*unit)(void *state, struct sis_plan *plan, char *error, size_t room);
	/* After the last unit, when sisc ends. NULL: nothing to do. */
	void (*end)(void *state);
};

/* What a plugin exports. */
extern const struct sis_plugin sis_plugin;

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
