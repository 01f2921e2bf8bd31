/* SPDX-License-Identifier: BSD-3-Clause */
/* ast_loader.c - loads libsis-instrument, and with it libsis-ast. Called by instrument.c.
 * The idea: a command line that goes to the compiler unchanged must not take the time for loading
 * Clang. */
#include "driver/ast_loader.h"
#include "driver/install_paths.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int find_symbols(struct ast_library *library, void *handle, struct err *err)
{
	const struct { const char *name; void **at; } symbols[] = {
		{ "sis_ast_open_for", (void **)&library->open },
		{ "sis_ast_close", (void **)&library->close },
		{ "sis_ast_expanded_count", (void **)&library->expanded_count },
		{ "sis_ast_region_count", (void **)&library->region_count },
		{ "sis_ast_region", (void **)&library->region },
		{ "sis_ast_function_of", (void **)&library->function_of },
		{ "sis_plan_new", (void **)&library->plan_new },
		{ "sis_plan_free", (void **)&library->plan_free },
		{ "sis_plan_select", (void **)&library->plan_select },
		{ "sis_plan_acts", (void **)&library->plan_acts },
		{ "sis_plan_measured", (void **)&library->plan_measured },
		{ "sis_plan_choice", (void **)&library->plan_choice },
		{ "sis_plan_leave", (void **)&library->plan_leave },
		{ "sis_plan_explain", (void **)&library->plan_explain },
		{ "sis_plan_source", (void **)&library->plan_source },
	};
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
		*symbols[i].at = dlsym(handle, symbols[i].name);
		if (!*symbols[i].at)
			return err_fail(
				err,
				"the parser is of another version: no '%s'; install sisc again",
				symbols[i].name);
	}
	return 0;
}

/* Asks for large pages for the heap, which the parser fills. Without them, page faults take a
 * quarter of its time on a virtual machine. */
static void use_large_pages(void)
{
	enum { HEAP = 128 << 20, LARGE = 2 << 20 };
	mallopt(M_MMAP_THRESHOLD, HEAP); /* large blocks come from the heap, too */
	mallopt(M_TOP_PAD, HEAP);
	void *volatile grows = malloc(LARGE); /* the heap, by HEAP */
	free(grows);
	uintptr_t end = (uintptr_t)sbrk(0);
	uintptr_t first = (end - HEAP + LARGE - 1) & -(uintptr_t)LARGE;
	madvise((void *)first, HEAP - LARGE, MADV_HUGEPAGE);
}

const struct ast_library *sis_ast_library(struct err *err)
{
	static struct ast_library library;
	const char *prefix = sis_install_prefix(err);
	if (library.open || !prefix)
		return prefix ? &library : NULL;
	use_large_pages();
	char *path = mem_print("%s/lib/libsis-instrument.so.%d", prefix, SIS_AST_ABI_MAJOR);
	void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	if (!handle) {
		err_fail(err, "cannot load the parser: %s; install sisc again, or use --sis-off",
			    dlerror());
		return NULL;
	}
	return find_symbols(&library, handle, err) < 0 ? NULL : &library;
}
