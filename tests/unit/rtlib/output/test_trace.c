/* SPDX-License-Identifier: BSD-3-Clause */
/* The trace as the runtime writes it: every event is in a file, for every writer and with other
 * threads running. */
/* link: analysis tests/unit/rtlib/rt_support.c lib/libsis.so */
#include "unit.h"

#include "experiment/read/trace_files.h"
#include "rt_support.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PAIRS = 30000, THREADS = 3 };
/* of pairs, of the region around the threads, and of their joins */
#define EVENTS (UINT64_C(2) * (THREADS * (PAIRS + PAIRS / 3) + 1 + THREADS))

static void *pairs(void *unused)
{
	for (int i = 0; i < PAIRS; i++) {
		SIS_ENTER(1)
		if (i % 3 == 0) {
			SIS_SCOPE(2)
		}
		SIS_LEAVE(1)
	}
	return unused;
}

static void threads(void)
{
	pthread_t thread[THREADS];
	rt_unit();
	SIS_ENTER(0)
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, pairs, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	SIS_LEAVE(0)
}

struct sums { uint64_t enters, leaves, resumes, backwards, region[4]; };

static void add(struct sums *sums, const struct trace_event *event, uint64_t *last)
{
	sums->enters += event->kind == TRACE_ENTER;
	sums->leaves += event->kind == TRACE_LEAVE;
	sums->resumes += event->kind == TRACE_RESUME;
	sums->backwards += event->ticks < *last;
	*last = event->ticks;
	for (int i = 0; i < 4; i++)
		sums->region[i] += event->kind == TRACE_ENTER && event->id == rt_id(i);
}

static uint64_t streams(const struct trace *trace)
{
	uint64_t count = 0;
	for (size_t i = 0; i < trace->block.n; i++)
		count += i == 0 || trace->block.at[i].slot != trace->block.at[i - 1].slot;
	return count;
}

/* Of all streams of all traces. */
static struct sums sum_up(const struct rt_run *run, struct traces *traces)
{
	struct sums sums = { 0 };
	traces_open(traces, run->directory);
	ck_assert_uint_eq(traces->unreadable.n, 0);
	for (size_t i = 0; i < traces->trace.n; i++)
		for (uint32_t slot = 0; slot <= THREADS; slot++) {
			struct trace_cursor cursor;
			struct trace_event event;
			uint64_t last = 0;
			trace_cursor_init(&cursor, &traces->trace.at[i], slot, 0, UINT64_MAX);
			while (trace_next(&cursor, &event))
				add(&sums, &event, &last);
			trace_cursor_release(&cursor);
			if (traces->trace.at[i].ended)
				ck_assert_uint_eq(traces->trace.at[i].damaged, 0);
		}
	return sums;
}

/* A run with a trace. */
struct traced { struct rt_run run; struct traces traces; struct sums sums; };

static int writer_cpu = -1;

static void run_limited(struct traced *t, enum sis_trace_policy policy, enum sis_trace_by writer,
			uint64_t buffer, uint64_t most_bytes, void (*program)(void))
{
	sis__config.trace = (struct sis_trace_config){
		.mode = SIS_TRACE_MODE_ON,
		.policy = policy,
		.writer = writer,
		.buffer = buffer,
		.most_bytes = most_bytes,
		.writer_cpu = writer_cpu,
	};
	rt_run(&t->run, program);
	t->sums = sum_up(&t->run, &t->traces);
}

static void run_traced(struct traced *t, enum sis_trace_policy policy, enum sis_trace_by writer,
		       uint64_t buffer, void (*program)(void))
{
	run_limited(t, policy, writer, buffer, 1 << 30, program);
}

static void release(struct traced *t)
{
	traces_release(&t->traces);
	rt_free(&t->run);
}

