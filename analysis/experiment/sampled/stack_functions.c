// SPDX-License-Identifier: BSD-3-Clause
/* stack_functions.c - names the functions of stacks: by debug information, else by symbols, else by
 * address; generated functions by the program's perf map. Called by one thread.
 *
 * Not shown are frames that are no functions of the program: those of the runtimes of SIS and
 * OpenMP, and the frames of libc that start a program or thread, or in which a thread waits.
 *
 * LIMIT: a runtime of OpenMP that is linked statically is not known as such. */
#include "experiment/sampled/stack_functions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/demangle.h"
#include "base/path.h"

/* -- functions at an address ------------------------------------------------------------------- */

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool is_runtime(const char *module, const char *symbol)
{
	static const char *const library[] = { "libsis", "libgomp.so", "libomp.so", "libiomp5.so" };
	const char *base = path_base(module);
	for (size_t i = 0; i < sizeof library / sizeof *library; i++)
		if (begins(base, library[i]))
			return true;
	return symbol && begins(symbol, "sis__");
}

/* Whether the module has an interpreter of Python: python3.12, libpython3.12.so. */
static bool is_python(const char *module)
{
	const char *base = path_base(module);
	const char *version = begins(base, "lib") ? base + 3 : base;
	return begins(version, "python") && (!version[6] || strchr("0123456789", version[6]));
}

/* Whether the path is that of the module of generated functions. */
static bool is_generated(const struct stack_functions *f, const char *path)
{
	return f->modules->generated && path == f->modules->module.at[f->modules->generated].path;
}

/* The number of a function. gcc adds .cold and .part to the names of parts of a function. */
static uint32_t function_number(struct stack_functions *f, const char *module, const char *symbol,
				const struct code_site *site)
{
	bool is_new, in_program = f->modules->module.n && module == f->modules->module.at[0].path;
	const char *end = is_generated(f, module) ? NULL :
		strstr(symbol, ".cold") ?: strstr(symbol, ".part.");
	char *name = mem_print("%.*s", (int)(end ? end - symbol : (ptrdiff_t)strlen(symbol)),
			       symbol);
	char *identity = mem_print("%s|%s|%s:%u", module, name,
				   site && site->declared ? site->declared : "",
				   site ? site->declared_line : 0);
	uint32_t number = strmap_put(&f->by_identity, identity, f->sampled->function.n, &is_new);
	if (is_new) {
		struct sampled_function *new = vec_push(&f->sampled->function);
		bool declared = site && site->declared;
		*new = (struct sampled_function){
			.name = demangled(name),
			.module = mem_string(module),
			.file = declared ? mem_string(site->declared) : NULL,
			.directory = declared && site->directory ? mem_string(site->directory) :
				NULL,
			.line = declared ? site->declared_line : 0,
			.in_program = in_program,
		};
	}
	free(identity);
	free(name);
	return number;
}

/* Adds a generated function. Python's perf map has names as py::FUNCTION:FILE. */
static void add_generated(struct stack_functions *f, const char *module, const char *symbol)
{
	const char *name = begins(symbol, "py::") ? symbol + 4 : NULL,
		   *colon = strchr(name ?: "", ':');
	struct code_site site = { .declared = colon ? colon + 1 : NULL };
	char *function = mem_print("%.*s", colon ? (int)(colon - name) : (int)strlen(symbol),
				   colon ? name : symbol);
	uint32_t number = function_number(f, module, function, &site);
	f->sampled->function.at[number].is_python = colon;
	*vec_push(&f->list) = number;
	free(function);
}

/* Adds the functions at an address to `list`. */
static void add_functions(struct stack_functions *f, const struct run_module *module,
			  const struct code_place *place, uint64_t address)
{
	if (is_runtime(module->path, place->symbol))
		return;
	if (is_generated(f, module->path)) {
		add_generated(f, module->path, place->symbol);
		return;
	}
	for (uint32_t i = place->count; i-- > 0;) {
		const struct code_site *site = &module->places.site.at[place->first + i];
		const char *symbol = site->function;
		if (i + 1 == place->count && (!symbol || begins(symbol, "__GI_"))) /* in libc */
			symbol = place->symbol ?: symbol;
		if (!symbol)
			continue;
		uint32_t number = function_number(f, module->path, symbol, site);
		*vec_push(&f->list) = number;
	}
	if (place->count && f->list.n > f->range.at[f->range.n - 1].first)
		return;
	char *unnamed = mem_print("%s+0x%" PRIx64, path_base(module->path),
				  place->start ? place->start : address);
	uint32_t number = function_number(f, module->path, place->symbol ?: unnamed, NULL);
	*vec_push(&f->list) = number;
	free(unnamed);
}

/* The functions at a PC, as an index of `range`; NONE: its module is not known. */
static uint32_t range_at(struct stack_functions *f, const struct run_address *at)
{
	bool is_new;
	const struct code_place *place = run_modules_place(f->modules, at);
	if (!place)
		return NONE;
	const struct run_module *module = &f->modules->module.at[at->module];
	uint32_t number = map_put(&f->by_address, at->module, at->address, f->range.n, &is_new);
	if (is_new) {
		vec_push(&f->range)->first = f->list.n;
		add_functions(f, module, place, module->address.at[at->address].at);
		f->range.at[number].count = f->list.n - f->range.at[number].first;
	}
	return number;
}

