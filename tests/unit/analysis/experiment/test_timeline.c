/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/traced_make.c tests/unit/analysis/trace_write.c */
/* link: tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* In which nodes threads were when, and in which teams, from traces whose events are known. */
#include "unit.h"

#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiment/timeline/timeline.h"
#include "trace_write.h"
#include "traced_make.h"

static struct experiment x;
static struct timelines timelines;
static warning_list warnings;

static struct traced *begin(void)
{
	traced_begin(&x);
	return traced_new(0, 1);
}

static void read_timelines(void)
{
	make_classified(&x);
	timelines_init(&timelines, &x, &warnings);
}

static void finish(struct traced *t)
{
	traced_finish(t, &x);
	read_timelines();
}

static void end(void)
{
	timelines_release(&timelines);
	warnings_release(&warnings);
	traced_end(&x);
}

/* -- what a timeline says, as text ------------------------------------------------------------- */

struct text { char at[512]; size_t length; uint32_t node; };

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	t->length += (size_t)vsnprintf(t->at + t->length, sizeof t->at - t->length, format, list);
	va_end(list);
	ck_assert_uint_lt(t->length, sizeof t->at);
}

static const struct profile_node *node_at(uint32_t node)
{
	return &x.model.process.at[0].profile.node.at[node];
}

/* The regions from the root of the slot to the node. The root is "run". */
static void add_path(struct text *t, uint32_t node)
{
	if (node == NONE) {
		add(t, "?");
		return;
	}
	if (node_at(node)->parent != NONE && node_at(node_at(node)->parent)->parent != NONE) {
		add_path(t, node_at(node)->parent);
		add(t, "/");
	}
	uint32_t global = x.model.process.at[0].global[node];
	add(t, "%s", node_at(node)->parent == NONE ? "run" : region_of_node(&x, global)->name);
}

static int ms_of(int64_t ns) { return (int)((ns - x.model.start_ns) / MS); }

static int64_t ns_of(int ms) { return x.model.start_ns + (int64_t)ms * MS; }

static void take(void *arg, uint32_t node, int64_t from, int64_t to)
{
	struct text *t = arg;
	(void)to;
	if (t->length && t->node == node)
		return;
	t->node = node;
	add(t, "%s%d ", t->length ? ", " : "", ms_of(from));
	add_path(t, node);
}

/* The nodes of the interval: "0 main, 10 main/work" says when which began. */
static const char *during(uint32_t slot, int from, int to)
{
	static struct text t;
	t.length = 0;
	timeline_for_each(&timelines, 0, slot, ns_of(from), ns_of(to), take, &t);
	return t.at;
}

static bool covers(uint32_t slot, int from, int to)
{
	return timeline_covers(&timelines, 0, slot, ns_of(from), ns_of(to));
}

/* -- nodes ------------------------------------------------------------------------------------- */

START_TEST(an_interval_goes_through_blocks)
{
	struct traced *t = begin();
	traced_enter(t, 0, 10, WRITER_FUNCTION(MAIN));
	traced_enter(t, 0, 100, WRITER_FUNCTION(F));
	traced_cut(t, 0);
	traced_visit(t, 0, 200, 300, WRITER_FUNCTION(WORK));
	traced_cut(t, 0);
	traced_leave(t, 0, 400);
	traced_cut(t, 0);
	traced_leave(t, 0, 900);
	finish(t);
	ck_assert(timelines_whole(&timelines, 0));
	ck_assert(covers(0, 0, 1000) && !covers(0, 0, 1001) && !covers(1, 0, 1000));
	ck_assert_str_eq(during(0, 0, 1000),
			 "0 run, 10 main, 100 main/f, 200 main/f/work, 300 main/f, 400 main, "
			 "900 run");
	ck_assert_str_eq(during(0, 150, 350), "150 main/f, 200 main/f/work, 300 main/f");
	ck_assert_str_eq(during(0, 200, 300), "200 main/f/work");
	ck_assert_str_eq(during(0, 300, 301), "300 main/f");
	ck_assert_str_eq(during(0, 0, 5), "0 run");
	ck_assert_str_eq(during(0, 950, 999), "950 run");
	end();
}
END_TEST