static void trace_threads(enum sis_trace_policy policy, enum sis_trace_by writer, uint64_t buffer)
{
	struct traced t;
	run_traced(&t, policy, writer, buffer, threads);
	ck_assert_int_eq(t.run.status, 0);
	const struct sums sums = t.sums;
	const struct trace *trace = &t.traces.trace.at[0];
	ck_assert_uint_eq(t.traces.trace.n, 1);
	ck_assert(trace->ended);
	ck_assert_uint_eq(sums.backwards, 0);
	const uint64_t all = EVENTS;
	if (policy == SIS_POLICY_BLOCK) {
		ck_assert_uint_eq(trace->events, all);
		ck_assert_uint_eq(sums.enters, all / 2);
		ck_assert_uint_eq(sums.leaves, all / 2);
		/* and nothing is missing within one */
		ck_assert_uint_eq(sums.resumes, streams(trace));
		ck_assert_uint_eq(sums.region[1], THREADS * PAIRS);
		ck_assert_uint_eq(sums.region[2], THREADS * PAIRS / 3);
	} else if (policy == SIS_POLICY_DROP) {
		ck_assert_uint_eq(trace->events + trace->dropped, all);
		ck_assert_uint_eq(sums.enters + sums.leaves, trace->events);
	} else {
		ck_assert_uint_eq(trace->events + trace->dropped, all);
		ck_assert_uint_eq(sums.enters + sums.leaves, trace->events);
		ck_assert_uint_le(trace->events, (THREADS + 1) * buffer / sizeof(uint32_t));
		ck_assert_uint_ge(trace->events,
				  (streams(trace) - 1) * buffer / sizeof(uint32_t) / 2);
	}
	release(&t);
}

START_TEST(a_writer_beside_the_threads_loses_nothing)
{
	trace_threads(SIS_POLICY_BLOCK, SIS_BY_ASYNC, 16 << 10);
	trace_threads(SIS_POLICY_BLOCK, SIS_BY_ASYNC, 1 << 20);
}
END_TEST

START_TEST(threads_that_write_themselves_lose_nothing)
{
	trace_threads(SIS_POLICY_BLOCK, SIS_BY_SYNC, 16 << 10);
}
END_TEST

START_TEST(what_is_dropped_is_counted)
{
	trace_threads(SIS_POLICY_DROP, SIS_BY_ASYNC, 8 << 10);
}
END_TEST

START_TEST(the_last_events_are_kept)
{
	trace_threads(SIS_POLICY_OVERWRITE, SIS_BY_AUTO, 32 << 10);
}
END_TEST

/* -- events written + dropped + lost = events that happened ------------------------------------ */

/* The disk: libsis.so calls this function, not libc's. A write that fails leaves a part behind. The
 * writer's thread calls it if it has a processor of its own, since it is no bare thread then. */
static enum disk { DISK_GOOD, DISK_SLOW, DISK_FULL, DISK_FULL_FOR_A_WHILE } disk;
enum { DISK_ROOM = 8000, DISK_WHILE = 5 };

__attribute__((visibility("default")))
ssize_t pwritev(int fd, const struct iovec *part, int parts, off_t at)
{
	static int failed;
	size_t length = 0;
	for (int i = 0; i < parts; i++)
		length += part[i].iov_len;
	bool fails = disk == DISK_FULL || (disk == DISK_FULL_FOR_A_WHILE && failed < DISK_WHILE);
	if (disk == DISK_SLOW)
		usleep(2000);
	if (fails && (uint64_t)at + length > DISK_ROOM) {
		failed++;
		syscall(SYS_pwrite64, fd, part[0].iov_base, part[0].iov_len, at);
		errno = ENOSPC;
		return -1;
	}
	return syscall(SYS_pwritev, fd, part, parts, at, 0);
}

static void killed_early(void)
{
	rt_unit();
	SIS_ENTER(0)
	for (int i = 0; i < 5; i++)
		pairs(NULL);
	raise(SIGKILL);
}

