/* SPDX-License-Identifier: BSD-3-Clause */
/* control.c - reads the files that steer the measurement, and reads them again when they change.
 * This file owns the rules. It is called by the thread that opens the profile, then by the helper
 * thread or, without SIS_RULES, by the sampler, and by threads that register units.
 *
 * If the file of SIS_RULES changes, all its rules are replaced: regions that the old rules turned
 * off are on again, unless the new rules turn them off. If the file has an error, the old rules
 * stay. The file `control` only grows. Each of its lines is a statement without a condition. A line
 * that begins with @PID is for this process; other lines are for all processes. The profile says
 * how many bytes of `control` were obeyed:
 *
 *     control<TAB>BYTES
 *
 * A user who can write to one of these files decides what is measured. So a file is obeyed only if
 * it belongs to the user who runs the program, or to root, and nobody else may write to it. */
#include "base/config.h"
#include "base/futex.h"
#include "base/kernel_clock.h"
#include "base/lock.h"
#include "base/own_thread.h"
#include "base/state.h"
#include "output/profile/switched.h"
#include "output/profile/text.h"
#include "output/run/directory.h"
#include "measure/core/region_registry.h"
#include "measure/control/control.h"
#include "measure/control/rules_run.h"
#include "measure/sampling/sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { POLL_NS = 100000000 };

/* -- files ------------------------------------------------------------------------------------- */

/* A file that is read again when it has changed. */
struct watched {
	const char *path;
	struct timespec changed;
	ino_t inode;
	off_t size;
	bool said;        /* a warning was given for this state of the file */
};

/* The text of a file, in a mapping of `room` bytes. `at` is NULL if the file did not change, or
 * must not be obeyed. */
struct text { char *at; size_t length, room; };

static const char *why_not(const struct stat *status)
{
	if (!S_ISREG(status->st_mode))
		return "it is no regular file";
	if (status->st_uid != geteuid() && status->st_uid != 0)
		return "it belongs to another user";
	if (status->st_mode & (S_IWGRP | S_IWOTH))
		return "other users may write to it; use chmod go-w";
	if (status->st_size > SIS_CONTROL_LARGEST)
		return "it is larger than 1 MiB";
	return NULL;
}

static bool has_changed(struct watched *w, const struct stat *status)
{
	bool same = w->inode == status->st_ino && w->size == status->st_size &&
		w->changed.tv_sec == status->st_mtim.tv_sec &&
		w->changed.tv_nsec == status->st_mtim.tv_nsec;
	w->inode = status->st_ino;
	w->size = status->st_size;
	w->changed = status->st_mtim;
	w->said = w->said && same;
	return !same;
}

static void complain(struct watched *w, const char *why)
{
	if (!w->said)
		sis__warn("the rules in '%s' are not obeyed: %s", w->path, why);
	w->said = true;
}

static bool load(int fd, struct text *text, size_t size)
{
	text->room = size + 1;
	text->at = mmap(NULL, text->room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);
	if (text->at == MAP_FAILED)
		return false;
	long n = 1;
	for (text->length = 0; text->length < size && n > 0; text->length += n > 0 ? (size_t)n : 0)
		n = syscall(SYS_read, fd, text->at + text->length, size - text->length);
	return true;
}

