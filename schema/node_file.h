/* SPDX-License-Identifier: BSD-3-Clause */
/* node_file.h - the files of one node's processes in one file, node-HOST.sis, byte by byte; and the
 * directory of the node in which the processes have their files before.
 *
 * With SIS_TMPDIR a process makes its files in a directory of its node: SIS_TMPDIR/sis-UID-RUN,
 * where RUN is a checksum of the run's name. In this directory, a link `experiment` leads to the
 * experiment. When the files of a process are complete, they are appended to the node's file in the
 * experiment, and then removed: by the process at its end, or by `sis-analyze collect` if the
 * process was killed. A process that appends has a lock (flock) of the node's directory, so there
 * is one writer at a time.
 *
 *      struct sis_node_entry    SIS_PAGE bytes, at a multiple of SIS_PAGE
 *      its file                 `size` bytes, and zeros up to the next multiple of SIS_PAGE
 *      struct sis_node_entry ...
 *
 * An entry is written after its file, which was forced to disk and read back. So an entry with the
 * right checksum is complete. A writer that is killed before this leaves pages without an entry,
 * which readers skip. The writer has not removed the file, so the file is appended again later. If
 * the writer was killed between the entry and the removal, the file is there twice: entries with
 * the same name, size and checksum are the same file. Other entries with the same name are files of
 * different processes, because a node uses the number of a process again.
 * LIMIT: two nodes with the same name of the host write to one file without a common lock. */
#ifndef SIS_SCHEMA_NODE_FILE_H
#define SIS_SCHEMA_NODE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIS_NODE_MAGIC "SISN\r\n\x1a"
#define SIS_NODE_VERSION 1u

struct sis_node_entry {
	char magic[8];       /* SIS_NODE_MAGIC */
	uint32_t version;    /* SIS_NODE_VERSION */
	uint32_t endian;     /* SIS_PROFILE_ENDIAN as the writer stores it */
	uint64_t size;       /* bytes of the file, which follows */
	uint64_t sum;        /* sis_node_sum of these bytes */
	char name[256];      /* name of the file, without a directory */
	uint64_t checksum;   /* checksum of this struct up to here */
};

#pragma GCC visibility push(hidden)

/* The checksum of `size` bytes of a file from `offset`. Returns 0 or an errno. */
int sis_node_sum(int fd, uint64_t offset, uint64_t size, uint64_t *sum);
/* A file that is appended: its name, and a descriptor. */
struct sis_node_new { const char *name; int fd; };
enum { SIS_NODE_MOST = 4 };
/* Appends copies of up to SIS_NODE_MOST files, which are forced to disk together. The node's file is
 * as before after a failure. Returns 0 or an errno. */
int sis_node_append(int node, const struct sis_node_new *files, int count);
/* The bytes that the node's file will have after sis_node_append; UINT64_MAX: they are not known. */
uint64_t sis_node_size_with(int node, const struct sis_node_new *files, int count);
/* Whether these bytes are an entry whose file is at most `room` bytes long. */
bool sis_node_is_entry(const struct sis_node_entry *entry, uint64_t room);

/* The path of the node's directory for a run; false: it is longer than `size`. */
bool sis_node_directory(char *path, size_t size, const char *tmpdir, const char *run_id);
/* Whether the directory belongs to this user, and nobody else can write to it. All users can make
 * names in SIS_TMPDIR. */
bool sis_node_is_ours(const char *directory);

#pragma GCC visibility pop

#endif