static const struct losing {
	enum sis_trace_policy policy;
	enum sis_trace_by writer;
	uint64_t buffer;
	enum disk disk;
	bool killed, limited;
	bool drops, loses; /* whether it has to */
} losing[] = {
	{ SIS_POLICY_BLOCK, SIS_BY_ASYNC, 16 << 10, DISK_SLOW, .drops = false },
	{ SIS_POLICY_DROP, SIS_BY_ASYNC, 16 << 10, DISK_SLOW, .drops = true },
	{ SIS_POLICY_DROP, SIS_BY_ASYNC, 8 << 10, DISK_SLOW, .killed = true, .drops = true },
	{ SIS_POLICY_DROP, SIS_BY_SYNC, 8 << 10, DISK_GOOD, .drops = false },
	{ SIS_POLICY_OVERWRITE, SIS_BY_AUTO, 16 << 10, DISK_GOOD, .drops = true },
	{ SIS_POLICY_OVERWRITE, SIS_BY_AUTO, 16 << 10, DISK_GOOD, .killed = true, .drops = true },
	{ SIS_POLICY_BLOCK, SIS_BY_ASYNC, 64 << 10, DISK_FULL, .loses = true },
	{ SIS_POLICY_BLOCK, SIS_BY_SYNC, 64 << 10, DISK_FULL, .loses = true },
	{ SIS_POLICY_BLOCK, SIS_BY_SYNC, 64 << 10, DISK_FULL, .killed = true, .loses = true },
	{ SIS_POLICY_BLOCK, SIS_BY_SYNC, 64 << 10, DISK_FULL_FOR_A_WHILE, .loses = true },
	{ SIS_POLICY_BLOCK, SIS_BY_ASYNC, 64 << 10, DISK_FULL_FOR_A_WHILE, .loses = true },
	{ SIS_POLICY_BLOCK, SIS_BY_ASYNC, 64 << 10, DISK_GOOD, .limited = true, .loses = true },
	{ SIS_POLICY_BLOCK, SIS_BY_SYNC, 64 << 10, DISK_GOOD, .limited = true, .killed = true,
	  .loses = true },
};

static void check_losing(const struct losing *c)
{
	struct traced t;
	uint64_t each = 2 * (PAIRS + PAIRS / 3);
	disk = c->disk;
	writer_cpu = c->disk != DISK_GOOD && c->writer == SIS_BY_ASYNC ? sched_getcpu() : -1;
	run_limited(&t, c->policy, c->writer, c->buffer, c->limited ? DISK_ROOM : 1 << 30,
		    c->killed ? killed_early : threads);
	disk = DISK_GOOD;
	writer_cpu = -1;
	const struct trace *trace = &t.traces.trace.at[0];
	uint64_t happened = c->killed ? 5 * each + 1 : EVENTS;
	uint64_t lost = trace->end.lost_events, kept = t.sums.enters + t.sums.leaves;
	bool right = kept == trace->events && kept + trace->dropped + lost == happened &&
		     (trace->dropped > 0 || !c->drops) && (lost > 0) == c->loses &&
		     (trace->dropped == 0 || c->policy != SIS_POLICY_BLOCK);
	ck_assert_msg(right, "case %td: of %ju events %ju are kept, %ju dropped, %ju lost",
		      c - losing, (uintmax_t)happened, (uintmax_t)kept,
		      (uintmax_t)trace->dropped, (uintmax_t)lost);
	release(&t);
}

START_TEST(all_events_are_accounted_for)
{
	for (size_t i = 0; i < sizeof losing / sizeof *losing; i++)
		check_losing(&losing[i]);
}
END_TEST

START_TEST(the_writer_is_known)
{
	static const struct { enum sis_trace_by by; bool one, named; enum sis_trace_writer is; }
	of[] = {
		{ SIS_BY_ASYNC, true, false, SIS_WRITER_ASYNC },
		{ SIS_BY_SYNC, false, false, SIS_WRITER_SYNC },
		{ SIS_BY_AUTO, true, false, SIS_WRITER_SYNC_AUTO },
		{ SIS_BY_AUTO, true, true, SIS_WRITER_ASYNC_AUTO },
		{ SIS_BY_AUTO, false, false, SIS_WRITER_ASYNC_AUTO },
	};
	cpu_set_t all, one;
	sched_getaffinity(0, sizeof all, &all);
	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		struct traced t;
		if (!of[i].one && of[i].by == SIS_BY_AUTO && CPU_COUNT(&all) == 1)
			continue;
		sched_setaffinity(0, sizeof all, of[i].one ? &one : &all);
		writer_cpu = of[i].named ? sched_getcpu() : -1;
		run_traced(&t, SIS_POLICY_BLOCK, of[i].by, 64 << 10, threads);
		ck_assert_uint_eq(t.traces.trace.at[0].head.writer, of[i].is);
		release(&t);
	}
}
END_TEST

