/* SPDX-License-Identifier: BSD-3-Clause */
/* sis_plugin.h - plugins of sisc: shared objects that are called for every translation unit after
 * its regions are chosen, and may change the choice.
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
 * Several plugins are called in the order in which they are named. Each plugin sees the decisions
 * of the plugins before it. All calls come from one thread. If a plugin fails, the compilation
 * ends. */
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
	/* Called before the first translation unit. `arguments`: the text after the comma, or "".
	 * *state is for the plugin's own data. Returns 0, or -1 with the reason in `error`, of
	 * `room` bytes. The pointer may be NULL. */
	int (*start)(const char *arguments, void **state, char *error, size_t room);
	/* Called for each translation unit after its regions are chosen. It may call
	 * sis_plan_measure, sis_plan_leave, sis_plan_choice and, through sis_plan_ast, the
	 * functions of sis_ast.h. Returns 0, or -1 with the reason in `error`. The pointer may be
	 * NULL. */
	int (*unit)(void *state, struct sis_plan *plan, char *error, size_t room);
	/* Called after the last translation unit, when sisc ends. The pointer may be NULL. */
	void (*end)(void *state);
};

/* The symbol that a plugin exports. */
extern const struct sis_plugin sis_plugin;

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
