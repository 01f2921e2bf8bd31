/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_v2.c - converts records of profiles of versions 1 and 2 to the current version. Pure
 * functions. */
#include "read/profile_v2.h"

#include <string.h>

static unsigned unpack_whole(struct old_record_pack *pack, const void *in, struct sis_record *r)
{
	struct old_record old;
	memcpy(&old, in, sizeof old);
	if (old.place > SIS_RECORD_SHAPES)
		return 0;
	*r = (struct sis_record){
		.enter = old.enter,
		.exit = old.exit,
		.node = (struct sis_node *)(uintptr_t)old.node,
		.bytes = old.bytes,
		.serial = old.serial,
		.comm = old.comm,
		.peer = old.peer,
		.tag = old.tag,
		.kind = old.kind,
		.flags = old.flags,
	};
	if (old.place) {
		pack->shape[old.place - 1] = sis_record_shape_of(r);
		pack->exit = r->exit;
	}
	return sizeof old;
}

unsigned old_record_unpack(struct old_record_pack *pack, const void *in, uint64_t room,
			   struct sis_record *r)
{
	struct old_short_record s;
	if (room < sizeof s)
		return 0;
	memcpy(&s, in, sizeof s);
	if (!(s.head >> 63))
		return room < sizeof(struct old_record) ? 0 : unpack_whole(pack, in, r);
	struct sis_record_shape *last =
		&pack->shape[s.head >> OLD_GAP_BITS & (SIS_RECORD_SHAPES - 1)];
	if (!(last->what[1] >> 32 & UINT16_MAX))
		return 0;
	last->serial += (uint64_t)s.serial;
	*r = sis_record_of_shape(last);
	r->enter = pack->exit +
		(uint64_t)((int64_t)(s.head << (64 - OLD_GAP_BITS)) >> (64 - OLD_GAP_BITS));
	r->exit = pack->exit = r->enter + s.duration;
	return sizeof s;
}
