/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/traced_make.c tests/unit/analysis/trace_write.c */
/* link: tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* Calls and times within an interval, from traces whose events are known. */
#include "unit.h"

#include <stdarg.h>
#include <unistd.h>

#include "experiment/timeline/interval_times.h"
#include "traced_make.h"

static struct experiment x;
static struct traces traces;

static struct traced *begin(void)
{
	traced_begin(&x);
	return traced_new(0, 1);
}

static void finish(struct traced *t)
{
	traced_finish(t, &x);
	make_classified(&x);
	traces_open(&traces, x.run.directory);
}

static void end(void)
{
	traces_release(&traces);
	traced_end(&x);
}

static struct interval_times read_ms(int from, int to)
{
	struct interval_times t;
	interval_times_read(&t, &x, &traces, (int64_t)from * MS, to < 0 ? -1 : (int64_t)to * MS);
	ck_assert_uint_eq(t.traces_without_profile, 0);
	return t;
}

/* -- as text ----------------------------------------------------------------------------------- */

struct text { char at[1024]; size_t length; };

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	t->length += (size_t)vsnprintf(t->at + t->length, sizeof t->at - t->length, format, list);
	va_end(list);
	ck_assert_uint_lt(t->length, sizeof t->at);
}

static void add_path(struct text *t, uint32_t node)
{
	uint32_t parent = x.model.node.at[node].parent;
	if (parent != NONE && parent != x.model.root) {
		add_path(t, parent);
		add(t, "/");
	}
	add(t, "%s", node == x.model.root ? "run" : region_of_node(&x, node)->name);
}

/* "thread PATH calls subs incl excl", in milliseconds, with semicolons between. Then what is not
 * known of threads. */
static const char *within(int from, int to)
{
	static struct text t;
	struct interval_times times = read_ms(from, to);
	t = (struct text){ 0 };
	for (size_t i = 0; i < times.time.n; i++) {
		const struct interval_time *at = &times.time.at[i];
		add(&t, "%s%u ", i ? "; " : "", x.model.pu.at[at->pu].slot);
		add_path(&t, at->node);
		add(&t, " %d %d %d %d", (int)at->calls, (int)at->subs, (int)(at->incl_ns / MS),
		    (int)(at->excl_ns / MS));
	}
	for (size_t i = 0; i < times.unknown_ns.n; i++)
		if (times.unknown_ns.at[i])
			add(&t, "; %zu ? %d", i, (int)(times.unknown_ns.at[i] / MS));
	interval_times_release(&times);
	return t.at;
}

/* -- one thread -------------------------------------------------------------------------------- */

static void run_main(struct traced *t)
{
	traced_enter(t, 0, 10, WRITER_FUNCTION(MAIN));
	traced_enter(t, 0, 100, WRITER_FUNCTION(F));
	traced_cut(t, 0);
	traced_visit(t, 0, 200, 300, WRITER_FUNCTION(WORK));
	traced_cut(t, 0);
	traced_leave(t, 0, 400);
	traced_cut(t, 0);
	traced_leave(t, 0, 900);
}

START_TEST(activations_are_clipped)
{
	struct traced *t = begin();
	run_main(t);
	finish(t);
	ck_assert_str_eq(within(0, -1), "0 run 0 1 1000 110; 0 main 1 1 890 590; "
					"0 main/f 1 1 300 200; 0 main/f/work 1 0 100 100");
	ck_assert_str_eq(within(150, 250), "0 run 0 0 100 0; 0 main 0 0 100 0; "
					   "0 main/f 0 1 100 50; 0 main/f/work 1 0 50 50");
	ck_assert_str_eq(within(250, 260), "0 run 0 0 10 0; 0 main 0 0 10 0; 0 main/f 0 0 10 0; "
					   "0 main/f/work 0 0 10 10");
	ck_assert_str_eq(within(950, 970), "0 run 0 0 20 20");
	ck_assert_str_eq(within(2000, 3000), "");
	end();
}
END_TEST

START_TEST(the_begin_belongs_to_an_interval_and_the_end_does_not)
{
	struct traced *t = begin();
	run_main(t);
	finish(t);
	ck_assert_str_eq(within(190, 200), "0 run 0 0 10 0; 0 main 0 0 10 0; "
					   "0 main/f 0 0 10 10");
	ck_assert_str_eq(within(200, 201), "0 run 0 0 1 0; 0 main 0 0 1 0; 0 main/f 0 1 1 0; "
					   "0 main/f/work 1 0 1 1");
	end();
}
END_TEST

/* The third and fourth activations are added to the second nodes; their time counts once. */
START_TEST(folded_recursion_counts_once)
{
	struct traced *t = begin();
	traced_fold(t, 1);
	for (int i = 0; i < 4; i++)
		traced_enter(t, 0, 10 * i, WRITER_FUNCTION(i % 2 ? G : F));
	for (int i = 0; i < 4; i++)
		traced_leave(t, 0, 100 + 10 * i);
	finish(t);
	ck_assert_str_eq(within(0, -1), "0 run 0 1 1000 870; 0 f 2 2 130 40; 0 f/g 2 1 110 90");
	ck_assert_str_eq(within(25, 105), "0 run 0 0 80 0; 0 f 0 1 80 10; 0 f/g 1 0 80 70");
	end();
}
END_TEST

