/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c - joins the placed memory of all threads and processes (memory.h). One thread calls it.
 * Objects with the same kind and texts become one. */
#include "blame/attribute/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/map.h"
#include "blame/attribute/memory_names.h"

struct joining {
	struct memory_blame *memory;
	const struct flow_program *program;
	struct memory_name *name;  /* the name of the memory of each stack */
	struct strmap objects;     /* all texts of an object -> its index */
	struct map uses;           /* (object, process and slot) -> index of memory->use */
	uint32_t *object;          /* for each placed object, the object that it became */
};

/* The global or static variable that a symbol of the symbol table names. For a static variable
 * `count` of the function `solve`, this is `count.0` (gcc) or `solve.count` (clang). NULL: there is
 * no such variable, or there are several. */
static const struct flow_object *object_named(const struct flow_program *p, const char *symbol)
{
	const struct flow_object *found = NULL;
	size_t length = strcspn(symbol, ".");
	for (size_t i = 0; i < p->object.n; i++) {
		const struct flow_object *o = &p->object.at[i];
		bool is_static = o->kind == SIS_BLAME_STATIC;
		if (is_static || o->kind == SIS_BLAME_GLOBAL) {
			bool same = strcmp(o->linkage, symbol) == 0 ||
				(is_static && symbol[length] && strlen(o->name) == length &&
				 strncmp(o->name, symbol, length) == 0);
			if (same && found && o->type != FLOW_NONE)
				return NULL;
			if (same && o->type != FLOW_NONE)
				found = o;
		}
	}
	return found;
}

/* Adds the namespaces and classes around a variable of C++, which debug information has
 * elsewhere. */
static void qualify_name(const struct flow_program *p, struct memory_object *object)
{
	size_t length = strlen(object->name);
	for (size_t i = 0; i < p->object.n; i++) {
		const struct flow_object *o = &p->object.at[i];
		size_t all = strlen(o->name);
		bool is_static = o->kind == SIS_BLAME_STATIC || o->kind == SIS_BLAME_GLOBAL;
		if (!is_static || o->line != object->line || all < length + 2 ||
		    strncmp(o->name + all - length - 2, "::", 2) != 0 ||
		    strcmp(o->name + all - length, object->name) != 0)
			continue;
		free(object->name);
		object->name = mem_string(o->name);
		return;
	}
}

/* Debug information may lack variables (-g1). Then type, function and position come from the blobs
 * of section sis_blame, because the symbol table does not have them. */
static void complete_variable(const struct flow_program *p, struct memory_object *object)
{
	const struct flow_object *o = !*object->type && *object->name &&
			object->kind != MEMORY_STACK ?
		object_named(p, object->name) : NULL;
	if (*object->type && object->kind != MEMORY_STACK && !*object->function)
		qualify_name(p, object);
	if (!o)
		return;
	const char *dot = strchr(o->linkage, '.');
	if (dot) {
		free(object->function);
		object->function = mem_print("%.*s", (int)(dot - o->linkage), o->linkage);
	}
	free(object->name);
	free(object->type);
	object->name = mem_string(o->name);
	object->type = mem_string(o->type == FLOW_NONE ? "" : p->type.at[o->type].name);
	if (o->file != FLOW_NONE && !*object->file) {
		free(object->file);
		object->file = mem_string(p->file.at[o->file]);
		object->line = o->line;
	}
}

/* Whether the variable belongs to the runtime, or to the probes in the program. */
static bool is_of_runtime(const struct placed_object *from)
{
	return strncmp(from->name, "sis__", 5) == 0 || strncmp(from->function, "sis__", 5) == 0 ||
		strncmp(from->module, "libsis", 6) == 0;
}

/* A variable is its own container. The suffixes that compilers add to names of split or outlined
 * functions are removed. */
static struct memory_object of_variable(const struct flow_program *p,
					const struct placed_object *from)
{
	if (is_of_runtime(from))
		return (struct memory_object){
			.kind = MEMORY_OTHER, .name = mem_string(""), .function = mem_string(""),
			.container = mem_string(""), .container_function = mem_string(""),
			.type = mem_string(""), .file = mem_string(""), .path = mem_string(""),
			.module = mem_string("") };
	struct memory_object object = {
		.kind = from->kind, .name = mem_string(from->name),
		.function = mem_string(from->function), .type = mem_string(from->type),
		.file = mem_string(from->file), .line = from->line, .path = mem_string(""),
		.module = mem_string(from->module), .bytes = from->bytes };
	object.function[strcspn(object.function, ".")] = '\0';
	complete_variable(p, &object);
	object.container = mem_string(object.name);
	object.container_function = mem_string(*object.name ? object.function : "");
	return object;
}

