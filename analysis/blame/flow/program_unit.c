/* SPDX-License-Identifier: BSD-3-Clause */
/* program_unit.c - adds the payload of one blob (schema/blame.h) to the program. One thread calls
 * it. An index in a list of the unit becomes an index in the program's list when it is read: the
 * index at which the unit's part of the list begins is added. Each index is checked against its
 * list. Indices of a list that comes later in the payload (functions of objects) are checked at the
 * end. A damaged unit is removed by cutting the lists. */
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/sort.h"
#include "blame/flow/program_internal.h"

/* The lengths of the program's lists. */
struct extent {
	size_t unit, type, field, object, function, statement, anchor, group, block, value, number;
};

struct reader {
	struct byte_reader in;
	struct flow_program *program;
	struct extent base;
	uint32_t unit;
	VEC(const char *) string;
	VEC(uint32_t) file;
	uint32_t types, objects, functions;
	VEC(uint32_t) merged;    /* object of the unit -> object of the program */
};

static uint32_t bad(struct reader *r)
{
	r->in.bad = true;
	return FLOW_NONE;
}

/* -- reading numbers and strings --------------------------------------------------------------- */

/* Reads a number below `n`. */
static uint32_t below(struct reader *r, size_t n)
{
	uint64_t number = read_number(&r->in);
	return number < n ? (uint32_t)number : (bad(r), 0);
}

/* Reads a ref to an item of a list that begins at `base` and has `n` items. */
static uint32_t ref(struct reader *r, size_t base, size_t n)
{
	uint64_t number = read_number(&r->in);
	if (number == 0)
		return FLOW_NONE;
	return number <= n ? (uint32_t)(base + number - 1) : bad(r);
}

static uint32_t ref_type(struct reader *r) { return ref(r, r->base.type, r->types); }
static uint32_t ref_object(struct reader *r) { return ref(r, r->base.object, r->objects); }

static uint32_t ref_file(struct reader *r)
{
	uint32_t file = ref(r, 0, r->file.n);
	return file == FLOW_NONE ? FLOW_NONE : r->file.at[file];
}

/* Reads a ref to a function. read_lists checks the result later, because the list of functions
 * follows. */
static uint32_t ref_function(struct reader *r)
{
	uint64_t number = read_number(&r->in);
	if (number == 0)
		return FLOW_NONE;
	if (number > UINT32_MAX / 2)
		return bad(r);
	return (uint32_t)(r->base.function + number - 1);
}

static const char *text(struct reader *r)
{
	uint64_t length = read_count(&r->in, 1);
	const unsigned char *bytes = read_bytes(&r->in, length);
	if (!bytes || memchr(bytes, 0, length))
		return bad(r), "";
	char *copy = mem_alloc(length + 1, 1);
	memcpy(copy, bytes, length);
	const char *found = flow__text(r->program, copy);
	free(copy);
	return found;
}

static const char *string(struct reader *r)
{
	uint32_t at = below(r, r->string.n);
	return at < r->string.n ? r->string.at[at] : "";
}

/* Reads a list of numbers below `n`, and adds `base` to each. */
static struct flow_range numbers(struct reader *r, size_t base, size_t n)
{
	struct flow_range range = { (uint32_t)r->program->number.n,
				    (uint32_t)read_count(&r->in, 1) };
	for (uint32_t i = 0; i < range.n; i++)
		*vec_push(&r->program->number) = (uint32_t)base + below(r, n);
	return range;
}

static struct flow_range refs(struct reader *r, size_t base, size_t n)
{
	struct flow_range range = { (uint32_t)r->program->number.n,
				    (uint32_t)read_count(&r->in, 1) };
	for (uint32_t i = 0; i < range.n; i++) {
		uint32_t number = ref(r, base, n);
		*vec_push(&r->program->number) = number;
	}
	return range;
}

/* -- reading lists of the unit ----------------------------------------------------------------- */

static void read_types(struct reader *r)
{
	struct flow_program *p = r->program;
	r->types = (uint32_t)read_count(&r->in, 6);
	for (uint32_t i = 0; i < r->types && !r->in.bad; i++) {
		struct flow_type type = { .kind = (uint8_t)below(r, SIS_BLAME_TYPES) };
		type.name = string(r);
		type.size = read_number(&r->in);
		type.element = ref_type(r);
		type.count = read_number(&r->in);
		type.field = (struct flow_range){ (uint32_t)p->field.n,
						  (uint32_t)read_count(&r->in, 4) };
		for (uint32_t k = 0; k < type.field.n && !r->in.bad; k++) {
			struct flow_field field = { .name = string(r) };
			field.offset = read_number(&r->in);
			field.size = read_number(&r->in);
			field.type = ref_type(r);
			*vec_push(&p->field) = field;
		}
		*vec_push(&p->type) = type;
	}
}

