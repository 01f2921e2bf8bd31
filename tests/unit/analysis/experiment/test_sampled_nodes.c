/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c */
/* Functions of samples as nodes: call paths, their times and errors; measured nodes move below the
 * path that their samples share; threads of teams, tasks, regions made by hand and by sisc. */
#include "unit.h"

#include "experiment/sampled/sampled.h"
#include "profile_write.h"
#include "unit_path.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- samples of functions of this program ------------------------------------------------------ */

/* The code of a function is never executed. It differs, so that no two functions are merged. */
#define FUNCTION(name, n) \
	static __attribute__((noinline)) int name(int x) { return x * n + 1; }
enum { PROGRAM_LINE = __LINE__ + 1 };
FUNCTION(program, 3)
FUNCTION(solve, 5)
FUNCTION(swap, 7)
FUNCTION(body, 11)
FUNCTION(_PyEval_EvalFrameDefault, 13)

typedef int function(int);
static function *const runtime; /* NULL in a stack: the frame is in the runtime */

enum { MS = 1000000, RUNTIME = 0x1000, GENERATED = 0x2000, PYTHON = 0x100000, MOST = 8 };

static int take_base(struct dl_phdr_info *info, size_t size, void *base)
{
	(void)size;
	*(uint64_t *)base = info->dlpi_addr;
	return 1;
}

static void add_module(struct stacks *s, const char *path, uint64_t start, uint64_t end,
		       uint64_t bias)
{
	*vec_push(&s->module) = (struct stacks_module){
		{ .start = start, .end = end, .bias = bias }, mem_string(path) };
}

static void begin_stacks(struct stacks *s)
{
	uint64_t base = 0;
	dl_iterate_phdr(take_base, &base);
	*s = (struct stacks){ .head.method = SIS_METHOD_CLOCK };
	add_module(s, "/proc/self/exe", base + 1, UINT64_MAX / 2, base);
	add_module(s, "/nowhere/libsis.so", RUNTIME, RUNTIME + 1, RUNTIME);
}

/* Adds `ms` milliseconds of samples, one for each. `stack`: the functions, innermost first. */
static struct stacks_stack *sample(struct stacks *s, uint64_t node, unsigned ms,
				   function *const *stack, size_t frames)
{
	struct stacks_stack *new = vec_push(&s->stack);
	*new = (struct stacks_stack){
		.first = s->pc.n, .frames = (uint32_t)frames, .kind = SIS_STACK_RUNNING,
		.node = node, .origin = NONE, .count = ms, .weight = (uint64_t)ms * MS,
	};
	for (size_t i = 0; i < frames; i++)
		*vec_push(&s->pc) = SIS_PC_EXACT |
			(stack[i] == runtime ? RUNTIME : (uint64_t)(uintptr_t)stack[i]);
	return new;
}
#define SAMPLE(s, node, ms, ...) \
	sample(s, node, ms, (function *const[]){ __VA_ARGS__ }, \
	       sizeof((function *const[]){ __VA_ARGS__ }) / sizeof(function *))

/* -- runs -------------------------------------------------------------------------------------- */

struct run {
	struct profile_writer *writer;
	uint64_t root;
	struct profile profile;
	struct stacks stacks;
};

static void begin(struct run *r)
{
	r->writer = writer_new(-1, 0);
	writer_times(r->writer, 0, 1000 * (uint64_t)MS);
	r->root = writer_thread(r->writer, 0);
	begin_stacks(&r->stacks);
}

static void find(struct sampled *sampled, struct run *r, size_t runs)
{
	struct sampled_process process[2];
	struct run_modules modules = { 0 };
	struct err err = { "" };
	for (size_t i = 0; i < runs; i++) {
		size_t size;
		unsigned char *bytes = writer_take(r[i].writer, SIS_STATE_ENDED, &size);
		ck_assert_int_eq(profile_parse(&r[i].profile, "p", bytes, size, &err), 0);
		process[i] = (struct sampled_process){ &r[i].profile, &r[i].stacks, (uint32_t)i };
		run_modules_add(&modules, &r[i].stacks, &r[i].profile);
	}
	ck_assert_int_eq(run_modules_find(&modules, &err), 0);
	ck_assert_int_eq(sampled_find(sampled, &modules, process, runs, &err), 0);
	run_modules_release(&modules);
	ck_assert_uint_eq(sampled->warning.n, 0);
}

