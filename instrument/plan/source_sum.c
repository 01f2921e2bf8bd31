/* SPDX-License-Identifier: BSD-3-Clause */
/* source_sum.c - reads a source file for its checksum. In libsis-instrument, called by idf.c.
 * The idea: #line may name any file, so only regular files are read. */
#include "plan/source_sum.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base.h"
#include "source_checksum.h"

/* Computes the checksum. Returns false if the file cannot be read, or is larger than a source may
 * be. */
static bool sum_bytes(int file, uint64_t *sum)
{
	char block[65536];
	int64_t length = 0;
	*sum = SIS_FNV_START;
	for (;;) {
		ssize_t n = read(file, block, sizeof block);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || (length += n) > SIS_SOURCE_MOST_BYTES)
			return n == 0;
		*sum = sis_fnv(*sum, block, n);
	}
}

char *sis_source_sum(const char *directory, const char *file)
{
	uint64_t sum;
	bool beside = directory[0] && file[0] != '/';
	char *path = mem_print("%s%s%s", beside ? directory : "", beside ? "/" : "", file);
	int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	bool known = descriptor >= 0 && fstat(descriptor, &st) == 0 && S_ISREG(st.st_mode) &&
		     st.st_size <= SIS_SOURCE_MOST_BYTES && sum_bytes(descriptor, &sum);
	if (descriptor >= 0)
		close(descriptor);
	free(path);
	return known ? mem_print("%016llx", (unsigned long long)sum) : mem_print("%s", "");
}
