/* SPDX-License-Identifier: BSD-3-Clause */
/* perfetto_packets.c - begins and ends packets of Perfetto's format, and writes names. Owns the
 * packets that are not compressed yet; one thread. */
#include <stdlib.h>

#include "base/escape.h"
#include "answers/export/perfetto.h"

enum { MANY_BYTES = 1 << 16 }; /* packets are collected up to this size and compressed together */

size_t perfetto_open(struct perfetto *p, unsigned flags)
{
	size_t packet = proto_open(&p->packets, TRACE_PACKET);
	proto_uint(&p->packets, PACKET_SEQUENCE, p->sequence);
	proto_uint(&p->packets, PACKET_SEQUENCE_FLAGS, flags);
	return packet;
}

void perfetto_close(struct perfetto *p, size_t packet)
{
	proto_close(&p->packets, packet);
	if (p->packets.byte.n < MANY_BYTES)
		return;
	compress_write(p->gzip, p->packets.byte.at, p->packets.byte.n);
	p->packets.byte.n = 0;
}

size_t perfetto_open_timed(struct perfetto *p, int64_t ns)
{
	size_t packet = perfetto_open(p, SEQUENCE_CONTINUES);
	int64_t delta = ns > p->last_ns ? ns - p->last_ns : 0;
	proto_uint(&p->packets, PACKET_TIMESTAMP, (uint64_t)delta);
	p->last_ns += delta;
	return packet;
}

void perfetto_put_name(struct proto *out, uint32_t field, const char *name)
{
	char *shown = escape_text(name, SIS_ESCAPE_NAME);
	proto_string(out, field, shown);
	free(shown);
}

void perfetto_put_interned(struct proto *out, uint32_t field, uint64_t number, const char *name)
{
	size_t interned = proto_open(out, field);
	proto_uint(out, INTERNED_ID, number);
	perfetto_put_name(out, INTERNED_TEXT, name);
	proto_close(out, interned);
}