static void end(struct sampled *sampled, struct run *r, size_t runs)
{
	for (size_t i = 0; i < runs; i++) {
		profile_release(&r[i].profile);
		stacks_release(&r[i].stacks);
	}
	sampled_release(sampled);
}

/* The path of a node as text: names of functions, and `.` for a measured node. */
static const char *path_of(const struct sampled *sampled, const struct profile *p, uint32_t node)
{
	static char text[256];
	const char *name[MOST];
	size_t n = 0;
	for (; p->node.at[node].parent != NONE && n < MOST; node = p->node.at[node].parent) {
		uint32_t region = p->node.at[node].region;
		name[n++] = region >= SAMPLED_ID ? sampled->function.at[region - SAMPLED_ID].name :
			".";
	}
	text[0] = '\0';
	while (n-- > 0)
		strcat(strcat(text, name[n]), n ? " " : "");
	return text;
}

static const char *path_at(const struct sampled *sampled, const struct run *r, uint64_t address)
{
	return path_of(sampled, &r->profile, profile_node_at(&r->profile, address));
}

/* The estimate of the node with this path; NULL: there is no such node, or there are several. */
static const struct profile_estimate *estimate_of(const struct sampled *sampled,
						  const struct run *r, const char *path)
{
	const struct profile_estimate *found = NULL;
	for (size_t i = 0; i < r->profile.estimate.n; i++) {
		const struct profile_estimate *e = &r->profile.estimate.at[i];
		if (strcmp(path_of(sampled, &r->profile, e->node), path) != 0)
			continue;
		if (found)
			return NULL;
		found = e;
	}
	return found;
}

static void has_ms(const struct sampled *sampled, const struct run *r, const char *path,
		   unsigned ms)
{
	const struct profile_estimate *e = estimate_of(sampled, r, path);
	ck_assert_msg(e != NULL, "%s", path);
	ck_assert_uint_eq(e->sampled, (uint64_t)ms * MS);
	ck_assert_uint_eq(e->samples, ms);
}

/* -- tests ------------------------------------------------------------------------------------- */

START_TEST(call_paths_have_the_time_of_their_samples)
{
	struct run r;
	struct sampled sampled;
	begin(&r);
	SAMPLE(&r.stacks, r.root, 300, solve, program);
	SAMPLE(&r.stacks, r.root, 100, swap, program);
	SAMPLE(&r.stacks, r.root, 100, program);
	find(&sampled, &r, 1);
	ck_assert_uint_eq(sampled.samples, 500);
	has_ms(&sampled, &r, "program", 500);
	has_ms(&sampled, &r, "program solve", 300);
	has_ms(&sampled, &r, "program swap", 100);
	/* n p (1 - p) samples of a millisecond */
	const struct profile_estimate *e = estimate_of(&sampled, &r, "program solve");
	ck_assert_double_eq_tol(e->variance / MS / MS, 500 * 0.6 * 0.4, 1e-6);
	e = estimate_of(&sampled, &r, "program");
	ck_assert_double_eq_tol(e->variance, 0, 1e-6);
	ck_assert_double_eq_tol(e->own_variance / MS / MS, 500 * 0.2 * 0.8, 1e-6);
	const struct sampled_function *f = &sampled.function.at[0];
	ck_assert_str_eq(f->name, "program");
	ck_assert_ptr_nonnull(strstr(f->file, "test_sampled_nodes.c"));
	ck_assert_uint_eq(f->line, PROGRAM_LINE);
	end(&sampled, &r, 1);
}
END_TEST

