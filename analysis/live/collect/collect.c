/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.c - see collect.h; schema/host_file.h describes the directory and the host's file. Owns
 * nothing. Called by one thread.
 *
 * The files of a process that runs stay: it has mapped them, and moves them itself at its end. */
#include "live/collect/collect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "experiment/read/run_paths.h"
#include "live/look/alive.h"
#include "host_file.h"

struct host {
	const char *local;       /* the directory of this host */
	int to;                  /* the host's file */
	char name[sizeof((struct sis_profile_header *)0)->host];
	VEC(uint32_t) running;   /* numbers of the processes that run */
	struct collected done;
};

/* -- which processes run ----------------------------------------------------------------------- */

/* The number of the process in a name KIND-HOST-PID...; 0: there is none. */
static uint32_t pid_in(const char *name, const char *host)
{
	const char *rest = strchr(name, '-');
	size_t length = strlen(host);
	return rest && strncmp(rest + 1, host, length) == 0 && rest[1 + length] == '-' ?
		(uint32_t)strtoul(rest + length + 2, NULL, 10) : 0;
}

/* Whether the process of a profile runs. At its end, the profile says that the process has ended
 * before the process has moved its files. So the kernel is asked, whatever the profile says. */
static bool runs(int profile, uint32_t pid)
{
	struct sis_profile_header head;
	if (pread(profile, &head, sizeof head, 0) != (ssize_t)sizeof head ||
	    memcmp(head.magic, SIS_PROFILE_MAGIC, sizeof head.magic) != 0)
		return kill((pid_t)pid, 0) == 0 || errno == EPERM; /* it starts just now */
	head.host[sizeof head.host - 1] = '\0';
	head.state = SIS_STATE_RUNNING;
	return alive(&head);
}

/* The names are sorted, so profiles come first. A list of short processes stays while any process
 * runs that may start another one. */
static bool stays(struct host *host, const char *name, int fd)
{
	uint32_t pid = pid_in(name, host->name);
	if (strncmp(name, "short-", 6) == 0)
		return host->running.n > 0;
	if (strncmp(name, "proc-", 5) == 0 && (!pid || runs(fd, pid))) {
		*vec_push(&host->running) = pid;
		return true;
	}
	for (size_t i = 0; i < host->running.n; i++)
		if (host->running.at[i] == pid)
			return true;
	return false;
}

/* -- one run ----------------------------------------------------------------------------------- */

static int is_of_process(const struct dirent *entry)
{
	static const char *const kinds[] = { "proc-", "short-", "stacks-", "trace-" };
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strncmp(entry->d_name, kinds[i], strlen(kinds[i])) == 0)
			return 1;
	return 0;
}

static int collect_file(struct host *host, const char *name, struct err *err)
{
	struct stat st;
	char *path = mem_print("%s/%s", host->local, name);
	int fd = file_open(path, &st, err), rc = fd < 0 ? fd : 0;
	if (rc == 0 && stays(host, name, fd)) {
		host->done.running++;
	} else if (rc == 0) {
		int failed = sis_host_append(host->to, &(struct sis_host_new){ name, fd }, 1);
		if (!failed && unlink(path) != 0)
			failed = errno;
		if (failed)
			rc = err_fail(err, "cannot move '%s' to '%s': %s; the file stays, and the "
				      "next collect takes it", path, host->done.experiment,
				      strerror(failed));
		host->done.files += !failed;
		host->done.bytes += failed ? 0 : (uint64_t)st.st_size;
	}
	if (fd >= 0)
		close(fd);
	free(path);
	return rc;
}

