// SPDX-License-Identifier: BSD-3-Clause
/* place_memory.c - makes objects from the variables that run_modules.c has found, and sums for each
 * thread (place_memory.h). One thread calls it. */
#include "blame/place/place_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum { PATH_FUNCTIONS = 32 }; /* most functions of a path of symbols */

struct adding {
	struct placed_memory *memory;
	const struct run_modules *modules;
	const struct stacks *stacks;
	uint32_t process, number;
	size_t first_object;       /* first object of the process's allocations */
	struct map objects;        /* (kind and module, number of the data) -> object */
};

static uint32_t slot_of(uint32_t slot)
{
	return slot == SIS_NO_SLOT ? NONE : slot;
}

static const char *module_name(const struct run_modules *modules, uint32_t module)
{
	const char *path = module == NONE ? "" : modules->module.at[module].path;
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* -- objects of allocations -------------------------------------------------------------------- */

/* Whether the module is the runtime or libc, which allocate for the program. */
static bool passes_on(const char *module)
{
	return strncmp(module, "libsis", 6) == 0 || strncmp(module, "libc.so", 7) == 0 ||
		strncmp(module, "libc-", 5) == 0 || strncmp(module, "ld-linux", 8) == 0;
}

static const char *function_of(const struct run_modules *modules, const struct run_address *at)
{
	const struct code_place *place = run_modules_place(modules, at);
	if (!place)
		return NULL;
	const struct code_site *site = place->count ?
		&modules->module.at[at->module].places.site.at[place->first + place->count - 1] :
		NULL;
	return site && site->function ? site->function : place->symbol;
}

/* The path has the functions from the outermost one to the innermost one outside of the runtime and
 * libc. */
static void set_path(const struct adding *a, const struct stacks_stack *stack,
		     struct placed_object *object)
{
	const struct run_address *at = a->modules->process.at[a->number] + stack->first;
	struct buf path = { 0 };
	uint32_t inner = 0, outer = stack->frames;
	while (inner < outer && passes_on(module_name(a->modules, at[inner].module)))
		inner++;
	if (inner < outer) {
		free(object->module);
		object->module = mem_string(module_name(a->modules, at[inner].module));
	}
	outer = outer - inner > PATH_FUNCTIONS ? inner + PATH_FUNCTIONS : outer;
	for (uint32_t i = outer; i-- > inner;) {
		const char *function = function_of(a->modules, &at[i]);
		if (function && !passes_on(module_name(a->modules, at[i].module)) &&
		    strcmp(function, "_start") != 0)
			buf_print(&path, "%s%s", path.length ? "/" : "", function);
	}
	free(object->path);
	object->path = buf_take(&path);
}

static struct placed_object empty_object(enum placed_memory_kind kind)
{
	return (struct placed_object){ .kind = kind, .stack = NONE, .name = mem_string(""),
				       .function = mem_string(""), .type = mem_string(""),
				       .file = mem_string(""), .module = mem_string(""),
				       .path = mem_string("") };
}

static void add_allocation(struct adding *a, const struct stacks_memory *m, uint32_t stack)
{
	struct placed_object object = empty_object(
		m->in.kind == SIS_MEMORY_MAPPING ? MEMORY_MAPPING : MEMORY_HEAP);
	uint64_t second = a->stacks->head.ticks_per_second;
	double life_ns = second ? (double)m->in.life * 1e9 / (double)second : 0;
	uint32_t slot = NONE;
	if (m->stack != NONE) {
		const struct stacks_stack *of = &a->stacks->stack.at[m->stack];
		object.stack = stack;
		slot = slot_of(of->slot);
		set_path(a, of, &object);
	}
	*vec_push(&a->memory->allocation) = (struct placed_allocation){
		.object = (uint32_t)a->memory->object.n, .process = a->process, .slot = slot,
		.allocations = m->in.allocations, .freed = m->in.freed, .bytes = m->in.bytes,
		.most = m->in.most, .largest = m->in.largest,
		.life_ns = life_ns < (double)INT64_MAX ? (uint64_t)life_ns : INT64_MAX };
	*vec_push(&a->memory->object) = object;
}

/* -- objects of other accesses ----------------------------------------------------------------- */

static enum placed_memory_kind kind_of(uint16_t kind)
{
	switch (kind) {
	case SIS_ACCESS_NONE: return MEMORY_NONE;
	case SIS_ACCESS_STATIC: return MEMORY_STATIC;
	case SIS_ACCESS_STACK: return MEMORY_STACK;
	case SIS_ACCESS_THREAD_LOCAL: return MEMORY_THREAD_LOCAL;
	case SIS_ACCESS_OTHER: return MEMORY_OTHER;
	default: return MEMORY_UNKNOWN;
	}
}

static void set_variable(struct placed_object *object, const struct code_variable *v)
{
	char **const text[] = { &object->name, &object->function, &object->type, &object->file };
	const char *const from[] = { v->name, v->function, v->type, v->file };
	for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
		free(*text[i]);
		*text[i] = mem_string(from[i] ? from[i] : "");
	}
	object->line = v->line;
	object->bytes = v->bytes;
}

