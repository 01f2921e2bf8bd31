/* SPDX-License-Identifier: BSD-3-Clause */
/* filling.h - the chunk that a writer fills, and one for afterwards, which another thread makes. So
 * the writer may be a signal handler. */
#ifndef SIS_FILLING_H
#define SIS_FILLING_H

#include "stacks.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

struct sis_filling {
	/* NULL: none; `spare` is taken with acquire, given with release */
	struct sis_chunk *chunk, *spare;
};

/* The writer: room for so many bytes, and then they are complete. NULL: no room. */
void *sis__filling_room(struct sis_filling *filling, uint64_t bytes);
void sis__filling_done(struct sis_filling *filling, uint64_t bytes);
/* Another thread: whether a spare chunk should be made, because there is none and the one being
 * filled is half full. Then it is given; NULL: there is no room in the file. */
bool sis__filling_wants(const struct sis_filling *filling);
void sis__filling_give(struct sis_filling *filling, struct sis_chunk *chunk);

#pragma GCC visibility pop
#endif
