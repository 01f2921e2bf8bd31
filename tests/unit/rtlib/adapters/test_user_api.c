/* SPDX-License-Identifier: BSD-3-Clause */
/* test_user_api.c - names that many threads meet at once, and values: nothing is lost, each is
 * known once. */
/* link: tests/unit/rtlib/rt_support.c lib/libsis.so -lpthread */
#include "unit.h"

#include "rt_support.h"

#define __SISC__ 1
#include "sis/sis.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 300, SIZES = 10 };

static void *meet(void *start)
{
	pthread_barrier_wait(start);
	for (int i = 0; i < ROUNDS; i++) {
		SIS_REGION(round);
		SIS_PARAMETER(size, i % SIZES);
		SIS_VALUE(number, i);
		SIS_VALUE(other, -i);
	}
	return NULL;
}

static void meet_at_once(void)
{
	pthread_t thread[THREADS];
	pthread_barrier_t start;
	pthread_barrier_init(&start, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, meet, &start);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

/* The id of the region of that name; `*units` counts those that describe one. */
static uint32_t id_of(const struct rt_profile *p, const char *name, int *units)
{
	char wanted[64];
	uint32_t id = 0;
	*units = 0;
	snprintf(wanted, sizeof wanted, "\"name\":\"%s\"", name);
	for (struct sis_chunk *chunk = rt_chunk(p, NULL); chunk; chunk = rt_chunk(p, chunk)) {
		const struct sis_profile_unit *unit = (struct sis_profile_unit *)(chunk + 1);
		if (chunk->kind == SIS_CHUNK_UNIT &&
		    memmem(unit + 1, unit->length, wanted, strlen(wanted))) {
			id = unit->first_id;
			++*units;
		}
	}
	return id;
}

static uint64_t calls_of(const struct rt_profile *p, uint32_t id)
{
	uint64_t calls = 0;
	for (struct sis_chunk *chunk = rt_chunk(p, NULL); chunk; chunk = rt_chunk(p, chunk)) {
		const struct sis_node *node = (struct sis_node *)(chunk + 1);
		for (uint64_t i = 0;
		     chunk->kind == SIS_CHUNK_NODES && i < chunk->used / sizeof *node; i++)
			calls += node[i].region == id ? node[i].calls : 0;
	}
	return calls;
}

START_TEST(a_name_is_known_once)
{
	struct rt_run run;
	int units;
	rt_run(&run, meet_at_once);
	ck_assert_int_eq(run.status, 0);
	const struct rt_profile *p = &run.profile[0];
	rt_check_whole(p);
	ck_assert_uint_eq(calls_of(p, id_of(p, "round", &units)), THREADS * ROUNDS);
	ck_assert_int_eq(units, 1);
	for (int i = 0; i < SIZES; i++) {
		char name[32];
		snprintf(name, sizeof name, "size=%d", i);
		ck_assert_uint_eq(calls_of(p, id_of(p, name, &units)), THREADS * ROUNDS / SIZES);
		ck_assert_int_eq(units, 1);
	}
	rt_free(&run);
}
END_TEST

START_TEST(no_number_is_lost)
{
	struct rt_run run;
	uint64_t count = 0;
	double sum[3] = { 0 };
	rt_run(&run, meet_at_once);
	for (struct sis_chunk *chunk = rt_chunk(&run.profile[0], NULL); chunk;
	     chunk = rt_chunk(&run.profile[0], chunk)) {
		const struct sis_user_value *value = (struct sis_user_value *)(chunk + 1);
		for (uint64_t i = 0;
		     chunk->kind == SIS_CHUNK_USER_VALUES && i < chunk->used / sizeof *value; i++) {
			ck_assert_uint_le(value[i].id, 2);
			ck_assert_ptr_nonnull(rt_at(&run.profile[0], value[i].node));
			count += value[i].count;
			sum[value[i].id] += value[i].sum;
		}
	}
	double all = THREADS * ROUNDS * (ROUNDS - 1) / 2;
	ck_assert_uint_eq(count, 2 * THREADS * ROUNDS);
	ck_assert_double_eq(sum[1] > 0 ? sum[1] : sum[2], all);
	ck_assert_double_eq(sum[1] + sum[2], 0);
	rt_free(&run);
}
END_TEST

/* Whether a pause is undone where it was begun, or in a function that was entered meanwhile. */
static void resume_inside(void)
{
	SIS_REGION(outer);
	SIS_PAUSE();
	{
		SIS_REGION(unseen);
		SIS_RESUME();
		SIS_REGION(unseen_too);
	}
	SIS_REGION(seen);
}

START_TEST(what_was_entered_in_a_pause_stays_unmeasured)
{
	struct rt_run run;
	int units;
	rt_run(&run, resume_inside);
	const struct rt_profile *p = &run.profile[0];
	ck_assert_uint_eq(calls_of(p, id_of(p, "outer", &units)), 1);
	ck_assert_uint_eq(calls_of(p, id_of(p, "seen", &units)), 1);
	ck_assert_uint_eq(calls_of(p, id_of(p, "unseen", &units)) +
				  calls_of(p, id_of(p, "unseen_too", &units)),
			  0);
	ck_assert_uint_eq(rt_thread(p, 0)->mismatched, 0);
	ck_assert_uint_eq(rt_thread(p, 0)->unwound, 0);
	rt_free(&run);
}
END_TEST

UNIT_MAIN("user_api", a_name_is_known_once, no_number_is_lost,
	  what_was_entered_in_a_pause_stays_unmeasured)
