// SPDX-License-Identifier: BSD-3-Clause
/* place_run.c - makes the frames of the stacks of all processes. One thread calls it.
 *
 * A PC gives a site for each inlined call, and each site is placed separately. A site without
 * statements is in a library, or in code that was not built with --sis-blame. Such a site gets no
 * frame, and the frame that called it names it as `callee`:
 *
 *      PCs          read@libc   fill       main
 *      sites        read        get  fill  main         get is inlined in fill
 *      frames                   get  fill  main
 *      callee                   read */
#include "blame/place/place_run.h"

#include <string.h>

#include "blame/place/node_path.h"
#include "blame/place/place_memory.h"
#include "blame/place/position.h"
#include "experiment/code/run_modules.h"

struct placing {
	struct placed *placed;
	const struct experiment *x;
	const struct run_modules *modules;
	struct positions positions;
	struct strmap names;     /* name -> index of placed->name */
	struct map cache;        /* (site, its callee) -> index of `position` */
	VEC(struct position) position;
};

/* The state while the frames of a stack are made. */
struct walk {
	const struct stacks *stacks;
	const struct run_address *at; /* where each PC of the process is */
	const char *inner;       /* function of the next inner site; NULL: not known */
	bool skipped;            /* the next inner site has no frame */
	bool in_library;         /* the next inner site is in a function of a library's header;
	                          * `inner` is what that function calls */
	bool completed;          /* the frames are those of the stack's origin */
	bool truncated;          /* the stack, or an origin of it, is not complete */
	size_t first;            /* first frame of the stack */
	enum placed_reason reason; /* why the stack has no frame: see note_reason */
	bool in_program;
};

/* -- positions of sites ------------------------------------------------------------------------ */

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

/* The site's position, which is computed once for each callee. The pointers can be keys, because
 * sites and names of callees do not move. */
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

/* -- frames of sites --------------------------------------------------------------------------- */

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

/* Whether a site is a part of the last frame's function: gcc splits functions, and calls or inlines
 * one part in the other. In the source there is no such call. */
static bool is_part_of_last(const struct placing *p, const struct walk *w, uint32_t function)
{
	const struct placed *placed = p->placed;
	return !w->skipped && placed->frame.n > w->first &&
		placed->frame.at[placed->frame.n - 1].function == function &&
		!positions_may_recur(&p->positions, function);
}

/* Keeps the reason why the stack has no frame: the reason of the innermost PC in the program or, if
 * there is none, of the innermost PC. The reason of a library of the system explains nothing,
 * because such a library usually has no debug information. */
static void note_reason(struct walk *w, enum placed_reason reason, bool in_program)
{
	if (w->reason == PLACED_OK || (in_program && !w->in_program))
		w->reason = reason;
	w->in_program |= in_program;
}

/* Whether a site is the entry function of a task. clang makes such a function for libomp, and
 * inlines the body of the task in it. The source has only the body. The position of the entry
 * function is that of the directive, in the function around the task. Debug information does not
 * name the entry function, and the number in its symbol is not that in the graphs. */
static bool is_entry_of_task(const struct code_place *place, uint32_t site)
{
	static const char entry[] = ".omp_task_entry.";
	return site + 1 == place->count && place->symbol &&
		strncmp(place->symbol, entry, sizeof entry - 1) == 0;
}

/* Whether a site is in a function of a library's header, which the frontend has inlined in the
 * functions of the user. Then the work at the site is a part of the statement that calls it. */
static bool is_inlined_library(const struct code_site *site, const struct position *position)
{
	return position->reason == PLACED_NO_FUNCTION && site->function &&
		strncmp(site->function, "_Z", 2) == 0;
}

static void add_sites(struct placing *p, struct walk *w, const struct code_places *places,
		      const struct code_place *place, bool in_program)
{
	/* sisc links programs so that the runtime sees their allocations: malloc is called as
	 * __wrap_malloc */
	static const char wrap[] = "__wrap_";
	for (uint32_t i = 0; i < place->count; i++) {
		const struct code_site *site = &places->site.at[place->first + i];
		if (is_entry_of_task(place, i))
			continue;
		bool is_direct = i == 0 && place->callee && !w->in_library;
		const char *callee = is_direct ? place->callee : w->inner;
		if (callee && strncmp(callee, wrap, sizeof wrap - 1) == 0)
			callee += sizeof wrap - 1;
		const struct position *position = position_of(p, site, callee);
		bool known = position->how != PLACED_NOTHING;
		if (known && is_part_of_last(p, w, position->function))
			continue;
		if (known)
			add_frame(p, w, position, i + 1 < place->count, callee);
		else
			note_reason(w, position->reason, in_program);
		w->in_library = !known && is_inlined_library(site, position);
		if (w->in_library) {
			w->inner = callee;
			continue;
		}
		w->skipped = !known;
		w->inner = site->function ? site->function : place->symbol;
	}
}

