/* SPDX-License-Identifier: BSD-3-Clause */
/* temporary_directory.c - makes the temporary directory, and removes directories of processes that
 * were killed. Called by temporary.c.
 * The idea: the kernel releases a lock when its process ends, so a directory without a lock is
 * stale.
 *
 *     /tmp/sisc-1000/                  of user 1000 alone; exists while it has entries
 *         3f2a9c1e-77b0-Ab12Cd/        of one process, which holds flock() on it
 *         3f2a9c1e-77b0-x81Kqz/        the number is that of the boot
 *
 * Because of the parent, sisc need not scan all of /tmp. The number of the boot protects
 * directories of other hosts that share the file system, because locks of other hosts may be
 * invisible here. LIMIT: a directory that was left before the last boot stays. */
#include "driver/temporary_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100 };   /* one fails only if another process ends at that moment */
enum { DEEPEST = 16 };     /* directories below a temporary directory; ours have one level */
enum { BOOT_DIGITS = 13 }; /* of the kernel's UUID: 48 bits */

/* -- stale directories ------------------------------------------------------------------------- */

/* Removes everything in the open directory, and closes it. */
static void empty(int directory, int depth)
{
	DIR *all = fdopendir(directory);
	if (!all) {
		close(directory);
		return;
	}
	for (struct dirent *entry; (entry = readdir(all));) {
		const char *name = entry->d_name;
		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
		    unlinkat(directory, name, 0) == 0)
			continue;
		int inner =
			openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (inner >= 0 && depth < DEEPEST)
			empty(inner, depth + 1);
		else if (inner >= 0)
			close(inner);
		unlinkat(directory, name, AT_REMOVEDIR);
	}
	closedir(all);
}

/* Removes a directory if no process holds its lock. The lock is held until the directory is
 * removed. So a process that has just made the directory notices the removal when it gets the
 * lock. */
static void remove_if_stale(int parent, const char *name)
{
	int lock = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (lock < 0)
		return;
	if (flock(lock, LOCK_EX | LOCK_NB) == 0) {
		int contents = openat(lock, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (contents >= 0)
			empty(contents, 0);
		unlinkat(parent, name, AT_REMOVEDIR);
	}
	close(lock);
}

/* -- a directory of our own -------------------------------------------------------------------- */

/* Whether the parent exists, is no link, and no other user can change what is in it. */
static bool make_parent(const char *parent)
{
	struct stat status;
	if (mkdir(parent, 0700) < 0 && errno != EEXIST)
		return false;
	return lstat(parent, &status) == 0 && S_ISDIR(status.st_mode) &&
	       status.st_uid == geteuid() && (status.st_mode & 077) == 0;
}

/* Locks the directory until the process ends; the file descriptor stays open. Returns false if the
 * directory is being removed. If the file system has no locks, the result is true, because then
 * other processes cannot remove the directory as stale. */
static bool lock(const char *name)
{
	struct stat opened, named;
	int directory = open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (directory < 0)
		return false;
	bool busy = flock(directory, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;
	if (!busy && fstat(directory, &opened) == 0 && stat(name, &named) == 0 &&
	    opened.st_dev == named.st_dev && opened.st_ino == named.st_ino)
		return true;
	close(directory);
	return false;
}

/* Makes a locked directory in the parent. Another process may remove the parent whenever it is
 * empty, so there are several attempts. Returns NULL if all fail. */
static char *make_locked(const char *parent, const char *boot)
{
	for (int i = 0; i < ATTEMPTS && make_parent(parent); i++) {
		char *name = mem_print("%s/%s-XXXXXX", parent, boot);
		if (mkdtemp(name) && lock(name))
			return name;
		rmdir(name);
		free(name);
	}
	return NULL;
}

/* -- where ------------------------------------------------------------------------------------- */

static bool make_in(struct temporary_directory *out, const char *where)
{
	char boot[BOOT_DIGITS + 1] = "";
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	bool known = file && fread(boot, 1, BOOT_DIGITS, file) == BOOT_DIGITS;
	if (file)
		fclose(file);
	char *parent = mem_print("%s/sisc-%lu", where, (unsigned long)geteuid());
	out->name = known ? make_locked(parent, boot) : NULL;
	if (out->name) {
		out->parent = parent;
		DIR *all = opendir(parent);
		for (struct dirent *entry; all && (entry = readdir(all));)
			if (sis_starts(entry->d_name, boot))
				remove_if_stale(dirfd(all), entry->d_name);
		if (all)
			closedir(all);
		return true;
	}
	free(parent);
	out->name = mem_print("%s/sisc-XXXXXX", where);
	if (mkdtemp(out->name))
		return true;
	free(out->name);
	return false;
}

/* The order of the choices is GCC's. */
int sis_temporary_directory_make(struct temporary_directory *out, struct err *err)
{
	const char *const choices[] = { getenv("TMPDIR"), getenv("TMP"), getenv("TEMP"), P_tmpdir,
					"/var/tmp",       "/usr/tmp",    "/tmp",         "." };
	*out = (struct temporary_directory){ 0 };
	/* The name must be usable in words of a command: in GCC's -fdebug-prefix-map= it would end
	 * at `=`. */
	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
		if (choices[i] && *choices[i] && !strpbrk(choices[i], "= ") &&
		    make_in(out, choices[i]))
			return 0;
	return err_fail(
		err, "cannot make a temporary directory: %s; set TMPDIR to one that can be written",
		strerror(errno));
}