/* Two nodes of f and g each; the third and fourth activations are added to the second nodes. */
START_TEST(deeper_recursion_is_folded)
{
	struct traced *t = begin();
	traced_fold(t, 2);
	for (int i = 0; i < 8; i++) {
		traced_enter(t, 0, 10 * i, WRITER_FUNCTION(i % 2 ? G : F));
		if (i == 5)
			traced_cut(t, 0);
	}
	traced_visit(t, 0, 80, 90, WRITER_FUNCTION(WORK));
	for (int i = 0; i < 8; i++)
		traced_leave(t, 0, 100 + 10 * i);
	finish(t);
	ck_assert_str_eq(during(0, 0, 100),
			 "0 f, 10 f/g, 20 f/g/f, 30 f/g/f/g, 40 f/g/f, 50 f/g/f/g, 60 f/g/f, "
			 "70 f/g/f/g, 80 f/g/f/g/work, 90 f/g/f/g");
	ck_assert_str_eq(during(0, 100, 180),
			 "100 f/g/f, 110 f/g/f/g, 120 f/g/f, 130 f/g/f/g, 140 f/g/f, 150 f/g, "
			 "160 f, 170 run");
	end();
}
END_TEST

/* Work from 200 on is left at 300, and serial entered at 310, without an event. */
START_TEST(after_dropped_events_the_lane_is_not_whole)
{
	struct traced *t = begin();
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	traced_enter(t, 0, 200, WRITER_FUNCTION(WORK));
	traced_drop(t, 0, true);
	traced_leave(t, 0, 300);
	traced_enter(t, 0, 310, WRITER_FUNCTION(SERIAL));
	traced_drop(t, 0, false);
	traced_visit(t, 0, 400, 500, WRITER_FUNCTION(F));
	traced_leave(t, 0, 600);
	traced_visit(t, 1, 100, 200, WRITER_FUNCTION(WORK));
	finish(t);
	ck_assert(!timelines_whole(&timelines, 0));
	ck_assert(!covers(0, 0, 100) && !covers(0, 450, 500) && covers(1, 0, 1000));
	ck_assert_str_eq(during(0, 350, 1000),
			 "350 main/work, 400 main/serial/f, 500 main/serial, 600 main");
	end();
}
END_TEST

START_TEST(during_a_pause_nothing_is_known)
{
	struct traced *t = begin();
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	traced_enter(t, 0, 200, WRITER_FUNCTION(WORK));
	traced_stop(t, 0, 300);
	traced_leave(t, 0, 400);
	traced_cut(t, 0);
	traced_visit(t, 0, 500, 600, WRITER_FUNCTION(F));
	traced_leave(t, 0, 1000);
	finish(t);
	ck_assert(!timelines_whole(&timelines, 0) && !covers(0, 0, 1000));
	ck_assert_str_eq(during(0, 0, 900), "0 main, 200 main/work, 300 ?, 500 main/f, 600 main");
	end();
}
END_TEST

/* Both slots are traced from 400 on. The block of slot 0 says that main was open then. */
START_TEST(before_it_is_switched_on_a_trace_covers_nothing)
{
	struct traced *t = begin();
	traced_late(t, 0);
	traced_late(t, 1);
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	traced_visit(t, 0, 100, 200, WRITER_FUNCTION(WORK));
	traced_visit(t, 1, 100, 200, WRITER_FUNCTION(WORK));
	traced_cut(t, 0);
	traced_cut(t, 1);
	traced_visit(t, 0, 400, 500, WRITER_FUNCTION(F));
	traced_leave(t, 0, 1000);
	traced_visit(t, 1, 600, 700, WRITER_FUNCTION(G));
	finish(t);
	ck_assert(!timelines_whole(&timelines, 0));
	ck_assert(!covers(0, 0, 1000) && !covers(1, 0, 1000) && !covers(1, 399, 1000));
	ck_assert(covers(0, 400, 1000) && covers(1, 400, 1000));
	ck_assert_str_eq(during(0, 400, 1000), "400 main/f, 500 main");
	ck_assert_str_eq(during(1, 400, 1000), "400 run, 600 g, 700 run");
	end();
}
END_TEST