/* If no frames were placed, the path has the names of symbols. */
static struct memory_object of_allocation(const struct placed_object *from,
					  const struct memory_name *name)
{
	bool placed = name && *name->path;
	return (struct memory_object){
		.kind = from->kind, .name = mem_string(name ? name->name : ""),
		.function = mem_string(name ? name->function : ""),
		.container = mem_string(name ? name->container : ""),
		.container_function = mem_string(name ? name->container_function : ""),
		.type = mem_string(name ? name->type : ""),
		.file = mem_string(name ? name->file : ""), .line = name ? name->line : 0,
		.path = mem_string(placed ? name->path : from->path),
		.module = mem_string(from->module) };
}

static void release_object(struct memory_object *o)
{
	char *const text[] = { o->name, o->function, o->container, o->container_function, o->type,
			       o->file, o->path, o->module };
	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		free(text[i]);
}

/* Takes ownership of the texts of `object`, and may free them. */
static uint32_t put_object(struct joining *j, struct memory_object object)
{
	bool is_new;
	char *key = mem_print("%d\n%s\n%s\n%s\n%s\n%s\n%s\n%u\n%s\n%s", object.kind, object.name,
			      object.function, object.container, object.container_function,
			      object.type, object.file, object.line, object.path, object.module);
	uint32_t number = strmap_put(&j->objects, key, (uint32_t)j->memory->object.n, &is_new);
	free(key);
	if (is_new)
		*vec_push(&j->memory->object) = object;
	else
		release_object(&object);
	return number;
}

static struct memory_use *use_of(struct joining *j, uint32_t object, uint32_t process,
				 uint32_t slot)
{
	bool is_new;
	uint32_t at = map_put(&j->uses, object, (uint64_t)process << 32 | slot,
			      (uint32_t)j->memory->use.n, &is_new);
	if (is_new)
		*vec_push(&j->memory->use) = (struct memory_use){
			.object = object, .process = process, .slot = slot };
	return &j->memory->use.at[at];
}

static void add_clamped(int64_t *sum, uint64_t value)
{
	*sum = clamp_add(*sum, value < INT64_MAX ? (int64_t)value : INT64_MAX);
}

void memory_blame_compute(struct memory_blame *memory, const struct flow_program *program,
			  const struct routines *routines, const struct placed_memory *placed)
{
	struct joining j = { .memory = memory, .program = program };
	size_t stacks = placed->placed.stack.n;
	*memory = (struct memory_blame){ 0 };
	j.name = mem_alloc(stacks + 1, sizeof *j.name);
	memory_names_find(j.name, program, routines, &placed->placed);
	j.object = mem_alloc(placed->object.n + 1, sizeof *j.object);
	for (size_t i = 0; i < placed->object.n; i++) {
		const struct placed_object *from = &placed->object.at[i];
		bool allocated = from->kind == MEMORY_HEAP || from->kind == MEMORY_MAPPING;
		const struct memory_name *name = from->stack == UINT32_MAX ? NULL :
			&j.name[from->stack];
		j.object[i] = put_object(&j, allocated ? of_allocation(from, name) :
							 of_variable(program, from));
	}
	for (size_t i = 0; i < placed->allocation.n; i++) {
		const struct placed_allocation *from = &placed->allocation.at[i];
		struct memory_use *use =
			use_of(&j, j.object[from->object], from->process, from->slot);
		add_clamped(&use->allocations, from->allocations);
		add_clamped(&use->freed, from->freed);
		add_clamped(&use->bytes, from->bytes);
		add_clamped(&use->most, from->most);
		add_clamped(&use->life_ns, from->life_ns);
		if (from->largest < INT64_MAX && (int64_t)from->largest > use->largest)
			use->largest = (int64_t)from->largest;
	}
	for (size_t i = 0; i < placed->access.n; i++) {
		const struct placed_access *from = &placed->access.at[i];
		struct memory_use *use =
			use_of(&j, j.object[from->object], from->process, from->slot);
		add_clamped(&use->samples, from->count);
		add_clamped(&use->weight, from->weight);
	}
	for (size_t i = 0; i < stacks; i++)
		memory_name_release(&j.name[i]);
	free(j.name);
	free(j.object);
	strmap_free(&j.objects);
	map_free(&j.uses);
}

void memory_blame_release(struct memory_blame *memory)
{
	for (size_t i = 0; i < memory->object.n; i++)
		release_object(&memory->object.at[i]);
	vec_free(&memory->object);
	vec_free(&memory->use);
}
