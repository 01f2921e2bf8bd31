/* finish.c - the file's last word: what is open is closed, chunks get their checksums. One thread, at the end.
 *
 * Other threads may still run, and destructors may still enter regions. So the process's own view is
 * first made private - from then on nobody can write to the file - and the file is finished through a
 * second view of it, where addresses have to be translated.
 */
#include "core.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct sis_profile_header *view;

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

/* A slot that no thread fills has nothing open, not even its root; the initial thread's covers the process. */
static void close_thread(struct sis_thread *thread, uint64_t now)
{
	struct sis_profile_thread *pub = &thread->pub;
	if (pub->slot == 0 || sis__slot_is_taken(pub->slot))
		for (struct sis_node *node = in_view(pub->current); node; node = in_view(node->parent))
			close_node(thread, node, now);
	pub->current = pub->root;
	pub->stamp = now;
}

/* Texts may have come since. Nobody but this thread writes to what belongs to the process as a whole. */
static void bring_text(struct sis_chunk *chunk)
{
	const struct sis_chunk *own = (struct sis_chunk *)(sis__store.base + ((char *)chunk - (char *)view));
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

/* Until the file was detached other threads wrote to it, which may have been long after `end`: the trace was written in between. */
static bool went_on_after(const struct sis_time_mark *end)
{
	struct sis_chunk *chunk = NULL;
	while ((chunk = sis__chunk_next((char *)view, chunk)))
		if (chunk->kind == SIS_CHUNK_THREAD && ((struct sis_thread *)sis__payload(chunk))->pub.stamp > end->ticks)
			return true;
	return false;
}

/* How the run ended is known already when it was aborted. A signal that was seen coming did not end it. */
static void finish_header(const struct sis_time_mark *end)
{
	view->end = *end;
	view->ticks_per_second = sis__clock_rate(&view->start, end);
	if (view->state == SIS_STATE_RUNNING || view->state == SIS_STATE_SIGNAL)
		view->state = SIS_STATE_ENDED;
}

bool sis__store_detach(void)
{
	int fd = sis__file_open(SIS_FILE_PROFILE);
	if (fd < 0)
		return false;
	bool locked = sis__lock(&sis__store.lock); /* no chunk half made, unless its maker is gone */
	sis__store_frozen = true;
	void *own = mmap(sis__store.base, sis__store.capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0);
	if (locked)
		sis__unlock(&sis__store.lock);
	sis__file_close(fd);
	return own != MAP_FAILED;
}

/* Where addresses are reserved already: the program may be left with no others. */
static void *map_view(int fd, uint64_t size)
{
	bool fits = sis__store.reserved - sis__store.capacity >= size;
	return mmap(fits ? sis__store.base + sis__store.capacity : NULL, size, PROT_READ | PROT_WRITE,
		    MAP_SHARED | (fits ? MAP_FIXED : 0), fd, 0);
}

/* What is reserved stays so: a forked child relies on it. */
static void unmap_view(uint64_t size)
{
	if ((char *)view == sis__store.base + sis__store.capacity)
		mmap(view, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
	else
		munmap(view, size);
}

bool sis__store_finish(const struct sis_time_mark *asked)
{
	struct sis_time_mark end = *asked;
	uint64_t size = sis__header()->size;
	int fd = sis__file_open(SIS_FILE_PROFILE);
	if (fd < 0)
		return false;
	view = map_view(fd, size);
	bool done = view != MAP_FAILED;
	if (done) {
		if (went_on_after(asked))
			sis__clock_mark(&end);
		finish_chunks(end.ticks);
		finish_header(&end);
		unmap_view(size);
		done = ftruncate(fd, (off_t)size) == 0;
	}
	sis__file_close(fd);
	return done;
}