/* A block names the 64 innermost regions that are open. The blocks before it know the others. */
START_TEST(more_may_be_open_than_a_block_names)
{
	enum { DEEP = SIS_TRACE_PATH + 10 };
	struct traced *t = begin();
	for (int i = 0; i < DEEP; i++)
		traced_enter(t, 0, i, WRITER_FUNCTION(i % 2 ? G : F));
	traced_cut(t, 0);
	traced_visit(t, 0, 100, 110, WRITER_FUNCTION(WORK));
	for (int i = 0; i < DEEP; i++)
		traced_leave(t, 0, 200 + i);
	finish(t);
	ck_assert(timelines_whole(&timelines, 0) && covers(0, 0, 1000));
	ck_assert_str_eq(during(0, 199 + DEEP - 2, 1000), "271 f/g, 272 f, 273 run");
	const char *deep = during(0, 105, 110);
	ck_assert_uint_eq(strlen(deep), strlen("105 ") + 2 * DEEP + strlen("work"));
	end();
}
END_TEST

/* After a gap, it is not known below what the 64 regions are. */
START_TEST(after_a_gap_too_many_open_regions_are_unknown)
{
	enum { DEEP = SIS_TRACE_PATH + 1 };
	struct traced *t = begin();
	for (int i = 0; i < DEEP; i++)
		traced_enter(t, 0, i, WRITER_FUNCTION(i % 2 ? G : F));
	traced_drop(t, 0, true);
	traced_visit(t, 0, 100, 110, WRITER_FUNCTION(WORK));
	traced_drop(t, 0, false);
	for (int i = 0; i < DEEP; i++) {
		traced_leave(t, 0, 200 + i);
		if (i == DEEP / 2)
			traced_cut(t, 0);
	}
	finish(t);
	ck_assert(!timelines_whole(&timelines, 0));
	ck_assert_str_eq(during(0, 201, 230), "201 ?");
	ck_assert_str_eq(during(0, 199 + DEEP - 2, 1000), "262 f/g, 263 f, 264 run");
	end();
}
END_TEST

START_TEST(in_an_unknown_region_the_node_is_unknown)
{
	struct traced *t = begin();
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	traced_enter(t, 0, 100, TRACED_UNKNOWN);
	traced_enter(t, 0, 200, WRITER_FUNCTION(F));
	traced_cut(t, 0);
	traced_leave(t, 0, 300);
	traced_leave(t, 0, 400);
	traced_visit(t, 0, 500, 600, WRITER_FUNCTION(F));
	traced_leave(t, 0, 700);
	finish(t);
	ck_assert_str_eq(during(0, 0, 450), "0 main, 100 ?, 400 main");
	ck_assert_str_eq(during(0, 450, 1000), "450 main, 500 main/f, 600 main, 700 run");
	end();
}
END_TEST

/* -- questions --------------------------------------------------------------------------------- */

static unsigned long random_state = 20261121;

static int next_random(int n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (int)((random_state >> 33) % (unsigned)n);
}

/* A step: enters or leaves a region, or begins a block. */
static void step(struct traced *t, int ms, int *depth)
{
	if (next_random(20) == 0)
		traced_cut(t, 0);
	bool enters = *depth == 0 || (*depth < 20 && next_random(2));
	if (enters)
		traced_enter(t, 0, ms, WRITER_FUNCTION(next_random(TRACED_FUNCTIONS)));
	else
		traced_leave(t, 0, ms);
	*depth += enters ? 1 : -1;
}

struct sum { int64_t at; uint32_t node[1000]; };

static void add_up(void *arg, uint32_t node, int64_t from, int64_t to)
{
	struct sum *sum = arg;
	ck_assert_int_eq(from, sum->at);
	ck_assert_int_gt(to, from);
	for (int ms = ms_of(from); ms < ms_of(to) && ms < 1000; ms++)
		sum->node[ms] = node;
	sum->at = to;
}

static void ask(int64_t from, int64_t to)
{
	struct sum sum = { .at = from };
	timeline_for_each(&timelines, 0, 0, from, to, add_up, &sum);
	ck_assert_int_eq(sum.at, to);
}

static void ask_often(void)
{
	for (int i = 0; i < 1000; i++) {
		int64_t from = x.model.start_ns + (int64_t)next_random(1000 * 1000) * 1000;
		ask(from, from + (int64_t)next_random(i % 2 ? 1000 * 1000 : 2000) * 1000);
	}
}

