/* SPDX-License-Identifier: BSD-3-Clause */
/* store.h - the mapped file: it grows by chunks and never moves. */
#ifndef SIS_RT_STORE_H
#define SIS_RT_STORE_H

#include "base/state.h"

#include <sys/resource.h>

#pragma GCC visibility push(hidden)

void sis__store_reserve(void); /* a range of addresses, and a header in anonymous memory */
/* Gives most of the range back: the program has limited its address space to `limit` bytes. */
void sis__store_confine(rlim_t limit);
/* What is there so far becomes the beginning of the file. 0 or errno. */
int sis__store_move_into_file(int fd);
/* Makes the file's pages at this address, which holds nothing yet. If that fails, the first store
 * does it. */
void sis__store_make_pages(char *from, uint64_t bytes);
/* Whether a file may be that long: past RLIMIT_FSIZE there is a signal, not an error. */
bool sis__store_allows(uint64_t bytes);

SIS_EXPORT struct sis_chunk *sis__chunk_new(enum sis_chunk_kind kind, uint32_t slot,
					    uint64_t payload_bytes);
/* Of NULL the first chunk; NULL: there are no more. */
struct sis_chunk *sis__chunk_next(char *base, struct sis_chunk *chunk);
static inline void *sis__payload(struct sis_chunk *chunk) { return chunk + 1; }
#define SIS_CHUNK_READY (16u << 10) /* pages that a longer chunk has from its beginning */
/* Room for `bytes` in the chunk being filled, which the caller then counts as used; in a new one
 * of `size` if there is too little. NULL: no memory. */
void *sis__from_chunk(struct sis_thread *thread, struct sis_chunk **filling,
		      enum sis_chunk_kind kind, uint64_t bytes, uint64_t size);

#pragma GCC visibility pop
#endif