static struct text read_changed(struct watched *w)
{
	struct text text = { 0 };
	struct stat status;
	if (stat(w->path, &status) != 0 || !has_changed(w, &status))
		return text;
	int fd = (int)syscall(SYS_openat, AT_FDCWD, w->path,
			      O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	const char *why = fd < 0 || fstat(fd, &status) != 0 ? strerrordesc_np(errno) :
			  why_not(&status);
	if (!why && !load(fd, &text, (size_t)status.st_size))
		why = "no memory";
	if (why)
		complain(w, why);
	if (fd >= 0)
		syscall(SYS_close, fd);
	return why ? (struct text){ 0 } : text;
}

/* -- rules ------------------------------------------------------------------------------------- */

static struct watched rules_file, control_file;
/* The rules of SIS_RULES, those of `control`, and memory in which the next rules of either file are
 * parsed. NULL: none yet. */
static struct sis_rules_run *running, *by_hand, *spare;
static size_t obeyed; /* bytes of `control` */

static void report_error(void *context, uint32_t line, uint32_t column, const char *message)
{
	const struct watched *w = context;
	if (line)
		sis__warn("%s:%u:%u: %s; the rules before this change stay", w->path, line, column,
			  message);
	else
		sis__warn("%s: %s; the rules before this change stay", w->path, message);
}

static struct sis_rules_run *allocate(void)
{
	void *memory = mmap(NULL, sizeof *running, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

/* Parses the text into the spare memory, and then exchanges this memory with `*run`. */
static void replace(struct sis_rules_run **run, const struct text *text, const struct watched *w)
{
	const struct sis_control_user user = { (void *)w, report_error };
	struct sis_rules_run *before = *run;
	if (sis_control_parse(&spare->rules, text->at, text->length, &user) != 0)
		return;
	__atomic_store_n(run, spare, __ATOMIC_RELAXED);
	spare = before;
	const char *slash = strrchr(w->path, '/');
	sis__rules_begin(*run, slash ? slash + 1 : w->path, w == &control_file);
}

static void take_rules(const struct text *text)
{
	if (!spare && !(spare = allocate()))
		complain(&rules_file, "no memory");
	else
		replace(&running, text, &rules_file);
}

/* -- lines by hand ----------------------------------------------------------------------------- */

static void ignore_error(void *context, uint32_t line, uint32_t column, const char *message)
{
	(void)context, (void)line, (void)column, (void)message;
}

/* Whether the line is for this process and has no error. If the line begins with the number of this
 * process, overwrites the number by blanks. */
static bool concerns_us(char *line, const char *end)
{
	const struct sis_control_user user = { NULL, ignore_error };
	char *after = line;
	if (*line == '@') {
		unsigned long pid = strtoul(line + 1, &after, 10);
		if (pid != (unsigned long)getpid() || after > end)
			return false;
		memset(line, ' ', (size_t)(after - line));
	}
	return sis_control_parse(&spare->rules, line, (size_t)(end - line), &user) == 0 &&
		spare->rules.subjects == 0;
}

/* Takes the lines of `control`. Lines that are not for this process, or have an error, are
 * overwritten by blanks before. */
static void take_lines(const struct text *text)
{
	char *line = text->at, *all = text->at + text->length, *end;
	if (!spare && !(spare = allocate()))
		return complain(&control_file, "no memory");
	for (; line < all && (end = memchr(line, '\n', (size_t)(all - line))); line = end + 1)
		if (!concerns_us(line, end))
			memset(line, ' ', (size_t)(end - line));
	struct text whole = { text->at, (size_t)(line - text->at), 0 };
	replace(&by_hand, &whole, &control_file);
	obeyed = whole.length;
}

/* -- wishes ------------------------------------------------------------------------------------ */

static struct sis_wish *wish; /* one for each id */
static uint32_t wish_room;
/* For each id: the wishes in force, and the structs in the profile that say what was off. */
static struct noted { struct sis_wish wish; sis__switched_list list; } *noted;

static bool make_wish_room(uint32_t ids)
{
	if (ids <= wish_room)
		return true;
	uint32_t room = 2 * ids;
	char *memory = mmap(NULL, room * (sizeof *wish + sizeof *noted), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return false;
	if (wish_room) {
		memcpy(memory, noted, wish_room * sizeof *noted);
		munmap(noted, wish_room * (sizeof *wish + sizeof *noted));
	}
	noted = (struct noted *)memory;
	wish = (struct sis_wish *)(noted + room);
	wish_room = room;
	return true;
}

static void note(uint32_t id, enum sis_switched_what what, uint16_t *before, uint16_t now,
		 uint64_t ticks)
{
	sis__switched_list *list = &noted[id].list;
	if (*before == now)
		return;
	if (*before)
		sis__switched_on(sis__switched_of(list, what, id, *before), ticks);
	if (now)
		sis__switched_off(sis__switched_of(list, what, id, now), ticks);
	*before = now;
}

/* From time to time, the runtime looks for the regions around those that rules have turned off
 * (only_looks in measure/core/probe.c): in the beginning, and then at intervals that double. */
static uint64_t look_ns, wait_ns; /* the time of the next look, and the wait before it */
static bool looks;                /* since the last step, such regions make nodes */

static void look_at_regions(uint64_t now)
{
	const uint64_t most = UINT64_C(60000000000);
	if (looks)
		sis__regions_look(false);
	looks = look_ns && now >= look_ns;
	if (looks)
		sis__regions_look(true);
	if (!look_ns)
		wait_ns = POLL_NS;
	else if (looks)
		wait_ns = wait_ns < most / 2 ? 2 * wait_ns : most;
	else
		return;
	look_ns = now + wait_ns;
}

/* Puts the wishes of all rules into force, and notes the changes. */
static void fulfil(void)
{
	uint32_t ids = sis__region_ids();
	uint64_t ticks = sis__ticks();
	if (!make_wish_room(ids))
		return;
	memset(wish, 0, ids * sizeof *wish);
	if (running)
		sis__rules_wish(running, wish, ids);
	if (by_hand)
		sis__rules_wish(by_hand, wish, ids);
	for (uint32_t id = 0; id < ids; id++) {
		struct sis_wish *before = &noted[id].wish;
		looks |= wish[id].off && !before->off;
		note(id, SIS_SWITCHED_REGION, &before->off, wish[id].off, ticks);
		note(id, SIS_SWITCHED_COUNTERS, &before->no_counters, wish[id].no_counters, ticks);
	}
	sis__regions_wish(wish, ids);
}

/* -- steps ------------------------------------------------------------------------------------- */

static struct sis_lock lock; /* guards all data above */

static void look(struct watched *w, void (*take)(const struct text *))
{
	struct text text = read_changed(w);
	if (!text.at)
		return;
	take(&text);
	munmap(text.at, text.room);
}

uint64_t sis__control_step(uint64_t now_ns)
{
	if (!sis__lock(&lock))
		return POLL_NS;
	size_t before = obeyed;
	if (rules_file.path)
		look(&rules_file, take_rules);
	if (control_file.path)
		look(&control_file, take_lines);
	if (running)
		sis__rules_period(running, now_ns);
	if (by_hand)
		sis__rules_period(by_hand, now_ns);
	if (running || by_hand) {
		look_at_regions(now_ns);
		fulfil();
	}
	if (obeyed != before)
		sis__text("control", "%zu", obeyed);
	uint64_t next = running ? running->rules.period_ns : POLL_NS;
	sis__unlock(&lock);
	return next;
}

void sis__control_unit_added(void)
{
	if ((!__atomic_load_n(&running, __ATOMIC_RELAXED) &&
	     !__atomic_load_n(&by_hand, __ATOMIC_RELAXED)) ||
	    !sis__lock(&lock))
		return;
	fulfil();
	sis__unlock(&lock);
}

/* -- the helper thread ------------------------------------------------------------------------- */

static bool helped;
static uint32_t stopped; /* 1: the thread ends */

static void *steer(void *unused)
{
	sis__own_thread_begin("sis-control");
	while (sis__store_is_live() && !__atomic_load_n(&stopped, __ATOMIC_RELAXED))
		sis__futex_wait(&stopped, 0, sis__control_step(sis__clock_ns(CLOCK_MONOTONIC)));
	return unused;
}

/* Without rules, the sampler reads the file `control`. */
static void look_in_round(uint64_t ticks)
{
	static uint64_t next_ns;
	uint64_t now = sis__clock_ns(CLOCK_MONOTONIC);
	(void)ticks;
	if (!helped && now >= next_ns)
		next_ns = now + sis__control_step(now);
}

static const struct sis_subscriber sampled = { .round = look_in_round };

void sis__control_start(void)
{
	static char rules_path[PATH_MAX], control_path[PATH_MAX];
	/* The paths are found now, because later the program may change its environment and its
	 * working directory. */
	if (sis__config.rules)
		rules_file.path = realpath(sis__config.rules, rules_path);
	if (sis__config.rules && !rules_file.path)
		sis__warn("SIS_RULES: cannot read '%s': %s", sis__config.rules,
				  strerrordesc_np(errno));
	if (snprintf(control_path, sizeof control_path, "%s/control", sis__store_directory()) <
	    (int)sizeof control_path)
		control_file.path = control_path;
	if (!rules_file.path) {
		sis__sampler_subscribe(&sampled);
		return;
	}
	sis__control_step(sis__clock_ns(CLOCK_MONOTONIC));
	helped = sis__own_thread_start(steer, NULL) == 0;
	if (!helped)
		sis__warn("rules have no effect after the start: no thread can be created");
}

void sis__control_stop(void)
{
	if (!helped)
		return;
	__atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
	sis__futex_wake(&stopped);
}

void sis__control_new_process(void)
{
	stopped = 0;
	helped = false;
	obeyed = 0;
	look_ns = 0;
	if (running)
		running->last_ns = 0;
	if (wish_room) /* the child notes in its own profile what is off */
		memset(noted, 0, wish_room * sizeof *noted);
}
