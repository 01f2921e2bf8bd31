/* SPDX-License-Identifier: BSD-3-Clause */
/* unify.c - decides whether there will be one file for all ranks, and makes this process's part of
 * it. Called by the thread that is in MPI_Init or MPI_Finalize, and by the thread that ends the
 * process.
 *
 * No rank may wait for a rank that is not measured, because such a rank never answers. So before
 * any message is sent, it must be certain that all ranks are measured. Their files show this: a
 * process that may become a rank creates its file, named by its rank, before MPI_Init returns in
 * any rank. The first rank that checks counts the files and makes the link `world`, whose text is
 * the outcome, so that all ranks decide alike. Rank 0 checks already in MPI_Init, when no rank
 * waits for it.
 *
 * The process's own file stays until its part is written and read back, at the end of the process.
 * If anything fails before this, the process's own file stays for good. So at every moment the
 * measured data is in a file.
 */
#include "base/config.h"
#include "base/futex.h"
#include "base/modules.h"
#include "base/zstd_module.h"
#include "output/profile/files.h"
#include "output/profile/store.h"
#include "output/profile/text.h"
#include "output/run/directory.h"
#include "output/run/run.h"
#include "output/merged_file/unify.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { AUTO_LEAST = 16 }; /* with fewer ranks, SIS_UNIFY=auto keeps one file for each */

static bool may_be_a_rank;       /* this process has wrappers of MPI */
static int world_rank = -1, world_size;
static uint64_t part_offset, part_room, file_id;
static const struct sis_zstd *zstd; /* NULL: there is no libzstd */
struct descriptions { uint64_t count, bytes, checksum; };
/* The descriptions of this process; later those that it has in common with rank 0. */
static struct descriptions common;

/* -- before MPI_Init: the process's file is named by its rank --------------------------------- */

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

/* -- which ranks are measured ----------------------------------------------------------------- */

/* Returns the rank in a name that output/run/directory.c made: `...-PID.RANK.sis`; -1: none. */
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

/* Whether the file counts for the rank in its name. With `look`, its header must contain the same
 * rank. */
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

/* -- the outcome: a link `world` whose text says how many ranks there are ---------------------- */

static bool path_of(char *path, const char *name)
{
	int n = snprintf(path, PATH_MAX, "%s/%s", sis__store_directory(), name);
	return n < PATH_MAX && sis__store_directory()[0];
}

/* Returns the outcome; -1: it is not known yet. */
static long read_outcome(void)
{
	char path[PATH_MAX], text[32];
	ssize_t n = path_of(path, "world") ? readlink(path, text, sizeof text - 1) : -1;
	if (n < 0)
		return -1;
	text[n] = '\0';
	return strtol(text, NULL, 10); /* 0: the text is `run` */
}

/* The first outcome stays, unless a rank replaces it (`again`). A link is made at once with its
 * text, and all ranks read the text without opening a file. The text of the outcome 0 is `run`,
 * because this link may stay, and programs that copy the experiment complain about a link to a file
 * that does not exist. */
static void write_outcome(long ranks, bool again)
{
	char path[PATH_MAX], text[32] = "run";
	if (ranks)
		snprintf(text, sizeof text, "%ld", ranks);
	if (!path_of(path, "world"))
		return;
	/* after the removal, another rank may be faster, so the rank tries again */
	enum { TRIES = 10 };
	for (int i = 0; symlink(text, path) != 0 && again && errno == EEXIST && i < TRIES; i++)
		unlink(path);
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

/* Returns the number of this rank's group. The groups are rank 0, rank 1, the next two ranks, the
 * next four ranks ... */
static int group(void)
{
	return world_rank > 0 ? 32 - __builtin_clz((unsigned)world_rank) : 0;
}

/* Ranks check one group after the other, so that few ranks have to read the directory. */
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
		write_outcome(0, true); /* ranks that check later must not wait for this one */
	return outcome == world_size;
}

/* If a rank starts a program that has wrappers of MPI but is no rank, the file of this program
 * looks like the file of the rank. So if the other ranks do not come for a long time, a rank reads
 * the headers of the files. */
