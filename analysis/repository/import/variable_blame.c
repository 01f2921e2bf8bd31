// SPDX-License-Identifier: BSD-3-Clause
/* variable_blame.c - calls in order the stages that lead from the samples of a run to its
 * variables. Called by one thread. import.c calls it after all other stages. The rest of the import
 * does not depend on its results, so each failure is only a warning. */
#include "repository/import/variable_blame.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "blame/flow/routines.h"
#include "blame/place/place_run.h"
#include "repository/import/samples.h"
#include "repository/store/store_blame.h"
#include "repository/store/store_memory.h"
#include "repository/store/store_variable_overhead.h"

/* Blame points with a smaller part of all samples have no rows. */
static const double LEAST_SHARE = 0.001;

/* -- the program ------------------------------------------------------------------------------- */

static void link_program(struct variable_blame *v, struct experiment *x)
{
	flow_program_link(&v->program);
	for (size_t i = 0; i < v->program.warning.n; i++)
		warnings_add_of(&x->warning, WARNING_VARIABLES, "variables: %s",
				v->program.warning.at[i]);
}

static void add_files(struct variable_blame *v, struct experiment *x)
{
	struct strmap seen = { 0 };
	for (size_t i = 0; i < x->run.samples.n; i++)
		for (size_t k = 0; k < x->run.samples.at[i].module.n; k++) {
			struct err err = { "" };
			bool is_new;
			const char *path = x->run.samples.at[i].module.at[k].path;
			strmap_put(&seen, path, 0, &is_new);
			if (is_new && *path == '/' &&
			    flow_program_add_file(&v->program, path, &err) < 0)
				warnings_add_of(&x->warning, WARNING_VARIABLES, "variables: %s",
						err.text);
		}
	strmap_free(&seen);
	link_program(v, x);
}

/* -- blame ------------------------------------------------------------------------------------- */

static void place_samples(struct variable_blame *v, const struct experiment *x)
{
	size_t n = x->run.samples.n;
	struct place_process *process = mem_alloc(n, sizeof *process);
	for (size_t i = 0; i < n; i++)
		process[i] = (struct place_process){
			&x->run.samples.at[i], samples_process(x, &x->run.samples.at[i]),
		};
	place_run(&v->placed, &v->accessed, x, &v->program, process, n);
	free(process);
}

/* The table of routines. Most runs have neither samples nor waits in files with blame, and to read
 * the built-in table takes longer than to read such a run. So it is read at its first use. */
struct routine_table { const struct routines *given; struct routines *built_in; };

static const struct routines *routines_of(struct routine_table *table)
{
	if (!table->given)
		table->given = table->built_in = routines_new();
	return table->given;
}

/* -- waits and transfers ----------------------------------------------------------------------- */

static bool has_section(const char *path)
{
	struct flow_program program = { .modules = 0 };
	struct err err = { "" };
	bool found = flow_program_add_file(&program, path, &err) > 0;
	flow_program_release(&program);
	return found;
}

/* Adds a file of the program. A file that is newer than the run is left out, because it is not the
 * one that ran. The names of files that do not exist are added to `gone`. */
static void add_file(struct variable_blame *v, struct experiment *x, const char *path,
		     struct buf *gone)
{
	struct stat st;
	struct err err = { "" };
	const struct sis_profile_header *h = &x->model.process.at[0].profile.head;
	if (stat(path, &st) != 0) {
		buf_print(gone, "%s%s", gone->length ? ", " : "", path);
		return;
	}
	if ((uint64_t)st.st_mtime * 1000000000u <= (uint64_t)h->start.realtime_ns) {
		if (flow_program_add_file(&v->program, path, &err) < 0)
			warnings_add(&x->warning, "variables: %s", err.text);
	} else if (has_section(path)) {
		warnings_add_of(&x->warning, WARNING_VARIABLES,
				"variables: %s is newer than the run, so waits and transfers in it "
				"have no variables; import a run before you build its program "
				"again", path);
	}
}

