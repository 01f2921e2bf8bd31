/* SPDX-License-Identifier: BSD-3-Clause */
// link: rtlib/base/clock.c rtlib/base/kernel_clock.c rtlib/base/read_text.c
// link: rtlib/base/steady_counter.c rtlib/process/clock_watch.c
// link: -Wl,--wrap=sis__reading_take,--wrap=sis__counter_test
/* Whether the counter is steady, and what happens to the ticks when it jumps. The readings and the
 * result of the test at the start are made here: no machine can be asked to jump. */
#include "unit.h"

#include "base/clock.h"
#include "base/config.h"
#include "base/kernel_clock.h"
#include "base/state.h"
#include "process/clock_watch.h"
#include "output/profile/text.h"
#include "measure/sampling/sampler.h"

#include <fenv.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { PROCESSORS = 4, GHZ = 2, SECOND_NS = 1000000000 };

/* -- what the clock needs of the rest ---------------------------------------------------------- */

struct sis_config sis__config;
bool sis__near_is_traced, sis__confined_clocks;
uint32_t sis__confined;
bool sis__thread_is_confined(void) { return false; }
static struct sis_profile_header header;
struct sis_profile_header *sis__header(void) { return &header; }
static const struct sis_subscriber *subscribed;
void sis__sampler_subscribe(const struct sis_subscriber *subscriber) { subscribed = subscriber; }

static char texts[1024];
void sis__text(const char *kind, const char *format, ...)
{
	va_list args;
	size_t length = strlen(texts);
	length += (size_t)snprintf(texts + length, sizeof texts - length, "%s: ", kind);
	va_start(args, format);
	vsnprintf(texts + length, sizeof texts - length, format, args);
	va_end(args);
	strcat(texts, "\n");
}

/* -- readings ---------------------------------------------------------------------------------- */

static int64_t jumped_ns; /* the counter is so far ahead */
static uint64_t moment_ns;

void __wrap_sis__reading_take(struct sis_reading *reading);
void __wrap_sis__reading_take(struct sis_reading *reading)
{
	moment_ns += 1000;
	*reading = (struct sis_reading){ (uint64_t)((int64_t)moment_ns + jumped_ns) * GHZ,
					 moment_ns, 100 };
}

void __wrap_sis__counter_test(struct sis_counter_test *test);
void __wrap_sis__counter_test(struct sis_counter_test *test)
{
	*test = (struct sis_counter_test){ .result = SIS_COUNTER_TESTED, .processors = PROCESSORS };
}

static struct sis_reading at(uint64_t ns, int64_t off_ns)
{
	return (struct sis_reading){ (ns + (uint64_t)off_ns) * GHZ, ns, 100 };
}

START_TEST(processors_agree_or_differ)
{
	struct sis_reading r[PROCESSORS + 1];
	for (int i = 0; i <= PROCESSORS; i++)
		r[i] = at(5000 + 20000 * (uint64_t)i, i * 37 % 50);
	ck_assert_int_eq(sis__readings_differ(r, PROCESSORS + 1), 0);
	r[2] = at(r[2].ns, 30000);
	ck_assert_int_eq(sis__readings_differ(r, PROCESSORS + 1) / 1000, 29);
	r[2] = at(r[2].ns, -30000);
	ck_assert_int_eq(sis__readings_differ(r, PROCESSORS + 1) / 1000, -30);
	r[2].width = 200000; /* the thread was interrupted: nothing is known */
	ck_assert_int_eq(sis__readings_differ(r, PROCESSORS + 1), 0);
	r[PROCESSORS] = at(r[PROCESSORS].ns, -1000000); /* the counter of one processor ran back */
	ck_assert_int_ne(sis__readings_differ(r, PROCESSORS + 1), 0);
	ck_assert_int_eq(sis__readings_differ(r, 1), 0);
}
END_TEST

START_TEST(jumps_are_told_from_noise)
{
	const struct sis_reading first = at(0, 0), last = at(200000, 30);
	struct sis_reading now = at(100000000, 400);
	ck_assert_int_eq(sis__reading_off(&first, &last, &now), 0);
	now = at(100000000, 3000000);
	ck_assert_int_eq(sis__reading_off(&first, &last, &now) / 100000, 29);
	now = at(100000000, -100000000 - 5);
	ck_assert_int_lt(sis__reading_off(&first, &last, &now), -90000000);
	now = at(100000000, 25000000); /* a counter that is a quarter faster */
	ck_assert_int_gt(sis__reading_off(&first, &last, &now), 20000000);
	ck_assert_int_eq(sis__reading_off(&last, &last, &now), 0); /* no line yet */
}
END_TEST