/* -- parts of the run -------------------------------------------------------------------------- */

static uint32_t random_below(uint32_t n)
{
	static uint32_t state = 12345;
	state = state * 1664525 + 1013904223;
	return (state >> 8) % n;
}

static void run_at_random(struct traced *t)
{
	int depth = 0;
	for (int ms = 0; ms < 900; ms += (int)random_below(4)) {
		if (depth == 0 || (depth < 20 && random_below(2))) {
			traced_enter(t, 0, ms, WRITER_FUNCTION(random_below(TRACED_FUNCTIONS)));
			depth++;
		} else {
			traced_leave(t, 0, ms);
			depth--;
		}
		if (random_below(30) == 0)
			traced_cut(t, 0);
	}
	for (; depth; depth--)
		traced_leave(t, 0, 910);
}

/* Sums of the intervals between cuts of the run are those of the whole, which the profile has. */
START_TEST(parts_add_up_to_the_whole)
{
	struct traced *t = begin();
	run_at_random(t);
	finish(t);
	struct summary *sum = mem_alloc(x.model.node.n, sizeof *sum);
	for (int from = 0, to; from < 1000; from = to) {
		to = from + 1 + (int)random_below(200);
		struct interval_times times = read_ms(from, to);
		for (size_t i = 0; i < times.time.n; i++) {
			const struct interval_time *at = &times.time.at[i];
			sum[at->node].calls += at->calls;
			sum[at->node].incl_ns += at->incl_ns;
			sum[at->node].excl_ns += at->excl_ns;
		}
		interval_times_release(&times);
	}
	for (uint32_t node = 0; node < x.model.node.n; node++) {
		uint32_t i = experiment_summary(&x, node, 0);
		const struct summary *whole = &x.model.summary.at[i];
		if (node != x.model.root)
			ck_assert_uint_eq(sum[node].calls, whole->calls);
		ck_assert_int_eq(sum[node].incl_ns, whole->incl_ns);
		ck_assert_int_eq(sum[node].excl_ns, whole->excl_ns);
	}
	free(sum);
	end();
}
END_TEST

/* -- what is missing --------------------------------------------------------------------------- */

START_TEST(pauses_are_not_known)
{
	struct traced *t = begin();
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	traced_stop(t, 0, 300);
	traced_cut(t, 0);
	traced_visit(t, 0, 500, 600, WRITER_FUNCTION(F));
	traced_leave(t, 0, 900);
	finish(t);
	ck_assert_str_eq(within(100, 600), "0 run 0 0 300 0; 0 main 0 1 300 200; "
					   "0 main/f 1 0 100 100; 0 ? 200");
	end();
}
END_TEST

START_TEST(before_the_trace_was_on_nothing_is_known)
{
	struct traced *t = begin();
	traced_late(t, 0);
	traced_enter(t, 0, 0, WRITER_FUNCTION(MAIN));
	traced_cut(t, 0);
	traced_visit(t, 0, 500, 600, WRITER_FUNCTION(F));
	traced_leave(t, 0, 900);
	finish(t);
	ck_assert_str_eq(within(400, 950), "0 run 0 0 450 50; 0 main 0 1 400 300; "
					   "0 main/f 1 0 100 100; 0 ? 100");
	end();
}
END_TEST

START_TEST(workers_are_not_in_the_root)
{
	struct traced *t = begin();
	uint64_t fork = traced_enter(t, 0, 100, WRITER_FUNCTION(MAIN));
	traced_leave(t, 0, 400);
	traced_enter_of(t, 1, 120, WRITER_FUNCTION(WORK), fork);
	traced_leave(t, 1, 380);
	finish(t);
	ck_assert_str_eq(within(0, 200), "0 run 0 1 200 100; 0 main 1 0 100 100; "
					 "1 run 0 1 0 0; 1 main/work 1 0 80 80");
	end();
}
END_TEST

START_TEST(without_a_trace_nothing_is_known)
{
	struct traced *t = begin();
	char path[UNIT_PATH];
	run_main(t);
	traced_path(&x, 0, path);
	traced_finish(t, &x);
	make_classified(&x);
	ck_assert_int_eq(truncate(path, sizeof(struct sis_trace_header)), 0);
	traces_open(&traces, x.run.directory);
	ck_assert_str_eq(within(100, 300), "; 0 ? 200");
	end();
}
END_TEST

UNIT_MAIN("interval_times", activations_are_clipped,
	  the_begin_belongs_to_an_interval_and_the_end_does_not, folded_recursion_counts_once,
	  parts_add_up_to_the_whole, pauses_are_not_known,
	  before_the_trace_was_on_nothing_is_known, workers_are_not_in_the_root,
	  without_a_trace_nothing_is_known)
