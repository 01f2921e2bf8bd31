/* SPDX-License-Identifier: BSD-3-Clause */
/* unify.c - whether there will be one file for all ranks, and this process's part of it. The thread
 * that is in MPI_Init or MPI_Finalize, and the one that ends the process.
 *
 * No rank may wait for one that is not measured, because that one will never answer. So before any
 * message is sent, all ranks must be known to be measured. They are known by their files: a process
 * that may become a rank creates its file, named by its rank, before MPI_Init returns in any rank.
 * The first rank that looks counts the files and writes the outcome to the file `world`, so that
 * all ranks decide alike. Rank 0 does that in MPI_Init, when no rank waits for it.
 *
 * The process's own file stays until its part is written and read back, at the end of the process.
 * If anything fails before, it stays for good. So what was measured is in a file at every moment.
 */
#include "base/config.h"
#include "base/futex.h"
#include "base/read_text.h"
#include "base/system_call.h"
#include "profile/files.h"
#include "profile/store.h"
#include "profile/text.h"
#include "run/directory.h"
#include "run/run.h"
#include "merged_file/unify.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { AUTO_LEAST = 16 }; /* with fewer ranks SIS_UNIFY=auto leaves a file for each */

static bool may_be_a_rank;       /* there are wrappers of MPI */
static int world_rank = -1, world_size;
static struct sis_bytes definitions; /* of all ranks, from sis__unify_room on */
static uint64_t part_offset, part_room, file_id;

/* -- before MPI is there: the process's file is named by its rank ------------------------------ */

SIS_EXPORT void sis__unify_announce(void)
{
	may_be_a_rank = true;
}

static bool is_wanted(long size)
{
	return sis__config.unify != SIS_UNIFY_NEVER &&
	       (sis__config.unify != SIS_UNIFY_AUTO || size >= AUTO_LEAST);
}

int sis__unify_mark(void)
{
	long size;
	int rank = may_be_a_rank && sis__header()->parent_pid == 0 ? sis__run_launcher_rank(&size)
								   : -1;
	return rank >= 0 && (size == 0 || is_wanted(size)) ? rank : -1;
}

/* -- which ranks are measured ------------------------------------------------------------------ */

