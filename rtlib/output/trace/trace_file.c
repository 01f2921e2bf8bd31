/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_file.c - the trace's two files (schema/trace.h): the ring, mapped shared, which streams
 * fill, and the file to which full blocks are written (trace_segment.c). Called under the lock by
 * the writer thread, by threads that write their own blocks, and by the thread that ends the
 * process.
 */
#include "base/config.h"
#include "base/futex.h"
#include "base/lock.h"
#include "base/slot_table.h"
#include "output/profile/files.h"
#include "output/profile/store.h"
#include "output/profile/text.h"
#include "output/run/directory.h"
#include "output/trace/trace_segment.h"
#include "output/trace/tracing.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BLOCK = 64 << 10, NAMES = 1000, DEFINED = 1 << 16, TRIES = 10, BUILTIN = 64 << 10 };

struct defined { enum sis_trace_kind kind; uint32_t id; const void *data; uint64_t length; };

static struct sis_lock lock; /* guards all data below; only reading `streams` needs no lock */
static bool tried;           /* the process has tried to create the files */
static uint64_t ring_size;   /* bytes of the ring that are in use */
static struct sis_stream *streams[SIS_SLOTS];
static uint32_t most_slots;  /* number of elements of `streams` in use */
static uint32_t block_bytes, ring_blocks;
static struct defined defined[DEFINED];
static uint32_t define_count, define_written;
static enum sis_trace_writer writer;

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

/* -- writing ----------------------------------------------------------------------------------- */

static void put_new_definitions(void)
{
	/* pairs with sis__trace_define */
	uint32_t count = __atomic_load_n(&define_count, __ATOMIC_ACQUIRE);
	for (; define_written < count; define_written++) {
		const struct defined *d = &defined[define_written];
		sis__segment_put(d->kind, d->id, d->data, d->length);
	}
}

/* Called for a stream whose blocks are overwritten: writes the full blocks that are still in the
 * ring. The first of these says in the file how many events were overwritten. */
static uint64_t write_newest(struct sis_stream *stream)
{
	uint64_t filling = __atomic_load_n(&stream->pub.filling, __ATOMIC_ACQUIRE);
	uint64_t serial = filling - (filling < ring_blocks ? filling : ring_blocks), count = 0;
	uint64_t overwritten = stream->overwritten;
	put_new_definitions();
	for (; serial < filling; serial++) {
		struct sis_trace_block *block = sis__trace_block(stream, serial);
		if (block->serial != serial) /* overwritten by the block being filled */
			continue;
		sis__segment_put_block(block, block->dropped + overwritten, false);
		overwritten = 0;
		count++;
	}
	stream->overwritten = overwritten;
	__atomic_store_n(&stream->pub.written, filling, __ATOMIC_RELAXED);
	return count;
}

/* Writes the stream's full blocks, in order. */
static uint64_t write_stream(struct sis_stream *stream)
{
	uint64_t count = 0, written = stream->pub.written;
	/* pairs with finish_block */
	uint64_t filling = __atomic_load_n(&stream->pub.filling, __ATOMIC_ACQUIRE);
	for (; written < filling; count++) {
		struct sis_trace_block *block = sis__trace_block(stream, written);
		bool behind = filling - written > ring_blocks / 2;
		put_new_definitions();
		sis__segment_put_block(block, block->dropped, behind);
		written++;
		/* pairs with has_room and wait_for_room */
		__atomic_store_n(&stream->pub.written, written, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&stream->waiting, __ATOMIC_SEQ_CST))
			sis__futex_wake((const uint32_t *)&stream->pub.written);
		filling = __atomic_load_n(&stream->pub.filling, __ATOMIC_ACQUIRE);
	}
	return count;
}

static uint64_t write_streams(void)
{
	uint64_t count = 0;
	uint32_t slots = __atomic_load_n(&most_slots, __ATOMIC_ACQUIRE);
	for (uint32_t slot = 0; slot < slots; slot++)
		if (streams[slot])
			count += overwrites() ? write_newest(streams[slot])
					      : write_stream(streams[slot]);
	return count;
}

uint64_t sis__trace_write(void)
{
	if (sis__is_confined() || !sis__lock(&lock))
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
		.writer = writer,
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
	if (sis__segment_write_at(fd, head, sizeof *head, 0) != 0) {
		sis__file_remove(SIS_FILE_RING);
		sis__file_forget(SIS_FILE_RING);
	}
	sis__file_close(fd);
}

/* If this process was replaced by exec, the earlier program may have left files of the same
 * name. */
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
	int failed = fd < 0 ? -fd : sis__segment_write_at(fd, &head, sizeof head, 0);
	if (fd >= 0)
		sis__file_close(fd);
	if (failed) {
		sis__file_remove(SIS_FILE_TRACE);
		sis__file_forget(SIS_FILE_TRACE);
		sis__warn("no trace is kept: cannot create a file in '%s': %s", directory,
			  strerrordesc_np(failed));
		return false;
	}
	create_ring(stem, &head);
	return true;
}

