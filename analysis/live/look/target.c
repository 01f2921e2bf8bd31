/* SPDX-License-Identifier: BSD-3-Clause */
/* target.c - finds the directory of a run. A process has mapped its profile, and /proc says which
 * file that is. Owns nothing. Called by one thread. */
#include "live/look/target.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "repository/import/run_directory.h"

bool live_is_profile(const char *name)
{
	size_t length = strlen(name);
	return strncmp(name, "proc-", 5) == 0 && length > 4 &&
		strcmp(name + length - 4, ".sis") == 0;
}

/* The directory of the profile that a line of /proc/PID/maps names; NULL if it names no profile.
 * The path is at the end of the line. */
static char *directory_in(char *line, bool *deleted)
{
	static const char mark[] = " (deleted)"; /* the kernel adds it if the file was removed */
	enum { MARK = sizeof mark - 1 };
	char *path = strchr(line, '/');
	line[strcspn(line, "\n")] = '\0';
	if (!path)
		return NULL;
	size_t length = strlen(path);
	bool marked = length > MARK && strcmp(path + length - MARK, mark) == 0;
	if (marked)
		path[length - MARK] = '\0';
	char *end = strrchr(path, '/');
	if (!live_is_profile(end + 1))
		return NULL;
	*deleted = marked;
	*end = '\0';
	return mem_string(path);
}

/* If the process has its files in a directory of this host (SIS_TMPDIR), the run's directory is the
 * one in which they will be. */
static void take_experiment(struct live_target *target)
{
	char experiment[PATH_MAX], *link = mem_print("%s/experiment", target->directory);
	ssize_t n = readlink(link, experiment, sizeof experiment - 1);
	free(link);
	if (n <= 0)
		return;
	experiment[n] = '\0';
	free(target->directory);
	target->directory = mem_string(experiment);
}

static int refuse_unreadable(uint32_t pid, int reason, struct err *err)
{
	struct stat st;
	char path[64];
	snprintf(path, sizeof path, "/proc/%u", pid);
	if (reason == ENOENT || stat(path, &st) != 0)
		return err_fail(err, "no process %u on this host; name one that runs, or the "
				"directory of the run", pid);
	if (st.st_uid != geteuid())
		return err_fail(err, "process %u belongs to another user (%u); only this user and "
				"root can see what it measures", pid, (unsigned)st.st_uid);
	return err_fail(err, "cannot read the maps of process %u: %s; name the directory of the "
			"run", pid, strerror(reason));
}

static int find_of_process(struct live_target *target, struct err *err)
{
	char *path = mem_print("/proc/%u/maps", target->pid), *line = NULL;
	bool deleted = false;
	size_t size = 0;
	FILE *maps = fopen(path, "r");
	int reason = errno;
	free(path);
	while (maps && !target->directory && getline(&line, &size, maps) > 0)
		target->directory = directory_in(line, &deleted);
	free(line);
	if (!maps)
		return refuse_unreadable(target->pid, reason, err);
	fclose(maps);
	if (!target->directory)
		return err_fail(err, "process %u is not measured: it has mapped no profile; of an "
				"MPI run, name a rank, not mpiexec; programs are measured if sisc "
				"has built them", target->pid);
	if (!deleted) {
		take_experiment(target);
		return 0;
	}
	int rc = err_fail(err, "the directory of the run of process %u, '%s', was removed",
			  target->pid, target->directory);
	mem_free((void **)&target->directory);
	return rc;
}

int live_target_find(struct live_target *target, const char *word, struct err *err)
{
	char *end;
	struct stat st;
	unsigned long pid = strtoul(word, &end, 10);
	*target = (struct live_target){ 0 };
	if (stat(word, &st) == 0 && S_ISDIR(st.st_mode)) {
		target->directory = mem_string(word);
		return 0;
	}
	if (*end || pid == 0 || pid > UINT32_MAX)
		return err_fail(err, "'%s' is neither the directory of a run nor the number of a "
				"process", word);
	target->pid = (uint32_t)pid;
	return find_of_process(target, err);
}

int live_target_choose(char **directory, const char *word, struct err *err)
{
	struct run_header newest;
	struct live_target target = { 0 };
	if (word) {
		int rc = live_target_find(&target, word, err);
		*directory = target.directory;
		return rc;
	}
	*directory = run_directory_newest(&newest);
	return *directory ? 0 : err_fail(err, "no run in the working directory; name the directory "
					 "of a run, or one of its processes");
}
