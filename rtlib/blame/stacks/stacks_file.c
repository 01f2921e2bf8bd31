/* SPDX-License-Identifier: BSD-3-Clause */
/* stacks_file.c - the file of samples. The thread that opens the profile makes the file. Threads
 * that begin, and the sampler, add chunks. The thread that ends the process seals the file.
 *
 * Chunks are mapped one after the other in a range of addresses (output/profile/range.h). So an
 * offset in the file is the distance from the begin of the range. Chunks get their room on the disk
 * when they are made (posix_fallocate), because a store into the mapping of a full disk would fail.
 */
#include "base/config.h"
#include "base/lock.h"
#include "output/profile/files.h"
#include "output/profile/range.h"
#include "output/profile/store.h"
#include "output/profile/text.h"
#include "output/run/directory.h"
#include "blame/stacks/stacks_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { NAMES = 1000, TEXT_BYTES = SIS_PAGE - sizeof(struct sis_chunk) };
#define RESERVE (64ull << 20)
#define AHEAD (16ull << 20) /* the range grows by more than is needed, to grow less often */
#define RESERVE_ALONE (256ull << 20)
#define MOST_BYTES (1ull << 30)

static struct sis_lock lock;
static char *base;          /* begin of the mapping; NULL: no file */
static uint64_t reserved;   /* bytes of the range of addresses */
static struct sis_chunk *texts;
/* errno of a failure to extend the file; written under the lock, read when nobody adds chunks */
static int cannot_extend;

struct sis_stacks_header *sis__stacks_header(void)
{
	return (struct sis_stacks_header *)base;
}

/* -- growing ----------------------------------------------------------------------------------- */

/* Extends the file, and maps the new bytes at their offset in the range. */
static int extend(uint64_t from, uint64_t bytes)
{
	if (from + bytes > MOST_BYTES)
		return -EFBIG;
	if (from + bytes > reserved && !sis__range_extend(base, &reserved, from + bytes + AHEAD) &&
	    !sis__range_extend(base, &reserved, from + bytes))
		return -ENOMEM;
	if (!sis__store_allows(from + bytes))
		return -EFBIG;
	int fd = sis__file_open(SIS_FILE_STACKS);
	if (fd < 0)
		return fd;
	int failed = posix_fallocate(fd, (off_t)from, (off_t)bytes);
	if (!failed && mmap(base + from, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
			    (off_t)from) == MAP_FAILED)
		failed = errno;
	sis__file_close(fd);
	if (!failed) /* makes the pages now, so that the first stores are fast; may fail */
		madvise(base + from, bytes, MADV_POPULATE_WRITE);
	return -failed;
}

static struct sis_chunk *add_chunk(uint32_t kind, uint64_t bytes)
{
	struct sis_stacks_header *header = sis__stacks_header();
	uint64_t from = header->size;
	int failed = extend(from, bytes);
	if (failed) {
		cannot_extend = -failed;
		return NULL;
	}
	struct sis_chunk *chunk = (struct sis_chunk *)(base + from);
	chunk->kind = kind;
	chunk->size = bytes;
	chunk->slot = SIS_NO_SLOT;
	/* the magic is stored last: a reader of the file ends at a chunk without it */
	__atomic_store_n(&chunk->magic, SIS_CHUNK_MAGIC, __ATOMIC_RELEASE);
	header->size = from + bytes;
	return chunk;
}

struct sis_chunk *sis__stacks_chunk(uint32_t kind, uint64_t payload_bytes)
{
	uint64_t bytes = (payload_bytes + sizeof(struct sis_chunk) + SIS_PAGE - 1) / SIS_PAGE *
			 SIS_PAGE;
	if (!base || sis__is_confined() || !sis__lock(&lock))
		return NULL;
	struct sis_chunk *chunk = add_chunk(kind, bytes);
	sis__unlock(&lock);
	return chunk;
}

