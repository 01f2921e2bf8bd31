// SPDX-License-Identifier: BSD-3-Clause
/* place_run.c - makes frames of the stacks of all processes. One thread.
 *
 * A PC gives a site for each inlined call, and each site is placed by itself. A site without
 * statements is of a library, or of code that was built in another way. It is left out, and the
 * frame that called it names it:
 *
 *      PCs          read@libc   fill       main
 *      sites        read        get  fill  main         get is inlined in fill
 *      frames                   get  fill  main
 *      callee                   read                                                            */
#include "place/place_run.h"

#include <stdlib.h>
#include <string.h>

#include "place/node_path.h"
#include "place/place_memory.h"
#include "place/position.h"
#include "place/run_modules.h"

struct placing {
	struct placed *placed;
	const struct experiment *x;
	struct run_modules modules;
	struct positions positions;
	struct strmap names;     /* of placed.name */
	struct map cache;        /* (site, its callee) -> position */
	VEC(struct position) position;
};

/* A stack while its frames are made. */
struct walk {
	const struct stacks *stacks;
	const struct run_address *at; /* of each PC of the process */
	const char *inner;       /* function of the site inside this one; NULL: not known */
	bool skipped;            /* that site has no frame */
	bool completed;          /* the frames are those of the stack's origin */
	bool truncated;          /* the stack, or an origin of it, is not complete */
	size_t first;            /* frame of the stack */
	enum placed_reason reason; /* of the innermost site of the program; else of the first */
	bool in_program;
};

/* -- positions --------------------------------------------------------------------------------- */

static const char *keep_name(struct placing *p, const char *name)
{
	bool is_new;
	if (!name)
		return NULL;
	uint32_t number = strmap_put(&p->names, name, p->placed->name.n, &is_new);
	if (is_new)
		*vec_push(&p->placed->name) = mem_string(name);
	return p->placed->name.at[number];
}

/* The site's position, found once for each callee. Names of sites and callees stay where they
 * are. */
static const struct position *position_of(struct placing *p, const struct code_site *site,
					  const char *callee)
{
	bool is_new;
	uint32_t id = map_put(&p->cache, (uintptr_t)site, (uintptr_t)callee, p->position.n,
			      &is_new);
	if (is_new) {
		struct position position = { .function = NONE };
		positions_find(&p->positions, site, callee, &position);
		*vec_push(&p->position) = position;
	}
	return &p->position.at[id];
}

/* -- frames ------------------------------------------------------------------------------------ */

static void add_frame(struct placing *p, const struct walk *w, const struct position *position,
		      bool inlined, const char *callee)
{
	struct placed *placed = p->placed;
	struct placed_frame frame = {
		.function = position->function,
		.statement = position->statement.n ? position->statement.at[0] : NONE,
		.first = placed->statement.n,
		.count = position->statement.n,
		.how = position->how,
		.inlined = inlined,
		.completed = w->completed,
		.callee = w->skipped ? keep_name(p, callee) : NULL,
	};
	for (size_t i = 0; i < position->statement.n; i++)
		*vec_push(&placed->statement) = position->statement.at[i];
	*vec_push(&placed->frame) = frame;
}

/* gcc splits functions, and calls or inlines the one part in the other one. In the source this is
 * no call. */
static bool is_part_of_last(const struct placing *p, const struct walk *w, uint32_t function)
{
	const struct placed *placed = p->placed;
	return !w->skipped && placed->frame.n > w->first &&
		placed->frame.at[placed->frame.n - 1].function == function &&
		!positions_may_recur(&p->positions, function);
}

/* Keeps the reason why the stack has no frame: that of the innermost PC in the program, or else
 * that of the innermost PC. The reason of a library of the system explains nothing, because such a
 * library usually has no debug information. */
static void note_reason(struct walk *w, enum placed_reason reason, bool in_program)
{
	if (w->reason == PLACED_OK || (in_program && !w->in_program))
		w->reason = reason;
	w->in_program |= in_program;
}

/* sisc links programs so that the runtime sees their allocations: malloc is __wrap_malloc. */
static const char *name_in_source(const char *callee)
{
	static const char wrap[] = "__wrap_";
	bool is_wrapped = callee && strncmp(callee, wrap, sizeof wrap - 1) == 0;
	return is_wrapped ? callee + sizeof wrap - 1 : callee;
}

/* clang gives libomp a function for each task, which has the body inlined. In the source there is
 * the body alone; this function has the position of the directive, in the function around. Debug
 * information does not name it, and its number in the symbol table is not that in the graphs. */
static bool is_entry_of_task(const struct code_place *place, uint32_t site)
{
	static const char entry[] = ".omp_task_entry.";
	return site + 1 == place->count && place->symbol &&
		strncmp(place->symbol, entry, sizeof entry - 1) == 0;
}

