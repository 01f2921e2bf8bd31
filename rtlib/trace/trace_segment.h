/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_segment.h - adds segments to the trace's file. Under the lock of trace_file.c. */
#ifndef SIS_TRACE_SEGMENT_H
#define SIS_TRACE_SEGMENT_H

#include "base/config.h"
#include "trace.h"

#pragma GCC visibility push(hidden)

/* The file has its header already. `writes_beside`: blocks are written while the program's threads
 * go on, or at the end of the process. Only then are they compressed, because compression takes
 * twice the time of all the rest. */
bool sis__segment_begin(uint64_t header_bytes, bool writes_beside);
bool sis__segment_put(enum sis_trace_kind kind, uint32_t id, const void *data, uint64_t length);
/* A full block. `dropped`: events not kept before it. A block that cannot be written is counted.
 * `in_haste`: threads wait for room, or will soon; then the block is compressed only if that saves
 * time. */
void sis__segment_put_block(struct sis_trace_block *block, uint64_t dropped, bool in_haste);
/* The last one. `dropped`: events not kept after the last blocks. */
void sis__segment_end(const struct sis_time_mark *end, uint64_t dropped);
void sis__segment_warn_losses(void);

/* Events in a full block. */
uint32_t sis__trace_count(const struct sis_trace_block *block);
/* Writes bytes at an offset. Returns 0 or an errno. */
int sis__segment_write_at(int fd, const void *bytes, uint64_t length, uint64_t at);

#pragma GCC visibility pop
#endif
