// SPDX-License-Identifier: BSD-3-Clause
/* sampled_calls.c - see sampled_calls.h. Called by one thread.
 *
 * Calls of one routine in the same line of the same function are one place, in all processes. If
 * lines are not known, the function is the place. */
#include "experiment/sampled/sampled_calls.h"

#include <stdlib.h>

/* A line of the source. file: NULL if the line is not known. */
struct place { const char *file, *directory; uint32_t line; };

/* The innermost site of an address; NULL: there is none. */
static const struct code_site *site_of(const struct run_modules *m, const struct run_address *at)
{
	const struct code_place *place = run_modules_place(m, at);
	return place && place->count ? &m->module.at[at->module].places.site.at[place->first] :
		NULL;
}

static struct place place_of(const struct run_modules *m, const struct run_call *call)
{
	const struct code_site *body = site_of(m, &call->body), *from = site_of(m, &call->from);
	if (body && body->declared && body->declared_line)
		return (struct place){ body->declared, body->directory, body->declared_line };
	if (from && from->file && from->line)
		return (struct place){ from->file, from->file_directory, from->line };
	return (struct place){ NULL, NULL, 0 };
}

static uint32_t number_of(struct stack_functions *f, uint32_t number, const struct profile *p,
			  size_t i)
{
	char name[64];
	bool is_new;
	struct function_range range = stack_functions_of_call(f, number, i);
	if (!range.count || !profile_builtin(p, p->call.at[i].id, name, sizeof name))
		return NONE;
	uint32_t function = f->list.at[range.first + range.count - 1];
	struct place place = place_of(f->modules, &f->modules->call.at[number][i]);
	char *identity = mem_print("%s|%u|%s:%u", name, function, place.file ?: "", place.line);
	uint32_t call = strmap_put(&f->call_by_identity, identity, f->sampled->call.n, &is_new);
	if (is_new)
		*vec_push(&f->sampled->call) = (struct sampled_call){
			.builtin = mem_string(name),
			.function = function,
			.file = place.file ? mem_string(place.file) : NULL,
			.directory = place.directory ? mem_string(place.directory) : NULL,
			.line = place.line,
		};
	free(identity);
	return call;
}

void sampled_calls_add(struct stack_functions *functions, uint32_t number, struct profile *p)
{
	for (size_t i = 0; i < p->call.n; i++)
		p->call.at[i].place = number_of(functions, number, p, i);
}