static bool make_files(enum sis_trace_writer (*start_writer)(void))
{
	static char names[BUILTIN];
	size_t length = 0;
	if (tried)
		return sis__file_path(SIS_FILE_TRACE)[0] != '\0';
	tried = true;
	uint64_t bytes = sis__config.trace.buffer;
	block_bytes = bytes < 4 * BLOCK ? (uint32_t)(bytes / 4 / SIS_PAGE * SIS_PAGE) : BLOCK;
	block_bytes = block_bytes < SIS_PAGE ? SIS_PAGE : block_bytes;
	ring_blocks = (uint32_t)(bytes / block_bytes);
	ring_blocks = ring_blocks < 2 ? 2 : ring_blocks;
	writer = start_writer();
	if (!create_files())
		return false;
	/* blocks are written while the program's threads go on, or at the end of the process */
	bool beside = writer == SIS_WRITER_ASYNC || writer == SIS_WRITER_ASYNC_AUTO ||
		      writer == SIS_WRITER_AT_END;
	sis__segment_begin(sizeof(struct sis_trace_header), beside);
	for (uint32_t id = 1; id < SIS_FIRST_UNIT_ID && length < sizeof names - 64; id++)
		length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
					   length ? "," : "", sis_builtin_name(id));
	sis__segment_put(SIS_TRACE_BUILTIN, 0, names, length);
	put_new_definitions();
	return true;
}

/* Maps the next part of the ring. If the disk has no room, uses anonymous memory, which is lost in
 * a crash. */
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

static struct sis_stream *make_stream(uint32_t slot,
				      enum sis_trace_writer (*start_writer)(void))
{
	struct sis_stream *stream = make_files(start_writer) ? map_stream() : NULL;
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

struct sis_stream *sis__trace_stream(uint32_t slot, enum sis_trace_writer (*start_writer)(void))
{
	if (slot >= SIS_SLOTS || !sis__store_is_live() || !sis__lock(&lock))
		return NULL;
	struct sis_stream *stream = streams[slot] ? streams[slot]
						  : make_stream(slot, start_writer);
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
		/* pairs with put_new_definitions */
		__atomic_store_n(&define_count, define_count + 1, __ATOMIC_RELEASE);
	}
	sis__unlock(&define_lock);
}

/* -- the end ----------------------------------------------------------------------------------- */

/* Writes a copy of the block that is being filled, since its thread may go on to fill it. */
static void write_open_block(const struct sis_stream *stream)
{
	static _Alignas(64) char copy[BLOCK];
	struct sis_trace_block *own = (struct sis_trace_block *)copy;
	const struct sis_trace_block *block = sis__trace_block(stream, stream->pub.filling);
	/* pairs with sis__trace_put_word */
	const uint32_t *next = __atomic_load_n(&stream->pub.next, __ATOMIC_ACQUIRE);
	uint64_t used = (uint64_t)((const char *)next - (const char *)block);
	if (!next || used > block_bytes || used < sizeof *block)
		return;
	memcpy(copy, block, used);
	own->used = (uint32_t)used;
	own->last = stream->last;
	sis__segment_put_block(own, own->dropped + stream->overwritten, false);
}

bool sis__trace_close(const struct sis_time_mark *end)
{
	bool locked = false;
	for (int i = 0; i < TRIES && !locked && sis__file_path(SIS_FILE_TRACE)[0]; i++)
		locked = sis__lock(&lock);
	if (!locked)
		return false;
	uint64_t dropped = 0; /* after the last blocks */
	write_streams();
	put_new_definitions();
	for (uint32_t slot = 0; slot < most_slots; slot++)
		if (streams[slot])
			write_open_block(streams[slot]);
	for (uint32_t slot = 0; slot < most_slots; slot++)
		dropped += streams[slot] && !streams[slot]->block ? streams[slot]->pub.dropped : 0;
	sis__segment_end(end, dropped);
	sis__file_remove(SIS_FILE_RING);
	sis__unlock(&lock);
	return true;
}

void sis__trace_warn_losses(void)
{
	uint64_t dropped = 0;
	for (uint32_t slot = 0; slot < most_slots; slot++)
		dropped += streams[slot] ? streams[slot]->all_dropped : 0;
	if (dropped)
		sis__warn(
			"%llu events of the trace were dropped: the writer was behind; set "
			"SIS_TRACE_BUFFER to more, or "
			"SIS_TRACE_POLICY=block",
			(unsigned long long)dropped);
	sis__segment_warn_losses();
}

/* In a forked child: unmaps the ring, which belongs to the parent. */
void sis__trace_file_new_process(void)
{
	for (uint32_t slot = 0; slot < most_slots; slot++) {
		if (streams[slot])
			munmap(streams[slot], stride());
		streams[slot] = NULL;
	}
	sis__file_forget(SIS_FILE_TRACE);
	sis__file_forget(SIS_FILE_RING);
	tried = false;
	most_slots = define_written = 0;
}