/* The node of each millisecond is the one that the profile counted it in. */
static void compare_with_profile(void)
{
	struct sum sum = { .at = x.model.start_ns };
	const struct process *p = &x.model.process.at[0];
	timeline_for_each(&timelines, 0, 0, ns_of(0), ns_of(1000), add_up, &sum);
	for (uint32_t n = 0; n < p->profile.node.n; n++) {
		int64_t ms = 0;
		for (int i = 0; i < 1000; i++)
			ms += sum.node[i] == n;
		ck_assert_int_eq(ms * MS, p->excl_ns[n]);
	}
}

START_TEST(every_question_adds_up)
{
	for (int round = 0; round < 4; round++) {
		struct traced *t = begin();
		int depth = 0;
		traced_fold(t, 2 + (uint32_t)round % 3);
		for (int ms = 0; ms < 1000; ms += 1 + next_random(3))
			step(t, ms, &depth);
		while (depth-- > 0)
			traced_leave(t, 0, 1000);
		finish(t);
		ck_assert(timelines_whole(&timelines, 0));
		compare_with_profile();
		ask_often();
		end();
	}
}
END_TEST

START_TEST(every_question_adds_up_where_events_are_missing)
{
	struct traced *t = begin();
	int depth = 0;
	for (int ms = 0; ms < 1000; ms++) {
		step(t, ms, &depth);
		if (next_random(30) == 0)
			traced_drop(t, 0, next_random(2));
	}
	while (depth-- > 0)
		traced_leave(t, 0, 1000);
	finish(t);
	ask_often();
	end();
}
END_TEST

/* -- teams ------------------------------------------------------------------------------------- */

/* Of each part: "SLOT:ENTER-LEAVE TEAM". */
static const char *parts(void)
{
	static struct text t;
	const struct process_timelines *p = &timelines.process[0];
	t.length = 0;
	for (size_t i = 0; i < p->part.n; i++) {
		const struct team_part *part = &p->part.at[i];
		add(&t, "%s%u:%d-%d %d", i ? ", " : "", part->slot, ms_of(part->enter),
		    ms_of(part->leave), (int)part->team);
	}
	return t.at;
}

/* Of each wait: "SLOT:ENTER-LEAVE PART/BARRIER". */
static const char *waits(void)
{
	static struct text t;
	const struct process_timelines *p = &timelines.process[0];
	t.length = 0;
	for (size_t i = 0; i < p->span.n; i++) {
		const struct wait_span *s = &p->span.at[i];
		add(&t, "%s%u:%d-%d %d/%u", i ? ", " : "", s->slot, ms_of(s->enter),
		    ms_of(s->leave), (int)s->part, s->barrier);
	}
	return t.at;
}

/* Main forks a team of two twice. The second time, slot 2 is a member, too. */
START_TEST(a_team_is_found_by_the_node_that_forked_it)
{
	struct traced *t = begin();
	uint64_t fork = 0;
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	for (int i = 0; i < 2; i++) {
		fork = traced_enter(t, 0, 100 + 300 * i, RT_PARALLEL);
		traced_visit(t, 0, 200 + 300 * i, 300 + 300 * i, RT_IBAR);
		traced_leave(t, 0, 300 + 300 * i);
	}
	traced_leave(t, 0, 900);
	for (int i = 0; i < 2; i++) {
		traced_enter_of(t, 1, 110 + 300 * i, RT_PARALLEL, fork);
		traced_visit(t, 1, 150 + 300 * i, 160 + 300 * i, RT_EBAR);
		traced_visit(t, 1, 290 + 300 * i, 300 + 300 * i, RT_IBAR);
		traced_leave(t, 1, 300 + 300 * i);
	}
	traced_enter_of(t, 2, 420, RT_PARALLEL, fork);
	traced_leave(t, 2, 600);
	finish(t);
	ck_assert_str_eq(parts(),
			 "0:100-300 0, 0:400-600 1, 1:110-300 0, 1:410-600 1, "
			 "2:420-600 1");
	ck_assert_str_eq(waits(),
			 "0:200-300 0/1, 0:500-600 1/1, 1:150-160 2/1, 1:290-300 2/2, "
			 "1:450-460 3/1, 1:590-600 3/2");
	end();
}
END_TEST

