/* SPDX-License-Identifier: BSD-3-Clause */
/* record.h - how a thread's records are packed in SIS_CHUNK_RECORDS, most of them in four bytes.
 * This file has the code that packs records, and the code with which readers unpack them.
 *
 * A call site usually repeats the same operation with the same partner, tag and bytes. So a whole
 * record may get one of SIS_RECORD_SHAPES places. A packed record says "like the last record of
 * this place, at another time". Programs run in loops, so places are used in the same order again
 * and again. After a record of place A, the place that followed A the last time is "due".
 *
 *      bytes   from the lowest bit
 *      4       01  15 gap  15 duration                of the place that is due
 *      4       01  15 ones 15 zeros                   of the place that is due, with the times of
 *                                                     the record before: the same call made both
 *      8       10   8 place  27 gap  27 duration
 *      16      11   8 place  54 gap  32 duration  32 serial
 *      64      00  30 place + 1 ...                   whole: struct sis_record; 0: it has no place
 *                                                     (records with a payload, and those that are
 *                                                     completed later)
 *
 * The gap is the time from the exit of the last record with a place to the enter of this one. It is
 * signed except in the shortest form. The duration is the time from enter to exit. The serial is
 * the difference from the serial of the last record of the place; a form without it repeats the
 * last difference. A record that fits no packed form is written whole. Whole records begin at
 * multiples of eight bytes; SIS_RECORD_PAD fills the bytes before them. All places are empty at the
 * begin of a chunk, so each chunk can be read without the others.
 */
#ifndef SIS_SCHEMA_RECORD_H
#define SIS_SCHEMA_RECORD_H

#include "hash.h"
#include "profile.h"

#define SIS_RECORD_SHAPES 256u
#define SIS_RECORD_AGAIN 0x1fffdu  /* SIS_RECORD_AGAIN and SIS_RECORD_PAD have a gap that no record
                                    * in the shortest form has */
#define SIS_RECORD_PAD 0xfffffffdu

enum sis_record_form { SIS_FORM_WHOLE, SIS_FORM_DUE, SIS_FORM_LIKE, SIS_FORM_STEP };
/* bits of a form's gap; its duration has as many bits, except in SIS_FORM_STEP */
enum { SIS_DUE_BITS = 15, SIS_LIKE_BITS = 27, SIS_STEP_BITS = 54 };

struct sis_packed_record { /* the content of a form */
	enum sis_record_form form;
	uint32_t place; /* SIS_FORM_LIKE and SIS_FORM_STEP only */
	int64_t gap;
	uint32_t duration;
	int32_t serial; /* SIS_FORM_STEP: difference of the serials */
};

struct sis_record_shape {
	uint64_t node, bytes, serial;
	uint64_t what[2]; /* [0]: comm and peer; [1]: tag, kind and flags; the first in the lowest
	                   * bits */
};
struct sis_record_place {
	struct sis_record_shape shape; /* a kind of 0 (in what[1]): the place is free */
	int32_t step;                  /* difference between the last two serials of the place */
	struct sis_record_place *next; /* the place that followed this one the last time; at the
	                                * begin of a chunk, place 0 */
} __attribute__((__aligned__(64))); /* one cache line */
struct sis_record_pack { /* the state of packing after the records of a chunk so far */
	uint64_t enter, exit;                /* times of the last record with a place */
	struct sis_record_place *last, *due; /* the place of that record; the place that is due */
	struct sis_record_place *place;      /* the places; their number is SIS_RECORD_SHAPES */
};

/* Sets the state at the beginning of a chunk. */
static inline void sis_record_pack_begin(struct sis_record_pack *pack,
					 struct sis_record_place *place)
{
	__builtin_memset(place, 0, SIS_RECORD_SHAPES * sizeof *place);
	for (uint32_t i = 0; i < SIS_RECORD_SHAPES; i++)
		place[i].next = place;
	*pack = (struct sis_record_pack){ .last = place, .due = place, .place = place };
}

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
		.node = (struct sis_node *)(uintptr_t)shape->node,
		.bytes = shape->bytes,
		.serial = shape->serial,
		.comm = (uint32_t)shape->what[0],
		.peer = (int32_t)(shape->what[0] >> 32),
		.tag = (int32_t)shape->what[1],
		.kind = (uint16_t)(shape->what[1] >> 32),
		.flags = (uint16_t)(shape->what[1] >> 48),
	};
}