static void add_sites(struct placing *p, struct walk *w, const struct code_places *places,
		      const struct code_place *place, bool in_program)
{
	for (uint32_t i = 0; i < place->count; i++) {
		const struct code_site *site = &places->site.at[place->first + i];
		if (is_entry_of_task(place, i))
			continue;
		const char *callee = name_in_source(
			i == 0 && place->callee ? place->callee : w->inner);
		const struct position *position = position_of(p, site, callee);
		bool known = position->how != PLACED_NOTHING;
		if (known && is_part_of_last(p, w, position->function))
			continue;
		if (known)
			add_frame(p, w, position, i + 1 < place->count, callee);
		else
			note_reason(w, position->reason, in_program);
		w->skipped = !known;
		w->inner = site->function ? site->function : place->symbol;
	}
}

static void add_pcs(struct placing *p, struct walk *w, const struct stacks_stack *stack)
{
	for (size_t i = stack->first; i < stack->first + stack->frames; i++) {
		const struct run_address *at = &w->at[i];
		const struct code_place *place = run_modules_place(&p->modules, at);
		/* the runtime reports the program's own file first */
		bool in_program = at->module != NONE &&
			strcmp(p->modules.module.at[at->module].path,
			       w->stacks->module.at[0].path) == 0;
		if (place && place->count) {
			add_sites(p, w, &p->modules.module.at[at->module].places, place,
				  in_program);
			continue;
		}
		note_reason(w, place ? place->reason : at->reason, in_program);
		w->skipped = true;
		w->inner = place ? place->symbol : NULL;
	}
}

/* -- stacks ------------------------------------------------------------------------------------ */

/* Where the thread's team or task was made, and so on outward. */
static void add_origins(struct placing *p, struct walk *w, const struct stacks_stack *stack)
{
	w->completed = true;
	for (uint32_t origin = stack->origin; origin != NONE;
	     origin = w->stacks->stack.at[origin].origin) {
		add_pcs(p, w, &w->stacks->stack.at[origin]);
		w->truncated |= w->stacks->stack.at[origin].flags & SIS_STACK_TRUNCATED;
	}
}

/* At the end of a construct, a thread of a team waits in the body of the parallel region or outside
 * of it. This depends on where the compiler places the barrier, and on how the stack can be
 * unwound. In both cases the thread counts as idle at the region. */
static bool is_idle_in_body(const struct placing *p, const struct walk *w)
{
	static const char *const ends[] = {
		"GOMP_barrier", "GOMP_barrier_cancel", "GOMP_loop_end", "GOMP_loop_end_cancel",
		"GOMP_sections_end", "GOMP_sections_end_cancel", "__kmpc_barrier",
		"__kmpc_cancel_barrier" };
	if (p->placed->frame.n == w->first)
		return false;
	const struct placed_frame *inner = &p->placed->frame.at[w->first];
	unsigned flags = p->positions.program->function.at[inner->function].flags;
	for (size_t i = 0; inner->callee && i < sizeof ends / sizeof *ends; i++)
		if (strcmp(inner->callee, ends[i]) == 0)
			return flags & SIS_BLAME_FUNCTION_OUTLINED;
	return false;
}

/* A thread between two teams, in the runtime of OpenMP. */
static bool is_between_teams(const struct placing *p, const struct walk *w,
			     const struct stacks_stack *stack)
{
	const struct run_address *at = &w->at[stack->first];
	if (stack->slot != SIS_NO_SLOT || !stack->frames || at->module == NONE)
		return false;
	const char *path = p->modules.module.at[at->module].path;
	return strstr(path, "/libgomp.so") || strstr(path, "/libomp.so");
}

static void set_how(struct placing *p, struct placed_stack *out, size_t own, enum placed_reason why)
{
	struct placed *placed = p->placed;
	out->frames = (uint32_t)(placed->frame.n - out->first);
	out->how = !out->frames ? PLACED_NOTHING : own ? placed->frame.at[out->first].how :
		PLACED_IDLE;
	out->reason = out->frames ? PLACED_OK : why == PLACED_OK ? PLACED_NO_STACK : why;
}

/* The outermost frame is main, though what called it may be missing. */
static bool reaches_main(const struct placing *p, const struct placed_stack *stack)
{
	if (!stack->frames)
		return false;
	uint32_t function = p->placed->frame.at[stack->first + stack->frames - 1].function;
	return strcmp(p->positions.program->function.at[function].linkage, "main") == 0;
}

