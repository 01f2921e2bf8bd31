/* SPDX-License-Identifier: BSD-3-Clause */
/* filling.h - the chunk that a writer fills, and a spare chunk that it fills next. Another thread
 * makes the spare chunk, so that the writer may be a signal handler. */
#ifndef SIS_FILLING_H
#define SIS_FILLING_H

#include "stacks.h"

#include <stdbool.h>

#pragma GCC visibility push(hidden)

struct sis_filling {
	/* NULL: there is none. `spare` is taken with acquire and given with release. */
	struct sis_chunk *chunk, *spare;
};

/* The writer calls these two functions. sis__filling_room returns room for `bytes`; NULL: there is
 * no room. sis__filling_done says that the bytes are complete. */
void *sis__filling_room(struct sis_filling *filling, uint64_t bytes);
void sis__filling_done(struct sis_filling *filling, uint64_t bytes);
/* Another thread calls these two functions. sis__filling_wants: whether the writer needs a spare
 * chunk: there is no spare chunk, and the chunk being filled is more than half full or does not
 * exist yet. sis__filling_give hands over the new chunk; NULL: there is no room in the file. */
bool sis__filling_wants(const struct sis_filling *filling);
void sis__filling_give(struct sis_filling *filling, struct sis_chunk *chunk);

#pragma GCC visibility pop
#endif
