/* SPDX-License-Identifier: BSD-3-Clause */
/* stacks_file.h - the file of samples (schema/stacks.h), mapped into memory. */
#ifndef SIS_STACKS_FILE_H
#define SIS_STACKS_FILE_H

#include "stacks.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

/* Makes the file in the run's directory, with this header completed. 0 or -errno. */
int sis__stacks_file_make(const struct sis_stacks_header *header);
struct sis_stacks_header *sis__stacks_header(void); /* NULL: there is no file */
/* A new chunk, whose memory is zero. NULL: no room. */
struct sis_chunk *sis__stacks_chunk(uint32_t kind, uint64_t payload_bytes);
/* Room for `bytes` in the chunk being filled, or in a new one of `size`; the caller then adds them
 * to `used`. NULL: no room. */
void *sis__stacks_place(struct sis_chunk **filling, uint32_t kind, uint64_t bytes, uint64_t size);
uint64_t sis__stacks_offset(const void *place); /* in the file; of NULL 0 */
void sis__stacks_text(const char *kind, const char *text);
/* Nobody writes to the file any more. */
void sis__stacks_file_seal(const struct sis_time_mark *end);
void sis__stacks_file_new_process(void); /* in a forked child: the file is the parent's */

#pragma GCC visibility pop
#endif
