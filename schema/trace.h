/* SPDX-License-Identifier: BSD-3-Clause */
/* trace.h - the trace format, byte by byte: all events of one process and their times.
 *
 * Each process has two files beside its profile. The first is the trace, which is compressed.
 * Segments are only appended to it:
 *
 *      trace-HOST-PID.sis    struct sis_trace_header
 *                            struct sis_trace_segment, its payload
 *                            struct sis_trace_segment, its payload ...       to the end of the file
 *
 * The second is the memory in which events are collected. It is mapped shared, and is removed if
 * the process ends normally:
 *
 *      trace-HOST-PID.ring   struct sis_trace_header                         SIS_PAGE bytes
 *                            for each stream:
 *                              struct sis_trace_stream                       SIS_PAGE bytes
 *                              header.ring_blocks blocks of header.block_bytes bytes each
 *
 * So whatever stops the process, all its events are in files. The ring has the blocks that are not
 * yet in the trace (from number stream.written on), and the block that was being filled, up to
 * stream.next.
 *
 * Segments:
 *   SIS_TRACE_BLOCK     a block of a stream: struct sis_trace_block, `path` numbers, events
 *   SIS_TRACE_BUILTIN   text: names of the region ids from 1 on, with commas between
 *   SIS_TRACE_UNIT      struct sis_profile_unit and its description, as in a profile. They say
 *                       what the unit's region ids mean
 *   SIS_TRACE_VALUE     text: the name of user value `slot`
 *   SIS_TRACE_END       struct sis_trace_end: the process reached its end, and no segment is
 *                       missing before this one
 *   SIS_TRACE_LOST      struct sis_trace_end: the blocks that were lost so far. The segment follows
 *                       the header. It is written again, in its place, whenever a block is lost,
 *                       because this needs no room on the disk. `end` is all zero until the
 *                       process reached its end.
 *                       Readers use it if there is no SIS_TRACE_END, for which there may have been
 *                       no room
 * A segment that defines an id comes before the events with that id. Payloads may be compressed
 * (codec). A reader skips kinds that it does not know, and skips damage up to the next segment
 * whose checksum is right.
 *
 * A stream has the events of one slot. Blocks of a stream are numbered from 0. A block names the
 * regions that were open when it began, so it can be read without the blocks before it. So a reader
 * can continue if blocks or events are missing.
 *
 * Events are words of 32 bits, aligned. The two lowest bits of an event's first word give its kind:
 *   SIS_TRACE_LEAVE   the innermost region is left: 30 bits of ticks since the event before (for
 *                     the first event, since the block's `first`)
 *   SIS_TRACE_ENTER   a region is entered: 12 bits of region id (bits 2 to 13), 18 bits of ticks
 *   SIS_TRACE_LONG    6 bits of kind (enum sis_trace_long), 8 bits of length in words, the first
 *                     word included. Two words follow, the low one first: ticks, not relative to
 *                     another event. Then come the words of the kind
 * Ticks of a stream never decrease. Some facts are known only afterwards: how long the start of a
 * team took, or that a wait was for a thread that worked alone. Such facts are written when they
 * are known, with the times at which they happened.
 *
 * The trace has no messages, because the profile has a record of each message.
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
	uint32_t pid;             /* pid, host and start.ticks identify the profile of the
	                           * process */
	uint32_t clock;           /* enum sis_clock */
	uint64_t ticks_per_second;
	struct sis_time_mark start;
	uint32_t block_bytes;     /* bytes of each block of the ring */
	uint32_t ring_blocks;     /* number of blocks of each stream */
	uint32_t overwrites;      /* 1: until the process ends, the ring has the only copy, and new
	                           * events overwrite old ones */
	uint32_t writer;          /* enum sis_trace_writer */
	char host[64];
	char run_id[64];
};