/* The object of an access that is not to an allocation. */
static uint32_t object_of(struct adding *a, const struct stacks_access *access,
			  const struct run_address *at)
{
	enum placed_memory_kind kind = kind_of(access->in.kind);
	bool is_new;
	uint32_t number = map_put(&a->objects, (uint64_t)kind << 32 | at->module, at->address,
				  (uint32_t)a->memory->object.n, &is_new);
	if (!is_new)
		return number;
	struct placed_object object = empty_object(kind);
	if (at->module != NONE) {
		free(object.module);
		object.module = mem_string(module_name(a->modules, at->module));
	}
	if (at->module != NONE && at->address != NONE)
		set_variable(&object, &a->modules->module.at[at->module]
					       .places.variable.at[at->address]);
	if (kind == MEMORY_THREAD_LOCAL && !*object.name) { /* the data may be that of any
	                                                     * library */
		free(object.module);
		object.module = mem_string("");
	}
	*vec_push(&a->memory->object) = object;
	return number;
}

/* -- all objects of a process ------------------------------------------------------------------ */

void place_memory_add(struct placed_memory *memory, const struct run_modules *modules,
		      const struct place_process *process, uint32_t number, size_t first_stack)
{
	const struct stacks *s = process->stacks;
	struct adding a = { .memory = memory, .modules = modules, .stacks = s, .number = number,
			    .process = process->process, .first_object = memory->object.n };
	memory->recorded |= s->head.least_bytes || s->access.n || s->memory.n;
	if (s->head.least_bytes > memory->least_bytes)
		memory->least_bytes = s->head.least_bytes;
	memory->lost += s->head.memory_lost;
	for (size_t i = 0; i < s->memory.n; i++)
		add_allocation(&a, &s->memory.at[i], (uint32_t)(first_stack + i));
	for (size_t i = 0; i < s->access.n; i++) {
		const struct stacks_access *access = &s->access.at[i];
		bool allocated = access->in.kind == SIS_ACCESS_ALLOCATED && access->memory != NONE;
		if (!access->in.count)
			continue;
		*vec_push(&memory->access) = (struct placed_access){
			.object = allocated ?
				(uint32_t)a.first_object + access->memory :
				object_of(&a, access, &modules->access.at[number][i]),
			.process = a.process, .slot = slot_of(access->in.slot),
			.count = access->in.count, .weight = access->in.weight };
	}
	map_free(&a.objects);
}

void placed_memory_release(struct placed_memory *memory)
{
	for (size_t i = 0; i < memory->object.n; i++) {
		struct placed_object *o = &memory->object.at[i];
		char *const text[] = { o->name, o->function, o->type, o->file, o->module,
				       o->path };
		for (size_t k = 0; k < sizeof text / sizeof *text; k++)
			free(text[k]);
	}
	vec_free(&memory->object);
	vec_free(&memory->allocation);
	vec_free(&memory->access);
	placed_release(&memory->placed);
}