SIS_EXPORT bool sis__unify_is_off(int times)
{
	if (times >= group() && !all_are_there(true))
		write_outcome(0, true);
	return read_outcome() != world_size;
}

/* -- descriptions, which are the same in most ranks ------------------------------------------- */

static struct sis_chunk *next_description(char *profile, struct sis_chunk *chunk)
{
	while ((chunk = sis__chunk_next(profile, chunk)) && chunk->kind != SIS_CHUNK_UNIT)
		;
	return chunk;
}

/* Finds the first `most` descriptions of a profile. If `to` is given, copies them as far as there
 * is room. */
static struct descriptions find_descriptions(char *profile, uint64_t most, unsigned char *to,
					     uint64_t room)
{
	struct descriptions all = { 0 };
	struct sis_chunk *chunk = NULL;
	while (all.count < most && (chunk = next_description(profile, chunk))) {
		uint64_t used = chunk->used;
		uint64_t both[] = { all.checksum, sis_checksum(sis__payload(chunk), used) };
		all.checksum = sis_checksum(both, sizeof both);
		if (to && used <= room)
			memcpy(to + all.bytes, sis__payload(chunk), used);
		room -= used <= room ? used : room;
		all.bytes += used;
		all.count++;
	}
	return all;
}

/* Whether the profile has the common descriptions. If so, removes them from this copy. */
static bool leave_out_descriptions(char *profile)
{
	struct sis_chunk *chunk = NULL;
	if (!common.count ||
	    find_descriptions(profile, common.count, NULL, 0).checksum != common.checksum)
		return false;
	for (uint64_t i = 0; i < common.count && (chunk = next_description(profile, chunk)); i++)
		memset(sis__payload(chunk), 0, chunk->used);
	return true;
}

SIS_EXPORT uint64_t sis__unify_descriptions(void)
{
	if (sis__store_is_live())
		common = find_descriptions((char *)sis__header(), UINT64_MAX, NULL, 0);
	return common.checksum >> 1;
}

/* -- what ranks agree on in mpi_unify.c ------------------------------------------------------- */

/* Bytes in the form that they have in the file: compressed, or as they are. */
struct packed { void *memory; const void *at; uint64_t used; };

static struct packed pack(const void *from, uint64_t size)
{
	enum { LEVEL = 1 };
	struct packed packed = { .at = from, .used = size };
	uint64_t room = zstd ? zstd->room(LEVEL) : 0, used;
	char *memory = zstd && size ? malloc(room + size) : NULL;
	void *context = memory ? zstd->begin(memory, room) : NULL;
	if (context &&
	    (used = zstd->compress(context, memory + room, size - 1, from, size, LEVEL)))
		return (struct packed){ memory, memory + room, used };
	free(memory);
	return packed;
}

/* Maps a copy of the process's file, as the analyzer would read it. While the process goes on, the
 * copy may change, but does not grow. NULL: this is not possible. */
static char *map_profile(uint64_t size)
{
	int fd = sis__file_open(SIS_FILE_PROFILE);
	void *profile = fd >= 0 ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0)
				: MAP_FAILED;
	if (fd >= 0)
		sis__file_close(fd);
	if (profile == MAP_FAILED)
		return NULL;
	((struct sis_profile_header *)profile)->size = size;
	return profile;
}

static uint64_t round_up(uint64_t bytes) { return (bytes + SIS_PAGE - 1) / SIS_PAGE * SIS_PAGE; }

/* The process may go on to measure for a while, so the result includes some room for more data. If
 * this room is not enough at the end of the process, its own file stays. */
SIS_EXPORT uint64_t sis__unify_room(uint64_t descriptions)
{
	if (!sis__store_is_live())
		return 0;
	zstd = sis__module("libsis-zstd.so", "sis_zstd");
	if (descriptions != common.checksum >> 1)
		common.count = 0;
	/* pairs with put_chunk (store.c) */
	uint64_t size = __atomic_load_n(&sis__header()->size, __ATOMIC_ACQUIRE);
	char *profile = map_profile(size);
	if (!profile)
		return 0;
	leave_out_descriptions(profile);
	struct packed packed = pack(profile, size);
	free(packed.memory);
	munmap(profile, size);
	part_room = round_up(sizeof(struct sis_unified_part) + packed.used + packed.used / 8 +
			     2048);
	return part_room;
}

