/* SPDX-License-Identifier: BSD-3-Clause */
/* seal.c - the end of the profile: open activations are closed, chunks get their checksums. One
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
#include "base/slot_table.h"
#include "profile/files.h"
#include "profile/store.h"
#include "process/seal.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sis_profile_header *view; /* NULL: none */

/* Where the file has what the process knows as `address`; NULL: not in the file. */
static void *in_view(const void *address)
{
	uint64_t offset = (uint64_t)((const char *)address - sis__store.base);
	return offset < view->size ? (char *)view + offset : NULL;
}

/* The shortest and longest of an activation in parts are where it was entered (overlap.c). */
static void close_node(const struct sis_thread *thread, struct sis_node *node, uint64_t now)
{
	uint64_t ticks = now > node->start ? now - node->start : 0;
	struct sis_node *first = node;
	uint64_t before = 0;
	for (uint32_t i = 0; i < thread->overlaps && i < SIS_OVERLAPS; i++)
		if (in_view(thread->overlap[i].node) == node && in_view(thread->overlap[i].first)) {
			first = in_view(thread->overlap[i].first);
			before = thread->overlap[i].before;
		}
	node->total += ticks;
	sis__add_extremes(first, before + ticks);
}

/* A slot that no thread fills has nothing open, not even its root; the initial thread's covers the
 * process. */
static void close_thread(struct sis_thread *thread, uint64_t now)
{
	struct sis_profile_thread *pub = &thread->pub;
	if (pub->slot == 0 || sis__slot_is_taken(pub->slot))
		for (struct sis_node *node = in_view(pub->current); node;
		     node = in_view(node->parent))
			close_node(thread, node, now);
	pub->current = pub->root;
	pub->stamp = now;
}

/* Texts may have come since. Nobody but this thread writes to what belongs to the process as a
 * whole. */
static void bring_text(struct sis_chunk *chunk)
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
			bring_text(chunk);
		if (chunk->kind == SIS_CHUNK_THREAD)
			close_thread(sis__payload(chunk), now);
		chunk->checksum = sis_checksum(sis__payload(chunk), chunk->used);
	}
}

/* Until the file was detached other threads wrote to it, which may have been long after `end`: the
 * trace was written in between. */
static bool went_on_after(const struct sis_time_mark *end)
{
	struct sis_chunk *chunk = NULL;
	while ((chunk = sis__chunk_next((char *)view, chunk)))
		if (chunk->kind == SIS_CHUNK_THREAD &&
		    ((struct sis_thread *)sis__payload(chunk))->pub.stamp > end->ticks)
			return true;
	return false;
}

/* How the run ended is known already when it was aborted. A signal that was seen coming did not
 * end it. */
static void finish_header(const struct sis_time_mark *end)
{
	view->end = *end;
	view->ticks_per_second = sis__clock_rate(&view->start, end);
	if (view->state == SIS_STATE_RUNNING || view->state == SIS_STATE_SIGNAL)
		view->state = SIS_STATE_ENDED;
}

/* Where addresses are reserved already: the program may be left with no others. NULL: there is no
 * room. */
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

/* Of size 0, what is shared stays where it is and is there twice. The system's own: libraries
 * below MPI (UCX) put theirs in the place of libc's, which remembers where what was mapped from. */
static void *move_mapping(void *from, uint64_t size, uint64_t new_size, void *to)
{
	void *there = (void *)syscall(SYS_mremap, from, size, new_size,
				      MREMAP_MAYMOVE | (to ? MREMAP_FIXED : 0), to);
	return there == MAP_FAILED ? NULL : there;
}

/* What takes the place of the file is shared memory, of which a process may have more than of its
 * own (RLIMIT_DATA). */
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
	/* no chunk half made, unless its maker is gone */
	bool locked = sis__lock(&sis__store.lock);
	sis__store_frozen = true;
	view = NULL;
	bool done = detach_by_file() || detach_by_mapping();
	if (locked)
		sis__unlock(&sis__store.lock);
	return done;
}

/* What is reserved stays so: a forked child relies on it. */
static void unmap_view(uint64_t size)
{
	if ((char *)view == sis__store.base + sis__store.capacity)
		mmap(view, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
		     -1, 0);
	else
		munmap(view, size);
	view = NULL;
}

/* Of the file that cannot be opened any more a rest stays that is for nothing. */
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
