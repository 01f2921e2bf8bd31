/* SPDX-License-Identifier: BSD-3-Clause */
/* run_directory.c - finds and reads the files of a run; releases an experiment. Called by one
 * thread. */
#include "repository/import/run_directory.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/path.h"
#include "base/terminal.h"
#include "experiment/causes/delay.h"
#include "experiment/classify/classify.h"
#include "experiment/match/match.h"
#include "experiment/model/build.h"
#include "experiment/read/short_programs.h"
#include "experiment/read/run_paths.h"
#include "experiment/read/stacks_read.h"
#include "experiment/read/unified_file.h"
#include "repository/import/samples.h"
#include "unified.h"

/* -- the run of a directory -------------------------------------------------------------------- */

static void take_header(struct run_header *run, const char *run_id, uint64_t started_ns)
{
	memcpy(run->run_id, run_id, sizeof run->run_id);
	run->run_id[sizeof run->run_id - 1] = 0;
	run->started_ns = started_ns;
}

static bool peek_file(const char *path, struct run_header *run)
{
	union { struct sis_profile_header one; struct sis_unified_header all; } h;
	struct err unread = { 0 };
	int fd = run_path_open(path, NULL, &unread);
	bool read_it = fd >= 0 && read(fd, &h, sizeof h) == (ssize_t)sizeof h;
	if (fd >= 0)
		close(fd);
	if (read_it && memcmp(h.one.magic, SIS_PROFILE_MAGIC, sizeof h.one.magic) == 0)
		take_header(run, h.one.run_id, h.one.start.realtime_ns);
	else if (read_it && memcmp(h.all.magic, SIS_UNIFIED_MAGIC, sizeof h.all.magic) == 0)
		take_header(run, h.all.run_id, h.all.started_ns);
	else
		return false;
	return true;
}

static bool is_profile_name(const char *name)
{
	size_t length = strlen(name);
	return length > 4 && strcmp(name + length - 4, ".sis") == 0 &&
		strncmp(name, "trace-", 6) != 0 && strncmp(name, "host-", 5) != 0 &&
		!stacks_is_name(name);
}

bool run_directory_peek(const char *directory, struct run_header *run)
{
	bool found = false;
	run_paths paths;
	run_paths_find(&paths, directory, is_profile_name);
	for (size_t i = 0; i < paths.n && !found; i++)
		found = peek_file(paths.at[i], run);
	run_paths_release(&paths);
	return found;
}

char *run_directory_newest(struct run_header *newest)
{
	char *found = NULL;
	DIR *dir = opendir(".");
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		struct stat st;
		struct run_header run;
		if (entry->d_name[0] == '.' || stat(entry->d_name, &st) != 0 ||
		    !S_ISDIR(st.st_mode) || !run_directory_peek(entry->d_name, &run) ||
		    (found && run.started_ns <= newest->started_ns))
			continue;
		free(found);
		found = mem_string(entry->d_name);
		*newest = run;
	}
	if (dir)
		closedir(dir);
	return found;
}

/* -- the profiles of the run ------------------------------------------------------------------- */

static void add_process(struct experiment *x, struct profile *profile)
{
	if (x->model.process.n)
		profile_share_descriptions(profile, &x->model.process.at[0].profile);
	vec_push(&x->model.process.fill)->profile = *profile;
}

/* Adds the profile of a file. A damaged one in a host's file is left out: others are intact. */
static int read_profile(struct experiment *x, const char *path, struct err *err)
{
	struct profile profile;
	struct err here = { 0 };
	int rc = profile_read(&profile, path, &here);
	if (rc == 0) {
		add_process(x, &profile);
	} else if (rc == PROFILE_UNWRITTEN) { /* only the other processes are analyzed */
		x->run.unwritten++;
		warnings_add(&x->warning,
			     "%s is empty and left out: its process was killed while it "
			     "started, or starts just now", path_base(path));
		rc = 0;
	} else if (run_path_is_in_host_file(path)) {
		x->run.damaged++;
		warnings_add(&x->warning, "left out: %s", here.text);
		rc = 0;
	}
	return rc ? err_set(err, rc, "%s", here.text) : 0;
}

static int read_profiles(struct experiment *x, const run_paths *paths, const char *unified,
			 struct err *err)
{
	struct progress progress;
	int rc = 0;
	progress_begin(&progress, "reading", paths->n);
	for (size_t i = 0; rc == 0 && i < paths->n; i++) {
		const char *path = paths->at[i];
		progress_at(&progress, i);
		/* after the directory was listed, a rank may have moved its data into the file of
		 * all ranks */
		bool gone = access(path, F_OK) != 0 && errno == ENOENT &&
			access(unified, F_OK) == 0;
		if (strcmp(path_base(path), SIS_UNIFIED_NAME) != 0 && !gone)
			rc = read_profile(x, path, err);
	}
	progress_end(&progress);
	return rc;
}

/* Reads the file with the profiles of all ranks. A damaged rank is left out. The experiment is then
 * not complete, because the rank is missing. */