START_TEST(the_kernel_is_asked_without_libc)
{
	const clockid_t clock[] = { CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_THREAD_CPUTIME_ID };
	for (size_t i = 0; i < sizeof clock / sizeof *clock; i++) {
		struct timespec t;
		uint64_t before = sis__clock_ns(clock[i]);
		clock_gettime(clock[i], &t);
		uint64_t ns = (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
		ck_assert_uint_le(before, ns);
		ck_assert_uint_le(ns, sis__clock_ns(clock[i]));
	}
	ck_assert_uint_eq(sis__clock_ns(12345), 0);
}
END_TEST

/* -- a jump ------------------------------------------------------------------------------------ */

static void start_watch(void)
{
	sis__clock_init();
	texts[0] = '\0';
	sis__clock_watch_prepare();
	moment_ns += 200000;
	sis__clock_watch_start();
}

static bool has_warning(void) { return strstr(texts, "warning: the processor's counter jumped"); }

static void watch_after(uint64_t ns)
{
	moment_ns += ns;
	subscribed->round((uint64_t)((int64_t)moment_ns + jumped_ns) * GHZ);
}

static void watch_jump(int64_t ns)
{
	start_watch();
	for (int i = 0; i < 20; i++)
		watch_after(SECOND_NS / 5);
	ck_assert_int_eq(sis__clock_is_tsc, 1);
	jumped_ns = ns;
	watch_after(SECOND_NS / 5);
	ck_assert_int_eq(sis__clock_is_tsc, 0);
	ck_assert_uint_ne(sis__timing, 0); /* no probe reads the counter itself */
	ck_assert_msg(has_warning(), "%s", texts);
}

/* As if it had not jumped, and at the same rate. */
static void go_on_after(int64_t jump_ns)
{
	feclearexcept(FE_ALL_EXCEPT);
	watch_jump(jump_ns);
	ck_assert_int_eq(fetestexcept(FE_ALL_EXCEPT), 0);
	uint64_t before = sis__clock_ns(CLOCK_MONOTONIC), from = sis__clock_slow();
	uint64_t begun = sis__clock_ns(CLOCK_MONOTONIC);
	ck_assert_uint_ge(from, moment_ns * GHZ);
	ck_assert_uint_lt(from, (moment_ns + 60 * (uint64_t)SECOND_NS) * GHZ);
	while (sis__clock_ns(CLOCK_MONOTONIC) - begun < 2000000)
		;
	uint64_t last = sis__clock_ns(CLOCK_MONOTONIC), to = sis__clock_slow();
	uint64_t after = sis__clock_ns(CLOCK_MONOTONIC);
	ck_assert_uint_ge(to - from + GHZ, (last - begun) * GHZ);
	ck_assert_uint_le(to - from, (after - before) * GHZ + GHZ);
}

START_TEST(ticks_go_on_after_a_jump) { go_on_after(3 * (int64_t)SECOND_NS); } END_TEST
START_TEST(ticks_go_on_after_a_jump_back) { go_on_after(-3 * (int64_t)SECOND_NS); } END_TEST

START_TEST(marks_are_of_the_chosen_clock)
{
	struct sis_time_mark from, to;
	sis__config.clock = SIS_CLOCK_IS_MONOTONIC;
	sis__clock_init();
	ck_assert_int_eq(sis__clock_is_tsc, 0);
	sis__clock_mark(&from);
	sis__clock_mark(&to);
	ck_assert_uint_eq(from.ticks, from.monotonic_ns);
	ck_assert_uint_eq(sis__clock_rate(&from, &to), SECOND_NS);
	start_watch();
	sis__clock_watch_end();
	ck_assert_msg(!has_warning(), "%s", texts);
}
END_TEST

UNIT_MAIN("clock", processors_agree_or_differ, jumps_are_told_from_noise,
	  the_kernel_is_asked_without_libc, ticks_go_on_after_a_jump,
	  ticks_go_on_after_a_jump_back, marks_are_of_the_chosen_clock)
