/* SPDX-License-Identifier: BSD-3-Clause */
/* overlap_list.h - the open activations that may go on when one around them ends. */
#ifndef SIS_OVERLAP_LIST_H
#define SIS_OVERLAP_LIST_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

/* NULL: the activation is none of them. */
struct sis_overlap *sis__overlap_find(struct sis_thread *thread, struct sis_activation at);
void sis__overlap_add(struct sis_thread *thread, struct sis_overlap overlap); /* if there is room */
void sis__overlap_drop(struct sis_thread *thread, struct sis_overlap *overlap);
/* The activation has ended; `ticks` are those of its last part. */
void sis__overlap_finish(struct sis_thread *thread, struct sis_activation ended, uint64_t ticks);

#pragma GCC visibility pop
#endif