static void read_objects(struct reader *r)
{
	r->objects = (uint32_t)read_count(&r->in, 8);
	for (uint32_t i = 0; i < r->objects && !r->in.bad; i++) {
		struct flow_object object = { .unit = r->unit };
		object.kind = (uint8_t)below(r, SIS_BLAME_OBJECTS);
		object.linkage = string(r);
		object.name = string(r);
		object.type = ref_type(r);
		object.file = ref_file(r);
		object.line = read_number32(&r->in);
		object.function = ref_function(r);
		object.flags = (uint8_t)read_number(&r->in);
		*vec_push(&r->program->object) = object;
	}
}

/* -- reading a function ------------------------------------------------------------------------ */

static void read_statements(struct reader *r, struct flow_function *f)
{
	struct flow_program *p = r->program;
	f->statement = (struct flow_range){ (uint32_t)p->statement.n,
					    (uint32_t)read_count(&r->in, 5) };
	for (uint32_t i = 0; i < f->statement.n && !r->in.bad; i++) {
		struct flow_statement s = { .kind = (uint8_t)below(r, SIS_BLAME_STATEMENTS) };
		s.file = ref_file(r);
		s.line = read_number32(&r->in);
		s.column = read_number32(&r->in);
		s.end_line = read_number32(&r->in);
		*vec_push(&p->statement) = s;
	}
}

static int order_anchors(const void *a, const void *b)
{
	const struct flow_anchor *x = a, *y = b;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->column > y->column) - (x->column < y->column);
}

/* Anchors are sorted again, because the numbers of the unit's files are in another order than those
 * of the program. */
static void read_anchors(struct reader *r, struct flow_function *f)
{
	struct flow_program *p = r->program;
	int64_t file = 0, line = 0, column = 0;
	f->anchor = (struct flow_range){ (uint32_t)p->anchor.n,
					 (uint32_t)read_count(&r->in, 4) };
	for (uint32_t i = 0; i < f->anchor.n && !r->in.bad; i++) {
		file = (int64_t)((uint64_t)file + (uint64_t)read_signed(&r->in));
		line = (int64_t)((uint64_t)line + (uint64_t)read_signed(&r->in));
		column = (int64_t)((uint64_t)column + (uint64_t)read_signed(&r->in));
		uint64_t item = read_number(&r->in);
		if (file < 0 || (uint64_t)file > r->file.n || line < 0 || line > UINT32_MAX ||
		    column < 0 || column > UINT32_MAX || item > UINT32_MAX) {
			bad(r);
			return;
		}
		*vec_push(&p->anchor) = (struct flow_anchor){
			.file = file ? r->file.at[file - 1] : FLOW_NONE, .line = (uint32_t)line,
			.column = (uint32_t)column, .item = (uint32_t)(item / 2),
			.is_group = item & 1 };
	}
	vec_sort_from(&p->anchor, f->anchor.first, order_anchors);
}

static void read_groups(struct reader *r, struct flow_function *f)
{
	struct flow_program *p = r->program;
	f->group = (struct flow_range){ (uint32_t)p->group.n, (uint32_t)read_count(&r->in, 1) };
	for (uint32_t i = 0; i < f->group.n && !r->in.bad; i++) {
		struct flow_range statements = numbers(r, 0, f->statement.n);
		*vec_push(&p->group) = statements;
	}
	for (uint32_t i = f->anchor.first; i < p->anchor.n; i++)
		if (p->anchor.at[i].item >=
		    (p->anchor.at[i].is_group ? f->group.n : f->statement.n))
			bad(r);
}

/* Controllers are refs to values. How many values there are is known only later, so read_values
 * checks the controllers. */
static void read_blocks(struct reader *r, struct flow_function *f)
{
	struct flow_program *p = r->program;
	f->block = (struct flow_range){ (uint32_t)p->block.n, (uint32_t)read_count(&r->in, 2) };
	for (uint32_t i = 0; i < f->block.n && !r->in.bad; i++) {
		struct flow_block block = { .successor = numbers(r, 0, f->block.n) };
		block.controller = refs(r, p->value.n, UINT32_MAX / 2);
		*vec_push(&p->block) = block;
	}
}

