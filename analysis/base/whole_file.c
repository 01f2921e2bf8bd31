/* SPDX-License-Identifier: BSD-3-Clause */
/* whole_file.c - writes a new file beside the one that it replaces, and then renames the new one.
 * struct whole_file owns both names. One thread uses it. */
#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/links.h"
#include "base/mem.h"
#include "base/stream.h"

static int cannot_write(const struct whole_file *file, const char *option, int error,
			struct err *err)
{
	return err_fail(err, "cannot write '%s': %s; make room, or choose another place with %s",
			file->name, strerror(error), option);
}

/* Opens a device or pipe, which is written directly. A regular file may have got the name
 * meanwhile, so no file is truncated or created. */
static int open_device(const char *path)
{
	struct stat st;
	int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) != 0 || S_ISREG(st.st_mode))) {
		close(fd);
		errno = EBUSY;
		return -1;
	}
	return fd;
}

/* Creates the new file. If the directory cannot be written, an existing file is opened instead, and
 * written directly. */
static int open_beside(struct whole_file *file)
{
	struct stat st;
	bool exists = lstat(file->path, &st) == 0;
	file->temporary = mem_print("%s.XXXXXX", file->path);
	int fd = mkostemp(file->temporary, O_CLOEXEC);
	if (fd >= 0) {
		mode_t mask = umask(0);
		umask(mask);
		fchmod(fd, exists ? st.st_mode & 0777 : 0666 & ~mask);
		return fd;
	}
	free(file->temporary);
	file->temporary = NULL;
	return exists && errno == EACCES ?
		open(file->path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC) :
		-1;
}

int whole_file_open(struct whole_file *file, const char *path, const char *option, struct err *err)
{
	struct stat st;
	*file = (struct whole_file){ .name = path, .out = stdout };
	if (!path || strcmp(path, "-") == 0)
		return 0;
	file->path = links_follow(path, err);
	if (!file->path)
		return ERR_FAILED;
	bool is_device = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
	int fd = is_device ? open_device(path) : open_beside(file);
	file->out = fd < 0 ? NULL : fdopen(fd, "w");
	if (file->out)
		return 0;
	cannot_write(file, option, errno, err);
	free(file->path), free(file->temporary);
	return ERR_FAILED;
}

int whole_file_close(struct whole_file *file, const char *option, int rc, struct err *err)
{
	if (!file->path)
		return rc;
	int error = stream_failure(file->out);
	if (fclose(file->out) != 0 && !error)
		error = errno;
	if (rc == 0 && !error && file->temporary && rename(file->temporary, file->path) != 0)
		error = errno;
	if (rc == 0 && error)
		rc = cannot_write(file, option, error, err);
	if (rc && file->temporary)
		unlink(file->temporary);
	free(file->path), free(file->temporary);
	return rc;
}