/* Slot 1 forks a team of its own, with slot 2, while it is in the team of slot 0. */
START_TEST(teams_may_be_nested)
{
	struct traced *t = begin();
	uint64_t outer = traced_enter(t, 0, 100, RT_PARALLEL);
	traced_visit(t, 0, 200, 900, RT_IBAR);
	traced_leave(t, 0, 900);
	traced_enter_of(t, 1, 110, RT_PARALLEL, outer);
	uint64_t inner = traced_enter(t, 1, 300, RT_PARALLEL);
	traced_visit(t, 1, 400, 500, RT_IBAR);
	traced_leave(t, 1, 500);
	traced_visit(t, 1, 890, 900, RT_IBAR);
	traced_leave(t, 1, 900);
	traced_enter_of(t, 2, 310, RT_PARALLEL, inner);
	traced_visit(t, 2, 490, 500, RT_IBAR);
	traced_leave(t, 2, 500);
	finish(t);
	ck_assert_str_eq(parts(), "0:100-900 0, 1:110-900 0, 1:300-500 2, 2:310-500 2");
	ck_assert_str_eq(waits(), "0:200-900 0/1, 1:400-500 2/1, 1:890-900 1/1, 2:490-500 3/1");
	end();
}
END_TEST

static void take_origin(void *arg, uint32_t node, int64_t from, int64_t to)
{
	struct text *t = arg;
	uint32_t origin = node_at(node)->origin;
	(void)to;
	if (origin == NONE)
		return;
	add(t, "%s%d ", t->length ? ", " : "", ms_of(from));
	add_path(t, origin);
}

/* Slot 1 has a node of the region for each of f and g, which fork in turns. */
START_TEST(of_nodes_with_one_region_the_origin_decides)
{
	struct traced *t = begin();
	struct text text = { 0 };
	uint64_t fork[4];
	for (int i = 0; i < 4; i++) {
		traced_enter(t, 0, 200 * i, WRITER_FUNCTION(i % 2 ? G : F));
		fork[i] = traced_enter(t, 0, 200 * i + 10, RT_PARALLEL);
		traced_leave(t, 0, 200 * i + 100);
		traced_leave(t, 0, 200 * i + 110);
	}
	for (int i = 0; i < 4; i++) {
		traced_enter_of(t, 1, 200 * i + 20, RT_PARALLEL, fork[i]);
		traced_leave(t, 1, 200 * i + 90);
		if (i % 2 == 0)
			traced_cut(t, 1);
	}
	finish(t);
	timeline_for_each(&timelines, 0, 1, ns_of(0), ns_of(1000), take_origin, &text);
	ck_assert_str_eq(text.at,
			 "20 f/parallel, 220 g/parallel, 420 f/parallel, "
			 "620 g/parallel");
	ck_assert_str_eq(parts(),
			 "0:10-100 0, 0:210-300 1, 0:410-500 2, 0:610-700 3, "
			 "1:20-90 0, 1:220-290 1, 1:420-490 2, 1:620-690 3");
	end();
}
END_TEST

/* A task in the barrier, the loss of parallelism after it, and a barrier of its own. */
START_TEST(a_barrier_has_the_waits_that_follow_it)
{
	struct traced *t = begin();
	traced_enter(t, 0, 100, RT_PARALLEL);
	traced_enter(t, 0, 200, RT_EBAR);
	traced_visit(t, 0, 300, 350, RT_TASK);
	traced_leave(t, 0, 400);
	traced_visit(t, 0, 400, 450, RT_UNPAR);
	traced_visit(t, 0, 500, 550, RT_LOCK);
	traced_visit(t, 0, 600, 650, RT_IBAR);
	traced_leave(t, 0, 700);
	finish(t);
	ck_assert_str_eq(waits(),
			 "0:200-300 0/1, 0:350-400 0/1, 0:400-450 0/1, 0:500-550 0/0, "
			 "0:600-650 0/2");
	end();
}
END_TEST

/* -- other traces ------------------------------------------------------------------------------ */

