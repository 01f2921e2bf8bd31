/* SPDX-License-Identifier: BSD-3-Clause */
/* unify.h - one file for all ranks (schema/unified.h): what the files that make it share.
 *
 *   unify_image.c  a profile in memory as its nodes in a row; bytes that grow
 *   unify_defs.c   the definitions: of one process, merged with another's, looked up
 *   unify_pack*.c  one process's part
 *   unify_file.c   writes the file and reads it back
 *   unify.c        decides whether there will be such a file; the end of the process
 *   mpi_unify.c    what the ranks do together at MPI_Finalize (in libsis-mpi)
 *
 * The first three do not use the state of the process: their input is bytes, and their output, too.
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
	bool counting;      /* nothing is stored, only `used` grows */
	bool failed;        /* no memory: the content is not complete */
};
void sis__bytes_put(struct sis_bytes *bytes, const void *from, uint64_t length);
void sis__bytes_number(struct sis_bytes *bytes, uint64_t number);
static inline void sis__bytes_signed(struct sis_bytes *bytes, int64_t number)
{
	sis__bytes_number(bytes, sis_zigzag(number));
}

/* -- A profile in memory, mapped or of a process that still runs (unify_image.c) --------------- */
/* a chunk of nodes */
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
	enum sis_chunk_kind kind); /* after NULL the first; NULL: no more */

/* -- Definitions (unify_defs.c) ---------------------------------------------------------------- */
#define SIS_UNIFY_NONE UINT32_MAX
struct sis_unify_unit {
	/* points into the image or the bytes that it came from */
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
	uint32_t *hash;              /* node by (parent, region); 0: none */
	/* number of nodes that all ranks have; those after them are this rank's */
	uint32_t shared;
	struct sis_profile_header reference; /* parts have the differences from it */
	bool failed;                 /* no memory: not complete */
};
void sis__unify_defs_init(struct sis_unify_defs *defs);
void sis__unify_defs_release(struct sis_unify_defs *defs);
/* Adds an image's units and paths. Nodes of a region without a unit are left out, with all below
 * them. */
void sis__unify_defs_add(struct sis_unify_defs *defs, const struct sis_image *image);
/* The path from `parent` to `region`, made if new; SIS_UNIFY_NONE: no memory. */
uint32_t sis__unify_defs_node(struct sis_unify_defs *defs, uint32_t parent, uint32_t region);
uint32_t sis__unify_defs_unit(struct sis_unify_defs *defs, const unsigned char *json,
			      uint64_t length, uint32_t count,
			      bool add); /* SIS_UNIFY_NONE: not there, or no memory */

/* Region ids of a process as numbers of the definitions. */
struct sis_unify_ids {
	/* ids of a unit; SIS_UNIFY_NONE: the unit is not in the definitions */
	struct { uint32_t first, count, unit; } *range;
	uint32_t ranges;
};
bool sis__unify_ids_open(struct sis_unify_ids *ids, const struct sis_image *image,
				    struct sis_unify_defs *defs, bool add);
uint32_t sis__unify_region(const struct sis_unify_ids *ids, const struct sis_unify_defs *defs,
			   uint32_t id);

/* Units and paths as bytes, as ranks send them to each other; and what rank 0 adds to them in the
 * file. */
void sis__unify_defs_write(const struct sis_unify_defs *defs, struct sis_bytes *out);
void sis__unify_defs_write_rest(const struct sis_image *image, struct sis_bytes *out);
/* The inverse: adds them to `defs`, which may have some already. False: they are not complete. */
bool sis__unify_defs_merge(struct sis_unify_defs *defs, const unsigned char *bytes,
			   uint64_t length);
bool sis__unify_defs_read(struct sis_unify_defs *defs, const unsigned char *bytes, uint64_t length);

/* -- A part (unify_pack.c): the image as numbers. False: these definitions cannot express it, or
 * there is no memory. */
bool sis__unify_pack(const struct sis_image *image, struct sis_unify_defs *defs,
		     struct sis_bytes *out);

/* -- The file (unify_file.c): 0, or the errno if it could not be written or reads differently -- */
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
/* called repeatedly while a rank waits for others: one of them will not take part after all */
bool sis__unify_is_off(int times);
uint64_t sis__unify_kind(void);               /* must be the same in all ranks */
bool sis__unify_definitions(struct sis_bytes *out);            /* this process's, as bytes */
bool sis__unify_merge(struct sis_bytes *mine, const unsigned char *other, uint64_t length);
/* by rank 0: adds what else the file has */
bool sis__unify_complete(struct sis_bytes *definitions);
/* bytes for this rank's part; 0: it cannot be written. Keeps the definitions and clears the
 * argument */
uint64_t sis__unify_room(struct sis_bytes *definitions);
/* by rank 0: replaces the lengths of parts by their offsets */
bool sis__unify_create(const struct sis_bytes *definitions, uint64_t *places, uint64_t id);
/* offset 0: there will be no such file */
void sis__unify_commit(uint64_t offset, uint64_t id);
void sis__bytes_release(struct sis_bytes *bytes);
#pragma GCC visibility pop

/* -- For process/ ------------------------------------------------------------------------------ */
int sis__unify_mark(void);         /* the rank in the name of the process's file; -1: none */
void sis__unify_new_process(void); /* in a forked child, which has no part */
/* when the process's file is complete: writes its part and removes the file */
void sis__unify_finish(void);

#pragma GCC visibility pop

#endif