/* Adds the libraries of a process. Their relative names begin at the directory in which the process
 * started. */
static void add_libraries(struct variable_blame *v, struct experiment *x,
			  const struct profile *profile, struct strmap *seen, struct buf *gone)
{
	for (size_t i = 0; i < profile->text.n; i++) {
		const struct profile_text *t = &profile->text.at[i];
		bool is_new;
		if (strcmp(t->kind, "library") != 0)
			continue;
		char *path = *t->text == '/' ? mem_string(t->text) :
			mem_print("%s/%s", profile->head.directory, t->text);
		strmap_put(seen, path, 0, &is_new);
		if (is_new)
			add_file(v, x, path, gone);
		free(path);
	}
}

/* Finds the variables of measured waits and transfers. Without samples, only some modules of the
 * run are known: its program, and the libraries with measured units. */
static void measure(struct variable_blame *v, struct experiment *x, struct routine_table *table)
{
	struct buf gone = { 0 };
	if (v->program.function.n == 0) {
		struct strmap seen = { 0 };
		if (x->run.program && x->run.program[0] == '/')
			add_file(v, x, x->run.program, &gone);
		for (size_t i = 0; i < x->model.process.n; i++)
			add_libraries(v, x, &x->model.process.at[i].profile, &seen, &gone);
		strmap_free(&seen);
		link_program(v, x);
	}
	char *files = buf_take(&gone);
	if (v->program.function.n)
		measured_stacks_make(&v->measured, x, &v->program);
	if (v->measured.doubt)
		warnings_add_of(&x->warning, WARNING_VARIABLES, "variables: %s%s%s",
				v->measured.doubt, *files ? "; not there any more: " : "", files);
	free(files);
	if (v->measured.placed.stack.n)
		blame_compute(&v->overheads, &v->program, routines_of(table),
			      &v->measured.placed, 0);
}

/* -- all stages -------------------------------------------------------------------------------- */

void variable_blame_find(struct variable_blame *v, struct experiment *x,
			 const struct routines *routines)
{
	struct routine_table table = { routines, NULL };
	*v = (struct variable_blame){ .x = x };
	if (x->run.samples.n) {
		add_files(v, x);
		place_samples(v, x);
		const struct routines *known = routines_of(&table);
		blame_compute(&v->blame, &v->program, known, &v->placed, LEAST_SHARE);
		for (size_t i = 0; i < v->blame.warning.n; i++)
			warnings_add(&x->warning, "variables: %s", v->blame.warning.at[i]);
		for (size_t i = 0; i < v->blame.doubt.n; i++)
			warnings_add_of(&x->warning, WARNING_VARIABLES, "variables: %s",
					v->blame.doubt.at[i]);
		if (v->accessed.recorded)
			memory_blame_compute(&v->memory, &v->program, known, &v->accessed);
		v->sampled = true;
	}
	measure(v, x, &table);
	routines_free(table.built_in);
}

int variable_blame_store(struct repo *repo, int64_t experiment, const void *rows, struct err *err)
{
	const struct variable_blame *v = rows;
	const struct blame_rows samples = { v->x, &v->program, &v->placed, &v->blame };
	const struct overhead_rows overheads = { v->x, &v->program, &v->measured, &v->overheads };
	const struct memory_rows memory = { v->x, &v->accessed, &v->memory };
	int rc = v->sampled ? store_blame(repo, experiment, &samples, err) : 0;
	if (rc == 0 && v->accessed.recorded)
		rc = store_memory(repo, experiment, &memory, err);
	if (rc == 0 && v->overheads.row.n)
		rc = store_variable_overhead(repo, experiment, &overheads, err);
	return rc;
}

void variable_blame_release(struct variable_blame *v)
{
	blame_release(&v->overheads);
	measured_stacks_release(&v->measured);
	blame_release(&v->blame);
	memory_blame_release(&v->memory);
	placed_memory_release(&v->accessed);
	placed_release(&v->placed);
	flow_program_release(&v->program);
}
