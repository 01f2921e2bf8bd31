/* SPDX-License-Identifier: BSD-3-Clause */
/* blocked_call.c - see blocked_call.h. Called by any thread. */
#include "base/blocked_call.h"
#include "base/system_call.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

bool sis__blocked_call(uint32_t tid, char *line, size_t size)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/task/%u/syscall", tid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : sis__read(fd, line, size - 1);
	if (fd >= 0)
		close(fd);
	line[n < 0 ? 0 : n] = '\0';
	return n > 0 && strncmp(line, "running", 7) != 0;
}

bool sis__may_block(const struct stat *status)
{
	enum { MEMORY_DEVICES = 1 }; /* major number: /dev/zero, /dev/urandom ... */
	if (S_ISREG(status->st_mode) || S_ISDIR(status->st_mode) || S_ISBLK(status->st_mode))
		return false;
	return !S_ISCHR(status->st_mode) || major(status->st_rdev) != MEMORY_DEVICES;
}
