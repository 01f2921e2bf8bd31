/* SPDX-License-Identifier: BSD-3-Clause */
/* directory.c - the experiment directory: its name, the run to which it belongs, and the process's
 * file in it. Called at the start and end of the process and after a fork, by one thread at a time.
 *
 * The processes of one run share a directory, and no run writes into the directory of another one:
 * the file `run` inside contains the name of the run. The first process creates this file
 * exclusively. A process that finds the name of another run there tries the directories NAME-2,
 * NAME-3 ...
 *
 * If the user gave the name, it is the same for all processes of a run. Default names may differ
 * between the processes of a run: they contain the name of the program and the start of the run,
 * and programs may differ, and so may the clocks of hosts. So a process that finds no directory of
 * its run makes one under a lock. This takes milliseconds.
 */
#include "base/config.h"
#include "base/directory_entries.h"
#include "base/futex.h"
#include "base/system_call.h"
#include "base/utc.h"
#include "output/profile/files.h"
#include "output/profile/store.h"
#include "output/profile/text.h"
#include "output/run/directory.h"
#include "output/run/host_directory.h"
#include "output/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	NAMES = 1000,
	DEFAULT_NAME = 128 /* bytes for a default name, with a slash and a NUL */
};

static char wanted[PATH_MAX / 2];    /* the path that is tried first: default or SIS_OUTPUT */
static char parent[PATH_MAX / 2];    /* the directory of `wanted`, if this is a default name */
/* The user gave the name `wanted`, so it is the same for all processes of the run. */
static bool chosen;
static char directory[PATH_MAX / 2]; /* the directory of this run; "": none yet */
/* Where processes make their files: `directory`, or the host's directory (SIS_TMPDIR). */
static const char *files_in = directory;
static bool has_file;                /* `files_in` contains the process's file */

const char *sis__directory_wanted(void)
{
	return wanted;
}

SIS_EXPORT const char *sis__store_directory(void)
{
	return has_file ? files_in : "";
}

/* -- names ------------------------------------------------------------------------------------- */

static bool holds_a_run(const char *path)
{
	char run[PATH_MAX];
	struct stat status;
	snprintf(run, sizeof run, "%s/run", path);
	/* a regular file, because the root directory of the system contains a directory /run */
	return stat(run, &status) == 0 && S_ISREG(status.st_mode);
}

static bool is_file(const char *name, void *found)
{
	*(bool *)found = strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
	return !*(bool *)found;
}

static void choose_parent(void)
{
	if (!sis__run_directory(parent, sizeof parent - DEFAULT_NAME))
		strcpy(parent, ".");
}

/* Takes the name from SIS_OUTPUT, without slashes at its end. False: the name is too long. */
static bool name_output(const char *output)
{
	if (output[0] != '/')
		choose_parent();
	int n = snprintf(wanted, sizeof wanted, "%s%s%s", parent, parent[0] ? "/" : "", output);
	if (n >= (int)sizeof wanted - DEFAULT_NAME) {
		sis__warn("SIS_OUTPUT leads to a path of %d bytes, and %d are possible; this run "
			  "goes to a new directory in the working directory",
			  n, (int)sizeof wanted - DEFAULT_NAME - 1);
		return false;
	}
	for (; n > 1 && wanted[n - 1] == '/'; n--)
		wanted[n - 1] = '\0';
	return true;
}

/* Chooses `wanted`. If SIS_OUTPUT is a directory with other files, the experiment becomes a
 * directory inside it. */
static void choose_name(void)
{
	struct tm utc;
	bool has_files = false;
	const char *output = sis__config.output;
	if (output && name_output(output)) {
		if (!sis__config.run)
			sis__each_entry(wanted, is_file, &has_files);
		chosen = !has_files || holds_a_run(wanted);
		if (chosen)
			return;
		strcpy(parent, wanted);
	} else {
		choose_parent();
		strcpy(wanted, parent);
	}
	if (sis__config.run) {
		snprintf(wanted + strlen(wanted), DEFAULT_NAME, "/sis-%s", sis__config.run);
		chosen = true;
		return;
	}
	const char *program = sis__header()->program, *slash = strrchr(program, '/');
	sis__utc(sis__run_began(), &utc);
	snprintf(wanted + strlen(wanted), DEFAULT_NAME,
		 "/sis-%.64s-%04d%02d%02d-%02d%02d%02d-%d", slash ? slash + 1 : program,
		 utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min,
		 utc.tm_sec, sis__run_pid());
}

/* -- claiming ---------------------------------------------------------------------------------- */

enum { NOT_OURS, JOINED, MADE };