/* The rank in a name that run/directory.c made, `...-PID.RANK.sis`; -1: none. */
static long rank_in(const char *name)
{
	size_t length = strlen(name);
	if (strncmp(name, "proc-", 5) != 0 || length < 10 || strcmp(name + length - 4, ".sis") != 0)
		return -1;
	const char *at = name + length - 4, *end = at;
	while (at > name && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return at < end && end - at < 10 && at[-1] == '.' ? strtol(at, NULL, 10) : -1;
}

/* With `look`, a file does not count if its header has another rank than its name. */
static bool counts(const char *name, long rank, bool look)
{
	struct sis_profile_header header;
	char path[PATH_MAX];
	if (!look)
		return true;
	snprintf(path, sizeof path, "%s/%s", sis__store_directory(), name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? pread(fd, &header, sizeof header, 0) : -1;
	if (fd >= 0)
		close(fd);
	return n != (ssize_t)sizeof header || header.mpi_rank == rank;
}

static bool all_are_there(bool look)
{
	unsigned char *seen = calloc((size_t)world_size, 1);
	DIR *dir = seen ? opendir(sis__store_directory()) : NULL;
	int count = 0;
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		long rank = rank_in(entry->d_name);
		if (rank < 0 || rank >= world_size || seen[rank] ||
		    !counts(entry->d_name, rank, look))
			continue;
		seen[rank] = 1;
		count++;
	}
	if (dir)
		closedir(dir);
	free(seen);
	return count == world_size;
}

/* -- the outcome: a file `world` that says how many ranks there are, or 0 ---------------------- */

static bool path_of(char *path, const char *name)
{
	int n = snprintf(path, PATH_MAX, "%s/%s", sis__store_directory(), name);
	return n < PATH_MAX && sis__store_directory()[0];
}

/* -1: not known yet. */
static long read_outcome(void)
{
	char path[PATH_MAX], text[32];
	if (!path_of(path, "world") || access(path, R_OK) != 0)
		return -1;
	size_t n = sis__read_file(path, text, sizeof text);
	return n && text[n - 1] == '\n' ? strtol(text, NULL, 10) : -1;
}

/* The first outcome holds. With `again`, a rank overwrites it. */
static void write_outcome(long ranks, bool again)
{
	char path[PATH_MAX], text[32];
	int length = snprintf(text, sizeof text, "%ld\n", ranks);
	int how = O_WRONLY | O_CREAT | O_CLOEXEC | (again ? O_TRUNC : O_EXCL);
	int fd = path_of(path, "world") && sis__store_allows((uint64_t)length)
			 ? open(path, how, 0666)
			 : -1;
	if (fd < 0)
		return;
	sis__file_own(fd, S_IRUSR | S_IWUSR);
	if (sis__write(fd, text, (size_t)length) != length)
		unlink(path);
	close(fd);
}

SIS_EXPORT bool sis__unify_begin(int rank, int size)
{
	long expected;
	if (size < 2 || !is_wanted(size) || !sis__store_is_live())
		return false;
	world_rank = rank;
	world_size = size;
	if (sis__unify_mark() != rank ||
	    (sis__run_launcher_rank(&expected), expected && expected != size))
		write_outcome(0, true);
	else if (rank == 0 && all_are_there(false))
		write_outcome(size, false);
	return true;
}

/* The group in which this rank looks: rank 0, rank 1, the next two, the next four ... */
static int group(void)
{
	return world_rank > 0 ? 32 - __builtin_clz((unsigned)world_rank) : 0;
}

/* Ranks look one group after the other, so that few have to read the directory. */
SIS_EXPORT bool sis__unify_everybody(void)
{
	long outcome = read_outcome();
	int patience = 20 * group(), naps = 0;
	for (; outcome < 0 && naps < patience; naps++) {
		sis__nap(1000000);
		outcome = read_outcome();
	}
	if (outcome < 0) {
		write_outcome(all_are_there(false) ? world_size : 0, false);
		for (naps = 0; naps < 200 && (outcome = read_outcome()) < 0; naps++)
			sis__nap(1000000);
	}
	if (outcome < 0)
		write_outcome(0, true); /* ranks that look later must not wait for this one */
	return outcome == world_size;
}

/* A program that is not a rank, but was started by one and has wrappers of MPI, has a file that
 * looks like the rank's. So if the other ranks do not come for long, a rank reads the headers. */
SIS_EXPORT bool sis__unify_is_off(int times)
{
	if (times >= group() && !all_are_there(true))
		write_outcome(0, true);
	return read_outcome() != world_size;
}

SIS_EXPORT uint64_t sis__unify_kind(void)
{
	char text[128];
	int n = snprintf(text, sizeof text, "%s %u %u %u", SIS_VERSION, SIS_PROFILE_VERSION,
			 SIS_UNIFIED_VERSION, SIS_FIRST_UNIT_ID);
	return sis_checksum(text, (uint64_t)n) >> 2;
}

/* -- what ranks exchange in mpi_unify.c -------------------------------------------------------- */

SIS_EXPORT bool sis__unify_definitions(struct sis_bytes *out)
{
	struct sis_image image;
	struct sis_unify_defs defs;
	sis__unify_defs_init(&defs);
	bool good = !defs.failed && sis__store_is_live() && sis__image_open(&image, sis__header());
	if (good) {
		sis__unify_defs_add(&defs, &image);
		sis__unify_defs_write(&defs, out);
		sis__image_close(&image);
	}
	good = good && !defs.failed && !out->failed;
	sis__unify_defs_release(&defs);
	return good;
}

SIS_EXPORT bool sis__unify_merge(struct sis_bytes *mine, const unsigned char *other,
				 uint64_t length)
{
	struct sis_unify_defs defs;
	struct sis_bytes out = { 0 };
	sis__unify_defs_init(&defs);
	bool good = !defs.failed && sis__unify_defs_merge(&defs, mine->at, mine->used) &&
		    sis__unify_defs_merge(&defs, other, length);
	if (good)
		sis__unify_defs_write(&defs, &out);
	sis__unify_defs_release(&defs);
	if (!good || out.failed) {
		sis__bytes_release(&out);
		return false;
	}
	sis__bytes_release(mine);
	*mine = out;
	return true;
}

SIS_EXPORT bool sis__unify_complete(struct sis_bytes *all)
{
	struct sis_image image;
	if (!sis__image_open(&image, sis__header()))
		return false;
	sis__unify_defs_write_rest(&image, all);
	sis__image_close(&image);
	return !all->failed;
}

static uint64_t round_up(uint64_t bytes) { return (bytes + SIS_PAGE - 1) / SIS_PAGE * SIS_PAGE; }

/* The process may go on for a while and make nodes, so there is some room for more. If that is not
 * enough at its end, its own file stays. */
SIS_EXPORT uint64_t sis__unify_room(struct sis_bytes *all)
{
	struct sis_image image;
	struct sis_unify_defs defs;
	struct sis_bytes counting = { .counting = true };
	definitions = *all;
	*all = (struct sis_bytes){ 0 };
	sis__unify_defs_init(&defs);
	bool good = sis__unify_defs_read(&defs, definitions.at, definitions.used) &&
		    sis__store_is_live() && sis__image_open(&image, sis__header());
	if (good) {
		good = sis__unify_pack(&image, &defs, &counting);
		sis__image_close(&image);
	}
	sis__unify_defs_release(&defs);
	part_room = good ? round_up(sizeof(struct sis_unified_part) + counting.used +
				    counting.used / 8 + 2048)
			 : 0;
	return part_room;
}

SIS_EXPORT bool sis__unify_create(const struct sis_bytes *all, uint64_t *places, uint64_t id)
{
	const struct sis_profile_header *own = sis__header();
	char path[PATH_MAX];
	struct sis_unified_slot *slot = calloc((size_t)world_size, sizeof *slot);
	if (!slot || !path_of(path, SIS_UNIFIED_NAME)) {
		free(slot);
		return false;
	}
	struct sis_unified_header head = {
		.magic = SIS_UNIFIED_MAGIC,
		.version = SIS_UNIFIED_VERSION,
		.endian = SIS_PROFILE_ENDIAN,
		.profile_version = SIS_PROFILE_VERSION,
		.ranks = (uint32_t)world_size,
		.id = id,
		.definitions = SIS_PAGE + (uint64_t)world_size * sizeof *slot,
		.definitions_bytes = all->used,
		.started_ns = own->start.realtime_ns,
	};
	memcpy(head.run_id, own->run_id, sizeof head.run_id);
	head.size = round_up(head.definitions + all->used);
	for (int i = 0; i < world_size; i++) {
		slot[i] = (struct sis_unified_slot){ head.size, places[i] };
		head.size += places[i];
		places[i] = slot[i].offset;
	}
	head.checksums[0] = sis_checksum(slot, (uint64_t)world_size * sizeof *slot);
	head.checksums[1] = sis_checksum(all->at, all->used);
	head.checksum = sis_checksum(&head, offsetof(struct sis_unified_header, checksum));
	int failed = sis__unify_write_head(path, &head, slot, all);
	free(slot);
	if (failed)
		sis__warn("cannot write '%s': %s; every rank keeps a file of its own", path,
			  strerror(failed));
	else if (path_of(path, "world"))
		unlink(path); /* all have read it */
	return !failed;
}

SIS_EXPORT void sis__unify_commit(uint64_t offset, uint64_t id)
{
	part_offset = offset;
	file_id = id;
	if (!offset)
		sis__bytes_release(&definitions);
}

/* -- the end of the process -------------------------------------------------------------------- */

void sis__unify_new_process(void)
{
	part_offset = 0;
	world_rank = -1;
}

static bool pack(const struct sis_profile_header *header, struct sis_bytes *out)
{
	struct sis_image image;
	struct sis_unify_defs defs;
	sis__unify_defs_init(&defs);
	bool good = !defs.failed && sis__unify_defs_read(&defs, definitions.at, definitions.used) &&
		    sis__image_open(&image, header);
	if (good) {
		good = sis__unify_pack(&image, &defs, out);
		sis__image_close(&image);
	}
	sis__unify_defs_release(&defs);
	return good;
}

/* Writes the part, from the process's own file as the analyzer would read it. */
static bool write_part(const struct sis_profile_header *header)
{
	struct sis_bytes out = { 0 };
	char path[PATH_MAX];
	bool good = header->state == SIS_STATE_ENDED && pack(header, &out) &&
		    path_of(path, SIS_UNIFIED_NAME) &&
		    sizeof(struct sis_unified_part) + out.used <= part_room;
	if (good) {
		struct sis_unified_part part = { SIS_UNIFIED_PART, (uint32_t)world_rank, file_id,
						 out.used, sis_checksum(out.at, out.used) };
		good = sis__unify_write_part(path, part_offset, &part, &out) == 0;
	}
	sis__bytes_release(&out);
	return good;
}

void sis__unify_finish(void)
{
	if (!part_offset)
		return;
	uint64_t size = sis__header()->size;
	int fd = sis__file_open(SIS_FILE_PROFILE);
	const struct sis_profile_header *header =
		fd >= 0 ? mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
	if (fd >= 0)
		sis__file_close(fd);
	if (header == MAP_FAILED)
		return;
	bool written = write_part(header);
	munmap((void *)(uintptr_t)header, size);
	sis__bytes_release(&definitions);
	if (written && sis__config.unify != SIS_UNIFY_KEEP)
		sis__file_remove(SIS_FILE_PROFILE);
}
