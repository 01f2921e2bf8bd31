/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_file.c - the trace's two files (schema/trace.h): the ring, mapped shared, which streams
 * fill, and the file to which full blocks are written. Under the lock: the writer thread, threads
 * that write blocks themselves, the thread that ends the process.
 *
 * A segment is one write at a known offset. If a write is incomplete, the next segment overwrites
 * it, or it is the last one.
 */
#include "base/config.h"
#include "base/futex.h"
#include "base/lock.h"
#include "base/modules.h"
#include "base/slot_table.h"
#include "profile/files.h"
#include "profile/store.h"
#include "profile/text.h"
#include "run/directory.h"
#include "trace/tracing.h"
#include "base/zstd_module.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BLOCK = 64 << 10, NAMES = 1000, DEFINED = 1 << 16, TRIES = 10, BUILTIN = 64 << 10 };

struct defined { enum sis_trace_kind kind; uint32_t id; const void *data; uint64_t length; };

static struct sis_lock lock; /* guards all below; but reading `streams` needs no lock */
static bool tried;           /* to create the files */
static uint64_t size;        /* bytes of the file */
static uint64_t ring_size;   /* bytes of the ring that are in use */
static struct sis_stream *streams[SIS_SLOTS];
static uint32_t most_slots;  /* of `streams` in use */
static uint32_t block_bytes, ring_blocks;
static struct defined defined[DEFINED];
static uint32_t define_count, define_written;
static uint64_t lost_blocks, lost_events; /* not written to the file */
static bool full;            /* the file has as many bytes as SIS_TRACE_SIZE allows */
static int failed_with;      /* why the last write failed; 0: it did not */

static char *buffer;         /* a segment being made */
static uint64_t buffer_bytes;
static __typeof__(sis_zstd_compress) *compress; /* NULL: blocks are not compressed */

uint32_t sis__trace_block_bytes(void) { return block_bytes; }
uint32_t sis__trace_ring_blocks(void) { return ring_blocks; }

struct sis_trace_block *sis__trace_block(const struct sis_stream *stream, uint64_t serial)
{
	return (struct sis_trace_block *)((char *)stream + SIS_PAGE +
					  serial % ring_blocks * block_bytes);
}

static bool overwrites(void)
{
	return sis__config.trace.policy == SIS_POLICY_OVERWRITE;
}

static uint64_t stride(void)
{
	return SIS_PAGE + (uint64_t)ring_blocks * block_bytes;
}

static void choose_sizes(void)
{
	uint64_t bytes = sis__config.trace.buffer;
	block_bytes = bytes < 4 * BLOCK ? (uint32_t)(bytes / 4 / SIS_PAGE * SIS_PAGE) : BLOCK;
	block_bytes = block_bytes < SIS_PAGE ? SIS_PAGE : block_bytes;
	ring_blocks = (uint32_t)(bytes / block_bytes);
	ring_blocks = ring_blocks < 2 ? 2 : ring_blocks;
}

/* -- writing ----------------------------------------------------------------------------------- */

static int write_at(int fd, const char *bytes, uint64_t length, uint64_t at)
{
	if (!sis__store_allows(at + length))
		return EFBIG;
	for (uint64_t done = 0; done < length;) {
		ssize_t n = pwrite(fd, bytes + done, length - done, (off_t)(at + done));
		if (n < 0 && errno != EINTR)
			return errno;
		if (n == 0)
			return ENOSPC;
		done += n > 0 ? (uint64_t)n : 0;
	}
	return 0;
}

/* False: it could not be written. The next segment is tried again, since there may be room on the
 * disk by then. */
static bool append(const char *bytes, uint64_t length)
{
	if (!sis__file_path(SIS_FILE_TRACE)[0])
		return false;
	int fd = sis__file_open(SIS_FILE_TRACE);
	int failed = fd < 0 ? -fd : write_at(fd, bytes, length, size);
	if (fd >= 0)
		sis__file_close(fd);
	if (failed)
		failed_with = failed;
	else
		size += length;
	return !failed;
}

