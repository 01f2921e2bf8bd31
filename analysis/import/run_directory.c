/* SPDX-License-Identifier: BSD-3-Clause */
/* run_directory.c - finds and reads the files of a run; releases an experiment. One thread. */
#include "import/run_directory.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/terminal.h"
#include "causes/delay.h"
#include "classify/classify.h"
#include "match/match.h"
#include "model/build.h"
#include "read/stacks_read.h"
#include "read/unified_read.h"
#include "unified.h"

/* -- which run --------------------------------------------------------------------------------- */

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
	int fd = file_open(path, NULL, &unread);
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
		strncmp(name, "trace-", 6) != 0 && !stacks_is_name(name);
}

bool run_directory_peek(const char *directory, struct run_header *run)
{
	bool found = false;
	DIR *dir = opendir(directory);
	for (struct dirent *entry; dir && !found && (entry = readdir(dir));) {
		if (!is_profile_name(entry->d_name))
			continue;
		char *path = mem_print("%s/%s", directory, entry->d_name);
		found = peek_file(path, run);
		free(path);
	}
	if (dir)
		closedir(dir);
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

/* -- its profiles ------------------------------------------------------------------------------ */

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A rank may merge its file into the file of all ranks after the directory was listed. The file is
 * gone then. */
static bool is_gone(const char *path, const char *unified)
{
	return access(path, F_OK) != 0 && errno == ENOENT && access(unified, F_OK) == 0;
}

/* Nothing was measured in that process; the others are analyzed. */
static void note_unwritten(struct experiment *x, const char *name)
{
	x->run.unwritten++;
	warnings_add(&x->warning,
		     "%s is empty and left out: its process was killed while it started, or "
		     "starts just now",
		     name);
}

static int read_profiles(struct experiment *x, const char *directory, char **name, size_t names,
			 const char *unified, struct err *err)
{
	struct progress progress;
	int rc = 0;
	if (names)
		qsort(name, names, sizeof *name, compare_names);
	progress_begin(&progress, "reading", names);
	for (size_t i = 0; rc == 0 && i < names; i++) {
		progress_at(&progress, i);
		char *path = mem_print("%s/%s", directory, name[i]);
		struct profile profile;
		bool gone = is_gone(path, unified);
		rc = gone ? 0 : profile_read(&profile, path, err);
		free(path);
		if (rc == 0 && !gone)
			vec_push(&x->model.process.fill)->profile = profile;
		if (rc == PROFILE_UNWRITTEN) {
			note_unwritten(x, name[i]);
			rc = 0;
		}
	}
	progress_end(&progress);
	return rc;
}

/* The ranks whose own file is here. It knows at least what the part in the file of all ranks
 * knows. */
static bool *own_files(const struct experiment *x, uint32_t ranks)
{
	bool *own = mem_alloc(ranks + (size_t)1, sizeof *own);
	for (size_t i = 0; i < x->model.process.n; i++) {
		int32_t rank = x->model.process.at[i].profile.head.mpi_rank;
		if (rank >= 0 && (uint32_t)rank < ranks)
			own[rank] = true;
	}
	return own;
}

static int read_unified(struct experiment *x, const char *path, struct err *err)
{
	struct profile profile;
	int rc = 0;
	x->run.unified = mem_alloc(1, sizeof *x->run.unified);
	if (unified_open(x->run.unified, path, err)) {
		mem_free((void **)&x->run.unified);
		return ERR_FAILED;
	}
	bool *own = own_files(x, x->run.unified->head.ranks);
	for (uint32_t rank = 0; rank < x->run.unified->head.ranks && rc >= 0; rank++) {
		rc = own[rank] ? 0 : unified_profile(x->run.unified, rank, &profile, err);
		if (rc > 0)
			vec_push(&x->model.process.fill)->profile = profile;
	}
	free(own);
	return rc < 0 ? rc : 0;
}

static int read_directory(struct experiment *x, const char *directory, struct err *err)
{
	VEC(char *) name = { 0 };
	DIR *dir = opendir(directory);
	if (!dir)
		return err_fail(err, "cannot open experiment '%s': %s; check the name and its "
				"permissions", directory, strerror(errno));
	for (struct dirent *entry; (entry = readdir(dir));) {
		if (is_profile_name(entry->d_name) &&
		    strcmp(entry->d_name, SIS_UNIFIED_NAME) != 0)
			*vec_push(&name) = mem_string(entry->d_name);
	}
	closedir(dir);
	char *unified = mem_print("%s/%s", directory, SIS_UNIFIED_NAME);
	int rc = read_profiles(x, directory, name.at, name.n, unified, err);
	if (rc == 0 && access(unified, F_OK) == 0)
		rc = read_unified(x, unified, err);
	if (rc == 0 && x->model.process.n == 0 && x->run.unwritten)
		rc = err_fail(err, "'%s' has only empty profiles, such as %s: their processes were "
			      "killed while they started; run the program again", directory,
			      name.at[0]);
	if (rc == 0 && x->model.process.n == 0)
		rc = err_fail(err, "'%s' is no experiment: it has no profile (*.sis) in it; name a "
			      "directory that a program built with sisc has written", directory);
	free(unified);
	for (size_t i = 0; i < name.n; i++)
		free(name.at[i]);
	vec_free(&name);
	return rc;
}

static int check_one_run(const struct experiment *x, const char *directory, struct err *err)
{
	const struct process *process = x->model.process.at;
	for (size_t i = 1; i < x->model.process.n; i++)
		if (strcmp(process[i].profile.head.run_id, process[0].profile.head.run_id) != 0)
			return err_fail(err, "'%s' holds profiles of several runs (%s and %s); move "
					"each run's files to a directory of its own", directory,
					process[0].profile.path, process[i].profile.path);
	return 0;
}

int experiment_read_profiles(struct experiment *x, const char *directory, struct err *err)
{
	*x = (struct experiment){ .run.directory = mem_string(directory) };
	int rc = read_directory(x, directory, err);
	rc = rc ? rc : check_one_run(x, directory, err);
	if (rc)
		experiment_release(x);
	return rc;
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
	return 0;
}

int experiment_read(struct experiment *x, const char *directory, struct err *err)
{
	int rc = experiment_read_profiles(x, directory, err);
	return rc ? rc : experiment_model(x, err);
}

static void run_release(struct experiment_run *run)
{
	if (run->unified)
		unified_close(run->unified);
	free(run->unified);
	free(run->directory), free(run->run_id), free(run->program);
}

void experiment_release(struct experiment *x)
{
	causes_release(&x->causes);
	classify_release(&x->classify);
	match_release(&x->match);
	model_release(&x->model);
	run_release(&x->run);
	warnings_release(&x->warning);
	*x = (struct experiment){ 0 };
}