static int read_unified(struct experiment *x, const char *path, struct err *err)
{
	enum { SHOWN = 8 };
	struct unified u;
	struct err first = { 0 };
	struct profile profile;
	size_t damaged = 0;
	if (unified_open(&u, path, err))
		return ERR_FAILED;
	/* ranks that also have a file of their own, which has at least the data of their part of
	 * this file */
	bool *own = mem_alloc(u.head.ranks + (size_t)1, sizeof *own);
	for (size_t i = 0; i < x->model.process.n; i++) {
		int32_t rank = x->model.process.at[i].profile.head.mpi_rank;
		if (rank >= 0 && (uint32_t)rank < u.head.ranks)
			own[rank] = true;
	}
	for (uint32_t rank = 0; rank < u.head.ranks; rank++) {
		struct err here = { 0 };
		int rc = own[rank] ? 0 : unified_profile(&u, rank, &profile, &here);
		if (rc > 0)
			add_process(x, &profile);
		if (rc >= 0)
			continue;
		if (damaged < SHOWN)
			warnings_add(&x->warning, "left out: %s", here.text);
		else if (damaged == SHOWN)
			warnings_add(&x->warning, "more ranks are damaged and left out");
		damaged++;
		err_fail(&first, "%s", here.text);
	}
	free(own);
	unified_close(&u);
	return damaged && x->model.process.n == 0 ? err_fail(err, "%s", first.text) : 0;
}

/* Says why no profile was read. */
static int no_profile(const struct experiment *x, const char *directory, const run_paths *paths,
		      struct err *err)
{
	char *tmpdir = run_value(directory, "tmpdir");
	int rc = x->run.unwritten ?
		err_fail(err, "'%s' has only empty profiles, such as %s: their processes were "
			 "killed while they started; run the program again", directory,
			 path_base(paths->at[0])) :
		x->run.damaged ?
		err_fail(err, "%s", x->warning.at[0].text) :
		tmpdir ?
		err_fail(err, "'%s' has no profile yet: its processes have their files in "
			 "'%s' of their hosts (SIS_TMPDIR); they come when the processes end, and "
			 "those of killed ones with sis-analyze collect on each host", directory,
			 tmpdir) :
		err_fail(err, "'%s' is no experiment: it has no profile (*.sis) in it; name a "
			 "directory that a program built with sisc has written", directory);
	free(tmpdir);
	return rc;
}

static int read_directory(struct experiment *x, const char *directory, struct err *err)
{
	run_paths paths;
	DIR *dir = opendir(directory);
	if (!dir)
		return err_fail(err, "cannot open experiment '%s': %s; check the name and its "
				"permissions", directory, strerror(errno));
	closedir(dir);
	char *unified = mem_print("%s/%s", directory, SIS_UNIFIED_NAME);
	run_paths_find(&paths, directory, is_profile_name);
	int rc = read_profiles(x, &paths, unified, err);
	if (rc == 0 && access(unified, F_OK) == 0)
		rc = read_unified(x, unified, err);
	if (rc == 0 && x->model.process.n == 0)
		rc = no_profile(x, directory, &paths, err);
	free(unified);
	run_paths_release(&paths);
	return rc;
}

int experiment_read_profiles(struct experiment *x, const char *directory, struct err *err)
{
	*x = (struct experiment){ .run.directory = mem_string(directory) };
	int rc = read_directory(x, directory, err);
	const struct process *process = x->model.process.at;
	for (size_t i = 1; rc == 0 && i < x->model.process.n; i++)
		if (strcmp(process[i].profile.head.run_id, process[0].profile.head.run_id) != 0)
			rc = err_fail(err, "'%s' holds profiles of several runs (%s and %s); move "
				      "each run's files to a directory of its own", directory,
				      process[0].profile.path, process[i].profile.path);
	if (rc)
		experiment_release(x);
	return rc;
}

/* Processes that lived too short for a profile are not in the model. */
static void warn_short(struct experiment *x)
{
	enum { SHOWN = 5 };
	short_programs programs;
	uint64_t processes = 0, life_ns = 0, shown = 0;
	struct buf list = { 0 };
	short_programs_read(&programs, x->run.directory);
	char *refused = short_programs_refused(&programs);
	if (refused)
		warnings_add(&x->warning, "%s", refused);
	free(refused);
	for (size_t i = 0; i < programs.n; i++) {
		if (programs.at[i].refusal)
			continue;
		shown++;
		processes += programs.at[i].processes;
		life_ns += programs.at[i].life_ns;
		if (shown <= SHOWN)
			buf_print(&list, "%s%s %" PRIu64, shown > 1 ? ", " : "",
				  programs.at[i].program, programs.at[i].processes);
	}
	if (processes)
		warnings_add(&x->warning,
			     "%" PRIu64 " processes lived for less than 5 ms each, %.3f s "
			     "together, and are only counted: %s%s", processes,
			     (double)life_ns / 1e9, list.at,
			     shown > SHOWN ? ", and others" : "");
	buf_release(&list);
	short_programs_release(&programs);
}

int experiment_model(struct experiment *x, struct err *err)
{
	int rc = experiment_build(x, &x->model, &x->warning, err);
	if (rc) {
		experiment_release(x);
		return rc;
	}
	const struct sis_profile_header *h = &x->model.process.at[0].profile.head;
	x->run.run_id = mem_string(h->run_id);
	x->run.program = mem_string(h->program);
	x->run.command = run_value(x->run.directory, "command");
	warn_short(x);
	return 0;
}

int experiment_read(struct experiment *x, const char *directory, struct err *err)
{
	int rc = experiment_read_profiles(x, directory, err);
	if (rc)
		return rc;
	samples_read(x);
	rc = experiment_model(x, err);
	if (rc == 0)
		samples_settle(x);
	return rc;
}

void experiment_release(struct experiment *x)
{
	causes_release(&x->causes);
	classify_release(&x->classify);
	match_release(&x->match);
	model_release(&x->model);
	samples_release(&x->run);
	free(x->run.directory), free(x->run.run_id), free(x->run.program), free(x->run.command);
	warnings_release(&x->warning);
	*x = (struct experiment){ 0 };
}
