/* record.h - how a thread's records stand in SIS_CHUNK_RECORDS: most are short. What the writer does when it packs
 * one, the reader undoes; both are here.
 *
 * A call site mostly does the same again: the same operation with the same partner, tag and bytes. So a
 * whole record may be given one of SIS_RECORD_SHAPES places, and a short one says "like the last one of that place",
 * at another time:
 *
 *      whole    struct sis_record, 64 bytes; reserved: its place + 1, 0 none (records with a payload, and those that
 *               are completed later, have none)
 *      short    struct sis_short_record, 16 bytes; its first word has the top bit set, which no tick has
 *
 * Times of a short one are relative: its enter to the exit of the record with a place before it, its exit to
 * its enter, and its serial to that of the last record of its place. What does not fit is written whole.
 * Every chunk begins anew: it can be read without the others.
 */
#ifndef SIS_SCHEMA_RECORD_H
#define SIS_SCHEMA_RECORD_H

#include "profile.h"

#define SIS_RECORD_SHAPES 256u

struct sis_short_record {
	uint64_t head;     /* bit 63: 1; bits 62-55: place; bits 54-0: enter less the exit before, two's complement */
	uint32_t duration; /* ticks from enter to exit */
	int32_t serial;    /* less that of the last one of its place */
};
_Static_assert(sizeof(struct sis_short_record) == 16, "a short record costs 16 bytes");

struct sis_record_shape {
	uint64_t node, bytes, serial;
	uint64_t what[2]; /* comm and peer; tag, kind and flags, from the low end */
};
struct sis_record_pack { /* what a chunk has said so far; all zeros at its beginning */
	uint64_t exit;    /* of the last record with a place */
	struct sis_record_shape shape[SIS_RECORD_SHAPES]; /* what[1] has the kind: 0 says that the place is free */
};

#define SIS_GAP_BITS 55

static inline struct sis_record_shape sis_record_shape_of(const struct sis_record *r)
{
	return (struct sis_record_shape){
		(uint64_t)(uintptr_t)r->node, r->bytes, r->serial,
		{ r->comm | (uint64_t)(uint32_t)r->peer << 32,
		  (uint32_t)r->tag | (uint64_t)r->kind << 32 | (uint64_t)r->flags << 48 } };
}

static inline struct sis_record sis_record_of_shape(const struct sis_record_shape *shape)
{
	return (struct sis_record){
		.node = (struct sis_node *)(uintptr_t)shape->node, .bytes = shape->bytes, .serial = shape->serial,
		.comm = (uint32_t)shape->what[0], .peer = (int32_t)(shape->what[0] >> 32), .tag = (int32_t)shape->what[1],
		.kind = (uint16_t)(shape->what[1] >> 32), .flags = (uint16_t)(shape->what[1] >> 48),
	};
}

static inline unsigned sis_record_place(const struct sis_record_shape *shape)
{
	uint64_t h = (shape->node >> 5) + shape->bytes + (shape->what[0] << 17 | shape->what[0] >> 47) +
		     (shape->what[1] << 7 | shape->what[1] >> 57);
	return (unsigned)(h * 0x9e3779b97f4a7c15u >> 56);
}

/* Writes what `shape` (of a kind that is not 0) did from `enter` to `exit` to `out` as a short record, if that can be;
 * else nothing has changed. Inline, so that a writer that knows the fields has no need of them in memory. */
static inline __attribute__((__always_inline__)) int
sis_record_pack_short(struct sis_record_pack *pack, uint64_t enter, uint64_t exit, struct sis_record_shape shape, void *out)
{
	unsigned place = sis_record_place(&shape);
	struct sis_record_shape *last = &pack->shape[place];
	uint64_t gap = enter - pack->exit, duration = exit - enter;
	int64_t serial = (int64_t)(shape.serial - last->serial);
	if (last->node != shape.node || last->bytes != shape.bytes || last->what[0] != shape.what[0] ||
	    last->what[1] != shape.what[1] || serial != (int32_t)serial ||
	    ((gap + (UINT64_C(1) << (SIS_GAP_BITS - 1))) >> SIS_GAP_BITS | duration >> 32) != 0)
		return 0;
	struct sis_short_record s = {
		UINT64_C(1) << 63 | (uint64_t)place << SIS_GAP_BITS | (gap & ((UINT64_C(1) << SIS_GAP_BITS) - 1)),
		(uint32_t)duration, (int32_t)serial };
	__builtin_memcpy(out, &s, sizeof s);
	pack->exit = exit;
	last->serial = shape.serial;
	return 1;
}

/* Writes `r` to `out`, which has room for a whole one; the bytes that it took. */
static inline unsigned sis_record_pack(struct sis_record_pack *pack, const struct sis_record *r, void *out)
{
	struct sis_record_shape shape = sis_record_shape_of(r);
	if (sis_record_pack_short(pack, r->enter, r->exit, shape, out))
		return sizeof(struct sis_short_record);
	unsigned place = sis_record_place(&shape);
	pack->exit = r->exit;
	pack->shape[place] = shape;
	__builtin_memcpy(out, r, sizeof *r);
	((struct sis_record *)out)->reserved = place + 1;
	return sizeof *r;
}

/* Reads the record at `in`, of which `room` bytes are there; the bytes that it took, 0: damaged, or not all there. */
static inline unsigned sis_record_unpack(struct sis_record_pack *pack, const void *in, uint64_t room,
					 struct sis_record *r)
{
	struct sis_short_record s;
	if (room < sizeof s)
		return 0;
	__builtin_memcpy(&s, in, sizeof s);
	if (!(s.head >> 63)) {
		if (room < sizeof *r)
			return 0;
		__builtin_memcpy(r, in, sizeof *r);
		if (r->reserved > SIS_RECORD_SHAPES)
			return 0;
		if (r->reserved) {
			pack->shape[r->reserved - 1] = sis_record_shape_of(r);
			pack->exit = r->exit;
		}
		return sizeof *r;
	}
	struct sis_record_shape *last = &pack->shape[s.head >> SIS_GAP_BITS & (SIS_RECORD_SHAPES - 1)];
	if (!(last->what[1] >> 32 & UINT16_MAX))
		return 0;
	last->serial += (uint64_t)s.serial;
	*r = sis_record_of_shape(last);
	r->enter = pack->exit + (uint64_t)((int64_t)(s.head << (64 - SIS_GAP_BITS)) >> (64 - SIS_GAP_BITS));
	r->exit = pack->exit = r->enter + s.duration;
	return sizeof s;
}

#endif