START_TEST(recursion_is_folded)
{
	struct run r;
	struct sampled sampled;
	begin(&r);
	SAMPLE(&r.stacks, r.root, 10, solve, swap, solve, program);
	/* the outer functions of a deep recursion are not known */
	SAMPLE(&r.stacks, r.root, 20, swap, solve, solve)->flags = SIS_STACK_TRUNCATED;
	find(&sampled, &r, 1);
	has_ms(&sampled, &r, "program solve", 10);
	ck_assert_ptr_null(estimate_of(&sampled, &r, "program solve swap solve"));
	has_ms(&sampled, &r, "solve swap", 20);
	end(&sampled, &r, 1);
}
END_TEST

START_TEST(a_call_moves_below_what_its_samples_share)
{
	struct run r;
	struct sampled sampled;
	begin(&r);
	uint64_t receive = writer_node(r.writer, 0, r.root, writer_mpi("MPI_Recv"), 3, 200 * MS);
	SAMPLE(&r.stacks, r.root, 100, solve, program);
	/* the library's functions are not shown */
	SAMPLE(&r.stacks, receive, 150, body, runtime, swap, solve, program);
	SAMPLE(&r.stacks, receive, 50, body, runtime, solve, program);
	SAMPLE(&r.stacks, receive, 1, runtime, body)->flags = SIS_STACK_TRUNCATED;
	find(&sampled, &r, 1);
	ck_assert_str_eq(path_at(&sampled, &r, receive), "program solve .");
	/* the call is exact: its samples do not count */
	has_ms(&sampled, &r, "program solve", 100);
	ck_assert_uint_eq(r.profile.node.at[estimate_of(&sampled, &r, "program")->node].total,
			  200 * MS);
	ck_assert_ptr_null(estimate_of(&sampled, &r, "program solve swap"));
	end(&sampled, &r, 1);
}
END_TEST

START_TEST(processes_share_the_paths_of_calls)
{
	struct run r[2];
	struct sampled sampled;
	uint64_t receive[2];
	for (int i = 0; i < 2; i++) {
		begin(&r[i]);
		receive[i] = writer_node(r[i].writer, 0, r[i].root, writer_mpi("MPI_Recv"), 1, MS);
		SAMPLE(&r[i].stacks, r[i].root, 100, solve, program);
	}
	uint64_t unseen = writer_node(r[0].writer, 0, r[0].root, writer_mpi("MPI_Comm_rank"), 1, 1);
	SAMPLE(&r[1].stacks, receive[1], 1, runtime, swap, program);
	find(&sampled, r, 2);
	ck_assert_str_eq(path_at(&sampled, &r[0], receive[0]), "program swap .");
	ck_assert_str_eq(path_at(&sampled, &r[1], receive[1]), "program swap .");
	/* without any sample: in the outermost function */
	ck_assert_str_eq(path_at(&sampled, &r[0], unseen), "program .");
	end(&sampled, r, 2);
}
END_TEST

/* A region of calls that `by` makes. */
static uint32_t call_by(struct run *r, uint32_t id, uint32_t builtin, function *by)
{
	enum { AFTER_CALL = 4 };
	char text[80];
	snprintf(text, sizeof text, "%u\t%s", builtin, sis_builtin_name(builtin));
	writer_text(r->writer, "builtin", text);
	snprintf(text, sizeof text, "%u\t%u\t%llx\t0", id, builtin,
		 (unsigned long long)(uintptr_t)by + AFTER_CALL);
	writer_text(r->writer, "call", text);
	return id;
}

