/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_segment.h - adds segments to the trace's file. Callers hold the lock of trace_file.c. */
#ifndef SIS_TRACE_SEGMENT_H
#define SIS_TRACE_SEGMENT_H

#include "base/config.h"
#include "trace.h"

#pragma GCC visibility push(hidden)

/* Called when the file has its header: adds the first segment. `writes_beside` says that blocks are
 * written while the program's threads go on, or at the end of the process. Only then blocks are
 * compressed, because compression takes twice the time of all other work here. */
bool sis__segment_begin(uint64_t header_bytes, bool writes_beside);
bool sis__segment_put(enum sis_trace_kind kind, uint32_t id, const void *data, uint64_t length);
/* Adds a full block. `dropped` is the number of events before the block that were not kept. If the
 * block cannot be written, its events are counted as lost. `in_haste` says that threads wait for
 * room, or soon will. Then the block is compressed only if this saves time. */
void sis__segment_put_block(struct sis_trace_block *block, uint64_t dropped, bool in_haste);
/* Adds the last segment. `dropped` is the number of events after the last blocks that were not
 * kept. */
void sis__segment_end(const struct sis_time_mark *end, uint64_t dropped);
void sis__segment_warn_losses(void);

/* Returns the number of events in a full block. */
uint32_t sis__trace_count(const struct sis_trace_block *block);
/* Writes bytes at an offset. Returns 0 or an errno. */
int sis__segment_write_at(int fd, const void *bytes, uint64_t length, uint64_t at);

#pragma GCC visibility pop
#endif
