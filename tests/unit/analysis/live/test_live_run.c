/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/live_make.c */
/* Looks at runs: up to now if the process runs, and up to its last probe if not; numbers that stay
 * the same from look to look; runs that end, or are gone. */
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "live/look/alive.h"
#include "live/look/target.h"
#include "live_make.h"

static const struct live_made alone = { .rank = -1, .begun_ms = 3000, .stamp_ms = 1000,
					.work_ms = 500, .calls = 5, .state = SIS_STATE_RUNNING };

static struct live_run run;
static char *directory;

static void attach(const struct live_made *made)
{
	directory = live_make_directory();
	live_make(directory, 1, made);
	live_attach(&run, directory);
}

static void detach(void)
{
	live_detach(&run);
	live_make_remove(directory);
	free(directory);
}

/* Nanoseconds of a leaf, or of useful work, in regions of the name; all regions if it is NULL. */
static int64_t ns_of(const struct live_look *look, enum sis_overhead leaf, const char *region)
{
	int64_t ns = 0;
	for (size_t i = 0; i < look->cell.n; i++) {
		const struct live_cell *cell = &look->cell.at[i];
		uint32_t r = run.names.node.at[cell->node].region;
		if (cell->leaf == leaf &&
		    (!region || strcmp(run.names.region.at[r].name, region) == 0))
			ns += cell->ns;
	}
	return ns;
}

static void check_about(int64_t ns, int ms)
{
	/* a test may be interrupted, but no time is lost */
	ck_assert_int_ge(ns, (int64_t)ms * MS);
	ck_assert_int_le(ns, (int64_t)(ms + 20000) * MS);
}

static void check_adds_up(const struct live_look *look)
{
	for (size_t i = 0; i < look->pu.n; i++)
		ck_assert_int_eq(look->pu.at[i].useful_ns + look->pu.at[i].leaves_ns,
				 look->t_p_ns);
	ck_assert_int_eq(look->error_ns, 0);
}

START_TEST(what_is_open_goes_on_until_now)
{
	attach(&alone);
	live_make_look(&run);
	ck_assert_int_eq(run.state, LIVE_RUNS);
	check_adds_up(&run.now);
	check_about(run.now.t_p_ns, 3000);
	check_about(ns_of(&run.now, OSYNC_LATESEND, "MPI_Recv"), 1000);
	/* its two clocks are read one after the other */
	ck_assert_int_eq((ns_of(&run.now, O_NONE, "work") + 50000) / 100000, 5000);
	const struct live_pu_state *pu = &run.now.pu.at[0];
	check_about(pu->age_ns, 1000);
	ck_assert_int_eq(pu->since_ns, pu->age_ns);
	char *path = live_names_path(&run.names, pu->node, 9);
	ck_assert_str_eq(path, "main > MPI_Recv");
	free(path);
	detach();
}
END_TEST

START_TEST(a_process_that_was_killed_ends_with_its_last_probe)
{
	struct live_made made = alone;
	made.pid = (uint32_t)fork();
	if (made.pid == 0)
		_exit(0);
	/* first it is a zombie, then it is no more */
	siginfo_t info;
	ck_assert_int_eq(waitid(P_PID, made.pid, &info, WEXITED | WNOWAIT), 0);
	attach(&made);
	for (int i = 0; i < 2; i++) {
		live_make_look(&run);
		ck_assert_int_eq(run.state, LIVE_ENDED);
		check_adds_up(&run.now);
		ck_assert_int_eq(run.now.t_p_ns, 2000 * MS);
		ck_assert_uint_eq(run.now.running, 0);
		waitpid((pid_t)made.pid, NULL, 0);
	}
	detach();
}
END_TEST

START_TEST(a_process_that_took_over_the_number_is_another_one)
{
	struct sis_profile_header head = { .state = SIS_STATE_RUNNING, .pid = (uint32_t)getpid() };
	gethostname(head.host, sizeof head.host - 1);
	head.start.monotonic_ns = 0;
	ck_assert(!alive(&head));
	head.start.monotonic_ns = UINT64_MAX / 4;
	ck_assert(alive(&head));
	head.state = SIS_STATE_ENDED;
	ck_assert(!alive(&head));
}
END_TEST

START_TEST(another_host_is_seen_by_its_probes)
{
	struct live_made made = alone;
	made.host = "elsewhere";
	attach(&made);
	live_make_look(&run);
	ck_assert_int_eq(run.state, LIVE_RUNS);
	check_adds_up(&run.now);
	ck_assert_int_eq(run.now.t_p_ns, 2000 * MS);
	check_about(run.now.pu.at[0].age_ns, 1000);
	detach();
}
END_TEST

/* The clock of a process whose ticks are not those of this host says nothing here. */
START_TEST(a_foreign_clock_is_not_read)
{
	struct sis_time_mark now;
	struct sis_profile_header head = { .state = SIS_STATE_RUNNING, .pid = (uint32_t)getpid(),
					   .clock = SIS_CLOCK_MONOTONIC,
					   .ticks_per_second = 1000000000 };
	gethostname(head.host, sizeof head.host - 1);
	ck_assert(alive_clock(&head, &now));
	head.start = now;
	head.start.monotonic_ns -= 1000000000u * UINT64_C(2);
	head.start.ticks -= 1000000000u * UINT64_C(2);
	ck_assert(alive_clock(&head, &now));
	head.start.ticks += 500000000; /* it would have slept for half a second */
	ck_assert(!alive_clock(&head, &now));
	head.start.ticks = now.ticks + 3600 * UINT64_C(1000000000);
	ck_assert(!alive_clock(&head, &now));
	strcpy(head.host, "elsewhere");
	ck_assert(!alive_clock(&head, &now));
}
END_TEST

