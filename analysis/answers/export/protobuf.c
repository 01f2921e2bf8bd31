/* SPDX-License-Identifier: BSD-3-Clause */
/* protobuf.c - the wire format of Protocol Buffers. The buffer is the caller's; any thread.
 *
 * The length of a message is written before the message, but is known only at its end. proto_open
 * leaves one byte for the length, which is enough for most messages; proto_close moves a longer
 * message to make room. */
#include "answers/export/protobuf.h"

#include <string.h>

enum { VARINT = 0, FIXED64 = 1, LENGTH = 2 }; /* wire types */
enum { MOST_BYTES = 10 };                     /* longest varint */

static unsigned char *grow(struct proto *p, size_t bytes)
{
	while (p->byte.room - p->byte.n < bytes)
		vec_grow((void **)&p->byte.at, &p->byte.room, p->byte.room, 1);
	unsigned char *at = p->byte.at + p->byte.n;
	p->byte.n += bytes;
	return at;
}

static size_t encode(unsigned char *to, uint64_t value)
{
	size_t n = 0;
	for (; value > 0x7f; value >>= 7)
		to[n++] = (unsigned char)(value | 0x80);
	to[n++] = (unsigned char)value;
	return n;
}

static void put_varint(struct proto *p, uint64_t value)
{
	unsigned char *at = grow(p, MOST_BYTES);
	p->byte.n += encode(at, value) - MOST_BYTES;
}

static void put_tag(struct proto *p, uint32_t field, unsigned type)
{
	put_varint(p, (uint64_t)field << 3 | type);
}

void proto_uint(struct proto *p, uint32_t field, uint64_t value)
{
	put_tag(p, field, VARINT);
	put_varint(p, value);
}

/* A negative number is written as its 64 bits, which take ten bytes. */
void proto_int(struct proto *p, uint32_t field, int64_t value)
{
	proto_uint(p, field, (uint64_t)value);
}

void proto_fixed64(struct proto *p, uint32_t field, uint64_t value)
{
	put_tag(p, field, FIXED64);
	unsigned char *at = grow(p, sizeof value);
	for (size_t i = 0; i < sizeof value; i++)
		at[i] = (unsigned char)(value >> 8 * i);
}

void proto_double(struct proto *p, uint32_t field, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	proto_fixed64(p, field, bits);
}

void proto_string(struct proto *p, uint32_t field, const char *text)
{
	size_t length = strlen(text);
	put_tag(p, field, LENGTH);
	put_varint(p, length);
	memcpy(grow(p, length), text, length);
}

size_t proto_open(struct proto *p, uint32_t field)
{
	put_tag(p, field, LENGTH);
	grow(p, 1);
	return p->byte.n;
}

void proto_close(struct proto *p, size_t message)
{
	unsigned char head[MOST_BYTES];
	size_t length = p->byte.n - message, n = encode(head, length);
	grow(p, n - 1);
	unsigned char *at = p->byte.at + message;
	if (n > 1)
		memmove(at + n - 1, at, length);
	memcpy(at - 1, head, n);
}
