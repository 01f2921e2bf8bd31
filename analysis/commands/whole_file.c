/* SPDX-License-Identifier: BSD-3-Clause */
/* whole_file.c - writes a file beside its place and then renames it. Owns both names; one thread. */
#include "commands/whole_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

static int cannot_write(const struct whole_file *file, const char *option, int error,
			struct err *err)
{
	return err_fail(err, "cannot write '%s': %s; make room, or choose another place with %s",
			file->path ? file->path : "standard output", strerror(error), option);
}

/* The mode of the file that is replaced, or of a new one. */
static mode_t mode_of(const struct stat *old)
{
	mode_t mask = umask(0);
	umask(mask);
	return old ? old->st_mode & 0777 : 0666 & ~mask;
}

int whole_file_open(struct whole_file *file, const char *path, const char *option, struct err *err)
{
	struct stat st;
	*file = (struct whole_file){ .out = stdout };
	if (strcmp(path, "-") == 0)
		return 0;
	bool exists = stat(path, &st) == 0;
	char *itself = exists ? realpath(path, NULL) : NULL;
	file->path = itself ? itself : mem_string(path);
	if (exists && !S_ISREG(st.st_mode)) {
		file->out = fopen(file->path, "w");
	} else {
		file->temporary = mem_print("%s.XXXXXX", file->path);
		int fd = mkstemp(file->temporary);
		file->out = fd < 0 || fchmod(fd, mode_of(exists ? &st : NULL)) ? NULL :
										 fdopen(fd, "w");
	}
	if (file->out)
		return 0;
	int error = errno;
	cannot_write(file, option, error, err);
	free(file->path), free(file->temporary);
	return ERR_FAILED;
}

int whole_file_close(struct whole_file *file, const char *option, int rc, struct err *err)
{
	if (!file->path)
		return rc;
	errno = 0;
	bool bad = ferror(file->out), unwritten = fclose(file->out) != 0;
	int error = errno ? errno : EIO;
	if (rc == 0 && !bad && !unwritten && file->temporary) {
		bad = rename(file->temporary, file->path) != 0;
		error = errno;
	}
	if (rc == 0 && (bad || unwritten))
		rc = cannot_write(file, option, error, err);
	if (rc && file->temporary)
		unlink(file->temporary);
	free(file->path), free(file->temporary);
	return rc;
}
