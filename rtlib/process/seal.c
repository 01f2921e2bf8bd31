/* SPDX-License-Identifier: BSD-3-Clause */
/* seal.c - the end of the profile: closes open activations, computes the checksums of chunks. One
 * thread, at the end of the process.
 *
 * Other threads may still run, and destructors may still enter regions. So the process's own view
 * of the file is first made private: from then on no thread can write to the file. The file is
 * sealed through a second view, in which addresses have to be translated.
 *
 * A process without a free descriptor, or one that cannot reach the file by its path any more,
 * gets both views from the mapping that it has: the kernel maps shared pages a second time, and
 * anonymous memory takes the place of the first view.
 */
#include "base/clock.h"
#include "base/lock.h"
#include "profile/files.h"
#include "profile/store.h"
#include "core/slot.h"
#include "process/seal.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sis_profile_header *view; /* NULL: none */

/* The place in the view of what is at `address`; NULL: it is not in the file. */
static void *in_view(const void *address)
{
	uint64_t offset = (uint64_t)((const char *)address - sis__store.base);
	return offset < view->size ? (char *)view + offset : NULL;
}

/* If an activation has parts, the node where it was entered has its minimum and maximum
 * (overlap.c). */
static uint64_t close_node(const struct sis_thread *thread, struct sis_node *node, uint64_t now)
{
	uint64_t ticks = sis__open_ticks(node, now);
	if (ticks == SIS_NO_TICKS)
		return ticks;
	struct sis_node *first = node;
	uint64_t before = 0;
	for (uint32_t i = 0; i < thread->overlaps && i < SIS_OVERLAPS; i++)
		if (in_view(thread->overlap[i].node) == node && in_view(thread->overlap[i].first)) {
			first = in_view(thread->overlap[i].first);
			before = thread->overlap[i].before;
		}
	node->total += ticks;
	sis__add_extremes(first, before + ticks);
	return ticks;
}

/* A slot that no thread fills has nothing open, not even its root. */
static void close_thread(struct sis_thread *thread, uint64_t now)
{
	struct sis_profile_thread *pub = &thread->pub;
	uint64_t inside = 0; /* ticks of the innermost timed activation so far */
	if (!sis__slot_has_lives(pub->slot) || sis__slot_is_taken(pub->slot))
		for (struct sis_node *node = in_view(pub->current); node;
		     node = in_view(node->parent)) {
			uint64_t ticks = close_node(thread, node, now);
			if (ticks == SIS_NO_TICKS)
				node->total += inside;
			else
				inside = ticks;
		}
	pub->current = pub->root;
	pub->stamp = now;
}

/* Texts may have been added in private memory since the detachment. Only this thread adds some
 * then. */
static void copy_text(struct sis_chunk *chunk)
{
	const struct sis_chunk *own = (struct sis_chunk *)(sis__store.base +
							   ((char *)chunk - (char *)view));
	memcpy(chunk, own, sizeof *own + own->used);
}

static void finish_chunks(uint64_t now)
{
	struct sis_chunk *chunk = NULL;
	while ((chunk = sis__chunk_next((char *)view, chunk))) {
		if (chunk->kind == SIS_CHUNK_TEXT)
			copy_text(chunk);
		if (chunk->kind == SIS_CHUNK_THREAD)
			close_thread(sis__payload(chunk), now);
		chunk->checksum = sis_checksum(sis__payload(chunk), chunk->used);
	}
}

/* Whether other threads wrote to the file after `end`. They could do so until the file was
 * detached. Between `end` and the detachment the trace was written, which takes time. */
static bool went_on_after(const struct sis_time_mark *end)
{
	struct sis_chunk *chunk = NULL;
	while ((chunk = sis__chunk_next((char *)view, chunk)))
		if (chunk->kind == SIS_CHUNK_THREAD &&
		    ((struct sis_thread *)sis__payload(chunk))->pub.stamp > end->ticks)
			return true;
	return false;
}