/* Writes a segment whose payload is `length` bytes at `data`. */
static bool put_segment(struct sis_trace_segment segment, const void *data, uint64_t length)
{
	char *payload = buffer + sizeof segment;
	if (length > SIS_TRACE_MOST_BYTES || sizeof segment + length > buffer_bytes)
		return false;
	uint64_t packed = compress ? compress(payload, buffer_bytes - sizeof segment, data, length)
				   : 0;
	if (!packed || packed >= length)
		memcpy(payload, data, length);
	segment.magic = SIS_TRACE_SEGMENT_MAGIC;
	segment.codec = packed && packed < length ? SIS_TRACE_ZSTD : SIS_TRACE_PLAIN;
	segment.raw_bytes = (uint32_t)length;
	segment.bytes = segment.codec == SIS_TRACE_ZSTD ? (uint32_t)packed : (uint32_t)length;
	segment.checksum = sis_trace_checksum(&segment, payload);
	/* SIS_TRACE_SIZE limits blocks only: definitions and the end are small and needed. */
	full |= segment.kind == SIS_TRACE_BLOCK &&
		size + sizeof segment + segment.bytes > sis__config.trace.most_bytes;
	if (full && segment.kind == SIS_TRACE_BLOCK)
		return false;
	memcpy(buffer, &segment, sizeof segment);
	return append(buffer, sizeof segment + segment.bytes);
}

/* The buffer grows, since descriptions may be longer than blocks. */
static bool reserve_buffer(uint64_t length)
{
	uint64_t bytes = sizeof(struct sis_trace_segment) + length + length / 128 + 1024;
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

static void put_defined(const struct defined *d)
{
	if (reserve_buffer(d->length))
		put_segment((struct sis_trace_segment){ .kind = (uint16_t)d->kind, .slot = d->id },
			    d->data, d->length);
}

static void put_builtin(void)
{
	static char names[BUILTIN];
	size_t length = 0;
	for (uint32_t id = 1; id < SIS_FIRST_UNIT_ID && length < sizeof names - 64; id++)
		length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
					   length ? "," : "", sis_builtin_name(id));
	put_defined(&(struct defined){ SIS_TRACE_BUILTIN, 0, names, length });
}

static void put_new_definitions(void)
{
	/* with sis__trace_define */
	uint32_t count = __atomic_load_n(&define_count, __ATOMIC_ACQUIRE);
	while (define_written < count)
		put_defined(&defined[define_written++]);
}

enum { AT_ONCE = 8 };

/* Whether AT_ONCE words are as many events of one word, as is usual. */
static bool are_short(const uint32_t *at)
{
	uint32_t bits = 0;
	for (int i = 0; i < AT_ONCE; i++)
		bits |= at[i];
	return (bits & SIS_TRACE_LONG) == 0;
}

static void count_events(struct sis_trace_block *block)
{
	const uint32_t *at = (const uint32_t *)(block + 1) + block->path;
	const uint32_t *end = (const uint32_t *)((char *)block + block->used);
	for (uint32_t words; at < end; at += words) {
		uint32_t events = end - at >= AT_ONCE && are_short(at) ? AT_ONCE : 1;
		words = events > 1 ? events : sis_trace_words(*at);
		if (!words)
			break;
		block->events += events;
	}
}

static void put_block(struct sis_trace_block *block)
{
	count_events(block);
	put_new_definitions();
	struct sis_trace_segment segment = {
		.kind = SIS_TRACE_BLOCK,
		.slot = block->slot,
		.events = block->events,
		.serial = block->serial,
		.first = block->first,
		.last = block->last,
		.dropped = block->dropped,
	};
	if (reserve_buffer(block->used) && put_segment(segment, block, block->used))
		return;
	lost_blocks++;
	lost_events += block->events;
}

/* Writes the stream's full blocks, in order. */
static uint64_t write_stream(struct sis_stream *stream)
{
	uint64_t count = 0, written = stream->pub.written;
	/* with finish_block */
	uint64_t filling = __atomic_load_n(&stream->pub.filling, __ATOMIC_ACQUIRE);
	/* the oldest were overwritten by newer ones, perhaps by the one being filled */
	if (filling - written >= ring_blocks)
		written = filling - ring_blocks + overwrites();
	for (; written < filling; count++) {
		put_block(sis__trace_block(stream, written++));
		/* with waiting_blocks, wait_for_room */
		__atomic_store_n(&stream->pub.written, written, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&stream->waiting, __ATOMIC_SEQ_CST))
			sis__futex_wake((const uint32_t *)&stream->pub.written);
	}
	return count;
}

static uint64_t write_streams(void)
{
	uint64_t count = 0;
	uint32_t slots = __atomic_load_n(&most_slots, __ATOMIC_ACQUIRE);
	for (uint32_t slot = 0; slot < slots; slot++)
		if (streams[slot])
			count += write_stream(streams[slot]);
	return count;
}