/* Reads the first line of the file `run` in a directory into `id`, which is "" if the line is not
 * written yet. Returns 0 or -errno. */
static int read_run(const char *path, char *id, size_t size)
{
	char run[PATH_MAX];
	snprintf(run, sizeof run, "%s/run", path);
	int fd = open(run, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ssize_t n = sis__read(fd, id, size - 1);
	close(fd);
	id[n < 0 ? 0 : n] = '\0';
	id[strcspn(id, "\n")] = '\0';
	return 0;
}

/* Waits for a moment. All moments together take a fraction of a millisecond, unless many processes
 * wait. */
static void nap(int naps)
{
	enum { FIRST_NS = 50000, DOUBLINGS = 5 };
	sis__nap(FIRST_NS << (naps < DOUBLINGS ? naps : DOUBLINGS));
}

/* Returns JOINED if the directory belongs to our run, else NOT_OURS, or a negative number for an
 * error. */
static int join(const char *path)
{
	char id[sizeof sis__header()->run_id + 1];
	for (int naps = 0; naps < 200; naps++) { /* the name may not be written yet */
		int failed = read_run(path, id, sizeof id);
		if (failed)
			return failed;
		if (id[0])
			return strcmp(id, sis__header()->run_id) == 0 ? JOINED : NOT_OURS;
		nap(naps);
	}
	return NOT_OURS;
}

/* Whether the path is a symbolic link that another user may have planted. This is so if all users
 * can write to the directory that contains the link, and the link belongs neither to us nor to the
 * owner of that directory. */
static bool is_planted(const char *path)
{
	char above[PATH_MAX];
	struct stat link, status;
	int length = (int)(strrchr(path, '/') - path); /* the path is absolute */
	snprintf(above, sizeof above, "%.*s/", length, path);
	return lstat(path, &link) == 0 && S_ISLNK(link.st_mode) && stat(above, &status) == 0 &&
	       (status.st_mode & S_IWOTH) && link.st_uid != geteuid() &&
	       link.st_uid != status.st_uid;
}

static int claim(const char *path)
{
	char run[PATH_MAX];
	const char *id = sis__header()->run_id;
	int making = sis__file_make_directory(path);
	bool made = making == 0;
	if (!made && making != -EEXIST)
		return making;
	if (!made && is_planted(path))
		return NOT_OURS;
	snprintf(run, sizeof run, "%s/run", path);
	int fd = sis__file_make(run);
	int failed = fd < 0 ? -fd : 0;
	if (failed == EEXIST)
		return join(path);
	char line[PATH_MAX];
	const char *tmpdir = sis__config.tmpdir;
	int n = snprintf(line, sizeof line, "%s\n%s%s%s", id, tmpdir ? "tmpdir\t" : "",
			 tmpdir ? tmpdir : "", tmpdir ? "\n" : "");
	if (!failed) {
		failed = !sis__store_allows((uint64_t)n)   ? EFBIG
			 : sis__write(fd, line, (size_t)n) == n ? 0
							   : ENOSPC;
		close(fd);
		if (failed)
			unlink(run);
	}
	if (failed && made)
		rmdir(path);
	return failed ? -failed : MADE;
}

static int claim_some(void)
{
	for (int i = 1; i < NAMES; i++) {
		int n = snprintf(directory, sizeof directory, i == 1 ? "%s" : "%s-%d", wanted, i);
		int ours = n < (int)sizeof directory ? claim(directory) : -ENAMETOOLONG;
		if (ours == NOT_OURS)
			continue;
		if (ours == MADE && i > 1) /* only one process of the run warns */
			sis__warn(is_planted(wanted) ?
					  "'%s' is a link of another user; this run goes to '%s'" :
					  "'%s' holds another run; this one goes to '%s'",
				  wanted, directory);
		return ours < 0 ? ours : 0;
	}
	return -EEXIST;
}

/* -- one directory under names that may differ ------------------------------------------------- */

static bool is_this_run(const char *name, void *found)
{
	char id[sizeof sis__header()->run_id + 1];
	if (strncmp(name, "sis-", 4) != 0)
		return true;
	int n = snprintf(directory, sizeof directory, "%s/%s", parent, name);
	*(bool *)found = n < (int)sizeof directory && read_run(directory, id, sizeof id) == 0 &&
		strcmp(id, sis__header()->run_id) == 0;
	return !*(bool *)found;
}

static bool find_run(void)
{
	bool found = false;
	sis__each_entry(parent, is_this_run, &found);
	return found;
}

/* Takes the lock, which is a directory, because mkdir is exclusive on all kinds of file systems. If
 * a process is killed while it holds the lock, the directory stays, and each further process of the
 * run waits for some seconds. */
static bool hold(const char *lock)
{
	for (int naps = 0; naps < 1000; naps++) {
		if (mkdir(lock, 0777) == 0)
			return true;
		if (errno != EEXIST)
			break;
		nap(naps);
	}
	return false;
}

static int find_or_claim(void)
{
	char lock[PATH_MAX];
	if (chosen || !sis__run_is_shared())
		return claim_some();
	if (find_run())
		return 0;
	snprintf(lock, sizeof lock, "%s/.sis-%016llx", parent,
		 (unsigned long long)sis_checksum(sis__header()->run_id,
						  sizeof sis__header()->run_id));
	bool held = hold(lock);
	int failed = find_run() ? 0 : claim_some();
	if (held)
		rmdir(lock);
	return failed;
}

/* -- the process's file ------------------------------------------------------------------------ */

/* If this process was replaced by exec, the earlier program may have left a file of the same
 * name. */
static int create_file(int rank)
{
	char file[PATH_MAX], again[16] = "", mark[16] = "";
	if (rank >= 0)
		snprintf(mark, sizeof mark, ".%d", rank);
	for (int i = 1; i < NAMES; i++) {
		if (i > 1)
			snprintf(again, sizeof again, "-%d", i);
		int n = snprintf(file, sizeof file, "%s/proc-%s-%d%s%s.sis", files_in,
				 sis__header()->host, (int)getpid(), again, mark);
		int fd = n < (int)sizeof file ? sis__file_create(SIS_FILE_PROFILE, file)
					      : -ENAMETOOLONG;
		if (fd != -EEXIST)
			return fd;
	}
	return -EEXIST;
}

/* The last process of a host removes the host's directory, so a forked child makes it again. */
static int make_directory(void)
{
	int failed = 0;
	if (!directory[0]) {
		choose_name();
		failed = find_or_claim();
	}
	if (failed) {
		directory[0] = '\0';
		return failed;
	}
	files_in = sis__host_directory(directory);
	if (!files_in[0])
		files_in = directory;
	return 0;
}

int sis__directory_create_file(int rank)
{
	int failed = make_directory();
	if (failed)
		return failed;
	int fd = create_file(rank);
	if (fd == -ENOENT && make_directory() == 0) /* another process has just removed it */
		fd = create_file(rank);
	has_file = fd >= 0;
	if (fd < 0)
		sis__directory_remove_file();
	return fd;
}

/* The kernel appends the line as a whole, so that lines of several processes do not mix.
 * If files of this process may not become large (ulimit -f), the kernel would end the process with
 * SIGXFSZ, because the lines of others count, too. Then the line is the target of a link, which
 * needs no bytes of a file. */
void sis__directory_note_process(const char *life, int64_t cpu_ns)
{
	const struct sis_profile_header *header = sis__header();
	char path[PATH_MAX], line[sizeof header->program + 128];
	sis__run_identify(sis__header());
	if (make_directory() != 0)
		return;
	int n = snprintf(line, sizeof line, "%d\t%d\t%" PRIu64 "\t%s\t%" PRId64 "\t%s\n",
			 (int)getpid(), (int)getppid(), header->start.realtime_ns, life, cpu_ns,
			 header->program);
	snprintf(path, sizeof path, "%s/short-%s.tsv", files_in, header->host);
	int fd = !sis__store_allows(UINT64_MAX) ?
		-1 :
		open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd >= 0) {
		sis__write(fd, line, (size_t)n);
		close(fd);
		return;
	}
	snprintf(path, sizeof path, "%s/short-%s-%d.tsv", files_in, header->host, (int)getpid());
	symlink(line, path);
}

void sis__directory_finish(void)
{
	if (has_file && files_in != directory)
		sis__host_directory_finish(directory);
}

void sis__directory_new_process(void)
{
	sis__file_forget(SIS_FILE_PROFILE);
	has_file = false;
}

/* Removes the file, and the directory unless other processes of this run have files in it. */
void sis__directory_remove_file(void)
{
	char run[PATH_MAX], aside[PATH_MAX];
	sis__file_remove(SIS_FILE_PROFILE);
	sis__file_forget(SIS_FILE_PROFILE);
	has_file = false;
	/* processes of other hosts may have their files elsewhere, and need `directory`; that of
	 * `sis-analyze run` is not ours */
	if (files_in != directory || sis__config.run)
		return;
	snprintf(run, sizeof run, "%s/run", directory);
	snprintf(aside, sizeof aside, "%s.run-%d", directory, (int)getpid());
	if (rename(run, aside) != 0)
		return;
	if (rmdir(directory) == 0)
		unlink(aside);
	else
		rename(aside, run);
}
