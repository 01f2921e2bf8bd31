/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_map.c - keeps the perf map of the process: /tmp/perf-PID.map, into which interpreters and
 * compilers in a program write where the functions that they generate are. Called by the thread
 * that ends the samples.
 *
 * The map is copied at the end of the process, because it may be removed later, and a later process
 * may get the same number. A file that another user made, or that is older than the process, is of
 * another process. Only system calls are used, because the program may replace libc's functions.
 * LIMIT: the map of a process that is killed is lost, and so are the names of its functions.
 * LIMIT: a forked child that does not write a map of its own has no names.
 */
#include "output/profile/store.h"
#include "blame/stacks/perf_map.h"
#include "blame/stacks/stacks_file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_BYTES (64ull << 20)
/* The time of a file may be a tick of the kernel early, and the profile may begin after the map. */
#define EARLY_NS 1000000000ull

static bool is_mine(const struct stat *status)
{
	uint64_t written = (uint64_t)status->st_mtim.tv_sec * 1000000000u +
			   (uint64_t)status->st_mtim.tv_nsec;
	return S_ISREG(status->st_mode) && status->st_uid == geteuid() &&
	       written + EARLY_NS >= sis__stacks_header()->start.realtime_ns;
}

static void copy_map(int fd, uint64_t bytes)
{
	struct sis_chunk *chunk = sis__stacks_chunk(SIS_CHUNK_PERF_MAP, bytes);
	long n = chunk ? 1 : 0;
	for (; n > 0 && chunk->used < bytes; chunk->used += n > 0 ? (uint64_t)n : 0)
		n = syscall(SYS_read, fd, (char *)sis__payload(chunk) + chunk->used,
			    bytes - chunk->used);
}

void sis__perf_map_keep(void)
{
	char path[32];
	struct stat status;
	snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
	long fd = syscall(SYS_openat, AT_FDCWD, path,
			  O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return;
	if (fstat((int)fd, &status) == 0 && is_mine(&status) && status.st_size > 0) {
		if ((uint64_t)status.st_size <= MOST_BYTES)
			copy_map((int)fd, (uint64_t)status.st_size);
		else
			sis__stacks_text("warning", "the perf map of generated functions has more "
					 "than 64 MiB; these functions are not named");
	}
	syscall(SYS_close, fd);
}
