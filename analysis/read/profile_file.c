/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_file.c - reads a profile file into memory, only the bytes in use. One thread a profile.
 *
 * The runtime creates the file, allocates zeros, and writes the header (rtlib/profile/store.c).
 * A process that is killed in between leaves an unwritten file. That is no damage: nothing was
 * measured yet.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "read/profile_read.h"

/* The bytes in use, as the header says. What follows them is the runtime's reserve, which may be
 * large. */
static size_t used_size(int fd, size_t size)
{
	struct sis_profile_header head;
	if (pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head ||
	    head.endian != SIS_PROFILE_ENDIAN)
		return size < SIS_PAGE ? size : SIS_PAGE;
	return head.size < size ? head.size > SIS_PAGE ? head.size : SIS_PAGE : size;
}

static bool is_zero(const unsigned char *bytes, size_t size)
{
	return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* Whether all bytes are zero. */
static bool is_zero_from(int fd, off_t at)
{
	unsigned char bytes[16 * SIS_PAGE];
	ssize_t n;
	while ((n = pread(fd, bytes, sizeof bytes, at)) > 0 && is_zero(bytes, n))
		at += n;
	return n == 0;
}

/* Whether the header is incomplete: a file system may have kept only a part of it. The id of the
 * run is near its end. */
static bool is_half_header(const unsigned char *page, size_t size)
{
	struct sis_profile_header head;
	size_t seen = size < sizeof head.magic ? size : sizeof head.magic;
	if (memcmp(page, SIS_PROFILE_MAGIC, seen) != 0)
		return false;
	memcpy(&head, page, sizeof head);
	return size < SIS_PAGE || (head.run_id[0] == 0 && head.state == SIS_STATE_RUNNING);
}

static bool is_unwritten(int fd)
{
	unsigned char page[SIS_PAGE] = { 0 };
	ssize_t n = pread(fd, page, sizeof page, 0);
	return n >= 0 && (is_zero(page, n) || is_half_header(page, n)) && is_zero_from(fd, n);
}

int profile_read(struct profile *profile, const char *path, struct err *err)
{
	struct stat st;
	unsigned char *bytes = NULL;
	size_t size = 0;
	int fd = file_open(path, &st, err);
	if (fd < 0)
		return fd;
	if (is_unwritten(fd)) {
		close(fd);
		return PROFILE_UNWRITTEN;
	}
	size = used_size(fd, st.st_size);
	size = size < (size_t)st.st_size ? size : (size_t)st.st_size;
	bytes = mem_alloc(size, 1);
	for (size_t at = 0; at < size;) {
		ssize_t n = pread(fd, bytes + at, size - at, at);
		if (n < 0 && errno != EINTR)
			goto failed;
		if (n == 0)
			size = at;
		at += n > 0 ? n : 0;
	}
	close(fd);
	return profile_parse(profile, path, bytes, size, err);
failed:
	err_fail(err, "cannot read '%s': %s; check the file and its permissions", path,
		 strerror(errno));
	free(bytes);
	close(fd);
	return ERR_FAILED;
}