START_TEST(calls_are_in_the_functions_that_make_them)
{
	struct run r;
	struct sampled sampled;
	begin(&r);
	uint32_t builtin = writer_mpi("MPI_Recv");
	uint64_t seen = writer_node(r.writer, 0, r.root, call_by(&r, 5000, builtin, swap), 1, MS);
	uint64_t on_path = writer_node(r.writer, 0, r.root, call_by(&r, 5001, builtin, solve), 1,
				       MS);
	uint64_t unseen = writer_node(r.writer, 0, r.root, call_by(&r, 5002, builtin, body), 1, MS);
	SAMPLE(&r.stacks, r.root, 100, swap, solve, program);
	/* `body` has the place of an interface between the call and the routine */
	SAMPLE(&r.stacks, seen, 100, body, runtime, body, swap, solve, program);
	SAMPLE(&r.stacks, seen, 100, body, runtime, body, swap, program);
	find(&sampled, &r, 1);
	/* two paths: below what they share */
	ck_assert_str_eq(path_at(&sampled, &r, seen), "program swap .");
	ck_assert_str_eq(path_at(&sampled, &r, on_path), "program solve .");
	ck_assert_str_eq(path_at(&sampled, &r, unseen), "program body .");
	ck_assert_uint_eq(sampled.call.n, 3);
	const struct sampled_call *call = &sampled.call.at[0];
	ck_assert_str_eq(call->builtin, "MPI_Recv");
	ck_assert_str_eq(sampled.function.at[call->function].name, "swap");
	ck_assert_ptr_nonnull(strstr(call->file, "test_sampled_nodes.c"));
	ck_assert_uint_eq(call->line, PROGRAM_LINE + 2);
	ck_assert_uint_eq(r.profile.call.at[0].place, 0);
	end(&sampled, &r, 1);
}
END_TEST

START_TEST(processes_share_the_places_of_calls)
{
	struct run r[2];
	struct sampled sampled;
	uint64_t node[2];
	for (int i = 0; i < 2; i++) {
		begin(&r[i]);
		uint32_t id = call_by(&r[i], 5000 + (uint32_t)i, writer_mpi("MPI_Recv"), swap);
		node[i] = writer_node(r[i].writer, 0, r[i].root, id, 1, MS);
	}
	/* the other process shows on which path the function is */
	SAMPLE(&r[1].stacks, r[1].root, 100, swap, solve, program);
	SAMPLE(&r[0].stacks, r[0].root, 100, program);
	find(&sampled, r, 2);
	ck_assert_uint_eq(sampled.call.n, 1);
	for (int i = 0; i < 2; i++)
		ck_assert_str_eq(path_at(&sampled, &r[i], node[i]), "program solve swap .");
	end(&sampled, r, 2);
}
END_TEST

START_TEST(teams_and_their_members)
{
	struct run r;
	struct sampled sampled;
	begin(&r);
	uint64_t team = writer_node(r.writer, 0, r.root, RT_PARALLEL, 1, 100 * MS);
	uint64_t barrier = writer_node(r.writer, 0, team, RT_IBAR, 1, MS);
	uint64_t other = writer_thread(r.writer, 1);
	uint64_t member = writer_node(r.writer, 1, other, RT_PARALLEL, 1, 100 * MS);
	writer_origin(r.writer, 1, member, team);
	SAMPLE(&r.stacks, team, 90, body, runtime, solve, program);
	SAMPLE(&r.stacks, barrier, 10, runtime, solve, program);
	SAMPLE(&r.stacks, member, 70, body, runtime);
	SAMPLE(&r.stacks, member, 30, swap, body, runtime);
	struct stacks_stack *forked = SAMPLE(&r.stacks, team, 0, runtime, solve, program);
	forked->kind = SIS_STACK_ORIGIN;
	for (size_t i = 2; i < 4; i++)
		r.stacks.stack.at[i].origin = 4;
	find(&sampled, &r, 1);
	ck_assert_str_eq(path_at(&sampled, &r, team), "program solve .");
	ck_assert_str_eq(path_at(&sampled, &r, barrier), "program solve . .");
	ck_assert_str_eq(path_at(&sampled, &r, member), "."); /* it has an origin */
	has_ms(&sampled, &r, "program solve . body", 90);
	has_ms(&sampled, &r, ". body", 100);
	has_ms(&sampled, &r, ". body swap", 30);
	end(&sampled, &r, 1);
}
END_TEST