static void simple(struct traced *t)
{
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	for (int i = 0; i < 4; i++) {
		traced_visit(t, 0, 100 * i + 10, 100 * i + 90, WRITER_FUNCTION(i % 2 ? G : F));
		traced_cut(t, 0);
	}
	traced_leave(t, 0, 1000);
}

static void change_file(int rank, long at, const void *bytes, size_t length)
{
	char path[UNIT_PATH];
	traced_path(&x, rank, path);
	FILE *file = fopen(path, "r+b");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fseek(file, at, at < 0 ? SEEK_END : SEEK_SET), 0);
	ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
	fclose(file);
}

static bool warned(const char *text)
{
	for (size_t i = 0; i < warnings.n; i++)
		if (strstr(warnings.at[i].text, text))
			return true;
	return false;
}

/* The file may have been left by another run. */
START_TEST(a_trace_without_a_profile_is_passed_over)
{
	static const uint32_t other = 99;
	struct traced *t = begin();
	simple(t);
	traced_finish(t, &x);
	change_file(0, offsetof(struct sis_trace_header, pid), &other, sizeof other);
	read_timelines();
	ck_assert(!timelines_whole(&timelines, 0) && !covers(0, 0, 1000));
	ck_assert_str_eq(during(0, 10, 20), "10 ?");
	ck_assert_uint_eq(warnings.n, 0);
	end();
}
END_TEST

START_TEST(what_is_no_trace_gives_a_warning)
{
	struct traced *t = begin();
	simple(t);
	traced_finish(t, &x);
	change_file(0, 0, "XXXX", 4);
	read_timelines();
	ck_assert(!timelines_whole(&timelines, 0));
	ck_assert(warned("not a trace of SIS") && warned("has no trace"));
	ck_assert_str_eq(during(0, 10, 20), "10 ?");
	end();
}
END_TEST

/* The other process keeps its trace. */
START_TEST(an_unreadable_trace_concerns_its_own_process)
{
	traced_begin(&x);
	for (int rank = 0; rank < 3; rank++) {
		struct traced *t = traced_new(rank, 3);
		simple(t);
		traced_finish(t, &x);
	}
	change_file(1, 0, "XXXX", 4);
	read_timelines();
	ck_assert(timelines_whole(&timelines, 0) && timelines_whole(&timelines, 2));
	ck_assert(!timelines_whole(&timelines, 1));
	ck_assert(warned("trace-host-1.sis: not a trace of SIS"));
	end();
}
END_TEST

/* The offset behind a block of slot 0 in the file. */
static long end_of_block(const char *path, uint64_t serial)
{
	static char bytes[TRACE_ROOM];
	struct sis_trace_segment s = { 0 };
	size_t at = sizeof(struct sis_trace_header);
	FILE *file = fopen(path, "rb");
	ck_assert_ptr_nonnull(file);
	size_t length = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	for (; at < length && !(s.kind == SIS_TRACE_BLOCK && s.serial == serial); at += s.bytes) {
		memcpy(&s, bytes + at, sizeof s);
		at += sizeof s;
	}
	return (long)at;
}

/* The file ends `bytes` before its end. */
static void cut_file(int rank, long bytes)
{
	char path[UNIT_PATH];
	struct stat st;
	traced_path(&x, rank, path);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(truncate(path, st.st_size - bytes), 0);
}

/* The process was not killed, but the file does not have its end. */
START_TEST(a_trace_without_its_end_covers_less)
{
	struct traced *t = begin();
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	traced_visit(t, 0, 100, 200, WRITER_FUNCTION(F));
	traced_cut(t, 0);
	traced_leave(t, 0, 900);
	traced_finish(t, &x);
	cut_file(0, sizeof(struct sis_trace_segment) + sizeof(struct sis_trace_end));
	read_timelines();
	ck_assert(!timelines_whole(&timelines, 0));
	ck_assert(covers(0, 0, 900) && !covers(0, 0, 901));
	end();
}
END_TEST

/* The last block of a stream is missing, and its number is in no other block. */
START_TEST(a_lost_last_block_is_missed)
{
	struct traced *t = begin();
	char path[UNIT_PATH];
	simple(t);
	traced_finish(t, &x);
	traced_path(&x, 0, path);
	change_file(0, end_of_block(path, 3), "XXXX", 4);
	read_timelines();
	ck_assert(!timelines_whole(&timelines, 0));
	ck_assert(covers(0, 0, 390) && !covers(0, 0, 391));
	end();
}
END_TEST