START_TEST(numbers_stay_when_a_process_joins)
{
	struct live_made made = alone;
	made.rank = 1, made.size = 2;
	attach(&made);
	live_make_look(&run);
	uint32_t pu = run.now.pu.at[0].pu, node = run.now.pu.at[0].node;
	made.calls = 7;
	live_make(directory, 1, &made);
	struct live_made first = alone;
	first.rank = 0, first.size = 2, first.name = "other";
	first.host = "elsewhere";
	live_make(directory, 2, &first);
	live_make_look(&run);
	check_adds_up(&run.now);
	ck_assert_uint_eq(run.looks, 2);
	ck_assert_uint_eq(run.now.pu.n, 2);
	ck_assert_uint_eq(run.before.pu.n, 1);
	ck_assert_uint_eq(run.now.pu.at[1].pu, pu);
	ck_assert_uint_eq(run.now.pu.at[1].process, 1);
	ck_assert_uint_eq(run.now.pu.at[1].node, node);
	ck_assert_uint_ne(run.now.pu.at[0].pu, pu);
	uint64_t calls_of_work = 0;
	for (size_t i = 0; i < run.now.cell.n; i++) {
		const struct live_cell *cell = &run.now.cell.at[i];
		const char *name =
			run.names.region.at[run.names.node.at[cell->node].region].name;
		calls_of_work += strcmp(name, "work") == 0 ? cell->calls : 0;
	}
	ck_assert_uint_eq(calls_of_work, 7);
	detach();
}
END_TEST

START_TEST(a_run_ends)
{
	struct live_made made = alone;
	attach(&made);
	live_make_look(&run);
	ck_assert_int_eq(run.state, LIVE_RUNS);
	made.state = SIS_STATE_ABORTED;
	live_make(directory, 1, &made);
	live_make_look(&run);
	ck_assert_int_eq(run.state, LIVE_ENDED);
	detach();
}
END_TEST

START_TEST(a_run_is_gone)
{
	struct err err = { 0 };
	attach(&alone);
	live_make_look(&run);
	int64_t t_p = run.now.t_p_ns;
	live_make_remove(directory);
	ck_assert_int_eq(live_look(&run, &err), ERR_FAILED);
	ck_assert_int_eq(run.state, LIVE_GONE);
	ck_assert_ptr_nonnull(strstr(err.text, "was removed while the program ran"));
	ck_assert_int_eq(run.now.t_p_ns, t_p);
	live_detach(&run);
	free(directory);
}
END_TEST

START_TEST(another_run_is_refused)
{
	struct err err = { 0 };
	struct live_made made = alone;
	attach(&made);
	live_make_look(&run);
	made.run_id = "next";
	live_make(directory, 1, &made);
	ck_assert_int_eq(live_look(&run, &err), ERR_FAILED);
	ck_assert_ptr_nonnull(strstr(err.text, "another run has begun"));
	ck_assert_int_eq(run.state, LIVE_RUNS);
	detach();
}
END_TEST

START_TEST(a_file_that_is_damaged_leaves_the_last_look)
{
	struct err err = { 0 };
	char path[512];
	attach(&alone);
	live_make_look(&run);
	snprintf(path, sizeof path, "%s/proc-host-2.sis", directory);
	FILE *file = fopen(path, "w");
	for (int i = 0; i < 9000; i++)
		fputs("no profile", file);
	fclose(file);
	ck_assert_int_eq(live_look(&run, &err), ERR_FAILED);
	ck_assert_ptr_nonnull(strstr(err.text, "not a profile of SIS"));
	ck_assert_uint_eq(run.looks, 1);
	ck_assert_int_eq(run.state, LIVE_RUNS);
	detach();
}
END_TEST

START_TEST(looks_that_take_long_are_rare)
{
	struct live_run slow = { .most_percent = LIVE_MOST_PERCENT, .now.cost_ns = 2 * MS };
	ck_assert_int_eq(live_pause_ns(&slow, 1000 * MS), 1000 * MS);
	slow.now.cost_ns = 300 * MS;
	ck_assert_int_eq(live_pause_ns(&slow, 1000 * MS), 9900 * INT64_C(1000000));
}
END_TEST

START_TEST(a_run_has_names)
{
	struct live_target target;
	struct err err = { 0 };
	char *place = live_make_directory();
	ck_assert_int_eq(live_target_find(&target, place, &err), 0);
	ck_assert_str_eq(target.directory, place);
	ck_assert_uint_eq(target.pid, 0);
	free(target.directory);
	static const struct { const char *word, *why; } wrong[] = {
		{ "-1", "neither" }, { "0", "neither" }, { "12x", "neither" }, { "", "neither" },
		{ "99999999999", "neither" }, { "4294967295", "no process 4294967295" },
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct err failure = { 0 };
		ck_assert_int_eq(live_target_find(&target, wrong[i].word, &failure), ERR_FAILED);
		ck_assert_msg(strstr(failure.text, wrong[i].why) != NULL, "%s", failure.text);
	}
	live_make_remove(place);
	free(place);
}
END_TEST

UNIT_MAIN("live_run", what_is_open_goes_on_until_now,
	  a_process_that_was_killed_ends_with_its_last_probe,
	  a_process_that_took_over_the_number_is_another_one, another_host_is_seen_by_its_probes,
	  a_foreign_clock_is_not_read, numbers_stay_when_a_process_joins, a_run_ends, a_run_is_gone,
	  another_run_is_refused, a_file_that_is_damaged_leaves_the_last_look,
	  looks_that_take_long_are_rare, a_run_has_names)