START_TEST(lines_have_samples)
{
	struct run r;
	struct sampled sampled;
	begin(&r);
	SAMPLE(&r.stacks, r.root, 60, program);
	SAMPLE(&r.stacks, r.root, 30, runtime, program);
	SAMPLE(&r.stacks, r.root, 10, runtime)->slot = SIS_NO_SLOT;
	find(&sampled, &r, 1);
	ck_assert_uint_eq(sampled.line.n, 2);
	ck_assert_uint_eq(sampled.line.at[0].line, PROGRAM_LINE);
	ck_assert_uint_eq(sampled.line.at[0].samples, 90);
	ck_assert_uint_eq(sampled.line.at[0].weight, 90 * MS);
	ck_assert_ptr_null(sampled.line.at[1].file);
	ck_assert_uint_eq(sampled.line.at[1].samples, 10);
	end(&sampled, &r, 1);
}
END_TEST

/* The region has no border in its stacks: what they share is outside of it. */
START_TEST(regions_made_by_hand)
{
	static const char json[] =
		"{\"source\":\"\",\"directory\":\"/\",\"compiler\":\"\",\"flags\":\"\","
		"\"sisc\":\"\",\"regions\":[{\"id\":0,\"name\":\"step\",\"type\":\"CR_A\","
		"\"file\":\"f.c\",\"unit\":\"\",\"line_start\":1,\"column_start\":1,"
		"\"line_end\":1,\"column_end\":1,\"metrics\":[],\"key\":\"step\","
		"\"aux\":{\"by_hand\":true}}]}";
	struct run r;
	struct sampled sampled;
	begin(&r);
	writer_unit(r.writer, WRITER_FUNCTION(0), 1, json);
	uint64_t step = writer_node(r.writer, 0, r.root, WRITER_FUNCTION(0), 1, 80 * MS);
	uint64_t receive = writer_node(r.writer, 0, step, writer_mpi("MPI_Recv"), 1, 10 * MS);
	SAMPLE(&r.stacks, step, 40, solve, program);
	SAMPLE(&r.stacks, step, 30, swap, program);
	SAMPLE(&r.stacks, receive, 10, runtime, swap, program);
	find(&sampled, &r, 1);
	ck_assert_str_eq(path_at(&sampled, &r, step), "program .");
	has_ms(&sampled, &r, "program . solve", 40);
	has_ms(&sampled, &r, "program . swap", 30);
	ck_assert_str_eq(path_at(&sampled, &r, receive), "program . swap .");
	end(&sampled, &r, 1);
}
END_TEST

/* Notes when samples of the last stack were taken, in milliseconds. */
static void moments(struct stacks *s, uint64_t first, uint64_t last, uint32_t count)
{
	*vec_push(&s->moments) = (struct stacks_moments){
		WRITER_START + first * MS, WRITER_START + last * MS, (uint32_t)s->stack.n - 1, count
	};
}

/* The ticks of the waits whose culprit was in this path. */
static uint64_t culprit_ticks(const struct sampled *sampled, const struct run *r, const char *path)
{
	uint64_t ticks = 0;
	for (size_t i = 0; i < r->profile.culprit.n; i++) {
		const struct profile_culprit *c = &r->profile.culprit.at[i];
		ticks += strcmp(path_of(sampled, &r->profile, c->culprit), path) == 0 ? c->ticks :
										       0;
	}
	return ticks;
}

/* Samples of the wait say when it was; only then the functions of the culprit count. */
START_TEST(culprits_are_functions)
{
	struct run r;
	struct sampled sampled;
	begin(&r);
	uint64_t wait = writer_node(r.writer, 0, r.root, RT_LOCK, 1, 100 * MS);
	uint64_t other = writer_thread(r.writer, 1);
	struct sis_culprit c = { .node = (struct sis_node *)(uintptr_t)wait,
				 .culprit = (struct sis_node *)(uintptr_t)other,
				 .slot = 1, .count = 1, .ticks = 100 * MS };
	writer_chunk(r.writer, SIS_CHUNK_CULPRITS, 0, &c, sizeof c);
	SAMPLE(&r.stacks, wait, 100, runtime, program)->kind = SIS_STACK_BLOCKED;
	moments(&r.stacks, 50, 150, 100);
	SAMPLE(&r.stacks, other, 100, swap, program)->slot = 1;
	moments(&r.stacks, 0, 80, 80); /* 30 of them during the wait */
	SAMPLE(&r.stacks, other, 60, solve, program)->slot = 1;
	moments(&r.stacks, 80, 140, 60);
	SAMPLE(&r.stacks, other, 10, program)->slot = 1;
	moments(&r.stacks, 140, 150, 10);
	find(&sampled, &r, 1);
	ck_assert_uint_eq(culprit_ticks(&sampled, &r, "program swap"), 30 * MS);
	ck_assert_uint_eq(culprit_ticks(&sampled, &r, "program solve"), 60 * MS);
	ck_assert_uint_eq(culprit_ticks(&sampled, &r, "program"), 10 * MS);
	ck_assert_uint_eq(culprit_ticks(&sampled, &r, ""), 0);
	end(&sampled, &r, 1);
}
END_TEST