static inline int sis_record_is_like(const struct sis_record_place *place,
				     const struct sis_record_shape *shape)
{
	return place->shape.node == shape->node && place->shape.bytes == shape->bytes &&
	       place->shape.what[0] == shape->what[0] && place->shape.what[1] == shape->what[1];
}

static inline uint32_t sis_record_place_of(const struct sis_record_shape *shape)
{
	uint64_t h = (shape->node >> 3) + shape->bytes +
		(shape->what[0] << 17 | shape->what[0] >> 47) +
		(shape->what[1] << 7 | shape->what[1] >> 57);
	return (uint32_t)sis_hash_top(h, 8);
}

/* Notes that a record of `place` is the last one. */
static inline void sis_record_passed(struct sis_record_pack *pack, struct sis_record_place *place,
				     uint64_t enter, uint64_t exit)
{
	pack->enter = enter;
	pack->exit = exit;
	pack->last->next = place;
	pack->last = place;
	pack->due = place->next;
}

/* -- packed forms ------------------------------------------------------------------------------ */

static inline int sis_fits(int64_t number, unsigned bits)
{
	return (((uint64_t)number + (UINT64_C(1) << (bits - 1))) >> bits) == 0;
}

static inline unsigned sis_packed_bytes(enum sis_record_form form)
{
	return 2u << form;
}

static inline unsigned sis_form_bytes(enum sis_record_form form)
{
	return form == SIS_FORM_WHOLE ? sizeof(struct sis_record) : sis_packed_bytes(form);
}

/* Writes a packed form. Returns its size in bytes. */
static inline unsigned sis_packed_put(const struct sis_packed_record *r, void *out)
{
	uint64_t gap = (uint64_t)r->gap, word = r->form | (uint64_t)r->place << 2;
	if (r->form == SIS_FORM_DUE)
		word = r->form | gap << 2 | (uint64_t)r->duration << (2 + SIS_DUE_BITS);
	else if (r->form == SIS_FORM_LIKE)
		word |= (gap & ((1u << SIS_LIKE_BITS) - 1)) << 10 |
			(uint64_t)r->duration << (10 + SIS_LIKE_BITS);
	else
		word |= gap << 10;
	uint32_t words[4] = { (uint32_t)word, (uint32_t)(word >> 32), r->duration,
			      (uint32_t)r->serial };
	__builtin_memcpy(out, words, sis_packed_bytes(r->form));
	return sis_packed_bytes(r->form);
}

/* Reads the form at `in`, where `room` bytes can be read. Returns the size of the form; 0: it is
 * not complete. */
static inline unsigned sis_packed_get(const void *in, uint64_t room, struct sis_packed_record *r)
{
	uint32_t words[4] = { 0 };
	if (room < sizeof *words)
		return 0;
	__builtin_memcpy(words, in, sizeof *words);
	*r = (struct sis_packed_record){ .form = (enum sis_record_form)(words[0] & 3) };
	unsigned bytes = sis_form_bytes(r->form);
	if (room < bytes)
		return 0;
	if (r->form == SIS_FORM_WHOLE)
		return bytes;
	__builtin_memcpy(words, in, bytes);
	uint64_t word = words[0] | (uint64_t)words[1] << 32;
	if (r->form == SIS_FORM_DUE) {
		r->gap = (int64_t)(word >> 2 & ((1u << SIS_DUE_BITS) - 1));
		r->duration = (uint32_t)(word >> (2 + SIS_DUE_BITS));
		return bytes;
	}
	unsigned gap_bits = r->form == SIS_FORM_LIKE ? SIS_LIKE_BITS : SIS_STEP_BITS;
	r->place = (uint32_t)(word >> 2) & (SIS_RECORD_SHAPES - 1);
	r->gap = (int64_t)(word << (64 - 10 - gap_bits)) >> (64 - gap_bits);
	r->duration = r->form == SIS_FORM_LIKE ? (uint32_t)(word >> (10 + SIS_LIKE_BITS)) :
						 words[2];
	r->serial = (int32_t)words[3];
	return bytes;
}