/* Writes the file without the parts. The sizes of the parts become their offsets. */
static int write_head(const char *path, uint64_t *sizes, uint64_t id,
		      const struct packed *descriptions)
{
	uint64_t index = (uint64_t)world_size * sizeof(struct sis_unified_slot);
	struct sis_unified_slot *slot = malloc(index);
	struct sis_unified_header head = {
		.magic = SIS_UNIFIED_MAGIC,
		.version = SIS_UNIFIED_VERSION,
		.endian = SIS_PROFILE_ENDIAN,
		.ranks = (uint64_t)world_size,
		.size = round_up(SIS_PAGE + index + descriptions->used),
		.id = id,
		.started_ns = sis__header()->start.realtime_ns,
		.common = { common.count, descriptions->used, common.bytes,
			    sis_checksum(descriptions->at, descriptions->used) },
	};
	if (!slot)
		return ENOMEM;
	memcpy(head.run_id, sis__header()->run_id, sizeof head.run_id);
	for (int i = 0; i < world_size; i++) {
		slot[i] = (struct sis_unified_slot){ head.size, sizes[i], 0 };
		slot[i].checksum =
			sis_checksum(&slot[i], offsetof(struct sis_unified_slot, checksum));
		head.size += sizes[i];
		sizes[i] = slot[i].offset;
	}
	head.checksum = sis_checksum(&head, offsetof(struct sis_unified_header, checksum));
	int failed = sis__store_allows(head.size)
			     ? sis__unify_write_head(path, &head, slot, descriptions->at)
			     : EFBIG;
	free(slot);
	return failed;
}

SIS_EXPORT bool sis__unify_create(uint64_t *sizes, uint64_t id)
{
	char path[PATH_MAX];
	unsigned char *bytes = malloc(common.bytes + 1);
	int failed = ENOMEM;
	if (!path_of(path, SIS_UNIFIED_NAME))
		return false;
	if (bytes && find_descriptions((char *)sis__header(), common.count, bytes, common.bytes)
				     .checksum == common.checksum) {
		struct packed packed = pack(bytes, common.bytes);
		failed = write_head(path, sizes, id, &packed);
		free(packed.memory);
	}
	free(bytes);
	if (failed)
		sis__warn("cannot write '%s': %s; every rank keeps a file of its own", path,
			  strerrordesc_np(failed));
	else if (path_of(path, "world"))
		unlink(path); /* all have read it */
	return !failed;
}

SIS_EXPORT void sis__unify_commit(uint64_t offset, uint64_t id)
{
	part_offset = offset;
	file_id = id;
}

/* -- the end of the process ------------------------------------------------------------------- */

void sis__unify_new_process(void)
{
	part_offset = 0;
	world_rank = -1;
}

static bool write_part(char *profile, uint64_t size)
{
	char path[PATH_MAX];
	if (((struct sis_profile_header *)profile)->state != SIS_STATE_ENDED ||
	    !path_of(path, SIS_UNIFIED_NAME))
		return false;
	uint64_t left_out = leave_out_descriptions(profile) ? common.count : 0;
	struct packed packed = pack(profile, size);
	struct sis_unified_part part = { SIS_UNIFIED_PART, (uint32_t)world_rank, file_id,
					 packed.used,      size,                 left_out,
					 sis_checksum(packed.at, packed.used) };
	uint64_t bytes = sizeof part + packed.used;
	bool good = bytes <= part_room && sis__store_allows(part_offset + bytes) &&
		    sis__unify_write_part(path, part_offset, &part, packed.at) == 0;
	free(packed.memory);
	return good;
}

void sis__unify_finish(void)
{
	uint64_t size = sis__header()->size;
	char *profile = part_offset ? map_profile(size) : NULL;
	if (!profile)
		return;
	bool written = write_part(profile, size);
	munmap(profile, size);
	if (written && sis__config.unify != SIS_UNIFY_KEEP)
		sis__file_remove(SIS_FILE_PROFILE);
}
