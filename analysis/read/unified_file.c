/* SPDX-License-Identifier: BSD-3-Clause */
/* unified_file.c - the file of all ranks: its head, and the definitions that the ranks share. One
 * thread a file.
 *
 * unified_read.c reads the parts one by one, so that at most one of them is in memory as it is in
 * the file. */
#include "read/unified_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "read/profile_check.h"
#include "tables.h"

/* -- definitions ------------------------------------------------------------------------------- */

static void read_tus(struct unified *u, struct byte_reader *in)
{
	uint64_t first = 0;
	for (uint64_t left = read_count(in, 2); left && !in->bad; left--) {
		uint64_t count = read_number(in), length = read_number(in);
		const unsigned char *json = read_bytes(in, length);
		in->bad |= count > UINT32_MAX;
		*vec_push(&u->tu) = (struct unified_tu){ (const char *)json, json ? length : 0,
			first, count };
		first += count;
	}
}

static void read_paths(struct unified *u, struct byte_reader *in)
{
	*vec_push(&u->node) = (struct unified_path){ 0, 2 * RT_RUN };
	for (uint64_t left = read_count(in, 2); left && !in->bad; left--) {
		uint64_t back = read_number(in), region = read_number(in);
		uint32_t here = (uint32_t)u->node.n;
		in->bad |= back == 0 || back > here || here == NONE;
		if (!in->bad)
			*vec_push(&u->node) = (struct unified_path){ (uint32_t)(here - back),
				region };
	}
}

/* Moves a line down over the byte of its length, to make room for its NUL. */
static void read_lines(struct unified *u, struct byte_reader *in)
{
	for (uint64_t left = read_count(in, 1); left && !in->bad; left--) {
		uint64_t length = read_number(in);
		const unsigned char *text = read_bytes(in, length);
		if (!text)
			return;
		char *line = (char *)u->bytes + (text - u->bytes) - 1;
		memmove(line, text, length);
		line[length] = 0;
		char *tab = memchr(line, '\t', length);
		if (tab)
			*tab = 0;
		else
			line = line + length; /* no tab: not a line of SIS; its kind is empty */
		*vec_push(&u->line) = (struct profile_text){ line, tab ? tab + 1 : line };
	}
}

/* Headers before version 5 of the profile end with `boot`. */
static void read_reference(struct unified *u, struct byte_reader *in)
{
	uint64_t length = read_number(in), whole = u->head.profile_version < 5 ?
		offsetof(struct sis_profile_header, looked) : sizeof u->reference;
	const unsigned char *header = read_bytes(in, length);
	in->bad |= length != whole;
	if (header && !in->bad)
		memcpy(&u->reference, header, whole);
}

/* The number of a region in the list that begins with number `first`; 0: it is not in it. */
static uint32_t number_in(const char *list, uint32_t first, const char *name)
{
	for (size_t length; *list; list += length + (list[length] == ','), first++) {
		length = strcspn(list, ",");
		if (length == strlen(name) && memcmp(list, name, length) == 0)
			return first;
	}
	return 0;
}

/* The root's region. The file has no number for it, and other builds number RT_RUN otherwise. */
static void find_root(struct unified *u)
{
	const char *name = sis_region_table[RT_RUN].name;
	for (size_t i = 0; i < u->line.n; i++) {
		char *list;
		unsigned long first = strtoul(u->line.at[i].text, &list, 10);
		if (strcmp(u->line.at[i].kind, "builtin") != 0 || *list != '\t')
			continue;
		uint64_t number = number_in(list + 1, (uint32_t)first, name);
		u->node.at[0].region = number ? 2 * number : u->node.at[0].region;
	}
}

int unified_define(struct unified *u, unsigned char *bytes, size_t size, struct err *err)
{
	struct byte_reader in = { bytes, bytes + size, false };
	u->bytes = bytes;
	read_tus(u, &in);
	read_paths(u, &in);
	read_reference(u, &in);
	read_lines(u, &in);
	find_root(u);
	if (in.bad || in.at != in.end)
		return profile_fail(u, err, "damaged: the definitions of all ranks cannot be read"
				    DAMAGED);
	return 0;
}

/* -- head -------------------------------------------------------------------------------------- */

static int read_at(const struct unified *u, void *to, size_t size, uint64_t offset, struct err *err)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = pread(u->fd, (char *)to + done, size - done, (off_t)(offset + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_fail(err, "cannot read '%s': %s; check the file and its "
					"permissions", u->path, strerror(errno));
		if (n == 0)
			return profile_fail(u, err, "truncated: %" PRIu64 " bytes are there"
					    DAMAGED, offset + done);
		done += (size_t)n;
	}
	return 0;
}

