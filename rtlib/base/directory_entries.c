/* SPDX-License-Identifier: BSD-3-Clause */
/* directory_entries.c - see directory_entries.h. Called by any thread. */
#include "base/directory_entries.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The format in which the kernel writes entries. */
struct entry { uint64_t inode; int64_t next; uint16_t length; uint8_t type; char name[]; };

void sis__each_entry(const char *path, bool (*each)(const char *name, void *data), void *data)
{
	_Alignas(struct entry) char buffer[2048];
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool goes_on = fd >= 0;
	long bytes;
	while (goes_on && (bytes = syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0)
		for (long at = 0; goes_on && at < bytes;) {
			const struct entry *entry = (const void *)(buffer + at);
			goes_on = each(entry->name, data);
			at += entry->length;
		}
	if (fd >= 0)
		close(fd);
}
