/* SPDX-License-Identifier: BSD-3-Clause */
/* host_directory.c - see host_directory.h; schema/host_file.h describes the directory and the
 * host's file. Called at the start and the end of the process and after a fork, by one thread at a
 * time.
 *
 * At its end a process waits for others of this host that move their files, for SIS_UNIFY_TIMEOUT
 * at most. After any failure the files stay in the host's directory, so nothing is lost. */
#include "base/clock.h"
#include "base/config.h"
#include "base/futex.h"
#include "base/kernel_clock.h"
#include "base/state.h"
#include "output/profile/files.h"
#include "output/profile/store.h"
#include "output/profile/text.h"
#include "output/run/host_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host_file.h"

static char path[PATH_MAX / 2]; /* "": not made */

/* -- the start --------------------------------------------------------------------------------- */

/* Other users must not write to the directory, and with the program's umask this user could not. */
static bool make_directory(void)
{
	if (mkdir(path, 0700) == 0)
		return chmod(path, 0700) == 0;
	return errno == EEXIST;
}

/* The link says to which experiment `sis-analyze collect` moves the files. */
static void link_experiment(const char *experiment)
{
	char link[PATH_MAX];
	snprintf(link, sizeof link, "%s/experiment", path);
	if (symlink(experiment, link) != 0 && errno != EEXIST)
		path[0] = '\0';
}

const char *sis__host_directory(const char *experiment)
{
	const char *tmpdir = sis__config.tmpdir;
	path[0] = '\0';
	if (!tmpdir)
		return path;
	errno = ENAMETOOLONG;
	if (sis_host_directory(path, sizeof path, tmpdir, sis__header()->run_id) &&
	    make_directory()) {
		errno = EPERM; /* somebody else has planted the directory */
		if (sis_host_is_ours(path))
			link_experiment(experiment);
		else
			path[0] = '\0';
	} else {
		path[0] = '\0';
	}
	if (!path[0])
		sis__warn("cannot make a directory for this run in SIS_TMPDIR '%s': %s; its files "
			  "are made in '%s'", tmpdir, strerrordesc_np(errno), experiment);
	return path;
}

/* -- the end ----------------------------------------------------------------------------------- */

/* Returns a descriptor of the host's directory that has the lock, or -errno. It is -EWOULDBLOCK if
 * other processes have the lock for too long. */
static int take_lock(void)
{
	enum { NAP_NS = 2000000 };
	uint64_t until = sis__clock_ns(CLOCK_MONOTONIC) + sis__config.unify_ns;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), failed = fd < 0 ? errno : 0;
	/* flock is a wrapper, which measures waits of the program */
	while (!failed && syscall(SYS_flock, fd, LOCK_EX | LOCK_NB) != 0) {
		if ((errno != EWOULDBLOCK && errno != EINTR) ||
		    sis__clock_ns(CLOCK_MONOTONIC) > until)
			failed = errno;
		else
			sis__nap(NAP_NS);
	}
	if (failed && fd >= 0)
		close(fd);
	return failed ? -failed : fd;
}

/* The caller has the lock, so no other process of this host makes the file meanwhile. */
static int open_host(const char *file)
{
	int fd = open(file, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	return fd >= 0 ? fd : errno == ENOENT ? sis__file_make(file) : -errno;
}

/* Appends the files and removes them. Returns 0 or an errno. The profile is removed last, because
 * while it is in the host's directory, `sis-analyze collect` sees from it that the process runs. */
static int move_files(int host)
{
	static const enum sis_file order[] = { SIS_FILE_TRACE, SIS_FILE_STACKS, SIS_FILE_PROFILE };
	enum { FILES = sizeof order / sizeof *order };
	struct sis_host_new files[FILES];
	enum sis_file which[FILES];
	int count = 0, failed = 0;
	for (size_t i = 0; i < FILES && !failed; i++) {
		const char *from = sis__file_path(order[i]);
		int fd = from[0] ? sis__file_open(order[i]) : -ENOENT;
		which[count] = order[i];
		if (fd >= 0)
			files[count++] = (struct sis_host_new){ strrchr(from, '/') + 1, fd };
		else if (fd != -ENOENT) /* else `sis-analyze collect` was faster */
			failed = -fd;
	}
	if (!failed && count)
		failed = sis__store_allows(sis_host_size_with(host, files, count))
				 ? sis_host_append(host, files, count) : EFBIG;
	for (int i = 0; i < count; i++)
		sis__file_close(files[i].fd);
	for (int i = 0; i < count && !failed; i++)
		sis__file_remove(which[i]);
	return failed;
}

/* Removes the directory unless it has files of other processes. */
static void remove_directory(const char *experiment)
{
	char link[PATH_MAX], mark[PATH_MAX];
	snprintf(link, sizeof link, "%s/experiment", path);
	snprintf(mark, sizeof mark, "%s/sensors-%s", path, sis__header()->host);
	unlink(link);
	bool marked = rmdir(mark) == 0;
	if (rmdir(path) == 0)
		return;
	link_experiment(experiment);
	if (marked)
		mkdir(mark, 0777);
}

void sis__host_directory_finish(const char *experiment)
{
	char file[PATH_MAX];
	if (!path[0])
		return;
	snprintf(file, sizeof file, "%s/host-%s.sis", experiment, sis__header()->host);
	int lock = take_lock(), host = lock < 0 ? lock : open_host(file),
	    failed = host < 0 ? -host : 0;
	if (!failed)
		failed = move_files(host);
	if (host >= 0)
		close(host);
	if (!failed)
		remove_directory(experiment);
	else
		sis__warn("cannot move the files of process %d from '%s' to '%s': %s; fetch them "
			  "with sis-analyze collect", (int)getpid(), path, file,
			  strerrordesc_np(failed));
	if (lock >= 0)
		close(lock);
}
