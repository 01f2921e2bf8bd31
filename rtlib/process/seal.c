/* SPDX-License-Identifier: BSD-3-Clause */
/* seal.c - seals the profile: closes open activations, and computes the checksums of chunks. Called
 * by one thread, at the end of the process.
 *
 * Other threads may still run, and destructors may still enter regions. So the process's own view
 * of the file is first made private: from then on no thread can write to the file. The file is
 * sealed through a second view of it. Addresses in the profile must be translated to this view.
 *
 * If a process has no free descriptor, or can no longer reach the file by its path, it makes the
 * second view from its mapping: the kernel maps the shared pages a second time. Then anonymous
 * memory replaces the first view.
 */
#include "base/clock.h"
#include "base/lock.h"
#include "output/profile/files.h"
#include "output/profile/store.h"
#include "measure/core/slot.h"
#include "process/seal.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sis_profile_header *view; /* NULL: none */

/* Translates an address to the view; NULL: the address is not in the file. */
static void *in_view(const void *address)
{
	uint64_t offset = (uint64_t)((const char *)address - sis__store.base);
	return offset < view->size ? (char *)view + offset : NULL;
}

/* If an activation has parts, its whole length enters the minimum and maximum of the node in which
 * it was entered (overlap.c). */
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

/* In a slot that no thread fills, nothing is open, not even the root. */
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

static void finish_chunks(uint64_t now)
{
	struct sis_chunk *chunk = NULL;
	while ((chunk = sis__chunk_next((char *)view, chunk))) {
		/* Texts may have been added in private memory since the detachment. Only this
		 * thread adds such texts. */
		if (chunk->kind == SIS_CHUNK_TEXT) {
			const struct sis_chunk *own = (struct sis_chunk *)(sis__store.base +
					((char *)chunk - (char *)view));
			memcpy(chunk, own, sizeof *own + own->used);
		}
		if (chunk->kind == SIS_CHUNK_THREAD)
			close_thread(sis__payload(chunk), now);
		chunk->checksum = sis_checksum(sis__payload(chunk), chunk->used);
	}
}

/* Whether other threads wrote to the file after `end`. This was possible until the file was
 * detached, and between `end` and this moment the trace was written, which takes time. */
static bool went_on_after(const struct sis_time_mark *end)
{
	struct sis_chunk *chunk = NULL;
	while ((chunk = sis__chunk_next((char *)view, chunk)))
		if (chunk->kind == SIS_CHUNK_THREAD &&
		    ((struct sis_thread *)sis__payload(chunk))->pub.stamp > end->ticks)
			return true;
	return false;
}

/* Finds room for the view in the reserved range, because the process may have no other addresses
 * left. NULL: there is no room. */
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

/* If `size` is 0, the shared mapping stays where it is, and its pages are mapped a second time.
 * This makes the system call itself, because libraries below MPI (UCX) interpose libc's mremap with
 * a function that loses the new address. */
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
	/* While this thread has the lock, no chunk is half made. If the lock cannot be taken, its
	 * holder is gone. */
	bool locked = sis__lock(&sis__store.lock);
	sis__store_frozen = true;
	view = NULL;
	bool done = detach_by_file() || detach_by_mapping();
	if (locked)
		sis__unlock(&sis__store.lock);
	return done;
}

/* Other states than these three stay, such as that of an aborted run. If the state is a signal, the
 * run has survived the signal, because it has come here. So its state becomes `ended`. The same
 * holds if a confined thread tried to end the process. */
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
		view->end = end;
		view->ticks_per_second = sis__clock_rate(&view->start, &end);
		if (view->state == SIS_STATE_RUNNING || view->state == SIS_STATE_SIGNAL ||
		    view->state == SIS_STATE_SANDBOX)
			view->state = SIS_STATE_ENDED;
		if ((char *)view == sis__store.base + sis__store.capacity)
			/* the range stays reserved, because a forked child needs it */
			mmap(view, size, PROT_NONE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
		else
			munmap(view, size);
		view = NULL;
		/* if the file cannot be opened any more, the unused part at its end stays */
		done = fd < 0 || ftruncate(fd, (off_t)size) == 0;
	}
	if (fd >= 0)
		sis__file_close(fd);
	return done;
}