static int collect_files(struct host *host, struct err *err)
{
	struct dirent **entry;
	int rc = 0, n = scandir(host->local, &entry, is_of_process, alphasort);
	for (int i = 0; i < n; i++) {
		rc = rc ? rc : collect_file(host, entry[i]->d_name, err);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	return n < 0 ? err_fail(err, "cannot read '%s': %s", host->local, strerror(errno)) : rc;
}

/* Removes the directory. If somebody has put other files into it, they stay. */
static void remove_directory(const struct host *host)
{
	char *names[] = { mem_print("%s/control", host->local),
			  mem_print("%s/sensors-%s", host->local, host->name),
			  mem_print("%s/experiment", host->local) };
	unlink(names[0]);
	rmdir(names[1]);
	unlink(names[2]);
	rmdir(host->local);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		free(names[i]);
}

/* Reads which experiment the files belong to, unless this is known. */
static int find_experiment(struct host *host, struct err *err)
{
	char experiment[PATH_MAX];
	if (host->done.experiment)
		return 0;
	char *link = mem_print("%s/experiment", host->local);
	ssize_t n = readlink(link, experiment, sizeof experiment - 1);
	int rc = n > 0 ? 0 : err_fail(err, "cannot read the link '%s', which leads to the "
				      "experiment; name the directory of the experiment", link);
	experiment[n < 0 ? 0 : n] = '\0';
	host->done.experiment = mem_string(experiment);
	free(link);
	return rc;
}

/* The caller has the lock of the directory. */
static int collect_locked(struct host *host, struct err *err)
{
	if (find_experiment(host, err))
		return ERR_FAILED;
	char *file = mem_print("%s/host-%s.sis", host->done.experiment, host->name);
	host->to = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	int rc = host->to < 0 ? err_fail(err, "cannot open '%s': %s; '%s' keeps the files", file,
					 strerror(errno), host->local) :
				collect_files(host, err);
	if (host->to >= 0)
		close(host->to);
	if (rc == 0 && !host->done.running)
		remove_directory(host);
	free(file);
	return rc;
}

/* Returns a descriptor of the directory that has its lock. -1: it cannot be locked, and errno says
 * why. While this process waited for the lock, another one may have removed the directory, and a
 * new process of the run may have made another one, which has a lock of its own. */
static int take_lock(const char *local)
{
	for (;;) {
		struct stat locked, now;
		int fd = open(local, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW), error = 0;
		if (fd < 0)
			return -1;
		while (flock(fd, LOCK_EX) != 0 && (error = errno) == EINTR)
			error = 0;
		if (!error && fstat(fd, &locked) == 0 && lstat(local, &now) == 0 &&
		    locked.st_ino == now.st_ino && locked.st_dev == now.st_dev)
			return fd;
		close(fd);
		errno = error;
		if (error)
			return -1;
	}
}

/* Without `experiment`, the directory says which one it is. If another process has just collected
 * the files, there is nothing to do. */
static int collect_local(collected_runs *done, const char *local, const char *experiment,
			 struct err *err)
{
	struct host host = { .local = local };
	if (experiment)
		host.done.experiment = mem_string(experiment);
	int lock = take_lock(local);
	gethostname(host.name, sizeof host.name - 1);
	int rc = lock >= 0	 ? collect_locked(&host, err) :
		errno == ENOENT ? 0 :
				  err_fail(err, "cannot open '%s': %s", local, strerror(errno));
	if (lock >= 0)
		close(lock);
	vec_free(&host.running);
	if (host.done.experiment)
		*vec_push(done) = host.done;
	return rc;
}

/* -- which runs -------------------------------------------------------------------------------- */

int collect_experiment(collected_runs *done, const char *experiment, struct err *err)
{
	char *id = run_value(experiment, NULL), *local = run_local_directory(experiment);
	int rc = id ? 0 : err_fail(err, "'%s' is no experiment: it has no file `run`; name the "
				   "directory of a run", experiment);
	if (rc == 0 && local)
		rc = collect_local(done, local, experiment, err);
	free(local);
	free(id);
	return rc;
}

int collect_from(collected_runs *done, const char *tmpdir, const char *run_id, struct err *err)
{
	char path[PATH_MAX];
	int rc = 0;
	DIR *dir = opendir(tmpdir);
	if (!dir)
		return err_fail(err, "cannot read SIS_TMPDIR '%s': %s", tmpdir, strerror(errno));
	bool named = sis_host_directory(path, sizeof path, tmpdir, run_id ?: "");
	char *only = mem_string(path), *all = mem_print("%s/sis-%u-", tmpdir, (unsigned)geteuid());
	for (struct dirent *entry; named && (entry = readdir(dir));) {
		struct err here = { 0 };
		char *local = mem_print("%s/%s", tmpdir, entry->d_name);
		bool meant = run_id ? strcmp(local, only) == 0 :
				      strncmp(local, all, strlen(all)) == 0;
		if (meant && sis_host_is_ours(local) &&
		    collect_local(done, local, NULL, &here) != 0 &&
		    rc == 0)
			rc = err_fail(err, "%s", here.text);
		free(local);
	}
	closedir(dir);
	free(only);
	free(all);
	return rc;
}

void collected_release(collected_runs *done)
{
	for (size_t i = 0; i < done->n; i++)
		free(done->at[i].experiment);
	vec_free(done);
}
