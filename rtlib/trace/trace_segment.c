/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_segment.c - adds segments to the trace's file (schema/trace.h), and counts the events that
 * it could not add. Under the lock of trace_file.c.
 *
 * A segment is one write at a known offset. If a write is incomplete, what it left is cut off, and
 * the next segment overwrites it. One segment is there from the start, SIS_TRACE_LOST: the counts
 * of what is lost are written into it, since the disk has room for them already.
 */
#include "base/modules.h"
#include "base/runtime.h"
#include "base/zstd_module.h"
#include "profile/files.h"
#include "profile/store.h"
#include "profile/text.h"
#include "run/directory.h"
#include "trace/trace_segment.h"
#include "trace/tracing.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum { AT_ONCE = 8 };

static uint64_t size;             /* bytes of the file */
static struct sis_trace_end lost; /* what could not be written so far */
static bool full;                 /* the file has as many bytes as SIS_TRACE_SIZE allows */
static int failed_with;           /* why the last write failed; 0: it did not */

static bool beside;  /* blocks are written while the program's threads go on */
static char *buffer; /* a payload being written */
static uint64_t buffer_bytes;
static const struct sis_zstd *zstd; /* NULL: there is no libzstd, or no need */
static struct { void *memory, *context; uint64_t bytes; } packing; /* NULL: nothing is packed */
/* Averages over the last blocks, in ticks a byte and bytes a byte. */
static double pack_cost, write_cost, packed_part;

/* -- writing ----------------------------------------------------------------------------------- */

/* Writes `head` and what follows it, at offset `at`. Returns 0 or an errno. */
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

/* False: it could not be written. The next segment is tried again, since there may be room on the
 * disk by then. */
static bool append(const struct sis_trace_segment *head, const void *payload)
{
	if (!sis__file_path(SIS_FILE_TRACE)[0])
		return false;
	uint64_t began = sis__ticks(), length = sizeof *head + head->bytes;
	int fd = sis__file_open(SIS_FILE_TRACE);
	int failed = fd < 0 ? -fd : write_both(fd, head, sizeof *head, payload, head->bytes, size);
	if (fd >= 0 && failed && ftruncate(fd, (off_t)size) != 0)
		failed = errno; /* readers pass over what is there */
	if (fd >= 0)
		sis__file_close(fd);
	if (failed) {
		failed_with = failed;
		return false;
	}
	size += length;
	write_cost += ((double)(sis__ticks() - began) / (double)length - write_cost) / 4;
	return true;
}

/* -- compression ------------------------------------------------------------------------------- */

/* The buffer grows, since descriptions may be longer than blocks. */
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

/* Bytes of the payload in the buffer; 0: it is better written as it is. */
static uint64_t pack(const void *data, uint64_t length)
{
	if (!beside || !packing.context || !reserve_buffer(length))
		return 0;
	uint64_t began = sis__ticks();
	uint64_t packed = zstd->compress(packing.context, buffer, buffer_bytes, data, length);
	if (!packed || packed >= length)
		return 0;
	pack_cost += ((double)(sis__ticks() - began) / (double)length - pack_cost) / 4;
	packed_part += ((double)packed / (double)length - packed_part) / 4;
	return packed;
}

/* Whether blocks are written sooner as they are. On a slow disk they are not. */
static bool is_quicker_plain(void)
{
	return write_cost * (1 - packed_part) < pack_cost;
}

/* -- segments ---------------------------------------------------------------------------------- */

/* The payload as it is. An event that a signal handler interrupted may still be stored into a block
 * that is full (traced_pair.h). If the block's thread goes on meanwhile, a copy has to be written,
 * for the checksum to be right. */
static const void *settled(const void *data, uint64_t length)
{
	return beside && reserve_buffer(length) ? memcpy(buffer, data, length) : data;
}

static bool put(struct sis_trace_segment head, const void *data, uint64_t length, bool may_pack)
{
	if (length > SIS_TRACE_MOST_BYTES || (full && head.kind == SIS_TRACE_BLOCK))
		return false;
	uint64_t packed = may_pack ? pack(data, length) : 0;
	const void *payload = packed ? buffer : settled(data, length);
	head.magic = SIS_TRACE_SEGMENT_MAGIC;
	head.codec = packed ? SIS_TRACE_ZSTD : SIS_TRACE_PLAIN;
	head.raw_bytes = (uint32_t)length;
	head.bytes = packed ? (uint32_t)packed : (uint32_t)length;
	head.checksum = sis_trace_checksum(&head, payload);
	/* SIS_TRACE_SIZE limits blocks only: definitions and the end are small and needed. */
	full |= head.kind == SIS_TRACE_BLOCK &&
		size + sizeof head + head.bytes > sis__config.trace.most_bytes;
	return !(full && head.kind == SIS_TRACE_BLOCK) && append(&head, payload);
}

bool sis__segment_put(enum sis_trace_kind kind, uint32_t id, const void *data, uint64_t length)
{
	return put((struct sis_trace_segment){ .kind = (uint16_t)kind, .slot = id }, data, length,
		   true);
}

/* Writes what was lost into its place. */
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

/* Anew in each process: in a forked child, the writer of the parent may have been compressing. */
static void begin_packing(void)
{
	if (packing.memory)
		munmap(packing.memory, packing.bytes);
	packing.memory = packing.context = NULL;
	if (beside && !zstd)
		zstd = sis__module("libsis-zstd.so", "sis_zstd");
	if (!beside || !zstd)
		return;
	packing.bytes = zstd->room();
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

/* Whether AT_ONCE words are as many events of one word, as is usual. */
static bool are_short(const uint32_t *at)
{
	uint32_t bits = 0;
	for (int i = 0; i < AT_ONCE; i++)
		bits |= at[i];
	return (bits & SIS_TRACE_LONG) == 0;
}

uint32_t sis__trace_count(const struct sis_trace_block *block)
{
	const uint32_t *at = (const uint32_t *)(block + 1) + block->path;
	const uint32_t *end = (const uint32_t *)((const char *)block + block->used);
	uint32_t count = 0;
	for (uint32_t words; at < end; at += words) {
		uint32_t events = end - at >= AT_ONCE && are_short(at) ? AT_ONCE : 1;
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
	if (put(head, block, block->used, !in_haste || !is_quicker_plain()))
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
				 sis__store_directory(), strerror(failed_with),
				 (unsigned long long)lost.lost_events);
}
