/* SPDX-License-Identifier: BSD-3-Clause */
/* store.h - the mapped file, which grows by chunks and never moves. */
#ifndef SIS_RT_STORE_H
#define SIS_RT_STORE_H

#include "base/state.h"

#include <sys/resource.h>

#pragma GCC visibility push(hidden)

void sis__store_reserve(void); /* reserves addresses; the header is in anonymous memory at first */
/* Releases most of the range, because the program limits its address space to `limit` bytes. */
void sis__store_confine(rlim_t limit);
/* Writes the memory so far to the beginning of the file, and maps the file instead. Returns 0 or an
 * errno. */
int sis__store_move_into_file(int fd);
/* Makes room for `bytes` more than are in use, for threads that cannot make room themselves. */
void sis__store_grow_ahead(uint64_t bytes);
/* Creates the file's pages from this address on, where nothing is stored yet. If this fails, the
 * first store to each page creates it. */
void sis__store_make_pages(char *from, uint64_t bytes);
/* Whether a file may have so many bytes. Beyond RLIMIT_FSIZE the system would send a signal. */
bool sis__store_allows(uint64_t bytes);

SIS_EXPORT struct sis_chunk *sis__chunk_new(enum sis_chunk_kind kind, uint32_t slot,
					    uint64_t payload_bytes);
/* Returns the chunk after this one, or the first chunk for NULL. NULL: there are no more chunks. */
struct sis_chunk *sis__chunk_next(char *base, struct sis_chunk *chunk);
static inline void *sis__payload(struct sis_chunk *chunk) { return chunk + 1; }
#define SIS_CHUNK_READY (16u << 10) /* the pages of the first 16 KiB of a chunk are made at once */
/* Finds room for `bytes` in *filling, or in a new chunk of `size`. The caller then adds `bytes` to
 * `used`. NULL: no memory. */
void *sis__from_chunk(struct sis_thread *thread, struct sis_chunk **filling,
		      enum sis_chunk_kind kind, uint64_t bytes, uint64_t size);

#pragma GCC visibility pop
#endif
