/* SPDX-License-Identifier: BSD-3-Clause */
/* pointed.c - computes what pointers point to (pointed.h). One thread calls it. */
#include "blame/flow/pointed.h"

#include "base/mem.h"
#include "blame/flow/types.h"

struct pointing { const struct flow_program *program; struct flow_pointed *pointed; };

/* The target of a pointer with the type `pointer`; if the type does not say, the target of
 * `value`. */
static struct flow_pointed by_type(const struct pointing *t, uint32_t pointer, uint32_t value)
{
	uint32_t type = flow_pointee(t->program, pointer);
	if (type == FLOW_NONE && value != FLOW_NONE)
		return t->pointed[value];
	return (struct flow_pointed){ type, 0 };
}

static uint32_t type_of_object(const struct flow_program *p, uint32_t object)
{
	return object == FLOW_NONE ? FLOW_NONE : p->object.at[object].type;
}

/* What a value points to, computed from its operands. Operands come before the values that use
 * them, except around loops. */
static struct flow_pointed pointed_by(const struct pointing *t, const struct flow_function *f,
				 uint32_t value)
{
	const struct flow_program *p = t->program;
	const struct flow_value *v = &p->value.at[value];
	uint32_t first = v->operand.n ? flow_operand(p, value, 0) : FLOW_NONE, parameter, callee;
	struct flow_pointed base = first == FLOW_NONE ? (struct flow_pointed){ FLOW_NONE, 0 } :
						   t->pointed[first];
	switch (v->op) {
	case SIS_BLAME_ADDRESS:
	case SIS_BLAME_ALLOCA:
		return (struct flow_pointed){ type_of_object(p, v->object), 0 };
	case SIS_BLAME_PARAMETER:
		parameter = v->object < f->parameter.n ?
			p->number.at[f->parameter.first + v->object] : FLOW_NONE;
		return by_type(t, type_of_object(p, parameter), FLOW_NONE);
	case SIS_BLAME_FIELD:
		base.offset += (uint32_t)v->number;
		return base;
	case SIS_BLAME_INDEX:
		return base;
	case SIS_BLAME_LOAD:
		return by_type(t, flow_type_at(p, base.type, base.offset), FLOW_NONE);
	case SIS_BLAME_DEFINE:
		return by_type(t, type_of_object(p, v->object), first);
	case SIS_BLAME_CALL:
		callee = flow_function_at(p, first);
		return by_type(t, callee == FLOW_NONE ? FLOW_NONE : p->function.at[callee].result,
			       FLOW_NONE);
	case SIS_BLAME_MEET:
	case SIS_BLAME_COMPUTE:
		for (uint32_t i = 1; base.type == FLOW_NONE && i < v->operand.n; i++)
			if (flow_operand(p, value, i) != FLOW_NONE)
				base = t->pointed[flow_operand(p, value, i)];
		return base;
	default:
		return (struct flow_pointed){ FLOW_NONE, 0 };
	}
}

struct flow_pointed *flow__pointed(const struct flow_program *p)
{
	struct pointing t = { p, mem_alloc(p->value.n + 1, sizeof *t.pointed) };
	for (size_t i = 0; i < p->value.n; i++)
		t.pointed[i].type = FLOW_NONE;
	for (size_t i = 0; i < p->function.n; i++) {
		const struct flow_function *f = &p->function.at[i];
		for (uint32_t v = f->value.first; v < f->value.first + f->value.n; v++)
			t.pointed[v] = pointed_by(&t, f, v);
	}
	return t.pointed;
}
