/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.h - the trace format, byte by byte: what happened when, of one process, beside its profile.
 *
 * Two files for each process. The trace, compressed, to which segments are only added:
 *
 *      trace-HOST-PID.sis    struct sis_trace_header
 *                            struct sis_trace_segment, its payload
 *                            struct sis_trace_segment, its payload ...       to the end of the file
 *
 * and the memory in which events are collected, mapped shared, which is removed at an orderly end:
 *
 *      trace-HOST-PID.ring   struct sis_trace_header                         SIS_PAGE bytes
 *                            for each stream:
 *                              struct sis_trace_stream                       SIS_PAGE bytes
 *                              header.ring_blocks blocks of header.block_bytes bytes each
 *
 * So whatever stops the process, its events are on disk: the blocks of the ring that are not in the
 * other file yet (from stream.written on), and the one that was being filled, up to stream.next.
 *
 * Segments:
 *   SIS_TRACE_BLOCK     a block of a stream: struct sis_trace_block, `path` numbers, events
 *   SIS_TRACE_BUILTIN   text: names of the region ids from 1 on, with commas between
 *   SIS_TRACE_UNIT      struct sis_profile_unit and its description, as in a profile: what its
 *                       region ids mean
 *   SIS_TRACE_VALUE     text: the name of user value `slot`
 *   SIS_TRACE_END       struct sis_trace_end: the process reached its end, and nothing is missing
 *                       before here
 *   SIS_TRACE_LOST      struct sis_trace_end: what was lost so far. It follows the header, and is
 *                       written again in its place whenever a block is lost, since that needs no
 *                       room on the disk. `end` is all zero until the process reached its end.
 *                       It counts if there is no SIS_TRACE_END, for which there may be no room
 * Segments that define an id come before the events with that id. Payloads may be compressed
 * (codec). A reader skips kinds that it does not know, and skips damage up to the next segment
 * whose checksum is right.
 *
 * A stream has the events of one slot. Blocks of a stream are numbered from 0. Each can be read
 * without those before it, because it says what was open when it began. So a reader can go on where
 * blocks or events are missing.
 *
 * Events are words of 32 bits, aligned. The two lowest bits of the first say what it is:
 *   SIS_TRACE_LEAVE   30 bits of ticks since the event before (or the block's `first`): the
 *                     innermost region is left
 *   SIS_TRACE_ENTER   12 bits of region id (bits 2 to 13), 18 bits of ticks
 *   SIS_TRACE_LONG    6 bits of kind (enum sis_trace_long), 8 bits of length in words, this one
 *                     included; then two words of ticks, not relative, low one first; then the
 *                     words of the kind
 * Ticks of a stream never decrease. What is known only afterwards (how long the start of a team
 * took, that a wait was for a thread that worked alone) is written then, with its own times.
 *
 * Messages are not repeated here: the profile has a record of each.
 */
#ifndef SIS_SCHEMA_TRACE_H
#define SIS_SCHEMA_TRACE_H

#include "profile.h"

#define SIS_TRACE_MAGIC "SIT\r\n\x1a\n"
#define SIS_TRACE_VERSION 1u

struct sis_trace_header {
	char magic[8];            /* SIS_TRACE_MAGIC */
	uint32_t version;         /* SIS_TRACE_VERSION */
	uint32_t endian;          /* SIS_PROFILE_ENDIAN as the writer stores it */
	uint32_t pid;             /* with host and start.ticks: whose profile is beside it */
	uint32_t clock;           /* enum sis_clock */
	uint64_t ticks_per_second;
	struct sis_time_mark start;
	uint32_t block_bytes;     /* of each block of the ring */
	uint32_t ring_blocks;     /* of each stream */
	uint32_t overwrites;      /* 1: the last events are only in the ring, until the end */
	uint32_t writer;          /* enum sis_trace_writer */
	char host[64];
	char run_id[64];
};

/* What wrote the blocks to the file, and why. */
enum sis_trace_writer {
	SIS_WRITER_UNKNOWN,       /* an older runtime */
	SIS_WRITER_ASYNC,         /* a thread of the runtime: SIS_WRITER=async */
	SIS_WRITER_ASYNC_AUTO,    /* ... because it may run beside the program's threads */
	SIS_WRITER_SYNC,          /* the program's threads: SIS_WRITER=sync */
	SIS_WRITER_SYNC_AUTO,     /* ... because the process has one processor */
	SIS_WRITER_SYNC_NO_THREAD,/* ... because no thread could be created */
	SIS_WRITER_AT_END,        /* the thread that ends the process: header.overwrites */
};

enum sis_trace_kind {
	SIS_TRACE_BLOCK = 1,
	SIS_TRACE_BUILTIN,
	SIS_TRACE_UNIT,
	SIS_TRACE_VALUE,
	SIS_TRACE_END,
	SIS_TRACE_LOST,
};
enum sis_trace_codec { SIS_TRACE_PLAIN = 0, SIS_TRACE_ZSTD = 1 };

#define SIS_TRACE_SEGMENT_MAGIC 0x47455354u /* "TSEG" */
#define SIS_TRACE_MOST_BYTES (64u << 20)    /* of a payload, compressed or not */

struct sis_trace_segment {
	uint32_t magic;    /* SIS_TRACE_SEGMENT_MAGIC */
	uint16_t kind;     /* enum sis_trace_kind */
	uint16_t codec;    /* enum sis_trace_codec */
	uint32_t slot;     /* BLOCK: its stream; VALUE: the id */
	uint32_t bytes;    /* of payload that follow */
	uint32_t raw_bytes;/* of payload, decompressed */
	uint32_t events;   /* BLOCK: events in it */
	uint64_t serial;   /* BLOCK: its number in the stream */
	uint64_t first;    /* BLOCK: ticks when it began ... */
	uint64_t last;     /* ... and of its last event, so that readers can skip it */
	uint64_t dropped;  /* BLOCK: events not kept between the block before and this one */
	uint64_t checksum; /* sis_trace_checksum */
};

#define SIS_TRACE_BLOCK_MAGIC 0x4b4c4254u /* "TBLK" */
#define SIS_TRACE_PATH 64u /* most open regions that a block names */

struct sis_trace_block { /* then `path` region ids, outermost first, then events */
	uint32_t magic;    /* SIS_TRACE_BLOCK_MAGIC, written last */
	uint32_t slot;
	uint64_t serial;
	uint64_t first;    /* ticks when it began */
	uint64_t dropped;  /* events not kept just before it */
	uint32_t depth;    /* regions open when it began, without the root ... */
	uint32_t path;     /* ... and how many of them are named: the innermost */
	uint32_t used;     /* bytes, this head included; 0 while it is filled */
	uint32_t events;   /* counted when it is written down */
	uint64_t last;     /* ticks of its last event; 0 while it is filled */
	/* header.overwrites: events of the stream in blocks of the ring that were overwritten up to
	 * here, and those not kept just before them. In the file, `dropped` of the oldest block
	 * (struct sis_trace_segment) includes them */
	uint64_t overwritten;
};

#define SIS_TRACE_STREAM_MAGIC 0x4d545354u /* "TSTM" */
struct sis_trace_stream { /* the head of a stream in the ring; then bytes private to the runtime */
	uint32_t magic;    /* SIS_TRACE_STREAM_MAGIC */
	uint32_t slot;
	uint64_t base;     /* address of this head in the process */
	/* where the next event goes: an address in the block being filled; NULL: none is */
	uint32_t *next;
	uint64_t filling;  /* number of that block */
	/* blocks below this number are in the other file, or were given up and counted */
	uint64_t written;
	uint64_t dropped;  /* events not kept since the last block began */
};

struct sis_trace_end {
	struct sis_time_mark end; /* of the process */
	/* that were in blocks which could not be written: no space, or the limit on size */
	uint64_t lost_events;
	uint64_t lost_blocks;
	uint64_t dropped;     /* events not kept after the last block of their stream */
};

enum sis_trace_word { SIS_TRACE_LEAVE = 0, SIS_TRACE_ENTER = 1, SIS_TRACE_LONG = 2 };
enum sis_trace_long {
	SIS_TRACE_LONG_LEAVE = 1, /* no more words */
	SIS_TRACE_LONG_ENTER,     /* region id */
	SIS_TRACE_LONG_VALUE,     /* id of a user value; the number, a double, low word first */
	SIS_TRACE_LONG_STOP,      /* no more words: the stream pauses here */
};
#define SIS_TRACE_LONG_MOST 8u /* words of the longest */
#define SIS_TRACE_ENTER_IDS 4096u
#define SIS_TRACE_ENTER_TICKS (1u << 18)
#define SIS_TRACE_LEAVE_TICKS (1u << 30)

_Static_assert(sizeof(struct sis_trace_segment) == 64, "a segment's head");
_Static_assert(sizeof(struct sis_trace_block) == 64, "a block's head");
_Static_assert(sizeof(struct sis_trace_header) <= SIS_PAGE, "the header fits its page");

/* Of the head, with 0 in the checksum's place, and the payload as it follows. */
static inline uint64_t sis_trace_checksum(const struct sis_trace_segment *head, const void *payload)
{
	struct sis_trace_segment copy = *head;
	copy.checksum = 0;
	return sis_checksum(&copy, sizeof copy) ^
		sis_checksum(payload, head->bytes) * 0x9e3779b97f4a7c15u;
}

/* Words of the event that begins here; 0: none can be here. */
static inline uint32_t sis_trace_words(uint32_t word)
{
	uint32_t words = word >> 8 & 0xff;
	switch (word & 3) {
	case SIS_TRACE_LEAVE:
	case SIS_TRACE_ENTER:
		return 1;
	case SIS_TRACE_LONG:
		return words >= 3 ? words : 0;
	}
	return 0;
}

#endif
