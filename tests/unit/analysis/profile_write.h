/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_write.h - profile files made by hand, byte for byte as the runtime writes them, for tests
 * of readers.
 *
 *     struct profile_writer *w = writer_new(rank, size);
 *     uint64_t root = writer_thread(w, slot);               the address of the slot's root
 *     uint64_t node = writer_node(w, slot, parent, region, calls, total);
 *     writer_record(w, slot, (struct sis_record){ ... });
 *     bytes = writer_take(w, SIS_STATE_ENDED, &size);      malloc'ed; the writer is gone
 *
 * One tick is one nanosecond; the run begins at tick WRITER_START.
 */
#ifndef SIS_TESTS_PROFILE_WRITE_H
#define SIS_TESTS_PROFILE_WRITE_H

#include "profile.h"
#include "tables.h"

#define WRITER_START 1000000000u
#define WRITER_BASE 0x7f0000000000u
#define WRITER_SLOTS 8

struct profile_writer;

struct profile_writer *writer_new(int32_t rank, int32_t size);
/* When the run began and ended, in ticks after WRITER_START. */
void writer_times(struct profile_writer *w, uint64_t begin, uint64_t end);
struct sis_profile_header *writer_header(struct profile_writer *w);
uint64_t writer_thread(struct profile_writer *w, uint32_t slot);
uint64_t writer_node(struct profile_writer *w, uint32_t slot, uint64_t parent, uint32_t region,
		     uint64_t calls, uint64_t total);
struct sis_node *writer_node_at(struct profile_writer *w, uint64_t address);
/* That the node was forked by another one. */
void writer_origin(struct profile_writer *w, uint32_t slot, uint64_t node, uint64_t origin);
/* The node that forked this one; 0: none. */
uint64_t writer_origin_of(struct profile_writer *w, uint64_t node);
struct sis_profile_thread *writer_thread_at(struct profile_writer *w, uint32_t slot);
void writer_record(struct profile_writer *w, uint32_t slot, struct sis_record record);
/* A phase record, its entries after it. */
void writer_phase(struct profile_writer *w, uint32_t slot, uint64_t enter, uint64_t exit,
		  uint64_t node, const struct sis_phase_entry *entry, size_t entries);
void writer_text(struct profile_writer *w, const char *kind, const char *text);
/* Regions 1000, 1001, ... are functions of these names in file f.c, at lines 10, 20, ...; a library
 * routine's name makes it a call of it. */
void writer_functions(struct profile_writer *w, const char *const *name, size_t count);
/* The description of that unit, malloc'ed. */
char *writer_description(const char *const *name, size_t count);
/* Any chunk, its payload as it is: the address of that. */
uint64_t writer_chunk(struct profile_writer *w, enum sis_chunk_kind kind, uint32_t slot,
		      const void *payload, size_t length);
/* A unit of `count` regions that have the ids from first_id on, with its description. */
void writer_unit(struct profile_writer *w, uint32_t first_id, uint32_t count, const char *json);
#define WRITER_FUNCTION(k) (1000u + (k))
unsigned char *writer_take(struct profile_writer *w, enum sis_state state, size_t *size);

/* The region id of an MPI routine that the runtime has built in. */
uint32_t writer_mpi(const char *routine);

#endif
