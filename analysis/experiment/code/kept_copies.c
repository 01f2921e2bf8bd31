// SPDX-License-Identifier: BSD-3-Clause
/* kept_copies.c - decides which copies of functions a run used. The files are read in a process of
 * its own (reader_process.h). One thread calls it. */
#include "experiment/code/kept_copies.h"

#include <stdlib.h>
#include <string.h>

#include "experiment/code/module_copies.h"
#include "experiment/code/reader_process.h"

typedef VEC(struct module_copies) module_list;

/* Whether another module that sisc compiled has a copy with probes, which is not used. */
static bool displaces_probes(const module_list *modules, uint32_t function)
{
	for (size_t i = 0; i < modules->n; i++)
		if (modules->at[i].has_units &&
		    modules->at[i].copy.at[function].probes == COPY_WITH_PROBES)
			return true;
	return false;
}

/* Whether a copy without probes is used. Of a module that sisc has not compiled at all, only copies
 * that replace those of others count. */
static bool uses_plain_copy(const module_list *modules, uint32_t function)
{
	bool is_exported = false; /* by a module before this one */
	for (size_t i = 0; i < modules->n; i++) {
		const struct module_copies *m = &modules->at[i];
		const struct module_copy *copy = &m->copy.at[function];
		bool is_used = !copy->is_exported || !is_exported;
		if (copy->probes == COPY_WITHOUT_PROBES && is_used &&
		    (m->has_units ||
		     (copy->is_exported && displaces_probes(modules, function))))
			return true;
		is_exported |= copy->is_exported;
	}
	return false;
}

static void write_kept(FILE *out, const void *question)
{
	const struct kept_copies_question *q = question;
	struct copied_functions functions = { 0 };
	module_list modules = { 0 };
	for (size_t i = 0; i < q->symbols; i++)
		copied_functions_add(&functions, q->symbol[i]);
	for (size_t i = 0; i < q->modules; i++) {
		struct module_copies module;
		if (module_copies_open(&module, q->module[i], q->newest_ns))
			*vec_push(&modules) = module;
	}
	for (size_t i = 0; i < modules.n; i++)
		module_copies_add_instances(&modules.at[i], &functions);
	for (size_t i = 0; i < modules.n; i++)
		module_copies_find(&modules.at[i], &functions);
	for (uint32_t i = 0; i < functions.symbol.n; i++)
		if (uses_plain_copy(&modules, i))
			fprintf(out, "%s\n", functions.symbol.at[i]);
}

int kept_copies_find(struct kept_copies *kept, const struct kept_copies_question *question,
		     struct err *err)
{
	*kept = (struct kept_copies){ 0 };
	int rc = reader_process(&kept->text, write_kept, question, err);
	for (char *line = kept->text, *end; line && (end = strchr(line, '\n')); line = end + 1) {
		*end = 0;
		*vec_push(&kept->symbol) = line;
	}
	return rc < 0 ? rc : 0;
}

void kept_copies_release(struct kept_copies *kept)
{
	vec_free(&kept->symbol);
	free(kept->text);
	*kept = (struct kept_copies){ 0 };
}
