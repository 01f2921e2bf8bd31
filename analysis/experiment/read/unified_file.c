/* SPDX-License-Identifier: BSD-3-Clause */
/* unified_file.c - reads the file with the profiles of all ranks. Each file is read by one thread.
 *
 * Profiles are unpacked and read one by one, so that the bytes of at most one profile are in
 * memory. All parts of the file have checksums. Still, each value is checked before it is used. */
#include "experiment/read/unified_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/file.h"
#include "experiment/read/profile_check.h"

/* -- head of the file -------------------------------------------------------------------------- */

static int read_at(const struct unified *u, void *to, size_t size, uint64_t offset, struct err *err)
{
	if (offset > u->size || size > u->size - offset)
		return profile_fail(u, err, "truncated: %" PRIu64 " bytes are there; copy the "
				    "experiment again", u->size);
	for (size_t done = 0; done < size;) {
		ssize_t n = pread(u->fd, (char *)to + done, size - done, (off_t)(offset + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return err_fail(err, "cannot read '%s': %s; check the file and its "
					"permissions", u->path, strerror(n ? errno : EIO));
		done += (size_t)n;
	}
	return 0;
}

static int check_head(const struct unified *u, struct err *err)
{
	const struct sis_unified_header *h = &u->head;
	if (memcmp(h->magic, SIS_UNIFIED_MAGIC, sizeof h->magic) != 0)
		return profile_fail(u, err, "no file of all ranks of SIS; remove it from the "
				    "experiment directory");
	if (h->endian == __builtin_bswap32(SIS_PROFILE_ENDIAN))
		return profile_fail(u, err, "written on a machine of the other byte order; analyze "
				    "it on such a machine");
	if (h->version != SIS_UNIFIED_VERSION)
		return profile_fail(u, err, OTHER_FORMAT, h->version, SIS_UNIFIED_VERSION);
	if (h->checksum != sis_checksum(h, offsetof(struct sis_unified_header, checksum)))
		return profile_fail(u, err, "damaged header: it does not match its checksum"
				    DAMAGED);
	if (h->ranks > INT32_MAX || h->run_id[sizeof h->run_id - 1])
		return profile_fail(u, err, "damaged header: impossible values" DAMAGED);
	if (u->end > u->size)
		return profile_fail(u, err, "truncated: %" PRIu64 " of %" PRIu64 " bytes are there"
				    DAMAGED, u->size, h->size);
	return 0;
}

/* Unpacks the `used` bytes at `offset` of the file into `size` malloc'ed bytes. NULL if the bytes
 * are damaged. */
static unsigned char *unpack(const struct unified *u, uint64_t offset, uint64_t used, uint64_t size,
			     uint64_t checksum, struct err *err)
{
	bool fits = offset <= u->size && used <= u->size - offset;
	unsigned char *bytes = mem_alloc(fits ? used : 0, 1), *all = NULL;
	if (read_at(u, bytes, used, offset, err) == 0 && checksum == sis_checksum(bytes, used)) {
		if (used == size)
			return bytes;
		bool known = ZSTD_getFrameContentSize(bytes, used) == size;
		all = known ? mem_alloc(size, 1) : NULL;
		if (known && ZSTD_decompress(all, size, bytes, used) == size) {
			free(bytes);
			return all;
		}
	}
	free(bytes);
	free(all);
	profile_fail(u, err, "damaged: it does not match its checksum; copy the experiment again");
	return NULL;
}

int unified_open(struct unified *u, const char *path, struct err *err)
{
	struct stat st;
	*u = (struct unified){ .file = mem_string(path), .path = mem_string(path),
			       .fd = file_open(path, &st, err) };
	const struct sis_unified_common *common = &u->head.common;
	int rc = u->fd < 0 ? ERR_FAILED : 0;
	u->size = rc ? 0 : (uint64_t)st.st_size;
	rc = rc ? rc : read_at(u, &u->head, sizeof u->head, 0, err);
	u->end = SIS_PAGE + u->head.ranks * sizeof(struct sis_unified_slot);
	rc = rc ? rc : check_head(u, err);
	if (rc == 0 && !(u->common = unpack(u, u->end, common->used, common->size,
					    common->checksum, err)))
		rc = ERR_FAILED;
	u->end += common->used;
	if (rc)
		unified_close(u);
	return rc;
}

void unified_close(struct unified *u)
{
	if (u->fd >= 0)
		close(u->fd);
	free(u->file), free(u->path), free(u->common);
	*u = (struct unified){ .fd = -1 };
}

/* -- profiles in the file ---------------------------------------------------------------------- */

#define COPY_AGAIN "; copy the experiment again"

/* Reads the head of a rank's part. Returns 1 on success, 0 if the rank has not written its part, or
 * an error. */
static int read_head(const struct unified *u, uint32_t rank, const struct sis_unified_slot *slot,
		     struct sis_unified_part *part, struct err *err)
{
	static const struct sis_unified_part none;
	if (slot->bytes < sizeof *part)
		return 0;
	if (read_at(u, part, sizeof *part, slot->offset, err))
		return ERR_FAILED;
	if (memcmp(part, &none, sizeof none) == 0)
		return 0;
	if (part->magic != SIS_UNIFIED_PART || part->rank != rank || part->id != u->head.id ||
	    part->used > slot->bytes - sizeof *part || part->used > part->size ||
	    part->common > u->head.common.count)
		return profile_fail(u, err, "damaged: impossible values" COPY_AGAIN);
	return 1;
}

/* Puts the descriptions that were left out of a profile into their chunks. */
static bool fill_descriptions(const struct unified *u, unsigned char *profile,
			      const struct sis_unified_part *part)
{
	uint64_t at = SIS_PAGE, from = 0, left = part->common;
	for (struct sis_chunk c; left; at += c.size) {
		if (at > part->size || part->size - at < sizeof c)
			return false;
		memcpy(&c, profile + at, sizeof c);
		if (c.magic != SIS_CHUNK_MAGIC || c.size < sizeof c || c.size > part->size - at ||
		    c.used > c.size - sizeof c)
			return false;
		if (c.kind != SIS_CHUNK_UNIT)
			continue;
		if (c.used > u->head.common.size - from)
			return false;
		memcpy(profile + at + sizeof c, u->common + from, c.used);
		from += c.used;
		left--;
	}
	return true;
}

static int read_part(const struct unified *u, const struct sis_unified_part *part, uint64_t offset,
		     struct profile *p, struct err *err)
{
	unsigned char *profile = unpack(u, offset, part->used, part->size, part->checksum, err);
	if (!profile)
		return ERR_FAILED;
	if (!fill_descriptions(u, profile, part)) {
		free(profile);
		return profile_fail(u, err, "damaged: no place for a description" COPY_AGAIN);
	}
	if (profile_parse(p, u->path, profile, part->size, err))
		return ERR_FAILED;
	if (p->head.state == SIS_STATE_ENDED && p->head.mpi_rank == (int32_t)part->rank)
		return 0;
	profile_release(p);
	return profile_fail(u, err, "damaged: the profile of another process" COPY_AGAIN);
}

int unified_profile(struct unified *u, uint32_t rank, struct profile *p, struct err *err)
{
	struct sis_unified_slot slot;
	struct sis_unified_part part;
	free(u->path);
	u->path = mem_print("%s, rank %" PRIu32, u->file, rank);
	if (read_at(u, &slot, sizeof slot, SIS_PAGE + rank * sizeof slot, err))
		return ERR_FAILED;
	if (slot.checksum != sis_checksum(&slot, offsetof(struct sis_unified_slot, checksum)) ||
	    slot.offset < u->end || slot.bytes > UINT64_MAX - slot.offset)
		return profile_fail(u, err, "damaged: an impossible place in the index" COPY_AGAIN);
	u->end = slot.offset + slot.bytes;
	int rc = read_head(u, rank, &slot, &part, err);
	if (rc > 0 && read_part(u, &part, slot.offset + sizeof part, p, err))
		rc = ERR_FAILED;
	return rc;
}
