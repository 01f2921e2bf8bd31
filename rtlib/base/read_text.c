/* SPDX-License-Identifier: BSD-3-Clause */
/* read_text.c - small text files of the kernel. Any thread; sis__processor_text at the start only.
 * System calls, because the functions of libc are points at which a thread can be cancelled.
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

/* The beginning of /proc/cpuinfo. Read once: the kernel takes 40 us to make it. */
const char *sis__processor_text(void)
{
	static char text[4096];
	if (!text[0])
		sis__read_file("/proc/cpuinfo", text, sizeof text);
	return text;
}