/* -- reading values ---------------------------------------------------------------------------- */

/* The number of operands of each op that are single refs to values. */
static const uint8_t operands_of[SIS_BLAME_OPS] = {
	[SIS_BLAME_FIELD] = 1, [SIS_BLAME_INDEX] = 2, [SIS_BLAME_LOAD] = 1,
	[SIS_BLAME_STORE] = 2, [SIS_BLAME_MOVE] = 2, [SIS_BLAME_FILL] = 2,
	[SIS_BLAME_CALL] = 1, [SIS_BLAME_BRANCH] = 1, [SIS_BLAME_RETURN] = 1,
	[SIS_BLAME_ALLOCA] = 1,
};

static void read_operands(struct reader *r, const struct flow_function *f, struct flow_value *v)
{
	struct flow_program *p = r->program;
	v->operand = (struct flow_range){ (uint32_t)p->number.n, operands_of[v->op] };
	for (uint32_t i = 0; i < v->operand.n; i++) {
		uint32_t operand = ref(r, f->value.first, f->value.n);
		*vec_push(&p->number) = operand;
	}
	switch (v->op) {
	case SIS_BLAME_DEFINE:
		v->object = ref_object(r);
		*vec_push(&p->number) = ref(r, f->value.first, f->value.n);
		v->operand.n = 1;
		break;
	case SIS_BLAME_FORK:
		v->object = ref_function(r);
		if (v->object != FLOW_NONE && v->object - r->base.function >= r->functions)
			bad(r);
		/* fallthrough */
	case SIS_BLAME_CALL:
	case SIS_BLAME_COMPUTE:
	case SIS_BLAME_MEET:
	case SIS_BLAME_ASSEMBLY:
		v->operand.n += refs(r, f->value.first, f->value.n).n;
		break;
	default:
		break;
	}
}

static void read_value(struct reader *r, const struct flow_function *f, int64_t *block)
{
	struct flow_value v = { .op = (uint8_t)below(r, SIS_BLAME_OPS), .object = FLOW_NONE };
	v.statement = below(r, f->statement.n);
	*block = (int64_t)((uint64_t)*block + (uint64_t)read_signed(&r->in));
	if (*block < 0 || *block >= f->block.n)
		bad(r);
	else
		v.block = (uint32_t)*block;
	read_operands(r, f, &v);
	switch (v.op) {
	case SIS_BLAME_PARAMETER:
		v.object = below(r, UINT32_MAX);
		break;
	case SIS_BLAME_ADDRESS:
	case SIS_BLAME_ALLOCA:
		v.object = ref_object(r);
		break;
	case SIS_BLAME_FIELD:
		v.number = read_signed(&r->in);
		break;
	case SIS_BLAME_INDEX:
	case SIS_BLAME_LOAD:
	case SIS_BLAME_STORE:
	case SIS_BLAME_MOVE:
	case SIS_BLAME_FILL:
	case SIS_BLAME_CALL:
		v.number = (int64_t)(read_number(&r->in) & INT64_MAX);
		break;
	default:
		break;
	}
	*vec_push(&r->program->value) = v;
}

static void read_values(struct reader *r, struct flow_function *f)
{
	const struct flow_program *p = r->program;
	int64_t block = 0;
	f->value = (struct flow_range){ (uint32_t)p->value.n, (uint32_t)read_count(&r->in, 3) };
	for (uint32_t i = 0; i < f->value.n && !r->in.bad; i++)
		read_value(r, f, &block);
	for (uint32_t b = 0; b < f->block.n; b++) {
		const struct flow_range c = p->block.at[f->block.first + b].controller;
		for (uint32_t i = 0; i < c.n; i++)
			if (p->number.at[c.first + i] >= f->value.first + f->value.n)
				bad(r);
	}
}

static void read_function(struct reader *r)
{
	struct flow_function f = { .unit = r->unit, .linkage = string(r) };
	f.name = string(r);
	f.flags = read_number32(&r->in);
	f.file = ref_file(r);
	f.line = read_number32(&r->in);
	f.around = ref_function(r);
	f.result = ref_type(r);
	f.parameter = refs(r, r->base.object, r->objects);
	read_statements(r, &f);
	read_anchors(r, &f);
	if (!r->in.bad)
		read_groups(r, &f);
	read_blocks(r, &f);
	if (!r->in.bad)
		read_values(r, &f);
	*vec_push(&r->program->function) = f;
}