static void add_stack(struct placing *p, const struct place_process *process, uint32_t number,
		      const struct stacks_stack *stack)
{
	/* of an allocation, the routine that was called is not in the stack */
	struct walk w = { .stacks = process->stacks, .at = p->modules.process.at[number],
			  .first = p->placed->frame.n,
			  .skipped = stack->kind == SIS_STACK_ALLOCATION,
			  .truncated = stack->flags & SIS_STACK_TRUNCATED };
	const struct process *of = process->process == NONE ? NULL :
		&p->x->model.process.at[process->process];
	uint32_t node = of ? profile_node_at(&of->profile, stack->node) : NONE;
	struct placed_stack out = {
		.process = process->process,
		.slot = stack->slot == SIS_NO_SLOT ? NONE : stack->slot,
		.node = node == NONE ? NONE : of->global[node],
		.kind = stack->kind == SIS_STACK_BLOCKED ? PLACED_BLOCKED : PLACED_RUNNING,
		.count = stack->count,
		.weight = stack->weight,
		.first = p->placed->frame.n,
	};
	add_pcs(p, &w, stack);
	size_t own = p->placed->frame.n - out.first;
	if (is_idle_in_body(p, &w)) { /* the frame of the body is no part of the stack */
		out.first = ++w.first;
		own = 0;
	}
	add_origins(p, &w, stack);
	/* If a PC in the program has no place, the thread is not idle, and the reason is kept. */
	if (p->placed->frame.n == out.first && out.node != NONE && !w.in_program) {
		node_path_add(p->placed, p->x, &p->positions, out.node);
		own = stack->frames ? 0 : p->placed->frame.n - out.first;
	}
	set_how(p, &out, own, w.reason);
	out.truncated = w.truncated && !reaches_main(p, &out);
	if (!out.frames && is_between_teams(p, &w, stack)) {
		out.how = PLACED_IDLE;
		out.reason = PLACED_OK;
	}
	*vec_push(&p->placed->stack) = out;
}

static void add_stacks(struct placing *p, const struct place_process *process, uint32_t number)
{
	const struct stacks *stacks = process->stacks;
	for (size_t i = 0; i < stacks->stack.n; i++) {
		const struct stacks_stack *stack = &stacks->stack.at[i];
		if (stack->count && (stack->kind == SIS_STACK_RUNNING ||
				     stack->kind == SIS_STACK_BLOCKED))
			add_stack(p, process, number, stack);
	}
	for (size_t i = 0; i < stacks->sampled.n; i++)
		p->placed->lost += stacks->sampled.at[i].lost;
}

static const char *method_text(const struct stacks *stacks)
{
	switch (stacks->head.method) {
	case SIS_METHOD_PAPI: return "events that PAPI names";
	case SIS_METHOD_CLOCK: return "clock of the CPU time";
	case SIS_METHOD_LOOK: return "looks of a thread of the runtime";
	case SIS_METHOD_TIMER: return "timers of the threads' CPU time";
	default: return "unknown method";
	}
}

static void set_method(struct placed *placed, const struct stacks *stacks)
{
	if (!placed->method)
		placed->method = mem_string(method_text(stacks));
	if (!placed->metric)
		placed->metric = mem_string(stacks->head.metric);
	placed->rate = stacks->head.rate;
}

/* -- memory ------------------------------------------------------------------------------------ */

/* The stacks of a process's allocations; those without a stack get an empty one. */
static void add_allocations(struct placing *p, const struct place_process *process,
			    uint32_t number, struct placed_memory *memory)
{
	const struct stacks *stacks = process->stacks;
	size_t first = p->placed->stack.n;
	for (size_t i = 0; i < stacks->memory.n; i++) {
		uint32_t stack = stacks->memory.at[i].stack;
		if (stack == NONE)
			*vec_push(&p->placed->stack) = (struct placed_stack){
				.process = process->process, .slot = NONE, .node = NONE,
				.how = PLACED_NOTHING, .reason = PLACED_NO_STACK };
		else
			add_stack(p, process, number, &stacks->stack.at[stack]);
	}
	place_memory_add(memory, &p->modules, process, number, first);
}

/* Names belong to the result that has the frames. */
static void place_memory(struct placing *p, const struct place_process *process, size_t processes,
			 struct placed_memory *memory)
{
	p->placed = &memory->placed;
	strmap_free(&p->names);
	for (size_t i = 0; i < processes; i++)
		add_allocations(p, &process[i], (uint32_t)i, memory);
}

int place_run(struct placed *placed, struct placed_memory *memory, const struct experiment *x,
	      const struct flow_program *program, const struct place_process *process,
	      size_t processes, struct err *err)
{
	struct placing p = { .placed = placed, .x = x };
	*placed = (struct placed){ 0 };
	*memory = (struct placed_memory){ 0 };
	for (size_t i = 0; i < processes; i++)
		run_modules_add(&p.modules, process[i].stacks);
	int rc = run_modules_find(&p.modules, err);
	positions_init(&p.positions, program);
	for (size_t i = 0; rc == 0 && i < processes; i++) {
		set_method(placed, process[i].stacks);
		add_stacks(&p, &process[i], (uint32_t)i);
	}
	if (rc == 0)
		place_memory(&p, process, processes, memory);
	for (size_t i = 0; i < p.position.n; i++)
		vec_free(&p.position.at[i].statement);
	vec_free(&p.position);
	map_free(&p.cache);
	strmap_free(&p.names);
	positions_release(&p.positions);
	run_modules_release(&p.modules);
	return rc;
}
