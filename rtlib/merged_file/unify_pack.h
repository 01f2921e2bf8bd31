/* SPDX-License-Identifier: BSD-3-Clause */
/* unify_pack.h - what the files that write a part share: unify_pack.c calls unify_pack_lists.c. */
#ifndef SIS_UNIFY_PACK_H
#define SIS_UNIFY_PACK_H

#include "merged_file/unify.h"

#pragma GCC visibility push(hidden)

struct sis_pack {
	const struct sis_image *image;
	struct sis_unify_defs *defs;
	struct sis_unify_ids ids;
	struct sis_bytes *out;
	uint32_t *path;   /* by node + 1 */
	uint64_t *parent; /* by node + 1: its parent + 1 */
	bool failed;      /* the profile has something that a part cannot have */
};

static inline void sis__pack_number(struct sis_pack *p, uint64_t value)
{
	sis__bytes_number(p->out, value);
}
/* Writes the number of entries and the entries in `list`, which is released. */
static inline void sis__pack_list(struct sis_pack *p, uint64_t count, struct sis_bytes *list)
{
	sis__pack_number(p, count);
	sis__bytes_put(p->out, list->at, list->used);
	p->out->failed |= list->failed;
	sis__bytes_release(list);
}
void sis__pack_records(struct sis_pack *p);
void sis__pack_sensors(struct sis_pack *p);
void sis__pack_comms(struct sis_pack *p);
void sis__pack_texts(struct sis_pack *p);

#pragma GCC visibility pop

#endif