/* -- merging objects of several units ---------------------------------------------------------- */

static bool is_definition(const struct flow_object *object) { return object->line != 0; }

/* An object with external linkage keeps the number that it got in the first unit. */
static void merge_objects(struct reader *r)
{
	struct flow_program *p = r->program;
	for (size_t i = r->base.object; i < p->object.n; i++) {
		struct flow_object *object = &p->object.at[i];
		uint32_t number = (uint32_t)i;
		bool fresh = true;
		if (object->kind == SIS_BLAME_GLOBAL && *object->linkage)
			number = strmap_put(&p->objects, object->linkage, number, &fresh);
		if (!fresh) {
			struct flow_object *first = &p->object.at[number];
			const struct flow_type *type = p->type.at;
			bool longer = object->type != FLOW_NONE &&
				(first->type == FLOW_NONE ||
				 type[first->type].size < type[object->type].size);
			if (longer || (!is_definition(first) && is_definition(object)))
				*first = *object;
		}
		*vec_push(&r->merged) = number;
	}
}

static uint32_t merged(const struct reader *r, uint32_t object)
{
	return object == FLOW_NONE ? FLOW_NONE : r->merged.at[object - r->base.object];
}

/* -- reading the whole unit -------------------------------------------------------------------- */

static void read_lists(struct reader *r)
{
	struct flow_program *p = r->program;
	uint32_t strings = (uint32_t)read_count(&r->in, 1);
	for (uint32_t i = 0; i < strings && !r->in.bad; i++) {
		const char *word = text(r);
		*vec_push(&r->string) = word;
	}
	uint32_t files = (uint32_t)read_count(&r->in, 1);
	for (uint32_t i = 0; i < files && !r->in.bad; i++) {
		uint32_t file = flow__file(p, string(r));
		*vec_push(&r->file) = file;
	}
	read_types(r);
	read_objects(r);
	r->functions = (uint32_t)read_count(&r->in, 13);
	for (uint32_t i = 0; i < r->functions && !r->in.bad; i++)
		read_function(r);
	for (size_t i = r->base.object; i < p->object.n; i++)
		if (p->object.at[i].function != FLOW_NONE &&
		    p->object.at[i].function >= p->function.n)
			bad(r);
	for (size_t i = r->base.function; i < p->function.n; i++)
		if (p->function.at[i].around != FLOW_NONE &&
		    p->function.at[i].around >= p->function.n)
			bad(r);
}

static struct extent extent(const struct flow_program *p)
{
	return (struct extent){ p->unit.n, p->type.n, p->field.n, p->object.n, p->function.n,
		p->statement.n, p->anchor.n, p->group.n, p->block.n, p->value.n, p->number.n };
}

static void cut(struct flow_program *p, const struct extent *e)
{
	p->unit.n = e->unit;
	p->type.n = e->type;
	p->field.n = e->field;
	p->object.n = e->object;
	p->function.n = e->function;
	p->statement.n = e->statement;
	p->anchor.n = e->anchor;
	p->group.n = e->group;
	p->block.n = e->block;
	p->value.n = e->value;
	p->number.n = e->number;
}

int flow__read_unit(struct flow_program *p, const void *payload, size_t size)
{
	const unsigned char *bytes = payload;
	struct reader r = { .in = { bytes, bytes + size, false }, .program = p, .base = extent(p),
			    .unit = (uint32_t)p->unit.n };
	struct flow_unit unit = { .path = text(&r), .module = p->modules };
	unit.directory = text(&r);
	unit.checksum = text(&r);
	read_lists(&r);
	if (!r.in.bad) {
		unit.function = (struct flow_range){ (uint32_t)r.base.function, r.functions };
		*vec_push(&p->unit) = unit;
		merge_objects(&r);
		for (size_t i = r.base.value; i < p->value.n; i++) {
			struct flow_value *v = &p->value.at[i];
			if (v->op == SIS_BLAME_ADDRESS || v->op == SIS_BLAME_DEFINE ||
			    v->op == SIS_BLAME_ALLOCA)
				v->object = merged(&r, v->object);
		}
		for (size_t i = r.base.function; i < p->function.n; i++)
			flow__name_function(p, (uint32_t)i);
	} else {
		cut(p, &r.base);
	}
	vec_free(&r.string);
	vec_free(&r.file);
	vec_free(&r.merged);
	return r.in.bad ? -1 : 0;
}