void *sis__stacks_place(struct sis_chunk **filling, uint32_t kind, uint64_t bytes, uint64_t size)
{
	struct sis_chunk *chunk = *filling;
	if (!chunk || chunk->size - sizeof *chunk - chunk->used < bytes)
		chunk = sis__stacks_chunk(kind, bytes < size ? size : bytes);
	if (!chunk)
		return NULL;
	*filling = chunk;
	return (char *)sis__payload(chunk) + chunk->used;
}

uint64_t sis__stacks_offset(const void *address)
{
	return address && base ? (uint64_t)((const char *)address - base) : 0;
}

void sis__stacks_text(const char *kind, const char *text)
{
	size_t bytes = strlen(kind) + strlen(text) + 2;
	char *line = sis__stacks_place(&texts, SIS_CHUNK_STACKS_TEXT, bytes, TEXT_BYTES);
	if (!line)
		return;
	snprintf(line, bytes, "%s\t%s", kind, text);
	texts->used += bytes;
}

/* -- the begin --------------------------------------------------------------------------------- */

/* A program that replaced this process by exec may have left a file of the same name. */
static int create(void)
{
	char path[PATH_MAX], again[16] = "";
	int fd = -EEXIST;
	const char *directory = sis__store_directory();
	if (!directory[0])
		return -ENOENT;
	for (int i = 1; i < NAMES && fd == -EEXIST; i++) {
		if (i > 1)
			snprintf(again, sizeof again, "-%d", i);
		int n = snprintf(path, sizeof path, "%s/stacks-%s-%d%s.sis", directory,
				 sis__header()->host, (int)getpid(), again);
		fd = n < (int)sizeof path ? sis__file_create(SIS_FILE_STACKS, path) : -ENAMETOOLONG;
	}
	return fd;
}

int sis__stacks_file_make(const struct sis_stacks_header *from)
{
	const struct sis_profile_header *profile = sis__header();
	int fd = create();
	if (fd < 0)
		return fd;
	sis__file_close(fd);
	reserved = RESERVE;
	base = sis__range_reserve(SIS_RANGE_STACKS, &reserved, RESERVE_ALONE);
	int failed = base ? extend(0, SIS_PAGE) : -ENOMEM;
	if (failed) {
		sis__file_remove(SIS_FILE_STACKS);
		sis__stacks_file_new_process();
		return failed;
	}
	struct sis_stacks_header *header = sis__stacks_header();
	*header = *from;
	header->version = SIS_STACKS_VERSION;
	header->endian = SIS_PROFILE_ENDIAN;
	header->pid = profile->pid;
	header->mpi_rank = profile->mpi_rank;
	header->state = SIS_STATE_RUNNING;
	header->clock = profile->clock;
	header->ticks_per_second = profile->ticks_per_second;
	header->start = profile->start;
	header->size = SIS_PAGE;
	memcpy(header->host, profile->host, sizeof header->host);
	memcpy(header->run_id, profile->run_id, sizeof header->run_id);
	memcpy(header->magic, SIS_STACKS_MAGIC, sizeof header->magic);
	return 0;
}

/* -- the end ----------------------------------------------------------------------------------- */

void sis__stacks_file_seal(const struct sis_time_mark *end)
{
	struct sis_stacks_header *header = sis__stacks_header();
	if (!header)
		return;
	if (cannot_extend)
		sis__warn_unkept(cannot_extend,
				 "cannot extend the samples in '%s': %s; some are missing",
				 sis__store_directory(), strerrordesc_np(cannot_extend));
	for (uint64_t at = SIS_PAGE; at < header->size;) {
		struct sis_chunk *chunk = (struct sis_chunk *)(base + at);
		chunk->checksum = sis_checksum(sis__payload(chunk), chunk->used);
		at += chunk->size;
	}
	header->end = *end;
	header->mpi_rank = sis__header()->mpi_rank;
	header->ticks_per_second = sis__header()->ticks_per_second;
	header->state = SIS_STATE_ENDED;
}

void sis__stacks_file_new_process(void)
{
	if (base)
		munmap(base, reserved);
	base = NULL;
	texts = NULL;
	cannot_extend = 0;
	sis__file_forget(SIS_FILE_STACKS);
}
