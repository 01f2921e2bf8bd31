// SPDX-License-Identifier: BSD-3-Clause
/* uncounted_calls.c - asks the files of the run's programs which copies of inline functions and of
 * instances of templates they have (experiment/code/kept_copies.h). C has no such copies, so its
 * programs are not read. Called by one thread.
 *
 * LIMIT: nothing is said if a program has changed since the run, or is not there any more. */
#include "repository/import/uncounted_calls.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/demangle.h"
#include "base/sort.h"
#include "experiment/code/kept_copies.h"

/* The modules of one program, and the functions of their units that may have copies. */
struct program {
	VEC(char *) module;        /* paths */
	VEC(const char *) symbol;
	struct strmap by_path, by_symbol; /* by_symbol: the region of each symbol */
	bool has_templates;
};

/* The names of functions with calls that were not counted, each once. */
struct uncounted {
	struct strmap by_name;
	VEC(char *) name;
};

static void add_module(struct program *program, const char *directory, const char *path)
{
	bool is_new;
	char *whole = *path == '/' ? mem_string(path) : mem_print("%s/%s", directory, path);
	strmap_put(&program->by_path, whole, 0, &is_new);
	if (is_new)
		*vec_push(&program->module) = whole;
	else
		free(whole);
}

/* Adds the libraries in the order of the search. Those that the program opened come later. */
static void add_libraries(struct program *program, const struct profile *profile, const char *kind)
{
	for (size_t i = 0; i < profile->text.n; i++)
		if (strcmp(profile->text.at[i].kind, kind) == 0)
			add_module(program, profile->head.directory, profile->text.at[i].text);
}

static void add_functions(struct program *program, const struct experiment_model *m,
			  const struct profile *profile)
{
	for (size_t i = 0; i < profile->tu.n; i++) {
		uint64_t text = sis_checksum(profile->tu.at[i].json, profile->tu.at[i].length);
		for (uint32_t k = 0, r; (r = map_get(&m->region_by_text, text, k)) != MAP_NONE;
		     k++) {
			const struct region *region = &m->region.at[r];
			bool is_new = false;
			program->has_templates |= region->type == CR_F && strchr(region->name, '<');
			/* if a condition is never true, the compiler removes the probes */
			if (region->symbol && !region->conditional)
				strmap_put(&program->by_symbol, region->symbol, r, &is_new);
			if (is_new)
				*vec_push(&program->symbol) = region->symbol;
		}
	}
}

static void program_release(struct program *program)
{
	for (size_t i = 0; i < program->module.n; i++)
		free(program->module.at[i]);
	vec_free(&program->module);
	vec_free(&program->symbol);
	strmap_free(&program->by_path);
	strmap_free(&program->by_symbol);
}

/* Adds a function by the name that tables show. Instances have no symbol in the description. */
static void add_uncounted(struct uncounted *uncounted, const struct experiment_model *m,
			  const struct program *program, const char *symbol)
{
	bool is_new;
	uint32_t region = strmap_get(&program->by_symbol, symbol);
	char *name = region == MAP_NONE ? demangled(symbol) :
					  mem_string(m->region.at[region].name);
	strmap_put(&uncounted->by_name, name, 0, &is_new);
	if (is_new)
		*vec_push(&uncounted->name) = name;
	else
		free(name);
}

static void find_uncounted(const struct experiment *x, const struct profile *profile,
			   struct uncounted *uncounted, struct err *err)
{
	struct program program = { 0 };
	struct kept_copies kept = { 0 };
	add_module(&program, profile->head.directory, profile->head.program);
	add_libraries(&program, profile, "searched");
	add_libraries(&program, profile, "library");
	add_functions(&program, &x->model, profile);
	struct kept_copies_question question = {
		.module = program.module.at, .modules = program.module.n,
		.symbol = program.symbol.at, .symbols = program.symbol.n,
		.newest_ns = profile->head.start.realtime_ns,
	};
	if ((program.symbol.n || program.has_templates) &&
	    kept_copies_find(&kept, &question, err) == 0)
		for (size_t i = 0; i < kept.symbol.n; i++)
			add_uncounted(uncounted, &x->model, &program, kept.symbol.at[i]);
	kept_copies_release(&kept);
	program_release(&program);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void uncounted_calls_warn(struct experiment *x)
{
	enum { SHOWN = 5 };
	struct strmap programs = { 0 };
	struct uncounted uncounted = { 0 };
	struct err err = { "" };
	struct buf names = { 0 };
	for (size_t i = 0; i < x->model.process.n; i++) {
		const struct profile *profile = &x->model.process.at[i].profile;
		bool is_new = false;
		if (profile->tu.n)
			strmap_put(&programs, profile->head.program, 0, &is_new);
		if (is_new)
			find_uncounted(x, profile, &uncounted, &err);
	}
	vec_sort(&uncounted.name, by_name);
	for (size_t i = 0; i < uncounted.name.n && i < SHOWN; i++)
		buf_print(&names, "%s%s", i ? ", " : "", uncounted.name.at[i]);
	if (uncounted.name.n > SHOWN)
		buf_print(&names, " and %zu more functions", uncounted.name.n - SHOWN);
	if (err.text[0])
		warnings_add(&x->warning, "it is not known whether calls are missing: %s",
			     err.text);
	if (names.length)
		warnings_add_of(&x->warning, WARNING_COUNTS,
				"calls are missing, some or all, of %s: the linker kept a copy "
				"without probes, from a file that sisc did not compile; compile "
				"all files with sisc, or link those that it compiled before the "
				"others", names.at);
	buf_release(&names);
	strmap_free(&programs);
	strmap_free(&uncounted.by_name);
	for (size_t i = 0; i < uncounted.name.n; i++)
		free(uncounted.name.at[i]);
	vec_free(&uncounted.name);
}
