/* SPDX-License-Identifier: BSD-3-Clause */
/* store.h - the mapped file, which grows by chunks and never moves. */
#ifndef SIS_RT_STORE_H
#define SIS_RT_STORE_H

#include "base/state.h"

#include <sys/resource.h>

#pragma GCC visibility push(hidden)

void sis__store_reserve(void); /* a range of addresses, and a header in anonymous memory */
/* Releases most of the range, because the program limits its address space to `limit` bytes. */
void sis__store_confine(rlim_t limit);
/* Makes the memory so far the beginning of the file. Returns 0 or an errno. */
int sis__store_move_into_file(int fd);
/* Room for so many bytes more than are in use, for threads that cannot make some themselves. */
void sis__store_grow_ahead(uint64_t bytes);
/* Creates the file's pages at this address, where nothing is stored yet. If that fails, the first
 * store creates them. */
void sis__store_make_pages(char *from, uint64_t bytes);
/* Whether a file may be that long: beyond RLIMIT_FSIZE the system sends a signal. */
bool sis__store_allows(uint64_t bytes);

SIS_EXPORT struct sis_chunk *sis__chunk_new(enum sis_chunk_kind kind, uint32_t slot,
					    uint64_t payload_bytes);
/* The chunk after this one, after NULL the first; NULL: there are no more. */
struct sis_chunk *sis__chunk_next(char *base, struct sis_chunk *chunk);
static inline void *sis__payload(struct sis_chunk *chunk) { return chunk + 1; }
#define SIS_CHUNK_READY (16u << 10) /* bytes of a longer chunk that have pages when it is made */
/* Room for `bytes` in the chunk being filled, or in a new one of `size`. The caller then adds them
 * to `used`. NULL: no memory. */
void *sis__from_chunk(struct sis_thread *thread, struct sis_chunk **filling,
		      enum sis_chunk_kind kind, uint64_t bytes, uint64_t size);

#pragma GCC visibility pop
#endif
