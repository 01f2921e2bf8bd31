/* SPDX-License-Identifier: BSD-3-Clause */
/* unify_file.c - the file for all ranks: one process writes its head, and each process its part.
 * Called by the thread that is in MPI_Finalize, or that ends the process.
 *
 * The file is written with pwrite, not with MPI-IO, because parts are written at the end of the
 * process, after MPI_Finalize. Every part is contiguous, begins at a page and has one writer. So
 * collective buffering would have nothing to collect, and no two writers need the same lock of a
 * parallel file system.
 *
 * After the writes comes fdatasync, since some file systems report only then that there is no
 * space. Then the bytes are read back.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/merged_file/unify.h"

static int write_at(int fd, const void *from, uint64_t length, uint64_t offset)
{
	for (uint64_t done = 0; done < length;) {
		ssize_t n = pwrite(fd, (const char *)from + done, length - done,
				   (off_t)(offset + done));
		if (n == 0)
			return ENOSPC;
		if (n < 0 && errno != EINTR)
			return errno;
		done += n > 0 ? (uint64_t)n : 0;
	}
	return 0;
}

static int compare_at(int fd, const void *with, uint64_t length, uint64_t offset)
{
	char there[16 << 10];
	for (uint64_t done = 0; done < length;) {
		uint64_t most = length - done < sizeof there ? length - done : sizeof there;
		ssize_t n = pread(fd, there, most, (off_t)(offset + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || memcmp(there, (const char *)with + done, (size_t)n) != 0)
			return n < 0 ? errno : EIO;
		done += (uint64_t)n;
	}
	return 0;
}

struct piece { const void *at; uint64_t length, offset; };

static int write_pieces(int fd, const struct piece *piece, int count)
{
	int failed = 0;
	for (int i = 0; i < count && !failed; i++)
		failed = write_at(fd, piece[i].at, piece[i].length, piece[i].offset);
	if (!failed && fdatasync(fd) != 0 && errno != EINVAL && errno != EROFS)
		failed = errno;
	for (int i = 0; i < count && !failed; i++)
		failed = compare_at(fd, piece[i].at, piece[i].length, piece[i].offset);
	return failed;
}

int sis__unify_write_head(const char *path, const struct sis_unified_header *header,
			  const struct sis_unified_slot *slot, const void *descriptions)
{
	char aside[4096];
	uint64_t index = header->ranks * sizeof *slot;
	struct piece pieces[] = { { header, sizeof *header, 0 },
				  { slot, index, SIS_PAGE },
				  { descriptions, header->common.used, SIS_PAGE + index } };
	if (snprintf(aside, sizeof aside, "%s.new", path) >= (int)sizeof aside)
		return ENAMETOOLONG;
	int fd = open(aside, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return errno;
	int failed = write_pieces(fd, pieces, sizeof pieces / sizeof *pieces);
	if (!failed && ftruncate(fd, (off_t)header->size) != 0)
		failed = errno;
	if (close(fd) != 0 && !failed)
		failed = errno;
	if (!failed && rename(aside, path) != 0)
		failed = errno;
	if (failed)
		unlink(aside);
	return failed;
}

int sis__unify_write_part(const char *path, uint64_t offset, const struct sis_unified_part *part,
			  const void *bytes)
{
	struct piece pieces[] = { { bytes, part->used, offset + sizeof *part },
				  { part, sizeof *part, offset } };
	int fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return errno;
	/* another run may have replaced the file */
	int failed = compare_at(fd, &part->id, sizeof part->id,
				offsetof(struct sis_unified_header, id)) ? ESTALE : 0;
	if (!failed)
		failed = write_pieces(fd, pieces, sizeof pieces / sizeof *pieces);
	if (close(fd) != 0 && !failed)
		failed = errno;
	return failed;
}
