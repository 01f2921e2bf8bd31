/* SPDX-License-Identifier: BSD-3-Clause */
/* types.c - finds what is at an offset of a type (types.h). Loops are bounded, because types from a
 * damaged file may refer to each other in a cycle. */
#include "blame/flow/types.h"

#include <string.h>

const struct flow_type *flow_type_of(const struct flow_program *program, uint32_t type)
{
	return type == FLOW_NONE ? NULL : &program->type.at[type];
}

const struct flow_field *flow_field_at(const struct flow_program *program,
				       const struct flow_type *type, uint64_t offset)
{
	const struct flow_field *found = NULL;
	for (uint32_t i = 0; i < type->field.n; i++) {
		const struct flow_field *f = &program->field.at[type->field.first + i];
		if (f->offset <= offset && offset - f->offset < (f->size ? f->size : 1) &&
		    (!found || f->size > found->size))
			found = f;
	}
	return found;
}

uint32_t flow_type_descend(const struct flow_program *program, uint32_t number, uint64_t *offset,
			   uint32_t *around, uint64_t *inside)
{
	uint64_t base = 0, rest = *offset;
	for (int steps = 0; steps < 32; steps++) {
		const struct flow_type *type = flow_type_of(program, number);
		const struct flow_type *element = type ? flow_type_of(program, type->element) :
							 NULL;
		const struct flow_field *field;
		if (!type)
			break;
		if (type->kind == SIS_BLAME_ARRAY && element) {
			rest = element->size ? rest % element->size : 0;
			number = type->element;
		} else if ((type->kind == SIS_BLAME_STRUCT || type->kind == SIS_BLAME_UNION) &&
			   (field = flow_field_at(program, type, rest))) {
			if (around)
				*around = number, *inside = rest;
			base += field->offset;
			rest -= field->offset;
			number = field->type;
		} else {
			break;
		}
	}
	*offset = base + rest;
	return number;
}

uint32_t flow_type_at(const struct flow_program *program, uint32_t type, uint64_t offset)
{
	return flow_type_descend(program, type, &offset, NULL, NULL);
}

uint32_t flow_element(const struct flow_program *program, uint32_t number)
{
	const struct flow_type *type;
	for (int steps = 0; steps < 32 && (type = flow_type_of(program, number)) &&
	     type->kind == SIS_BLAME_ARRAY; steps++)
		number = type->element;
	return number;
}

bool flow_same_type(const struct flow_program *program, uint32_t a, uint32_t b)
{
	const struct flow_type *x = flow_type_of(program, a), *y = flow_type_of(program, b);
	if (!x || !y || x->kind != y->kind || x->size != y->size)
		return false;
	return (x->kind != SIS_BLAME_STRUCT && x->kind != SIS_BLAME_UNION) ||
		strcmp(x->name, y->name) == 0;
}

bool flow_is_reference(const struct flow_program *program, uint32_t number)
{
	const struct flow_type *type = flow_type_of(program, number);
	return type && type->kind == SIS_BLAME_POINTER && type->count;
}

uint32_t flow_pointee(const struct flow_program *program, uint32_t number)
{
	const struct flow_type *type = flow_type_of(program, number);
	const struct flow_type *element = type ? flow_type_of(program, type->element) : NULL;
	if (!element || type->kind != SIS_BLAME_POINTER || element->kind == SIS_BLAME_VOID ||
	    !element->size)
		return FLOW_NONE;
	return type->element;
}
