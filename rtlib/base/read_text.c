/* SPDX-License-Identifier: BSD-3-Clause */
/* read_text.c - small text files of the kernel. Called by any thread; sis__processor_text at the
 * start only. Uses system calls, because a thread can be cancelled in libc's functions.
 */
#include "base/read_text.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

size_t sis__read_file(const char *path, char *text, size_t size)
{
	size_t length = 0;
	long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	for (long n = 1; fd >= 0 && n > 0 && length < size - 1; length += n > 0 ? (size_t)n : 0)
		n = syscall(SYS_read, fd, text + length, size - 1 - length);
	if (fd >= 0)
		syscall(SYS_close, fd);
	text[length] = '\0';
	return length;
}

/* The file is read once, because the kernel takes 40 us to make its text. */
const char *sis__processor_text(void)
{
	static char text[4096];
	if (!text[0])
		sis__read_file("/proc/cpuinfo", text, sizeof text);
	return text;
}