/* -- packing records --------------------------------------------------------------------------- */

/* The shortest form with these times; 0: the times do not fit. */
static inline uint32_t sis_record_due_word(const struct sis_record_pack *pack, uint64_t enter,
					   uint64_t exit)
{
	uint64_t gap = enter - pack->exit, duration = exit - enter;
	if (__builtin_expect((gap | (gap + 1) | duration) >> SIS_DUE_BITS == 0, 1))
		return SIS_FORM_DUE | (uint32_t)gap << 2 | (uint32_t)duration << (2 + SIS_DUE_BITS);
	return enter == pack->enter && exit == pack->exit ? SIS_RECORD_AGAIN : 0;
}

static inline void sis_record_was_due(struct sis_record_pack *pack, struct sis_record_place *place,
				      uint64_t enter, uint64_t exit)
{
	pack->enter = enter;
	pack->exit = exit;
	pack->last = place;
	pack->due = place->next;
}

/* If a record of `shape` (whose kind is not 0) from `enter` to `exit` is due, writes it to `out` in
 * four bytes. Returns 1. If no such record is due, changes nothing and returns 0. The function is
 * inline so that the caller can keep the fields in registers. */
static inline __attribute__((__always_inline__)) int sis_record_pack_due(
	struct sis_record_pack *pack, uint64_t enter, uint64_t exit, struct sis_record_shape shape,
	void *out)
{
	struct sis_record_place *due = pack->due;
	if (!sis_record_is_like(due, &shape) ||
	    shape.serial != due->shape.serial + (uint64_t)(int64_t)due->step)
		return 0;
	uint32_t word = sis_record_due_word(pack, enter, exit);
	if (word == 0)
		return 0;
	__builtin_memcpy(out, &word, sizeof word);
	due->shape.serial = shape.serial;
	sis_record_was_due(pack, due, enter, exit);
	return 1;
}

/* The record that is due, in the shortest form, without its duration. It is prepared before the
 * call ends, at a moment when no other process waits for the writer. */
struct sis_record_expected {
	struct sis_record_place *place; /* NULL: another form is needed, or the serial differs */
	uint64_t enter;
	uint32_t word;
	void *out; /* where the record will be written */
};

static inline struct sis_record_expected sis_record_expect(const struct sis_record_pack *pack,
							   uint64_t enter, void *out)
{
	uint64_t gap = enter - pack->exit;
	int fits = (gap | (gap + 1)) >> SIS_DUE_BITS == 0 && pack->due->step == 0;
	return (struct sis_record_expected){ fits ? pack->due : 0, enter,
					     SIS_FORM_DUE | (uint32_t)gap << 2, out };
}

/* Writes the expected record after the call has ended as expected. The caller makes sure that no
 * record was written since sis_record_expect. If the duration is too long, returns 0 and changes
 * nothing. */
static inline __attribute__((__always_inline__)) int sis_record_pack_expected(
	struct sis_record_pack *pack, const struct sis_record_expected *expected, uint64_t exit)
{
	uint64_t duration = exit - expected->enter;
	if (__builtin_expect(duration >> SIS_DUE_BITS != 0, 0))
		return 0;
	uint32_t word = expected->word | (uint32_t)duration << (2 + SIS_DUE_BITS);
	__builtin_memcpy(expected->out, &word, sizeof word);
	sis_record_was_due(pack, expected->place, expected->enter, exit);
	return 1;
}

/* Writes `r` in one of the shorter forms, which take up to 16 bytes. Returns the number of bytes;
 * 0: the record must be written whole. */