/* A run that was aborted keeps its state. A run whose state is a signal has survived this signal,
 * because it comes here: it has ended. So has one that a thread in a sandbox meant to end. */
static void finish_header(const struct sis_time_mark *end)
{
	view->end = *end;
	view->ticks_per_second = sis__clock_rate(&view->start, end);
	if (view->state == SIS_STATE_RUNNING || view->state == SIS_STATE_SIGNAL ||
	    view->state == SIS_STATE_SANDBOX)
		view->state = SIS_STATE_ENDED;
}

/* Room in the range that is reserved, because the process may have no other addresses left. NULL:
 * there is none. */
static char *room_for_view(uint64_t size)
{
	return sis__store.reserved - sis__store.capacity >= size
		       ? sis__store.base + sis__store.capacity
		       : NULL;
}

static bool map_view(int fd, uint64_t size)
{
	char *room = room_for_view(size);
	void *there = mmap(room, size, PROT_READ | PROT_WRITE, MAP_SHARED | (room ? MAP_FIXED : 0),
			   fd, 0);
	view = there == MAP_FAILED ? NULL : there;
	return view != NULL;
}

static bool detach_by_file(void)
{
	int fd = sis__file_open(SIS_FILE_PROFILE);
	if (fd < 0)
		return false;
	void *own = mmap(sis__store.base, sis__store.capacity, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_FIXED, fd, 0);
	sis__file_close(fd);
	return own != MAP_FAILED;
}

/* With size 0 a shared mapping stays, and is mapped a second time. The system call itself, because
 * libraries below MPI (UCX) interpose libc's mremap with a function that loses the new address. */
static void *move_mapping(void *from, uint64_t size, uint64_t new_size, void *to)
{
	void *there = (void *)syscall(SYS_mremap, from, size, new_size,
				      MREMAP_MAYMOVE | (to ? MREMAP_FIXED : 0), to);
	return there == MAP_FAILED ? NULL : there;
}

/* The file's mapping is replaced by shared memory, because private memory may be limited
 * (RLIMIT_DATA). */
static bool detach_by_mapping(void)
{
	uint64_t size = sis__header()->size;
	char *own = mmap(NULL, sis__store.capacity, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (own == MAP_FAILED)
		return false;
	memcpy(own, sis__store.base, size);
	view = move_mapping(sis__store.base, 0, size, room_for_view(size));
	if (view && move_mapping(own, sis__store.capacity, sis__store.capacity, sis__store.base))
		return true;
	view = NULL;
	munmap(own, sis__store.capacity);
	return false;
}

bool sis__store_detach(void)
{
	/* so that no chunk is half made; without the lock its maker is gone */
	bool locked = sis__lock(&sis__store.lock);
	sis__store_frozen = true;
	view = NULL;
	bool done = detach_by_file() || detach_by_mapping();
	if (locked)
		sis__unlock(&sis__store.lock);
	return done;
}

/* The range stays reserved, because a forked child relies on it. */
static void unmap_view(uint64_t size)
{
	if ((char *)view == sis__store.base + sis__store.capacity)
		mmap(view, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
		     -1, 0);
	else
		munmap(view, size);
	view = NULL;
}

/* Cuts off the unused end of the file. If the file cannot be opened any more, that stays. */
static bool cut(int fd, uint64_t size)
{
	return fd < 0 || ftruncate(fd, (off_t)size) == 0;
}

bool sis__store_finish(const struct sis_time_mark *asked)
{
	struct sis_time_mark end = *asked;
	uint64_t size = sis__header()->size;
	int fd = view ? -1 : sis__file_open(SIS_FILE_PROFILE);
	bool done = view || (fd >= 0 && map_view(fd, size));
	if (done) {
		if (went_on_after(asked))
			sis__clock_mark(&end);
		finish_chunks(end.ticks);
		finish_header(&end);
		unmap_view(size);
		done = cut(fd, size);
	}
	if (fd >= 0)
		sis__file_close(fd);
	return done;
}
