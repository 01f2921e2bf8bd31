/* SPDX-License-Identifier: BSD-3-Clause */
/* host_file.c - see host_file.h. The runtime calls this at the end of a process, the analyzer in
 * `collect` and when it reads host files. One thread uses a file at a time. It allocates no memory,
 * because the process may be out of it. */
#include "host_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile.h"

_Static_assert(sizeof(struct sis_host_entry) <= SIS_PAGE, "an entry fits its page");

enum { PIECE = SIS_PAGE }; /* it is on the stack of a thread that may have a small one */

static uint64_t round_up(uint64_t bytes) { return (bytes + SIS_PAGE - 1) / SIS_PAGE * SIS_PAGE; }

/* Reads `length` bytes. Returns 0 or an errno. */
static int read_at(int fd, char *to, size_t length, uint64_t offset)
{
	for (size_t done = 0; done < length;) {
		ssize_t n = pread(fd, to + done, length - done, (off_t)(offset + done));
		if (n == 0)
			return EIO;
		if (n < 0 && errno != EINTR)
			return errno;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int write_at(int fd, const char *from, size_t length, uint64_t offset)
{
	for (size_t done = 0; done < length;) {
		ssize_t n = pwrite(fd, from + done, length - done, (off_t)(offset + done));
		if (n == 0)
			return ENOSPC;
		if (n < 0 && errno != EINTR)
			return errno;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* Goes through `size` bytes of a file, and computes their checksum. If `to` is a descriptor, also
 * copies them there. Large parts of profiles are zeros, which are not written. */
static int walk(int fd, uint64_t offset, uint64_t size, int to, uint64_t to_offset, uint64_t *sum)
{
	static const char zeros[PIECE];
	char piece[PIECE];
	int failed = 0;
	*sum = 0;
	for (uint64_t done = 0; done < size && !failed; done += PIECE) {
		size_t length = size - done < PIECE ? (size_t)(size - done) : PIECE;
		failed = read_at(fd, piece, length, offset + done);
		if (!failed) {
			uint64_t both[] = { *sum, sis_checksum(piece, length) };
			*sum = sis_checksum(both, sizeof both);
		}
		if (!failed && to >= 0 && memcmp(piece, zeros, length) != 0)
			failed = write_at(to, piece, length, to_offset + done);
	}
	return failed;
}

int sis_host_sum(int fd, uint64_t offset, uint64_t size, uint64_t *sum)
{
	return walk(fd, offset, size, -1, 0, sum);
}

static int force(int fd)
{
	return fdatasync(fd) != 0 && errno != EINVAL && errno != EROFS ? errno : 0;
}

/* Fills the entry for a file that will be at `at`. Returns the offset behind the file; UINT64_MAX:
 * the file has no size or too long a name. */
static uint64_t plan(const struct sis_host_new *file, uint64_t at, struct sis_host_entry *entry)
{
	struct stat status;
	*entry = (struct sis_host_entry){ .magic = SIS_HOST_MAGIC,
					  .version = SIS_HOST_VERSION,
					  .endian = SIS_PROFILE_ENDIAN };
	if (strlen(file->name) >= sizeof entry->name || fstat(file->fd, &status) != 0)
		return UINT64_MAX;
	strcpy(entry->name, file->name);
	entry->size = (uint64_t)status.st_size;
	return at + SIS_PAGE + round_up(entry->size);
}

/* Plans all files. Returns the size of the host's file with them; UINT64_MAX: it is not known. */
static uint64_t plan_all(int host, const struct sis_host_new *files, int count, uint64_t *at,
			 struct sis_host_entry *entry)
{
	struct stat status;
	uint64_t end = fstat(host, &status) != 0 || count > SIS_HOST_MOST
			       ? UINT64_MAX : round_up((uint64_t)status.st_size);
	for (int i = 0; i < count && end != UINT64_MAX; i++) {
		at[i] = end;
		end = plan(&files[i], at[i], &entry[i]);
	}
	return end;
}

uint64_t sis_host_size_with(int host, const struct sis_host_new *files, int count)
{
	uint64_t at[SIS_HOST_MOST];
	struct sis_host_entry entry[SIS_HOST_MOST];
	return plan_all(host, files, count, at, entry);
}

/* Compares a copy in the host's file with its original, and then writes its entry. */
static int confirm(int host, uint64_t at, struct sis_host_entry *entry)
{
	uint64_t there;
	int failed = sis_host_sum(host, at + SIS_PAGE, entry->size, &there);
	if (!failed && there != entry->sum)
		failed = EIO;
	entry->checksum = sis_checksum(entry, offsetof(struct sis_host_entry, checksum));
	return failed ? failed : write_at(host, (const char *)entry, sizeof *entry, at);
}

int sis_host_append(int host, const struct sis_host_new *files, int count)
{
	uint64_t at[SIS_HOST_MOST];
	struct sis_host_entry entry[SIS_HOST_MOST];
	struct stat before;
	uint64_t end = plan_all(host, files, count, at, entry);
	int failed = end == UINT64_MAX || fstat(host, &before) != 0 ? EINVAL : 0;
	if (failed)
		return failed;
	for (int i = 0; i < count && !failed; i++)
		failed = walk(files[i].fd, 0, entry[i].size, host, at[i] + SIS_PAGE, &entry[i].sum);
	if (!failed && ftruncate(host, (off_t)end) != 0)
		failed = errno;
	if (!failed)
		failed = force(host); /* some file systems report only now that there is no space */
	for (int i = 0; i < count && !failed; i++)
		failed = confirm(host, at[i], &entry[i]);
	if (!failed)
		failed = force(host);
	if (failed && ftruncate(host, before.st_size) != 0)
		return failed; /* pages without an entry are skipped; a file with one is known */
	return failed;
}

bool sis_host_is_entry(const struct sis_host_entry *entry, uint64_t room)
{
	return memcmp(entry->magic, SIS_HOST_MAGIC, sizeof entry->magic) == 0 &&
	       entry->version == SIS_HOST_VERSION && entry->endian == SIS_PROFILE_ENDIAN &&
	       entry->checksum == sis_checksum(entry, offsetof(struct sis_host_entry, checksum)) &&
	       entry->size <= room && entry->name[0] &&
	       memchr(entry->name, '\0', sizeof entry->name) && !strchr(entry->name, '/');
}

/* -- the directory ----------------------------------------------------------------------------- */

bool sis_host_directory(char *path, size_t size, const char *tmpdir, const char *run_id)
{
	int n = snprintf(path, size, "%s/sis-%u-%016llx", tmpdir, (unsigned)geteuid(),
			 (unsigned long long)sis_checksum(run_id, strlen(run_id)));
	return n < (int)size;
}

bool sis_host_is_ours(const char *directory)
{
	struct stat status;
	return lstat(directory, &status) == 0 && S_ISDIR(status.st_mode) &&
	       status.st_uid == geteuid() && !(status.st_mode & (S_IWGRP | S_IWOTH));
}