/* The trace waited to be switched on until the end. */
START_TEST(a_trace_that_was_never_on_is_not_whole)
{
	struct traced *t = begin();
	traced_late(t, 0);
	traced_visit(t, 0, 0, 900, WRITER_FUNCTION(MAIN));
	traced_finish(t, &x);
	read_timelines();
	ck_assert(!timelines_whole(&timelines, 0) && !covers(0, 0, 1));
	end();
}
END_TEST

/* Each rank has another gap; the last one has none. */
START_TEST(one_warning_says_why_causes_are_estimates)
{
	enum { BAD, CUT, DROPPED, PAUSED, LATE, LACKING, WHOLE, RANKS };
	char path[UNIT_PATH];
	struct traced *t;
	traced_begin(&x);
	for (int rank = 0; rank < RANKS; rank++) {
		t = traced_new(rank, RANKS);
		if (rank == LATE)
			traced_late(t, 0);
		traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
		traced_cut(t, 0);
		if (rank == DROPPED)
			traced_drop(t, 0, true);
		if (rank == PAUSED)
			traced_stop(t, 0, 100);
		traced_visit(t, 0, 200, 300, WRITER_FUNCTION(F));
		if (rank == DROPPED)
			traced_drop(t, 0, false);
		traced_cut(t, 0);
		traced_leave(t, 0, 1000);
		traced_finish(t, &x);
	}
	change_file(BAD, 0, "XXXX", 4);
	cut_file(CUT, 1);
	traced_path(&x, LACKING, path);
	ck_assert_int_eq(unlink(path), 0);
	read_timelines();
	ck_assert(warned("trace-host-0.sis: not a trace of SIS"));
	ck_assert(warned("estimated for 6 of 7 processes"));
	ck_assert(warned("(no trace that can be read: 2, damaged or incomplete files: 1, "
			 "events that were not kept: 1, a trace that was not always on: 2)"));
	ck_assert_uint_eq(warnings.n, 2);
	end();
}
END_TEST

START_TEST(whole_traces_give_no_warning)
{
	traced_begin(&x);
	for (int rank = 0; rank < 2; rank++) {
		struct traced *t = traced_new(rank, 2);
		simple(t);
		traced_finish(t, &x);
	}
	read_timelines();
	ck_assert(timelines_whole(&timelines, 0) && timelines_whole(&timelines, 1));
	ck_assert_uint_eq(warnings.n, 0);
	end();
}
END_TEST

/* The third block is damaged. What is open after it is known from the fourth block alone. */
START_TEST(after_a_damaged_block_the_next_one_counts)
{
	char path[UNIT_PATH];
	struct traced *t = begin();
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	traced_enter(t, 0, 100, WRITER_FUNCTION(F));
	traced_cut(t, 0);
	traced_leave(t, 0, 200);
	traced_cut(t, 0);
	traced_enter(t, 0, 300, WRITER_FUNCTION(G));
	traced_cut(t, 0);
	traced_visit(t, 0, 400, 500, WRITER_FUNCTION(WORK));
	traced_leave(t, 0, 600);
	traced_leave(t, 0, 1000);
	traced_finish(t, &x);
	traced_path(&x, 0, path);
	change_file(0, end_of_block(path, 2) - 4, "XXXX", 4);
	read_timelines();
	ck_assert(!timelines_whole(&timelines, 0) && !covers(0, 0, 1000));
	ck_assert_str_eq(during(0, 0, 290), "0 main, 100 main/f, 200 main");
	ck_assert_str_eq(during(0, 400, 1000), "400 main/g/work, 500 main/g, 600 main");
	end();
}
END_TEST

/* A block of slot 1 with `pairs` visits to a barrier, each one tick long. */
static void put_long_block(struct trace_bytes *file, uint64_t serial, size_t pairs)
{
	struct sis_trace_block head = { .magic = SIS_TRACE_BLOCK_MAGIC, .serial = serial };
	struct sis_trace_segment s = { .kind = SIS_TRACE_BLOCK, .slot = 1, .serial = serial };
	head.slot = s.slot;
	head.first = s.first = WRITER_START;
	size_t words = sizeof head / 4 + 2 * pairs;
	uint32_t *block = calloc(words, sizeof *block);
	memcpy(block, &head, sizeof head);
	for (size_t i = sizeof head / 4; i < words; i += 2) {
		block[i] = RT_IBAR << 2 | SIS_TRACE_ENTER;
		block[i + 1] = 1 << 2 | SIS_TRACE_LEAVE;
	}
	trace_put_segment(file, s, block, words * 4, true);
	free(block);
}