/* -- ends -------------------------------------------------------------------------------------- */

static void killed(void)
{
	rt_unit();
	SIS_ENTER(0)
	pairs(NULL);
	SIS_ENTER(3)
	raise(SIGKILL);
}

START_TEST(a_killed_process_leaves_all)
{
	struct traced t;
	run_traced(&t, SIS_POLICY_BLOCK, SIS_BY_ASYNC, 1 << 20, killed);
	ck_assert(!t.traces.trace.at[0].ended);
	ck_assert_uint_eq(t.sums.enters, PAIRS + PAIRS / 3 + 2);
	ck_assert_uint_eq(t.sums.leaves, PAIRS + PAIRS / 3);
	ck_assert_uint_eq(t.sums.region[3], 1);
	release(&t);
}
END_TEST

static void overlapping(void)
{
	rt_unit();
	SIS_OVERLAP(1)
	SIS_OVERLAP(2)
	SIS_OVERLAP_ENTER(1);
	SIS_OVERLAP_ENTER(2);
	SIS_OVERLAP_LEAVE(1);
	SIS_OVERLAP_LEAVE(2);
	SIS_MEASURE_OFF
	SIS_ENTER(3)
	SIS_LEAVE(3)
	SIS_MEASURE_ON
	SIS_ENTER(0)
	SIS_ENTER(3)
	SIS_LEAVE(0) /* unwinds */
	SIS_LEAVE(3) /* matches nothing */
}

START_TEST(odd_orders_stay_balanced)
{
	struct traced t;
	run_traced(&t, SIS_POLICY_BLOCK, SIS_BY_ASYNC, 1 << 20, overlapping);
	ck_assert_uint_eq(t.sums.region[1], 1);
	ck_assert_uint_eq(t.sums.region[2], 2); /* in two parts */
	ck_assert_uint_eq(t.sums.region[3], 1); /* not the muted one */
	ck_assert_uint_eq(t.sums.enters, t.sums.leaves);
	ck_assert_uint_eq(rt_node(&t.run.profile[0], 0, 0, 3, -1)->calls, 1);
	release(&t);
}
END_TEST

/* -- signal handlers with probes interrupt everything ------------------------------------------ */

enum { IN_HANDLER = 100 };

static void handle(int number)
{
	(void)number;
	for (int i = 0; i < IN_HANDLER; i++) {
		SIS_ENTER(2)
		SIS_LEAVE(2)
	}
}

static void interrupted(void)
{
	const struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
	rt_unit();
	signal(SIGALRM, handle);
	SIS_ENTER(0)
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 5; i++)
		pairs(NULL);
	setitimer(ITIMER_REAL, &never, NULL);
	SIS_LEAVE(0)
}

/* An event that a handler's gave way to is none too many: the profile has all. */
START_TEST(handlers_may_come_at_any_time)
{
	struct traced t;
	run_traced(&t, SIS_POLICY_BLOCK, SIS_BY_ASYNC, 16 << 10, interrupted);
	ck_assert_int_eq(t.run.status, 0);
	/* one came while a node was made */
	ck_assert_uint_le(rt_thread(&t.run.profile[0], 0)->dropped_nodes, IN_HANDLER);
	ck_assert_uint_eq(rt_node(&t.run.profile[0], 0, 0, 1, -1)->calls, 5 * PAIRS);
	ck_assert_uint_ge(t.sums.region[1], 5 * PAIRS * 95 / 100);
	ck_assert_uint_gt(t.sums.region[2], 100);
	ck_assert_int_le(labs((long)t.sums.enters - (long)t.sums.leaves), PAIRS / 20);
	release(&t);
}
END_TEST

UNIT_MAIN("trace", a_writer_beside_the_threads_loses_nothing,
	  threads_that_write_themselves_lose_nothing, what_is_dropped_is_counted,
	  all_events_are_accounted_for, the_writer_is_known,
	  the_last_events_are_kept, a_killed_process_leaves_all, handlers_may_come_at_any_time,
	  odd_orders_stay_balanced)