static void add_pcs(struct placing *p, struct walk *w, const struct stacks_stack *stack)
{
	for (size_t i = stack->first; i < stack->first + stack->frames; i++) {
		const struct run_address *at = &w->at[i];
		const struct code_place *place = run_modules_place(p->modules, at);
		/* the runtime reports the program's own file first */
		bool in_program = at->module != NONE &&
			strcmp(p->modules->module.at[at->module].path,
			       w->stacks->module.at[0].path) == 0;
		if (place && place->count) {
			add_sites(p, w, &p->modules->module.at[at->module].places, place,
				  in_program);
			continue;
		}
		note_reason(w, place ? place->reason : at->reason, in_program);
		w->skipped = true;
		w->inner = place ? place->symbol : NULL;
	}
}

/* -- frames of whole stacks -------------------------------------------------------------------- */

/* Adds the frames of the stack's origin, where the thread's team or task was created, then those of
 * the origin's origin, and so on. */
static void add_origins(struct placing *p, struct walk *w, const struct stacks_stack *stack)
{
	w->completed = true;
	for (uint32_t origin = stack->origin; origin != NONE;
	     origin = w->stacks->stack.at[origin].origin) {
		add_pcs(p, w, &w->stacks->stack.at[origin]);
		w->truncated |= w->stacks->stack.at[origin].flags & SIS_STACK_TRUNCATED;
	}
}

/* Whether a thread of a team waits at the end of a construct, in the body of the parallel region.
 * Whether it waits in the body or outside of it depends on where the compiler places the barrier,
 * and on how the stack can be unwound. In both cases the thread counts as idle at the region. */
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

/* Whether a thread is between two teams, in the runtime of OpenMP. */
static bool is_between_teams(const struct placing *p, const struct walk *w,
			     const struct stacks_stack *stack)
{
	const struct run_address *at = &w->at[stack->first];
	if (stack->slot != SIS_NO_SLOT || !stack->frames || at->module == NONE)
		return false;
	const char *path = p->modules->module.at[at->module].path;
	return strstr(path, "/libgomp.so") || strstr(path, "/libomp.so");
}

/* Whether the outermost frame is main. The callers of main may be missing. */
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
	/* the stack of an allocation does not have the routine that was called */
	struct walk w = { .stacks = process->stacks, .at = p->modules->process.at[number],
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
	if (is_idle_in_body(p, &w)) { /* the body's frame is removed from the stack */
		out.first = ++w.first;
		own = 0;
	}
	add_origins(p, &w, stack);
	/* If the stack has a PC in the program without a place, the thread is not idle: the stack
	 * stays without frames, and keeps the reason. */
	if (p->placed->frame.n == out.first && out.node != NONE && !w.in_program) {
		node_path_add(p->placed, p->x, &p->positions, out.node);
		own = stack->frames ? 0 : p->placed->frame.n - out.first;
	}
	out.frames = (uint32_t)(p->placed->frame.n - out.first);
	out.how = !out.frames ? PLACED_NOTHING : own ? p->placed->frame.at[out.first].how :
		PLACED_IDLE;
	out.reason = out.frames ? PLACED_OK : w.reason == PLACED_OK ? PLACED_NO_STACK : w.reason;
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

/* -- stacks of allocations --------------------------------------------------------------------- */

/* Adds the stacks of a process's allocations. An allocation whose stack is not known gets an empty
 * one. */
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
	place_memory_add(memory, p->modules, process, number, first);
}

void place_run(struct placed *placed, struct placed_memory *memory, const struct experiment *x,
	       const struct flow_program *program, const struct place_process *process,
	       size_t processes)
{
	struct placing p = { .placed = placed, .x = x, .modules = &x->run.modules };
	*placed = (struct placed){ 0 };
	*memory = (struct placed_memory){ 0 };
	positions_init(&p.positions, program);
	for (size_t i = 0; i < processes; i++) {
		const struct sis_stacks_header *head = &process[i].stacks->head;
		if (!placed->method)
			placed->method = mem_string(method_text(process[i].stacks));
		if (!placed->metric)
			placed->metric = mem_string(head->metric);
		placed->rate = head->rate;
		add_stacks(&p, &process[i], (uint32_t)i);
	}
	/* each result owns the names of its frames, so `memory` gets a new list */
	p.placed = &memory->placed;
	strmap_free(&p.names);
	for (size_t i = 0; i < processes; i++)
		add_allocations(&p, &process[i], (uint32_t)i, memory);
	for (size_t i = 0; i < p.position.n; i++)
		vec_free(&p.position.at[i].statement);
	vec_free(&p.position);
	map_free(&p.cache);
	strmap_free(&p.names);
	positions_release(&p.positions);
}
