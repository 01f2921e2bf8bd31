/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_segment.c - adds segments to the trace's file (schema/trace.h), and counts the events that
 * it could not add. Called under the lock of trace_file.c.
 *
 * A segment is written by one call at a known offset. If the write fails, the file is cut off at
 * this offset, and the next segment is written there. The segment SIS_TRACE_LOST is in the file
 * from the start, so that the counts of lost events can be written even if the disk is full.
 */
#include "base/modules.h"
#include "base/ticks.h"
#include "base/zstd_module.h"
#include "output/profile/files.h"
#include "output/profile/store.h"
#include "output/profile/text.h"
#include "output/run/directory.h"
#include "output/trace/trace_segment.h"
#include "output/trace/tracing.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { AT_ONCE = 8 };
/* The fastest level of zstd that still finds repetitions, since the program's threads may have to
 * compress their own blocks. */
enum { LEVEL = -1 };

static uint64_t size;             /* bytes of the file */
static struct sis_trace_end lost; /* events that could not be written so far */
static bool full;                 /* the file has as many bytes as SIS_TRACE_SIZE allows */
static int failed_with;           /* errno of the last write; 0: it succeeded */

static bool beside;  /* writes_beside of sis__segment_begin */
static char *buffer; /* a payload being written */
static uint64_t buffer_bytes;
static const struct sis_zstd *zstd; /* NULL: there is no libzstd, or no need */
static struct { void *memory, *context; uint64_t bytes; } packing; /* NULL: nothing is packed */
#define MIB INT64_C(1048576) /* bytes */
/* Averages over the last blocks: costs in ticks per MiB, and packed bytes per MiB. */
static int64_t pack_cost, write_cost, packed_part;

/* -- writing ----------------------------------------------------------------------------------- */

/* Writes `head` and then `rest` at offset `at`. Returns 0 or an errno. */
static int write_both(int fd, const void *head, uint64_t head_bytes, const void *rest,
		      uint64_t rest_bytes, uint64_t at)
{
	uint64_t all = head_bytes + rest_bytes;
	if (!sis__store_allows(at + all))
		return EFBIG;
	for (uint64_t done = 0; done < all;) {
		uint64_t of_head = done < head_bytes ? head_bytes - done : 0;
		uint64_t of_rest = done + of_head - head_bytes;
		struct iovec part[2] = {
			{ (char *)head + head_bytes - of_head, of_head },
			{ (char *)rest + of_rest, rest_bytes - of_rest },
		};
		ssize_t n = pwritev(fd, part, 2, (off_t)(at + done));
		if (n < 0 && errno != EINTR)
			return errno;
		if (n == 0)
			return ENOSPC;
		done += n > 0 ? (uint64_t)n : 0;
	}
	return 0;
}

int sis__segment_write_at(int fd, const void *bytes, uint64_t length, uint64_t at)
{
	return write_both(fd, bytes, length, NULL, 0, at);
}

static void average(int64_t *mean, uint64_t value, uint64_t length)
{
	*mean += ((int64_t)sis__share(value, MIB, length) - *mean) / 4;
}

/* Writes a segment. False: it could not be written. The next segment is tried nevertheless, since
 * the disk may have room by then. */
static bool append(const struct sis_trace_segment *head, const void *payload)
{
	if (!sis__file_path(SIS_FILE_TRACE)[0])
		return false;
	uint64_t began = sis__ticks(), length = sizeof *head + head->bytes;
	int fd = sis__file_open(SIS_FILE_TRACE);
	int failed = fd < 0 ? -fd : write_both(fd, head, sizeof *head, payload, head->bytes, size);
	if (fd >= 0 && failed && ftruncate(fd, (off_t)size) != 0)
		failed = errno; /* readers skip such bytes */
	if (fd >= 0)
		sis__file_close(fd);
	if (failed) {
		failed_with = failed;
		return false;
	}
	size += length;
	average(&write_cost, sis__ticks() - began, length);
	return true;
}

/* -- compression ------------------------------------------------------------------------------- */

/* Makes the buffer long enough, since descriptions may be longer than blocks. */
static bool reserve_buffer(uint64_t length)
{
	uint64_t bytes = length + length / 128 + 1024;
	if (bytes <= buffer_bytes)
		return true;
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);
	if (memory == MAP_FAILED)
		return false;
	if (buffer)
		munmap(buffer, buffer_bytes);
	buffer = memory;
	buffer_bytes = bytes;
	return true;
}

/* Compresses into the buffer. Returns the number of bytes; 0: the payload is better written
 * uncompressed. */
static uint64_t pack(const void *data, uint64_t length)
{
	if (!beside || !packing.context || !reserve_buffer(length))
		return 0;
	uint64_t began = sis__ticks();
	uint64_t packed = zstd->compress(packing.context, buffer, buffer_bytes, data, length,
					 LEVEL);
	if (!packed || packed >= length)
		return 0;
	average(&pack_cost, sis__ticks() - began, length);
	average(&packed_part, packed, length);
	return packed;
}

/* -- segments ---------------------------------------------------------------------------------- */

