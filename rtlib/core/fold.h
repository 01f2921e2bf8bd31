/* SPDX-License-Identifier: BSD-3-Clause */
/* fold.h - recursion deeper than SIS_RECURSION. The thread that fills the slot. */
#ifndef SIS_FOLD_H
#define SIS_FOLD_H

#include "base/state.h"

#pragma GCC visibility push(hidden)

/* The node that an activation entered now is added to; NULL: it gets a node of its own. */
struct sis_node *sis__fold_target(struct sis_thread *thread, uint32_t id);
/* Room to begin it; false: no memory. */
bool sis__fold_reserve(struct sis_thread *thread, const struct sis_node *target);
void sis__fold_begin(struct sis_thread *thread, struct sis_node *target, uint64_t now);
/* Ends the innermost activation, which is folded. Returns its ticks. */
uint64_t sis__fold_end(struct sis_thread *thread, uint64_t now);
/* In a forked child. */
void sis__fold_restart(struct sis_thread *thread, struct sis_activation at, uint64_t now);
void sis__fold_release(struct sis_thread *thread); /* much memory, when nothing is open */

#pragma GCC visibility pop
#endif