/* The writer of the blocks to the file, and the reason for this choice. */
enum sis_trace_writer {
	SIS_WRITER_ASYNC = 1,     /* a thread of the runtime: SIS_WRITER=async */
	SIS_WRITER_ASYNC_AUTO,    /* likewise by default, because it may run beside the program's
	                           * threads */
	SIS_WRITER_SYNC,          /* the program's threads: SIS_WRITER=sync */
	SIS_WRITER_SYNC_AUTO,     /* likewise by default, because the process has one processor */
	SIS_WRITER_SYNC_NO_THREAD,/* likewise, because no thread could be created */
	SIS_WRITER_AT_END,        /* the thread that ends the process, with header.overwrites */
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
#define SIS_TRACE_MOST_BYTES (64u << 20)    /* most bytes of a payload, compressed or not */

struct sis_trace_segment {
	uint32_t magic;    /* SIS_TRACE_SEGMENT_MAGIC */
	uint16_t kind;     /* enum sis_trace_kind */
	uint16_t codec;    /* enum sis_trace_codec */
	uint32_t slot;     /* BLOCK: number of its stream; VALUE: the id */
	uint32_t bytes;    /* bytes of payload that follow */
	uint32_t raw_bytes;/* bytes of payload, decompressed */
	uint32_t events;   /* BLOCK: number of its events */
	uint64_t serial;   /* BLOCK: number of the block in its stream */
	uint64_t first;    /* BLOCK: ticks when the block began ... */
	uint64_t last;     /* ... and of its last event, so that readers can skip it */
	uint64_t dropped;  /* BLOCK: events that were dropped between the block before and this
	                    * one */
	uint64_t checksum; /* sis_trace_checksum */
};

#define SIS_TRACE_BLOCK_MAGIC 0x4b4c4254u /* "TBLK" */
#define SIS_TRACE_PATH 64u /* most open regions that a block can name */

struct sis_trace_block { /* `path` region ids follow, outermost first, then events */
	uint32_t magic;    /* SIS_TRACE_BLOCK_MAGIC, written last */
	uint32_t slot;
	uint64_t serial;
	uint64_t first;    /* ticks when the block began */
	uint64_t dropped;  /* events that were dropped just before the block */
	uint32_t depth;    /* number of regions that were open when it began, without the root
	                    * ... */
	uint32_t path;     /* ... and how many of them, the innermost ones, are named */
	uint32_t used;     /* bytes, this struct included; 0 while the block is being filled */
	uint32_t events;   /* number of events, counted when the block is written to the file */
	uint64_t last;     /* ticks of the block's last event; 0 while the block is being filled */
	/* with header.overwrites: the number of events in those blocks of the stream that were
	 * overwritten when this block began, plus the values of `dropped` of those blocks. In the
	 * file, `dropped` of the oldest block (struct sis_trace_segment) includes this number for
	 * the newest block */
	uint64_t overwritten;
};

#define SIS_TRACE_STREAM_MAGIC 0x4d545354u /* "TSTM" */
struct sis_trace_stream { /* the head of a stream in the ring; bytes private to the runtime
                           * follow */
	uint32_t magic;    /* SIS_TRACE_STREAM_MAGIC */
	uint32_t slot;
	uint64_t base;     /* address of this head in the process */
	/* address of the next event in the block that is being filled; NULL: no block is being
	 * filled */
	uint32_t *next;
	uint64_t filling;  /* number of the block that is being filled */
	/* blocks below this number are in the trace, or were given up and counted as lost */
	uint64_t written;
	uint64_t dropped;  /* events that were dropped since the last block began */
};

struct sis_trace_end {
	struct sis_time_mark end; /* the end of the process */
	/* events of blocks that could not be written, for lack of space or because of the limit on
	 * size */
	uint64_t lost_events;
	uint64_t lost_blocks;
	uint64_t dropped;     /* events that were dropped after the last block of their stream */
};

enum sis_trace_word { SIS_TRACE_LEAVE = 0, SIS_TRACE_ENTER = 1, SIS_TRACE_LONG = 2 };
enum sis_trace_long {
	SIS_TRACE_LONG_LEAVE = 1, /* no more words */
	SIS_TRACE_LONG_ENTER,     /* region id */
	SIS_TRACE_LONG_VALUE,     /* id of a user value; then the number, a double, low word
	                           * first */
	SIS_TRACE_LONG_STOP,      /* no more words. The stream pauses here */
};
#define SIS_TRACE_LONG_MOST 8u /* words of the longest event */
#define SIS_TRACE_ENTER_IDS 4096u
#define SIS_TRACE_ENTER_TICKS (1u << 18)
#define SIS_TRACE_LEAVE_TICKS (1u << 30)

_Static_assert(sizeof(struct sis_trace_segment) == 64, "a segment's head");
_Static_assert(sizeof(struct sis_trace_block) == 64, "a block's head");
_Static_assert(sizeof(struct sis_trace_header) <= SIS_PAGE, "the header fits its page");

/* The checksum of a segment: of its head, with 0 as `checksum`, and of its payload as it is in the
 * file. */
static inline uint64_t sis_trace_checksum(const struct sis_trace_segment *head, const void *payload)
{
	struct sis_trace_segment copy = *head;
	copy.checksum = 0;
	return sis_checksum(&copy, sizeof copy) ^
		sis_checksum(payload, head->bytes) * 0x9e3779b97f4a7c15u;
}

/* The number of words of the event that begins with `word`; 0: no event begins so. */
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
