/* SPDX-License-Identifier: BSD-3-Clause */
/* stacks_file.h - the file of samples (schema/stacks.h), mapped into memory. */
#ifndef SIS_STACKS_FILE_H
#define SIS_STACKS_FILE_H

#include "stacks.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Makes the file in the run's directory, with `header` and the fields that are missing there.
 * Returns 0 or -errno. */
int sis__stacks_file_make(const struct sis_stacks_header *header);
struct sis_stacks_header *sis__stacks_header(void); /* NULL: there is no file */
/* Makes a chunk, whose memory is zero. Returns NULL if there is no room. */
struct sis_chunk *sis__stacks_chunk(uint32_t kind, uint64_t payload_bytes);
/* Returns room for `bytes` in the chunk being filled, or in a new chunk of `size` bytes. The caller
 * then adds `bytes` to the chunk's `used`. Returns NULL if there is no room. */
void *sis__stacks_place(struct sis_chunk **filling, uint32_t kind, uint64_t bytes, uint64_t size);
uint64_t sis__stacks_offset(const void *address); /* in the file; 0 for NULL */
void sis__stacks_text(const char *kind, const char *text);
/* Completes the file. After this call nobody may write to the file. */
void sis__stacks_file_seal(const struct sis_time_mark *end);
void sis__stacks_file_new_process(void); /* in a forked child: the file is the parent's */

#pragma GCC visibility pop
#endif
