/* SPDX-License-Identifier: BSD-3-Clause */
/* file.c - opens files for reading. It has no state; any thread may call it.
 *
 * A FIFO, socket or device with the name of an experiment's file is never opened. If no other
 * program has opened a FIFO for writing, opening it waits. If a writer waits for a reader, opening
 * the FIFO lets the writer continue, and the writer gets SIGPIPE when the FIFO is closed. Opening
 * some devices changes their state. So the type is checked before the file is opened. The type is
 * checked again afterwards, because another file may have got the name meanwhile. In this case,
 * O_NONBLOCK keeps open from waiting. The flag is removed afterwards, because a file system with a
 * tape archive may answer reads of a non-blocking descriptor with EAGAIN. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static int fail(const char *path, struct err *err)
{
	return err_fail(err, "cannot open '%s': %s; check the name and its permissions", path,
			strerror(errno));
}

static int check_kind(const char *path, const struct stat *st, struct err *err)
{
	mode_t mode = st->st_mode;
	if (S_ISREG(mode))
		return 0;
	const char *kind = S_ISDIR(mode)                    ? "a directory"
			   : S_ISFIFO(mode)                 ? "a FIFO"
			   : S_ISSOCK(mode)                 ? "a socket"
			   : S_ISCHR(mode) || S_ISBLK(mode) ? "a device"
							    : "of an unknown type";
	return err_fail(err, "cannot open '%s': it is %s, not a regular file; remove it, or name "
			"another", path, kind);
}

int file_open(const char *path, struct stat *st, struct err *err)
{
	struct stat own;
	st = st ? st : &own;
	if (stat(path, st) != 0)
		return fail(path, err);
	if (check_kind(path, st, err))
		return ERR_FAILED;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return fail(path, err);
	bool failed = fstat(fd, st) != 0 || fcntl(fd, F_SETFL, 0) != 0;
	int rc = failed ? fail(path, err) : check_kind(path, st, err);
	if (rc)
		close(fd);
	return rc ? rc : fd;
}

int file_check(const char *path, struct err *err)
{
	struct stat st;
	return stat(path, &st) == 0 ? check_kind(path, &st, err) : 0;
}