/* Four million waits of a process are kept. The rest of its lane is not known. */
START_TEST(a_lane_with_too_many_waits_is_not_whole)
{
	static struct trace_bytes more;
	char path[UNIT_PATH];
	struct traced *t = begin();
	simple(t);
	traced_drop(t, 1, true);
	traced_visit(t, 1, 0, 1000, RT_IBAR);
	traced_finish(t, &x);
	put_long_block(&more, 0, (1 << 22) + 1);
	put_long_block(&more, 1, 1);
	traced_path(&x, 0, path);
	FILE *file = fopen(path, "ab");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(more.bytes, 1, more.length, file), more.length);
	fclose(file);
	read_timelines();
	ck_assert(!timelines_whole(&timelines, 0));
	ck_assert(covers(0, 0, 1000) && !covers(1, 0, 1000));
	ck_assert(warned("estimated for 1 of 1 processes") && warned("too many waits: 1)"));
	end();
}
END_TEST

/* -- what questions cost ----------------------------------------------------------------------- */

static void count_part(void *arg, uint32_t node, int64_t from, int64_t to)
{
	(void)node, (void)from, (void)to;
	++*(uint64_t *)arg;
}

enum { LANES = 4, BLOCKS = 100, PART_MS = 10 };

/* Asks for each lane what it did in a block. Returns how many steps beyond the parts were made. */
static uint64_t ask_all_lanes(int block)
{
	uint64_t parts = 0, steps = timelines_steps(&timelines);
	int64_t from = x.model.start_ns + (int64_t)block * PART_MS * MS;
	for (uint32_t slot = 0; slot < LANES; slot++)
		timeline_for_each(&timelines, 0, slot, from, from + 8 * MS, count_part, &parts);
	return timelines_steps(&timelines) - steps - parts;
}

/* Threads take turns at a lock: there are many questions about one time. */
START_TEST(a_block_is_read_once_for_many_questions)
{
	struct traced *t = begin();
	for (uint32_t slot = 0; slot < LANES; slot++)
		for (int i = 0; i < BLOCKS - 1; i++) {
			if (i)
				traced_cut(t, slot);
			traced_visit(t, slot, i * PART_MS + 2, i * PART_MS + 6,
				     WRITER_FUNCTION(WORK));
		}
	finish(t);
	for (int block = 1; block < BLOCKS - 1; block++) {
		ck_assert_uint_gt(ask_all_lanes(block), 0);
		ck_assert_uint_eq(ask_all_lanes(block), 0);
	}
	end();
}
END_TEST

UNIT_MAIN("timeline", an_interval_goes_through_blocks, deeper_recursion_is_folded,
	  after_dropped_events_the_lane_is_not_whole, during_a_pause_nothing_is_known,
	  before_it_is_switched_on_a_trace_covers_nothing, more_may_be_open_than_a_block_names,
	  after_a_gap_too_many_open_regions_are_unknown, in_an_unknown_region_the_node_is_unknown,
	  every_question_adds_up, every_question_adds_up_where_events_are_missing,
	  a_team_is_found_by_the_node_that_forked_it, teams_may_be_nested,
	  of_nodes_with_one_region_the_origin_decides, a_barrier_has_the_waits_that_follow_it,
	  a_trace_without_a_profile_is_passed_over, what_is_no_trace_gives_a_warning,
	  an_unreadable_trace_concerns_its_own_process, a_trace_without_its_end_covers_less,
	  a_lost_last_block_is_missed, a_trace_that_was_never_on_is_not_whole,
	  one_warning_says_why_causes_are_estimates, whole_traces_give_no_warning,
	  after_a_damaged_block_the_next_one_counts, a_lane_with_too_many_waits_is_not_whole,
	  a_block_is_read_once_for_many_questions)