START_TEST(nothing_is_added_below_regions_of_sisc)
{
	static const char *const name[] = { "solve" };
	struct run r;
	struct sampled sampled;
	begin(&r);
	writer_functions(r.writer, name, 1);
	uint64_t region = writer_node(r.writer, 0, r.root, WRITER_FUNCTION(0), 1, 100 * MS);
	uint64_t receive = writer_node(r.writer, 0, region, writer_mpi("MPI_Recv"), 1, MS);
	SAMPLE(&r.stacks, region, 90, swap, solve, program);
	SAMPLE(&r.stacks, receive, 10, runtime, swap, solve, program);
	find(&sampled, &r, 1);
	ck_assert_str_eq(path_at(&sampled, &r, region), ".");
	ck_assert_str_eq(path_at(&sampled, &r, receive), ". .");
	ck_assert_uint_eq(r.profile.estimate.n, 0);
	end(&sampled, &r, 1);
}
END_TEST

/* The ticks of the entry of this path in the only phase; -1: it has no entry. */
static int64_t phase_ticks(const struct sampled *sampled, const struct run *r, const char *path)
{
	const struct profile_record *phase = &r->profile.record.at[0];
	ck_assert_int_eq(phase->kind, SIS_RECORD_PHASE);
	for (size_t i = phase->first; i < phase->first + phase->entries; i++)
		if (strcmp(path_of(sampled, &r->profile, r->profile.phase.at[i].node), path) == 0)
			return (int64_t)r->profile.phase.at[i].ticks;
	return -1;
}

START_TEST(phases_have_the_functions_of_their_samples)
{
	struct run r;
	struct sampled sampled;
	begin(&r);
	const struct sis_phase_entry entry = { (struct sis_node *)(uintptr_t)r.root, 100 * MS };
	writer_phase(r.writer, 0, 0, 100 * MS, r.root, &entry, 1);
	SAMPLE(&r.stacks, r.root, 60, solve, program);
	moments(&r.stacks, 0, 60, 60);
	SAMPLE(&r.stacks, r.root, 3, swap, program);
	moments(&r.stacks, 60, 63, 3);
	SAMPLE(&r.stacks, r.root, 27, program);
	moments(&r.stacks, 93, 113, 20); /* 7 of them in the phase */
	moments(&r.stacks, 120, 120, 1);
	SAMPLE(&r.stacks, r.root, 90, body, program); /* when is not known */
	SAMPLE(&r.stacks, r.root, 90, body, program);
	moments(&r.stacks, 110, 200, 90);
	find(&sampled, &r, 1);
	ck_assert_int_eq(phase_ticks(&sampled, &r, "program solve"), 60 * MS);
	/* too few samples: it ran, and its time counts for its caller */
	ck_assert_int_eq(phase_ticks(&sampled, &r, "program swap"), 0);
	ck_assert_int_eq(phase_ticks(&sampled, &r, "program"), 10 * MS);
	ck_assert_int_eq(phase_ticks(&sampled, &r, ""), 30 * MS);
	ck_assert_int_eq(phase_ticks(&sampled, &r, "program body"), -1);
	end(&sampled, &r, 1);
}
END_TEST