static inline unsigned sis_record_pack_short(struct sis_record_pack *pack,
					     const struct sis_record *r, void *out)
{
	struct sis_record_shape shape = sis_record_shape_of(r);
	if (sis_record_pack_due(pack, r->enter, r->exit, shape, out))
		return sis_form_bytes(SIS_FORM_DUE);
	struct sis_packed_record packed = { .place = sis_record_place_of(&shape),
					    .gap = (int64_t)(r->enter - pack->exit) };
	struct sis_record_place *place = &pack->place[packed.place];
	uint64_t duration = r->exit - r->enter;
	int64_t step = (int64_t)(shape.serial - place->shape.serial);
	if (!sis_record_is_like(place, &shape) || step != (int32_t)step || duration >> 32 ||
	    !sis_fits(packed.gap, SIS_STEP_BITS))
		return 0;
	int like = step == place->step && sis_fits(packed.gap, SIS_LIKE_BITS) &&
		duration >> SIS_LIKE_BITS == 0;
	packed.form = like ? SIS_FORM_LIKE : SIS_FORM_STEP;
	packed.duration = (uint32_t)duration;
	packed.serial = place->step = (int32_t)step;
	place->shape.serial = shape.serial;
	sis_record_passed(pack, place, r->enter, r->exit);
	return sis_packed_put(&packed, out);
}

/* Writes `r` whole. */
static inline void sis_record_pack_whole(struct sis_record_pack *pack, const struct sis_record *r,
					 struct sis_record *out)
{
	struct sis_record_shape shape = sis_record_shape_of(r);
	struct sis_record_place *place = &pack->place[sis_record_place_of(&shape)];
	*out = *r;
	out->head = ((uint32_t)(place - pack->place) + 1) << 2;
	place->shape = shape;
	place->step = 0;
	sis_record_passed(pack, place, r->enter, r->exit);
}

/* -- unpacking records ------------------------------------------------------------------------- */

static inline unsigned sis_record_unpack_whole(struct sis_record_pack *pack, const void *in,
					       struct sis_record *r)
{
	__builtin_memcpy(r, in, sizeof *r);
	uint32_t number = r->head >> 2;
	if (number > SIS_RECORD_SHAPES)
		return 0;
	if (number) {
		struct sis_record_place *place = &pack->place[number - 1];
		place->shape = sis_record_shape_of(r);
		place->step = 0;
		sis_record_passed(pack, place, r->enter, r->exit);
	}
	return sizeof *r;
}

/* Reads the record at `in`, where `room` bytes can be read. Returns its size; 0: it is damaged or
 * not complete. */
static inline unsigned sis_record_unpack(struct sis_record_pack *pack, const void *in,
					 uint64_t room, struct sis_record *r)
{
	struct sis_packed_record packed;
	uint32_t word;
	unsigned pad = 0;
	if (room >= sizeof word &&
	    (__builtin_memcpy(&word, in, sizeof word), word == SIS_RECORD_PAD))
		pad = sizeof word;
	unsigned bytes = sis_packed_get((const char *)in + pad, room - pad, &packed);
	if (bytes == 0)
		return 0;
	if (packed.form == SIS_FORM_WHOLE) {
		bytes = sis_record_unpack_whole(pack, (const char *)in + pad, r);
		return bytes ? pad + bytes : 0;
	}
	struct sis_record_place *place = packed.form == SIS_FORM_DUE ? pack->due :
								       &pack->place[packed.place];
	if (!(place->shape.what[1] >> 32 & UINT16_MAX))
		return 0;
	if (packed.form == SIS_FORM_STEP)
		place->step = packed.serial;
	place->shape.serial += (uint64_t)(int64_t)place->step;
	*r = sis_record_of_shape(&place->shape);
	int again = packed.form == SIS_FORM_DUE && packed.gap == SIS_RECORD_AGAIN >> 2;
	r->enter = again ? pack->enter : pack->exit + (uint64_t)packed.gap;
	r->exit = again ? pack->exit : r->enter + packed.duration;
	sis_record_passed(pack, place, r->enter, r->exit);
	return pad + bytes;
}

#endif