uint64_t sis__trace_write(void)
{
	if (!sis__lock(&lock))
		return 0;
	uint64_t count = write_streams();
	sis__unlock(&lock);
	return count;
}

/* -- creating the files ------------------------------------------------------------------------ */

static void fill_header(struct sis_trace_header *head)
{
	const struct sis_profile_header *profile = sis__header();
	*head = (struct sis_trace_header){
		.version = SIS_TRACE_VERSION,
		.endian = SIS_PROFILE_ENDIAN,
		.pid = profile->pid,
		.clock = profile->clock,
		.ticks_per_second = profile->ticks_per_second,
		.start = profile->start,
		.block_bytes = block_bytes,
		.ring_blocks = ring_blocks,
		.overwrites = overwrites(),
	};
	memcpy(head->magic, SIS_TRACE_MAGIC, sizeof head->magic);
	memcpy(head->host, profile->host, sizeof head->host);
	memcpy(head->run_id, profile->run_id, sizeof head->run_id);
}

static int create(enum sis_file which, const char *stem, const char *suffix)
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof path, "%s%s", stem, suffix);
	return n < (int)sizeof path ? sis__file_create(which, path) : -ENAMETOOLONG;
}

static void create_ring(const char *stem, const struct sis_trace_header *head)
{
	int fd = create(SIS_FILE_RING, stem, ".ring");
	ring_size = SIS_PAGE;
	if (fd < 0)
		return;
	if (write_at(fd, (const char *)head, sizeof *head, 0) != 0) {
		sis__file_remove(SIS_FILE_RING);
		sis__file_forget(SIS_FILE_RING);
	}
	sis__file_close(fd);
}

/* A program that replaced this process by exec may have left files of the same name. */
static bool create_files(void)
{
	char stem[PATH_MAX];
	struct sis_trace_header head;
	int fd = -EEXIST;
	const char *directory = sis__store_directory();
	for (int i = 1; i < NAMES && fd == -EEXIST && directory[0]; i++) {
		char number[16] = "";
		if (i > 1)
			snprintf(number, sizeof number, "-%d", i);
		snprintf(stem, sizeof stem, "%.3000s/trace-%s-%d%s", directory, sis__header()->host,
			 (int)getpid(), number);
		fd = create(SIS_FILE_TRACE, stem, ".sis");
	}
	fill_header(&head);
	int failed = fd < 0 ? -fd : write_at(fd, (const char *)&head, sizeof head, 0);
	if (fd >= 0)
		sis__file_close(fd);
	if (failed) {
		sis__file_remove(SIS_FILE_TRACE);
		sis__file_forget(SIS_FILE_TRACE);
		sis__warn("no trace is kept: cannot create a file in '%s': %s", directory,
			  strerror(failed));
		return false;
	}
	size = sizeof head;
	create_ring(stem, &head);
	return true;
}

static bool make_files(void)
{
	if (tried)
		return sis__file_path(SIS_FILE_TRACE)[0] != '\0';
	tried = true;
	choose_sizes();
	if (!compress) {
		void *symbol = sis__module("libsis-zstd.so", "sis_zstd_compress");
		memcpy(&compress, &symbol, sizeof compress);
	}
	if (!reserve_buffer(block_bytes) || !create_files())
		return false;
	put_builtin();
	put_new_definitions();
	return true;
}

