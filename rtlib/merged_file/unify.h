/* SPDX-License-Identifier: BSD-3-Clause */
/* unify.h - one file for all ranks (schema/unified.h): what the files that make it share.
 *
 *   unify_defs.c   what ranks have in common: of one process, merged with another's, found again
 *   unify_pack*.c  one process's part
 *   unify_file.c   the file: written, and read back
 *   unify.c        whether, by whom; what is left to do at the end of the process
 *   mpi_unify.c    what the ranks do together at MPI_Finalize (in libsis-mpi)
 *
 * The first two know nothing of the process they run in: they turn bytes into bytes.
 */
#ifndef SIS_UNIFY_H
#define SIS_UNIFY_H

#include "record.h"
#include "tables.h"
#include "unified.h"

#pragma GCC visibility push(hidden)

/* Bytes that are being written; all zeros is empty. */
struct sis_bytes {
	unsigned char *at;  /* malloc'ed */
	uint64_t used, room;
	bool counting;      /* nothing is kept, `used` alone grows */
	bool failed;        /* no memory: what it holds is not whole */
};
void sis__bytes_put(struct sis_bytes *bytes, const void *from, uint64_t length);
void sis__bytes_number(struct sis_bytes *bytes, uint64_t number);
static inline void sis__bytes_signed(struct sis_bytes *bytes, int64_t number)
{
	sis__bytes_number(bytes, sis_zigzag(number));
}

/* -- A profile in memory, mapped or of a process that still runs (unify_defs.c) ---------------- */
/* a chunk of them */
struct sis_image_nodes { const struct sis_node *node; uint64_t count, first; uint32_t slot; };
struct sis_image {
	const struct sis_profile_header *header;
	struct sis_image_nodes *chunk; /* in the order of the file */
	uint32_t chunks;
	uint64_t nodes;                /* in all of them, when it was opened */
};
bool sis__image_open(struct sis_image *image, const struct sis_profile_header *header);
void sis__image_close(struct sis_image *image);
/* The number of the node at an address of the process + 1; 0: none. */
uint64_t sis__image_node(const struct sis_image *image, const struct sis_node *address);
const struct sis_chunk *sis__image_next(
	const struct sis_image *image, const struct sis_chunk *chunk,
	enum sis_chunk_kind kind); /* of NULL the first; NULL: no more */

/* -- Definitions (unify_defs.c) ---------------------------------------------------------------- */
#define SIS_UNIFY_NONE UINT32_MAX
struct sis_unify_unit {
	/* lives as long as what it came from: the image, or the bytes merged */
	const unsigned char *json;
	uint64_t length, checksum, first; /* first: of its regions, counted over all units */
	uint32_t count;
};
struct sis_unify_node { uint32_t parent, region; };
struct sis_unify_line { const unsigned char *text; uint64_t length, checksum; };
struct sis_unify_defs {
	struct sis_unify_unit *unit;
	struct sis_unify_node *node; /* node[0] is the root */
	struct sis_unify_line *line;
	uint32_t units, nodes, lines, node_room, hash_room;
	uint32_t *hash;              /* of (parent, region): node, 0 none */
	/* nodes that all ranks know; what comes after them is this one's */
	uint32_t shared;
	struct sis_profile_header reference; /* what parts' headers are told by */
	bool failed;                 /* no memory: not whole */
};
void sis__unify_defs_init(struct sis_unify_defs *defs);
void sis__unify_defs_release(struct sis_unify_defs *defs);
/* Adds an image's units and paths. A unit that is not known any more is none of its regions'. */
void sis__unify_defs_add(struct sis_unify_defs *defs, const struct sis_image *image);
/* The path that leads from `parent` to `region`, which is made if new; SIS_UNIFY_NONE: no
 * memory. */
uint32_t sis__unify_defs_node(struct sis_unify_defs *defs, uint32_t parent, uint32_t region);
uint32_t sis__unify_defs_unit(struct sis_unify_defs *defs, const unsigned char *json,
			      uint64_t length, uint32_t count,
			      bool add); /* SIS_UNIFY_NONE: not there, or no memory */

/* Region ids of a process as numbers of the definitions. */
struct sis_unify_ids {
	/* ids of a unit; SIS_UNIFY_NONE: of one not in the definitions */
	struct { uint32_t first, count, unit; } *range;
	uint32_t ranges;
};
bool sis__unify_ids_open(struct sis_unify_ids *ids, const struct sis_image *image,
				    struct sis_unify_defs *defs, bool add);
uint32_t sis__unify_region(const struct sis_unify_ids *ids, const struct sis_unify_defs *defs,
			   uint32_t id);

/* Units and paths as bytes, as they go from rank to rank; and as they stand in the file, with what
 * rank 0 has to add. */
void sis__unify_defs_write(const struct sis_unify_defs *defs, struct sis_bytes *out);
void sis__unify_defs_write_rest(const struct sis_image *image, struct sis_bytes *out);
/* The other way round: into `defs`, which may hold some already. False: not whole. */
bool sis__unify_defs_merge(struct sis_unify_defs *defs, const unsigned char *bytes,
			   uint64_t length);
bool sis__unify_defs_read(struct sis_unify_defs *defs, const unsigned char *bytes, uint64_t length);

/* -- A part (unify_pack.c): the image as numbers. False: these definitions cannot express it, or
 * there is no memory. */
bool sis__unify_pack(const struct sis_image *image, struct sis_unify_defs *defs,
		     struct sis_bytes *out);

/* -- The file (unify_file.c): 0, or why it could not be written or is not what was written. ---- */
int sis__unify_write_head(const char *path, const struct sis_unified_header *header,
			  const struct sis_unified_slot *slot, const struct sis_bytes *definitions);
int sis__unify_write_part(const char *path, uint64_t offset, const struct sis_unified_part *part,
				     const struct sis_bytes *bytes);

/* -- For mpi_unify.c (unify.c) ----------------------------------------------------------------- */
#pragma GCC visibility push(default)
/* this process has wrappers of MPI, so it may be a rank */
void sis__unify_announce(void);
/* at MPI_Init; true: this rank takes part at MPI_Finalize */
bool sis__unify_begin(int rank, int size);
/* at MPI_Finalize: all ranks of the world will take part */
bool sis__unify_everybody(void);
/* asked again and again while waiting for them: somebody will not, after all */
bool sis__unify_is_off(int times);
uint64_t sis__unify_kind(void);               /* ranks must have it in common */
bool sis__unify_definitions(struct sis_bytes *out);            /* this process's, as bytes */
bool sis__unify_merge(struct sis_bytes *mine, const unsigned char *other, uint64_t length);
/* by rank 0: as they stand in the file */
bool sis__unify_complete(struct sis_bytes *definitions);
/* bytes for this rank's part; 0: it cannot be. Takes them */
uint64_t sis__unify_room(struct sis_bytes *definitions);
/* by rank 0: rooms to offsets */
bool sis__unify_create(const struct sis_bytes *definitions, uint64_t *places, uint64_t id);
/* offset 0: there will be no such file */
void sis__unify_commit(uint64_t offset, uint64_t id);
void sis__bytes_release(struct sis_bytes *bytes);
#pragma GCC visibility pop

/* -- For the core: nothing of it survives a fork ----------------------------------------------- */
int sis__unify_mark(void);         /* the rank that the process's file is to be named by; -1 none */
void sis__unify_new_process(void);
/* the process's file is whole: its part is written, the file removed */
void sis__unify_finish(void);

#pragma GCC visibility pop

#endif
