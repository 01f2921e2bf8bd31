/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_file.c - reads the bytes in use of a profile file into memory. One thread reads a
 * profile.
 *
 * The process may still run. Then the file is mapped into the memory of the process, and changes
 * while it is read.
 *
 * The runtime creates the file, allocates zeros, and writes the header
 * (rtlib/output/profile/store.c). A process that is killed before it has written the header leaves
 * an unwritten file. This is no damage, because nothing was measured yet. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "experiment/read/run_paths.h"
#include "experiment/read/profile_read.h"

/* The number of bytes in use, from the header in the first page. The bytes after them are the
 * runtime's reserve, which may be large. */
static size_t used_size(const unsigned char *page, size_t page_bytes, size_t size)
{
	struct sis_profile_header head;
	if (page_bytes < sizeof head)
		return page_bytes;
	memcpy(&head, page, sizeof head);
	if (head.endian != SIS_PROFILE_ENDIAN)
		return page_bytes;
	return head.size < size ? head.size > SIS_PAGE ? head.size : SIS_PAGE : size;
}

static bool is_zero(const unsigned char *bytes, size_t size)
{
	return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* Whether all bytes of the file from `at` on are zero. */
static bool is_zero_from(int fd, off_t at)
{
	unsigned char bytes[16 * SIS_PAGE];
	ssize_t n;
	while ((n = pread(fd, bytes, sizeof bytes, at)) > 0 && is_zero(bytes, n))
		at += n;
	return n == 0;
}

/* Whether the header is missing or incomplete: a file system may have kept only a part of it. A
 * header with the id of the run is complete, because the id is near the header's end. */
static bool is_unwritten(int fd)
{
	unsigned char page[SIS_PAGE] = { 0 };
	struct sis_profile_header head;
	ssize_t n = pread(fd, page, sizeof page, 0);
	if (n < 0)
		return false;
	size_t size = (size_t)n, seen = size < sizeof head.magic ? size : sizeof head.magic;
	memcpy(&head, page, sizeof head);
	bool half = memcmp(page, SIS_PROFILE_MAGIC, seen) == 0 &&
		(size < SIS_PAGE || (head.run_id[0] == 0 && head.state == SIS_STATE_RUNNING));
	return (is_zero(page, size) || half) && is_zero_from(fd, n);
}

/* -- copies of a file that changes ------------------------------------------------------------- */

/* Reads up to `size` bytes at an offset of the file. Returns their number, or -1 if the file cannot
 * be read. */
static ssize_t read_at(int fd, unsigned char *bytes, size_t size, size_t offset)
{
	size_t done = 0;
	while (done < size) {
		ssize_t n = pread(fd, bytes + done, size - done, (off_t)(offset + done));
		if (n < 0 && errno != EINTR)
			return -1;
		if (n == 0)
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	return (ssize_t)done;
}

/* Gets the chunk at *at, and advances *at to the next one. Returns false if there is no complete
 * chunk. */
static bool next_chunk(const unsigned char *bytes, size_t size, size_t *at, struct sis_chunk *chunk,
		       size_t *payload)
{
	if (size - *at < sizeof *chunk)
		return false;
	memcpy(chunk, bytes + *at, sizeof *chunk);
	if (chunk->magic != SIS_CHUNK_MAGIC || chunk->size < sizeof *chunk ||
	    chunk->size > size - *at)
		return false;
	*payload = *at + sizeof *chunk;
	*at += chunk->size;
	return true;
}

/* Whether a thread has passed a probe since the copy was made. */
static bool has_moved(int fd, const unsigned char *bytes, size_t size)
{
	struct sis_profile_thread copy, now;
	struct sis_chunk chunk;
	for (size_t at = SIS_PAGE, payload; next_chunk(bytes, size, &at, &chunk, &payload);) {
		if (chunk.kind != SIS_CHUNK_THREAD || chunk.size < sizeof chunk + sizeof copy)
			continue;
		memcpy(&copy, bytes + payload, sizeof copy);
		if (read_at(fd, (unsigned char *)&now, sizeof now, payload) == sizeof now &&
		    (now.current != copy.current || now.stamp != copy.stamp))
			return true;
	}
	return false;
}

/* Makes the copy of a running process's file consistent, so that it shows one moment. If threads
 * have passed probes while the file was copied, the chunks that probes change are copied again.
 * Records are only appended, so they need no second copy.
 * LIMIT: if a thread passes probes all the time, its chunks are copied at different moments. For
 * the time that the copying takes, its open activations may then count twice or not at all. */
static void settle(int fd, unsigned char *bytes, size_t size)
{
	enum { TRIES = 3 };
	struct sis_profile_header head;
	memcpy(&head, bytes, sizeof head);
	if (head.state != SIS_STATE_RUNNING || head.endian != SIS_PROFILE_ENDIAN)
		return;
	for (int i = 0; i < TRIES && has_moved(fd, bytes, size); i++) {
		struct sis_chunk chunk;
		for (size_t at = SIS_PAGE, begin = at, payload;
		     next_chunk(bytes, size, &at, &chunk, &payload); begin = at)
			if (chunk.kind != SIS_CHUNK_RECORDS && chunk.kind != SIS_CHUNK_UNIT &&
			    read_at(fd, bytes + begin, chunk.size, begin) != (ssize_t)chunk.size)
				return;
	}
}

/* -- reading a file ---------------------------------------------------------------------------- */

/* Reads the bytes in use into malloc'ed memory. The first page is read only once, so that its
 * header agrees with the size of the copy, even if the process makes the file longer meanwhile. */
static unsigned char *read_used(int fd, size_t file_size, size_t *size)
{
	unsigned char page[SIS_PAGE];
	ssize_t first = read_at(fd, page, sizeof page, 0), rest = 0;
	if (first < 0)
		return NULL;
	*size = used_size(page, first, file_size);
	unsigned char *bytes = mem_alloc(*size > (size_t)first ? *size : (size_t)first, 1);
	memcpy(bytes, page, first);
	if (*size > (size_t)first && first == SIS_PAGE)
		rest = read_at(fd, bytes + first, *size - first, first);
	if (rest < 0) {
		free(bytes);
		return NULL;
	}
	*size = first + rest;
	if (*size >= SIS_PAGE)
		settle(fd, bytes, *size);
	return bytes;
}

int profile_read(struct profile *profile, const char *path, struct err *err)
{
	struct stat st;
	size_t size = 0;
	int fd = run_path_open(path, &st, err);
	if (fd < 0)
		return fd;
	if (is_unwritten(fd)) {
		close(fd);
		return PROFILE_UNWRITTEN;
	}
	unsigned char *bytes = read_used(fd, st.st_size, &size);
	int failure = errno;
	close(fd);
	return bytes ? profile_parse(profile, path, bytes, size, err)
		     : err_fail(err, "cannot read '%s': %s; check the file and its permissions",
				path, strerror(failure));
}
