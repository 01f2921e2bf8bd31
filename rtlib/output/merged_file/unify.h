/* SPDX-License-Identifier: BSD-3-Clause */
/* unify.h - one file for all ranks (schema/unified.h): the interface between the source files that
 * write it.
 *
 *   unify.c        decides whether there will be such a file; this process's part of it
 *   unify_file.c   writes the file and reads it back
 *   mpi_unify.c    what the ranks do together at MPI_Finalize (in libsis-mpi)
 */
#ifndef SIS_UNIFY_H
#define SIS_UNIFY_H

#include <stdbool.h>

#include "unified.h"

/* -- For mpi_unify.c (unify.c) ----------------------------------------------------------------- */
/* Called if this process has wrappers of MPI, so that it may be a rank. */
void sis__unify_announce(void);
/* Called at MPI_Init. True: this rank takes part at MPI_Finalize. */
bool sis__unify_begin(int rank, int size);
/* Called at MPI_Finalize. Returns whether all ranks of the world will take part. */
bool sis__unify_everybody(void);
/* Called repeatedly while a rank waits for others; `times` counts the calls. True: one of the
 * others will not take part after all. */
bool sis__unify_is_off(int times);
/* Returns a checksum of this process's descriptions, 63 bits. */
uint64_t sis__unify_descriptions(void);
/* Returns the bytes for this rank's part; 0: the part cannot be written. `descriptions` is the
 * checksum of rank 0. */
uint64_t sis__unify_room(uint64_t descriptions);
/* Called by rank 0: makes the file, and replaces the sizes of the parts by their offsets. */
bool sis__unify_create(uint64_t *sizes, uint64_t id);
/* Tells this process the offset of its part; 0: there will be no such file. */
void sis__unify_commit(uint64_t offset, uint64_t id);

#pragma GCC visibility push(hidden)
/* -- The file (unify_file.c). Returns 0, or an errno if the file could not be written or read -- */
int sis__unify_write_head(const char *path, const struct sis_unified_header *header,
			  const struct sis_unified_slot *slot,
			  const void *descriptions); /* header->common.used */
int sis__unify_write_part(const char *path, uint64_t offset, const struct sis_unified_part *part,
			  const void *bytes); /* part->used */

/* -- For process/ ------------------------------------------------------------------------------ */
int sis__unify_mark(void);         /* the rank for the name of the process's file; -1: none */
void sis__unify_new_process(void); /* in a forked child, which has no part */
/* Called when the process's file is complete: writes its part and removes the file. */
void sis__unify_finish(void);

#pragma GCC visibility pop

#endif