static void add_generated(struct stacks *s, uint64_t start, const char *name)
{
	*vec_push(&s->generated) =
		(struct stacks_generated){ start, start + 16, mem_string(name) };
}

static void *generated(unsigned number)
{
	return (void *)(uintptr_t)(GENERATED + 16 * number);
}

START_TEST(generated_functions_have_the_names_of_the_perf_map)
{
	struct run r;
	struct sampled sampled;
	begin(&r);
	add_generated(&r.stacks, GENERATED, "loop.cold");
	add_generated(&r.stacks, GENERATED + 16, "py::C.f.cold:/home/a:b/c.py");
	SAMPLE(&r.stacks, r.root, 30, generated(0), solve, program);
	SAMPLE(&r.stacks, r.root, 20, generated(1), program);
	SAMPLE(&r.stacks, r.root, 10, generated(2), program); /* not in the map */
	find(&sampled, &r, 1);
	has_ms(&sampled, &r, "program solve loop.cold", 30);
	has_ms(&sampled, &r, "program C.f.cold", 20);
	has_ms(&sampled, &r, "program", 60);
	for (size_t i = 0; i < sampled.function.n; i++) {
		const struct sampled_function *f = &sampled.function.at[i];
		if (strcmp(f->name, "loop.cold") == 0)
			ck_assert_ptr_null(f->file);
		if (strcmp(f->name, "C.f.cold") == 0)
			ck_assert_str_eq(f->file, "/home/a:b/c.py");
		ck_assert_int_eq(strcmp(f->module, "jit") == 0, strstr(f->name, ".cold") != NULL);
	}
	end(&sampled, &r, 1);
}
END_TEST

/* The functions of this program, in a module with the name of an interpreter. */
static void *in_python(function *f)
{
	uint64_t base = 0;
	dl_iterate_phdr(take_base, &base);
	return (void *)((uintptr_t)f - base + PYTHON);
}

START_TEST(frames_of_the_interpreter_between_functions_of_python_are_not_shown)
{
	struct run r;
	struct sampled sampled;
	char directory[UNIT_PATH];
	ck_assert_ptr_nonnull(mkdtemp(unit_template(directory)));
	char *library = mem_print("%s/libpython3.so", directory);
	ck_assert_int_eq(symlink("/proc/self/exe", library), 0);
	begin(&r);
	add_module(&r.stacks, library, PYTHON, PYTHON + (64 << 20), PYTHON);
	add_generated(&r.stacks, GENERATED, "py::f:f.py");
	add_generated(&r.stacks, GENERATED + 16, "py::g:<string>");
	void *f = generated(0), *g = generated(1), *eval = in_python(_PyEval_EvalFrameDefault);
	void *call = in_python(solve), *multiply = in_python(swap);
	SAMPLE(&r.stacks, r.root, 40, eval, g, call, eval, f, call, eval, call);
	SAMPLE(&r.stacks, r.root, 20, multiply, eval, f, call);
	SAMPLE(&r.stacks, r.root, 10, eval, g, body, call, eval, f, call);
	find(&sampled, &r, 1);
	has_ms(&sampled, &r, "f", 70);
	has_ms(&sampled, &r, "f g", 40);
	has_ms(&sampled, &r, "f swap", 20);
	has_ms(&sampled, &r, "f solve body g", 10); /* a library in between is shown */
	end(&sampled, &r, 1);
	unlink(library);
	rmdir(directory);
	free(library);
}
END_TEST

UNIT_MAIN("sampled_nodes", call_paths_have_the_time_of_their_samples, recursion_is_folded,
	  a_call_moves_below_what_its_samples_share, processes_share_the_paths_of_calls,
	  calls_are_in_the_functions_that_make_them, processes_share_the_places_of_calls,
	  teams_and_their_members, phases_have_the_functions_of_their_samples,
	  culprits_are_functions, lines_have_samples, regions_made_by_hand,
	  nothing_is_added_below_regions_of_sisc,
	  generated_functions_have_the_names_of_the_perf_map,
	  frames_of_the_interpreter_between_functions_of_python_are_not_shown)