static bool put(struct sis_trace_segment head, const void *data, uint64_t length, bool may_pack)
{
	if (length > SIS_TRACE_MOST_BYTES || (full && head.kind == SIS_TRACE_BLOCK))
		return false;
	uint64_t packed = may_pack ? pack(data, length) : 0;
	const void *payload = packed ? buffer : data;
	/* If a signal handler interrupted an event, the event may be stored into this block even
	 * after the block was full (traced_pair.h). So if the block's thread goes on meanwhile, a
	 * copy of the block is written. Then the checksum is right. */
	if (!packed && beside && reserve_buffer(length))
		payload = memcpy(buffer, data, length);
	head.magic = SIS_TRACE_SEGMENT_MAGIC;
	head.codec = packed ? SIS_TRACE_ZSTD : SIS_TRACE_PLAIN;
	head.raw_bytes = (uint32_t)length;
	head.bytes = packed ? (uint32_t)packed : (uint32_t)length;
	head.checksum = sis_trace_checksum(&head, payload);
	/* SIS_TRACE_SIZE limits only blocks, because definitions and the end are small and
	 * needed. */
	full |= head.kind == SIS_TRACE_BLOCK &&
		size + sizeof head + head.bytes > sis__config.trace.most_bytes;
	return !(full && head.kind == SIS_TRACE_BLOCK) && append(&head, payload);
}

bool sis__segment_put(enum sis_trace_kind kind, uint32_t id, const void *data, uint64_t length)
{
	return put((struct sis_trace_segment){ .kind = (uint16_t)kind, .slot = id }, data, length,
		   true);
}

/* Writes the counts of lost events into their segment. */
static void note_lost(void)
{
	struct sis_trace_segment head = {
		.magic = SIS_TRACE_SEGMENT_MAGIC,
		.kind = SIS_TRACE_LOST,
		.bytes = sizeof lost,
		.raw_bytes = sizeof lost,
	};
	int fd = sis__file_open(SIS_FILE_TRACE);
	if (fd < 0)
		return;
	head.checksum = sis_trace_checksum(&head, &lost);
	write_both(fd, &head, sizeof head, &lost, sizeof lost, sizeof(struct sis_trace_header));
	sis__file_close(fd);
}

/* Makes new memory for compression in each process, because at a fork the parent's writer may have
 * been compressing. */
static void begin_packing(void)
{
	if (packing.memory)
		munmap(packing.memory, packing.bytes);
	packing.memory = packing.context = NULL;
	if (beside && !zstd)
		zstd = sis__module("libsis-zstd.so", "sis_zstd");
	if (!beside || !zstd)
		return;
	packing.bytes = zstd->room(LEVEL);
	void *memory = mmap(NULL, packing.bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return;
	packing.memory = memory;
	packing.context = zstd->begin(memory, packing.bytes);
}

bool sis__segment_begin(uint64_t header_bytes, bool writes_beside)
{
	size = header_bytes;
	beside = writes_beside;
	begin_packing();
	lost = (struct sis_trace_end){ 0 };
	full = false;
	failed_with = 0;
	return put((struct sis_trace_segment){ .kind = SIS_TRACE_LOST }, &lost, sizeof lost, false);
}

void sis__segment_end(const struct sis_time_mark *end, uint64_t dropped)
{
	lost.end = *end;
	lost.dropped = dropped;
	if (!sis__segment_put(SIS_TRACE_END, 0, &lost, sizeof lost))
		note_lost();
}

/* -- blocks ------------------------------------------------------------------------------------ */

uint32_t sis__trace_count(const struct sis_trace_block *block)
{
	const uint32_t *at = (const uint32_t *)(block + 1) + block->path;
	const uint32_t *end = (const uint32_t *)((const char *)block + block->used);
	uint32_t count = 0;
	for (uint32_t words; at < end; at += words) {
		/* usually none of AT_ONCE words begins a long event: then each word is an event */
		uint32_t bits = end - at >= AT_ONCE ? 0 : SIS_TRACE_LONG;
		for (int i = 0; i < AT_ONCE && end - at >= AT_ONCE; i++)
			bits |= at[i];
		uint32_t events = bits & SIS_TRACE_LONG ? 1 : AT_ONCE;
		words = events > 1 ? events : sis_trace_words(*at);
		if (!words)
			break;
		count += events;
	}
	return count;
}

void sis__segment_put_block(struct sis_trace_block *block, uint64_t dropped, bool in_haste)
{
	block->events = sis__trace_count(block);
	struct sis_trace_segment head = {
		.kind = SIS_TRACE_BLOCK,
		.slot = block->slot,
		.events = block->events,
		.serial = block->serial,
		.first = block->first,
		.last = block->last,
		.dropped = dropped,
	};
	/* whether uncompressed blocks are written in less time, as on a fast disk */
	bool is_quicker_plain = write_cost * (MIB - packed_part) / MIB < pack_cost;
	if (put(head, block, block->used, !in_haste || !is_quicker_plain))
		return;
	lost.lost_blocks++;
	lost.lost_events += block->events + dropped;
	note_lost();
}

void sis__segment_warn_losses(void)
{
	if (lost.lost_events && full)
		sis__warn(
			"the trace has as many bytes as SIS_TRACE_SIZE allows; %llu events after "
			"these are missing",
			(unsigned long long)lost.lost_events);
	else if (lost.lost_events)
		sis__warn_unkept(failed_with,
				 "cannot write to the trace in '%s': %s; %llu events are missing",
				 sis__store_directory(), strerrordesc_np(failed_with),
				 (unsigned long long)lost.lost_events);
}