struct function_range stack_functions_of_call(struct stack_functions *f, uint32_t number,
					      size_t call)
{
	uint32_t range = range_at(f, &f->modules->call.at[number][call].from);
	return range == NONE ? (struct function_range){ 0 } : f->range.at[range];
}

/* -- stacks ------------------------------------------------------------------------------------ */

static bool is_in_libc(const struct stack_functions *f, const struct run_address *at)
{
	return at->module != NONE &&
		begins(path_base(f->modules->module.at[at->module].path), "libc.so");
}

/* The number of frames, outermost ones, that start the program or thread: frames of libc, and
 * _start around them, which has no name if the program is stripped. */
static uint32_t starting_frames(const struct stack_functions *f, const struct run_address *at,
				uint32_t frames)
{
	uint32_t n = 0;
	if (frames && !is_in_libc(f, &at[frames - 1])) {
		const struct code_place *place = run_modules_place(f->modules, &at[frames - 1]);
		if (!place || (place->symbol && strcmp(place->symbol, "_start") != 0))
			return 0;
		n = 1;
	}
	uint32_t first = n;
	while (n < frames && is_in_libc(f, &at[frames - 1 - n]))
		n++;
	return n == first || n == frames ? 0 : n;
}

/* Adds a function to a path. The interpreter's frames that lead to a function of Python, and the
 * frame that executes this function, are not shown. */
static void add_to_path(struct call_path *path, const struct sampled *sampled, uint32_t number)
{
	const struct sampled_function *function = sampled->function.at, *new = &function[number];
	size_t n = path->function.n,
	       border = path->border.n ? path->border.at[path->border.n - 1] : 0;
	while (new->is_python && n > border && is_python(function[path->function.at[n - 1]].module))
		n--;
	path->function.n = n;
	if (n > border && function[path->function.at[n - 1]].is_python &&
	    strcmp(new->name, "_PyEval_EvalFrameDefault") == 0)
		return;
	*vec_push(&path->function) = number;
}

void stack_functions_path(struct stack_functions *f, uint32_t number,
			  const struct stacks_stack *stack, struct call_path *path)
{
	const struct run_address *at = f->modules->process.at[number] + stack->first;
	bool in_runtime = false;
	uint32_t inner = 0;
	while (stack->kind == SIS_STACK_BLOCKED && inner < stack->frames &&
	       is_in_libc(f, &at[inner]))
		inner++;
	path->function.n = path->border.n = 0;
	for (uint32_t i = stack->frames - starting_frames(f, at, stack->frames); i-- > inner;) {
		uint32_t range = range_at(f, &at[i]);
		if (range == NONE)
			continue;
		uint32_t first = f->range.at[range].first, count = f->range.at[range].count;
		if (count == 0 && !in_runtime)
			*vec_push(&path->border) = path->function.n;
		in_runtime = count == 0;
		for (uint32_t k = 0; k < count; k++)
			add_to_path(path, f->sampled, f->list.at[first + k]);
	}
}

const struct code_site *stack_functions_site(const struct stack_functions *f, uint32_t number,
					     const struct stacks_stack *stack)
{
	const struct run_address *at = f->modules->process.at[number] + stack->first;
	for (uint32_t i = 0; i < stack->frames; i++) {
		const struct code_place *place = run_modules_place(f->modules, &at[i]);
		if (!place || is_in_libc(f, &at[i]))
			continue;
		const struct run_module *module = &f->modules->module.at[at[i].module];
		bool skip = is_runtime(module->path, place->symbol);
		for (uint32_t k = 0; !skip && k < place->count; k++) {
			const struct code_site *site = &module->places.site.at[place->first + k];
			if (site->file && site->line)
				return site;
		}
	}
	return NULL;
}

/* -- all processes ----------------------------------------------------------------------------- */

void stack_functions_warn(struct stack_functions *f)
{
	struct buf names = { 0 };
	for (size_t i = 0; i < f->modules->module.n; i++) {
		const struct run_module *m = &f->modules->module.at[i];
		enum placed_reason reason = m->places.place.n ? m->places.place.at[0].reason :
			PLACED_OK;
		if (!is_runtime(m->path, NULL) &&
		    (reason == PLACED_NO_FILE || reason == PLACED_CHANGED))
			buf_print(&names, "%s%s %s", names.length ? ", " : "", m->path,
				  reason == PLACED_NO_FILE ? "cannot be read" : "has changed");
	}
	if (names.length)
		*vec_push(&f->sampled->warning) = mem_print(
			"sampled functions of some files are addresses, because the files are not "
			"those of the run: %s; import a run where and before its program is built "
			"again", names.at);
	free(names.at);
}

void stack_functions_release(struct stack_functions *f)
{
	strmap_free(&f->by_identity);
	strmap_free(&f->call_by_identity);
	map_free(&f->by_address);
	vec_free(&f->range);
	vec_free(&f->list);
}