static int check_head(const struct unified *u, uint64_t size, struct err *err)
{
	const struct sis_unified_header *h = &u->head;
	if (memcmp(h->magic, SIS_UNIFIED_MAGIC, sizeof h->magic) != 0)
		return profile_fail(u, err, "no file of all ranks of SIS; remove it from the "
				    "experiment directory");
	if (h->endian == __builtin_bswap32(SIS_PROFILE_ENDIAN))
		return profile_fail(u, err, "written on a machine of the other byte order; analyze "
				    "it on such a machine");
	if (h->checksum != sis_checksum(h, offsetof(struct sis_unified_header, checksum)))
		return profile_fail(u, err, "damaged header: it does not match its checksum"
				    DAMAGED);
	if (h->version > SIS_UNIFIED_VERSION || h->profile_version > SIS_PROFILE_VERSION)
		return profile_fail(u, err, "format %" PRIu32 ".%" PRIu32 " is newer than %u.%u, "
				    "the newest known here; use a newer sis-analyze", h->version,
				    h->profile_version, SIS_UNIFIED_VERSION, SIS_PROFILE_VERSION);
	if (h->size > size)
		return profile_fail(u, err, "truncated: %" PRIu64 " of %" PRIu64 " bytes are there"
				    DAMAGED, size, h->size);
	bool possible = h->definitions <= h->size &&
		h->definitions_bytes <= h->size - h->definitions &&
		h->definitions == SIS_PAGE + (uint64_t)h->ranks * sizeof(struct sis_unified_slot) &&
		h->ranks <= INT32_MAX && !h->run_id[sizeof h->run_id - 1];
	return possible ? 0 : profile_fail(u, err, "damaged header: impossible sizes" DAMAGED);
}

static int read_index(struct unified *u, struct err *err)
{
	size_t bytes = (size_t)u->head.ranks * sizeof(struct sis_unified_slot);
	u->slot.at = mem_alloc(u->head.ranks + 1, sizeof *u->slot.at);
	u->slot.n = u->slot.room = u->head.ranks;
	if (read_at(u, u->slot.at, bytes, SIS_PAGE, err))
		return ERR_FAILED;
	bool good = u->head.checksums[0] == sis_checksum(u->slot.at, bytes);
	for (size_t i = 0; i < u->slot.n; i++)
		good &= u->slot.at[i].offset <= u->head.size &&
			u->slot.at[i].bytes <= u->head.size - u->slot.at[i].offset;
	return good ?
		0 :
		profile_fail(u, err, "damaged: the index of the ranks' parts does not match its "
			     "checksum" DAMAGED);
}

static int read_definitions(struct unified *u, struct err *err)
{
	unsigned char *bytes = mem_alloc(u->head.definitions_bytes + 1, 1);
	if (read_at(u, bytes, u->head.definitions_bytes, u->head.definitions, err) == 0 &&
	    u->head.checksums[1] == sis_checksum(bytes, u->head.definitions_bytes))
		return unified_define(u, bytes, u->head.definitions_bytes, err);
	free(bytes);
	return profile_fail(u, err, "damaged: the definitions of all ranks do not match their "
			    "checksum" DAMAGED);
}

int unified_open(struct unified *u, const char *path, struct err *err)
{
	struct stat st;
	*u = (struct unified){ .path = mem_string(path), .fd = file_open(path, &st, err) };
	int rc = u->fd < 0 ? ERR_FAILED : 0;
	if (rc == 0 &&
	    (read_at(u, &u->head, sizeof u->head, 0, err) ||
	     check_head(u, (uint64_t)st.st_size, err) || read_index(u, err) ||
	     read_definitions(u, err)))
		rc = ERR_FAILED;
	if (rc)
		unified_close(u);
	return rc;
}

void unified_close(struct unified *u)
{
	if (u->fd >= 0)
		close(u->fd);
	vec_free(&u->slot), vec_free(&u->tu), vec_free(&u->node), vec_free(&u->line);
	free(u->bytes);
	free(u->path);
	*u = (struct unified){ .fd = -1 };
}

/* -- parts ------------------------------------------------------------------------------------- */

static bool is_empty(const struct sis_unified_part *part)
{
	return part->magic == 0 && part->rank == 0 && part->id == 0 && part->used == 0 &&
		part->checksum == 0;
}

int unified_profile(const struct unified *u, uint32_t rank, struct profile *p, struct err *err)
{
	const struct sis_unified_slot *slot = &u->slot.at[rank];
	struct sis_unified_part part;
	if (slot->bytes < sizeof part)
		return 0;
	if (read_at(u, &part, sizeof part, slot->offset, err))
		return ERR_FAILED;
	if (is_empty(&part))
		return 0;
	bool good = part.magic == SIS_UNIFIED_PART && part.rank == rank && part.id == u->head.id &&
		    part.used <= slot->bytes - sizeof part;
	unsigned char *bytes = good ? mem_alloc(part.used + 1, 1) : NULL;
	if (good && read_at(u, bytes, part.used, slot->offset + sizeof part, err) == 0 &&
	    part.checksum == sis_checksum(bytes, part.used)) {
		int rc = unified_parse(u, rank, bytes, part.used, p, err);
		free(bytes);
		return rc ? rc : 1;
	}
	free(bytes);
	return profile_fail(u, err, "damaged: the part of rank %" PRIu32 " does not match its "
			    "checksum" DAMAGED, rank);
}
