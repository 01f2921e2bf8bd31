/* SPDX-License-Identifier: BSD-3-Clause */
/* program.c - look-up in the merged program, its strings, and its release. One thread calls it. */
#include "blame/flow/program_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

/* -- strings ----------------------------------------------------------------------------------- */

const char *flow__text(struct flow_program *program, const char *text)
{
	bool fresh;
	uint32_t at = strmap_put(&program->texts, text, (uint32_t)program->text.n, &fresh);
	if (fresh)
		*vec_push(&program->text) = mem_string(text);
	return program->text.at[at];
}

uint32_t flow__file(struct flow_program *program, const char *path)
{
	bool fresh;
	uint32_t at = strmap_put(&program->files, path, (uint32_t)program->file.n, &fresh);
	if (fresh) {
		const char *text = flow__text(program, path);
		*vec_push(&program->file) = text;
	}
	return at;
}

/* -- looking up functions and values ----------------------------------------------------------- */

void flow__name_function(struct flow_program *program, uint32_t function)
{
	const char *name = program->function.at[function].linkage;
	bool fresh;
	uint32_t at = strmap_put(&program->functions, name, function, &fresh);
	*vec_push(&program->same_name) = FLOW_NONE;
	if (fresh)
		return;
	while (program->same_name.at[at] != FLOW_NONE)
		at = program->same_name.at[at];
	program->same_name.at[at] = function;
}

uint32_t flow_function_find(const struct flow_program *program, const char *linkage)
{
	return strmap_get(&program->functions, linkage);
}

uint32_t flow_function_next(const struct flow_program *program, uint32_t function)
{
	return program->same_name.at[function];
}

/* The function that the object names: a function of the object's unit or, if there is none, an
 * external one. */
static uint32_t function_of(const struct flow_program *program, const struct flow_object *object)
{
	uint32_t external = FLOW_NONE, f = flow_function_find(program, object->linkage);
	for (; f != FLOW_NONE; f = flow_function_next(program, f)) {
		const struct flow_function *function = &program->function.at[f];
		if (function->flags & SIS_BLAME_FUNCTION_NO_BODY)
			continue;
		if (function->unit == object->unit)
			return f;
		if (external == FLOW_NONE && !(function->flags & SIS_BLAME_FUNCTION_STATIC))
			external = f;
	}
	return external;
}

void flow_program_link(struct flow_program *program)
{
	for (size_t i = 0; i < program->object.n; i++) {
		struct flow_object *object = &program->object.at[i];
		if (object->kind == SIS_BLAME_FUNCTION)
			object->function = function_of(program, object);
	}
}

uint32_t flow_function_of(const struct flow_program *program, uint32_t value)
{
	size_t after = search_first(i, 0, program->function.n,
				    program->function.at[i].value.first <= value);
	return (uint32_t)(after ? after - 1 : 0);
}

/* The steps are bounded, because functions of a damaged file may be around each other. */
uint32_t flow_function_around(const struct flow_program *program, uint32_t function)
{
	enum { STEPS = 32 };
	for (int i = 0; i < STEPS && program->function.at[function].around != FLOW_NONE; i++)
		function = program->function.at[function].around;
	return function;
}

uint32_t flow_operand(const struct flow_program *program, uint32_t value, uint32_t number)
{
	const struct flow_range list = program->value.at[value].operand;
	return number < list.n ? program->number.at[list.first + number] : FLOW_NONE;
}

uint32_t flow_function_at(const struct flow_program *program, uint32_t value)
{
	const struct flow_value *v = value == FLOW_NONE ? NULL : &program->value.at[value];
	if (!v || v->op != SIS_BLAME_ADDRESS || v->object == FLOW_NONE ||
	    program->object.at[v->object].kind != SIS_BLAME_FUNCTION)
		return FLOW_NONE;
	return program->object.at[v->object].function;
}

bool flow_calls_library(const struct flow_program *program, uint32_t call)
{
	const struct flow_object *called = flow_called_object(program, call);
	return called && called->function == FLOW_NONE;
}

const struct flow_object *flow_called_object(const struct flow_program *program, uint32_t value)
{
	uint32_t callee = flow_operand(program, value, 0);
	const struct flow_value *v = callee == FLOW_NONE ? NULL : &program->value.at[callee];
	return v && v->op == SIS_BLAME_ADDRESS && v->object != FLOW_NONE ?
		&program->object.at[v->object] : NULL;
}

const uint32_t *flow_anchor_statements(const struct flow_program *program, uint32_t function,
				       const struct flow_anchor *anchor, size_t *n)
{
	*n = 1;
	if (!anchor->is_group)
		return &anchor->item;
	const struct flow_range group =
		program->group.at[program->function.at[function].group.first + anchor->item];
	*n = group.n;
	return program->number.at + group.first;
}

/* -- release ----------------------------------------------------------------------------------- */

void flow_program_release(struct flow_program *program)
{
	for (size_t i = 0; i < program->warning.n; i++)
		free(program->warning.at[i]);
	for (size_t i = 0; i < program->text.n; i++)
		free(program->text.at[i]);
	vec_free(&program->unit);
	vec_free(&program->file);
	vec_free(&program->type);
	vec_free(&program->field);
	vec_free(&program->object);
	vec_free(&program->function);
	vec_free(&program->statement);
	vec_free(&program->anchor);
	vec_free(&program->group);
	vec_free(&program->block);
	vec_free(&program->value);
	vec_free(&program->number);
	vec_free(&program->warning);
	vec_free(&program->text);
	vec_free(&program->same_name);
	strmap_free(&program->texts);
	strmap_free(&program->files);
	strmap_free(&program->functions);
	strmap_free(&program->objects);
	map_free(&program->blobs);
}