/* The next part of the ring. If the disk has no room, anonymous memory, which a crash destroys. */
static struct sis_stream *map_stream(void)
{
	void *memory = MAP_FAILED;
	int fd = sis__file_open(SIS_FILE_RING);
	if (fd >= 0 && sis__store_allows(ring_size + stride()) &&
	    posix_fallocate(fd, (off_t)ring_size, (off_t)stride()) == 0)
		memory = mmap(NULL, stride(), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			      (off_t)ring_size);
	if (fd >= 0)
		sis__file_close(fd);
	if (memory != MAP_FAILED) {
		ring_size += stride();
		return memory;
	}
	sis__warn(
		"the trace of a process that is killed will lack its last events: no room for its "
		"buffers in '%s'",
		sis__store_directory());
	memory = mmap(NULL, stride(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory != MAP_FAILED ? memory : NULL;
}

static struct sis_stream *make_stream(uint32_t slot)
{
	struct sis_stream *stream = make_files() ? map_stream() : NULL;
	if (!stream)
		return NULL;
	stream->pub.slot = slot;
	stream->pub.base = (uintptr_t)stream;
	__atomic_store_n(&stream->pub.magic, SIS_TRACE_STREAM_MAGIC, __ATOMIC_RELEASE);
	streams[slot] = stream;
	if (slot >= most_slots)
		__atomic_store_n(&most_slots, slot + 1, __ATOMIC_RELEASE);
	return stream;
}

struct sis_stream *sis__trace_stream(uint32_t slot)
{
	if (slot >= SIS_SLOTS || !sis__store_is_live() || !sis__lock(&lock))
		return NULL;
	struct sis_stream *stream = streams[slot] ? streams[slot] : make_stream(slot);
	sis__unlock(&lock);
	return stream;
}

void sis__trace_define(enum sis_trace_kind kind, uint32_t id, const void *data, uint64_t length)
{
	static struct sis_lock define_lock;
	if (!sis__config.trace.mode || !sis__lock(&define_lock))
		return;
	if (define_count < DEFINED) {
		defined[define_count] = (struct defined){ kind, id, data, length };
		/* with put_new_definitions */
		__atomic_store_n(&define_count, define_count + 1, __ATOMIC_RELEASE);
	}
	sis__unlock(&define_lock);
}

/* -- the end ----------------------------------------------------------------------------------- */

/* Writes the block that is being filled. Its thread may go on, so a copy of it is written. */
static void write_open_block(const struct sis_stream *stream)
{
	static _Alignas(64) char copy[BLOCK];
	struct sis_trace_block *own = (struct sis_trace_block *)copy;
	const struct sis_trace_block *block = sis__trace_block(stream, stream->pub.filling);
	/* with sis__trace_put_word */
	const uint32_t *next = __atomic_load_n(&stream->pub.next, __ATOMIC_ACQUIRE);
	uint64_t used = (uint64_t)((const char *)next - (const char *)block);
	if (!next || used > block_bytes || used < sizeof *block)
		return;
	memcpy(copy, block, used);
	own->used = (uint32_t)used;
	own->last = stream->last;
	put_block(own);
}

static uint64_t dropped_last(void)
{
	uint64_t dropped = 0;
	for (uint32_t slot = 0; slot < most_slots; slot++)
		dropped += streams[slot] && !streams[slot]->block ? streams[slot]->pub.dropped : 0;
	return dropped;
}

static bool take_lock(void)
{
	for (int i = 0; i < TRIES; i++)
		if (sis__lock(&lock))
			return true;
	return false;
}

bool sis__trace_close(const struct sis_time_mark *end)
{
	if (!sis__file_path(SIS_FILE_TRACE)[0] || !take_lock())
		return false;
	write_streams();
	for (uint32_t slot = 0; slot < most_slots; slot++)
		if (streams[slot])
			write_open_block(streams[slot]);
	put_new_definitions();
	struct sis_trace_end last = { *end, lost_events, lost_blocks, dropped_last() };
	put_segment((struct sis_trace_segment){ .kind = SIS_TRACE_END }, &last, sizeof last);
	sis__file_remove(SIS_FILE_RING);
	sis__unlock(&lock);
	return true;
}

static uint64_t dropped_events(void)
{
	uint64_t dropped = 0;
	for (uint32_t slot = 0; slot < most_slots; slot++)
		dropped += streams[slot] ? streams[slot]->all_dropped : 0;
	return dropped;
}

void sis__trace_warn_losses(void)
{
	uint64_t dropped = dropped_events();
	if (dropped)
		sis__warn(
			"%llu events of the trace were dropped: the writer was behind; set "
			"SIS_TRACE_BUFFER to more, or "
			"SIS_TRACE_POLICY=block",
			(unsigned long long)dropped);
	if (!lost_events)
		return;
	if (full)
		sis__warn(
			"the trace has as many bytes as SIS_TRACE_SIZE allows; %llu events after "
			"these are missing",
			(unsigned long long)lost_events);
	else
		sis__warn("cannot write to the trace in '%s': %s; %llu events are missing",
			  sis__store_directory(), strerror(failed_with),
			  (unsigned long long)lost_events);
}

/* In a forked child: the ring is the parent's, and is unmapped here. */
void sis__trace_file_new_process(void)
{
	for (uint32_t slot = 0; slot < most_slots; slot++) {
		if (streams[slot])
			munmap(streams[slot], stride());
		streams[slot] = NULL;
	}
	sis__file_forget(SIS_FILE_TRACE);
	sis__file_forget(SIS_FILE_RING);
	tried = full = false;
	most_slots = define_written = 0;
	lost_blocks = lost_events = 0;
}
