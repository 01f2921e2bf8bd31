/* SPDX-License-Identifier: BSD-3-Clause */
/* host_file.h - the files of one host's processes in one file, host-HOST.sis, byte by byte; and the
 * directory of the host in which the processes have their files before.
 *
 * With SIS_TMPDIR a process makes its files in a directory of its host: SIS_TMPDIR/sis-UID-RUN,
 * where RUN is a checksum of the run's name. In this directory, a link `experiment` leads to the
 * experiment. When the files of a process are complete, they are appended to the host's file in the
 * experiment, and then removed: by the process at its end, or by `sis-analyze collect` if the
 * process was killed. A process that appends has a lock (flock) of the host's directory, so there
 * is one writer at a time.
 *
 *      struct sis_host_entry    SIS_PAGE bytes, at a multiple of SIS_PAGE
 *      its file                 `size` bytes, and zeros up to the next multiple of SIS_PAGE
 *      struct sis_host_entry ...
 *
 * An entry is written after its file, which was forced to disk and read back. So an entry with the
 * right checksum is complete. A writer that is killed before this leaves pages without an entry,
 * which readers skip. The writer has not removed the file, so the file is appended again later. If
 * the writer was killed between the entry and the removal, the file is there twice: entries with
 * the same name, size and checksum are the same file. Other entries with the same name are files of
 * different processes, because a host uses the number of a process again.
 * LIMIT: two hosts with the same name of the host write to one file without a common lock. */
#ifndef SIS_SCHEMA_NODE_FILE_H
#define SIS_SCHEMA_NODE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIS_HOST_MAGIC "SISH\r\n\x1a"
#define SIS_HOST_VERSION 1u

struct sis_host_entry {
	char magic[8];       /* SIS_HOST_MAGIC */
	uint32_t version;    /* SIS_HOST_VERSION */
	uint32_t endian;     /* SIS_PROFILE_ENDIAN as the writer stores it */
	uint64_t size;       /* bytes of the file, which follows */
	uint64_t sum;        /* sis_host_sum of these bytes */
	char name[256];      /* name of the file, without a directory */
	uint64_t checksum;   /* checksum of this struct up to here */
};

#pragma GCC visibility push(hidden)

/* The checksum of `size` bytes of a file from `offset`. Returns 0 or an errno. */
int sis_host_sum(int fd, uint64_t offset, uint64_t size, uint64_t *sum);
/* A file that is appended: its name, and a descriptor. */
struct sis_host_new { const char *name; int fd; };
enum { SIS_HOST_MOST = 4 };
/* Appends copies of up to SIS_HOST_MOST files, which are forced to disk together. After a failure
 * the host's file is as before. Returns 0 or an errno. */
int sis_host_append(int host, const struct sis_host_new *files, int count);
/* The bytes that the host's file will have after sis_host_append; UINT64_MAX: not known. */
uint64_t sis_host_size_with(int host, const struct sis_host_new *files, int count);
/* Whether these bytes are an entry whose file is at most `room` bytes long. */
bool sis_host_is_entry(const struct sis_host_entry *entry, uint64_t room);

/* The path of the host's directory for a run; false: it is longer than `size`. */
bool sis_host_directory(char *path, size_t size, const char *tmpdir, const char *run_id);
/* Whether the directory belongs to this user, and nobody else can write to it. All users can make
 * names in SIS_TMPDIR. */
bool sis_host_is_ours(const char *directory);

#pragma GCC visibility pop

#endif
