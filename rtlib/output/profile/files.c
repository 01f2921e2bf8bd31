/* SPDX-License-Identifier: BSD-3-Clause */
/* files.c - the files that a process writes to. It can open them again even if the program changes
 * its rights, directories and descriptors. Called by any thread. A caller that creates, opens or
 * forgets a file holds the lock of the file's user (the store, the trace).
 *
 * No descriptor is kept open, since programs close descriptors and count them. Instead, a file is
 * opened again by its path. This needs rights, the root directory and a free descriptor. Before a
 * program gives up one of these (sandbox.c), the runtime opens the files and keeps one descriptor
 * for each, with a high number. A file that was opened by its path, or is found by this number, is
 * used only if it is still the file that the runtime has created.
 */
#include "base/lock.h"
#include "base/state.h"
#include "output/profile/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FAR_UP = 1000, STANDARD = 3 };

static struct file {
	char path[PATH_MAX]; /* "": there is no file */
	dev_t device;        /* device and inode: its identity */
	ino_t inode;
	int kept;            /* a descriptor that is kept open; 0: none */
} files[SIS_FILES];

/* -- new ones ---------------------------------------------------------------------------------- */

/* If a program has closed its standard input, output or error, a new file must not get that number:
 * the program would print into it. */
static int away_from_standard(int fd)
{
	if (fd < 0 || fd >= STANDARD)
		return fd;
	int away = fcntl(fd, F_DUPFD_CLOEXEC, STANDARD);
	int saved = errno;
	close(fd);
	errno = saved;
	return away;
}

int sis__file_make(const char *path)
{
	int fd = away_from_standard(open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
	if (fd < 0)
		return -errno;
	/* with the program's umask, the owner of the file may be unable to open it */
	const mode_t rights = S_IRUSR | S_IWUSR;
	struct stat status;
	if (fstat(fd, &status) == 0 && (status.st_mode & rights) != rights)
		fchmod(fd, (status.st_mode | rights) & 0777);
	return fd;
}

int sis__file_make_directory(const char *path)
{
	struct stat status;
	if (mkdir(path, 0777) != 0)
		return -errno;
	if (stat(path, &status) == 0 && (status.st_mode & S_IRWXU) != S_IRWXU)
		chmod(path, (status.st_mode | S_IRWXU) & 0777);
	return 0;
}

/* -- the process's own ------------------------------------------------------------------------- */

static bool is_it(int fd, const struct file *file)
{
	struct stat status;
	return fstat(fd, &status) == 0 && status.st_dev == file->device &&
	       status.st_ino == file->inode;
}

int sis__file_create(enum sis_file which, const char *path)
{
	struct file *file = &files[which];
	struct stat status;
	file->path[0] = '\0';
	file->kept = 0;
	if (strlen(path) >= sizeof file->path)
		return -ENAMETOOLONG;
	int fd = sis__file_make(path);
	if (fd < 0)
		return fd;
	if (fstat(fd, &status) != 0) {
		int failed = -errno;
		close(fd);
		unlink(path);
		return failed;
	}
	file->device = status.st_dev;
	file->inode = status.st_ino;
	strcpy(file->path, path);
	return fd;
}

const char *sis__file_path(enum sis_file which)
{
	return files[which].path;
}

int sis__file_open(enum sis_file which)
{
	struct file *file = &files[which];
	int kept = __atomic_load_n(&file->kept, __ATOMIC_RELAXED);
	if (!file->path[0])
		return -ENOENT;
	if (kept && is_it(kept, file))
		return kept;
	int fd = away_from_standard(open(file->path, O_RDWR | O_CLOEXEC));
	if (fd < 0)
		return -errno;
	if (is_it(fd, file))
		return fd;
	close(fd);
	return -ENOENT;
}

void sis__file_close(int fd)
{
	for (int i = 0; i < SIS_FILES; i++)
		if (fd == __atomic_load_n(&files[i].kept, __ATOMIC_RELAXED))
			return;
	close(fd);
}

void sis__file_forget(enum sis_file which)
{
	struct file *file = &files[which];
	if (file->kept && is_it(file->kept, file))
		close(file->kept);
	file->kept = 0;
	file->path[0] = '\0';
}

void sis__file_remove(enum sis_file which)
{
	if (files[which].path[0])
		unlink(files[which].path);
}

/* -- before they cannot be opened any more ----------------------------------------------------- */

void sis__files_keep(void)
{
	static struct sis_lock lock;
	int saved = errno;
	if (sis__in_this_process() && sis__store_is_live() && sis__lock(&lock)) {
		for (struct file *file = files; file < files + SIS_FILES; file++) {
			int fd = file->path[0] && !file->kept
					 ? open(file->path, O_RDWR | O_CLOEXEC) : -1;
			if (fd < 0)
				continue;
			int up = is_it(fd, file) ? fcntl(fd, F_DUPFD_CLOEXEC, FAR_UP) : -1;
			if (up < 0 && is_it(fd, file))
				up = fcntl(fd, F_DUPFD_CLOEXEC, STANDARD);
			close(fd);
			__atomic_store_n(&file->kept, up < 0 ? 0 : up, __ATOMIC_RELAXED);
		}
		sis__unlock(&lock);
	}
	errno = saved;
}
