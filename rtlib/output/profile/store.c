/* SPDX-License-Identifier: BSD-3-Clause */
/* store.c - the profile's memory: a file that is mapped shared, grows in steps and never moves. Any
 * thread may call sis__chunk_new, which takes the store's lock; calls are rare. Only one thread
 * calls the functions for the start and the end.
 *
 * A range of addresses is reserved at the start. The range can grow (range.c) and does not move, so
 * pointers in the file are valid as long as the process lives:
 *
 *      base            size            capacity                          reserved
 *       | header, chunks | allocated, zero | no access ...                  |
 *
 * Disk space is allocated before it is mapped. So a full disk is an error here, and not a SIGBUS in
 * a probe. To grow, the file is opened again (files.c).
 *
 * LIMIT: a program ends with SIGBUS if another program shortens its profile in place. DESIGN says
 * why nothing prevents this.
 */
#include "base/lock.h"
#include "output/profile/files.h"
#include "output/profile/range.h"
#include "output/profile/store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { STEP_FIRST = 256 << 10, STEP_READY = 56 << 10, STEP_MOST = 16 << 20, GRAIN = 64 << 10 };

static uint64_t round_up(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

#define RESERVE (64ull << 20)
#define RESERVE_LEAST (4ull << 20)
#define RESERVE_ALONE (512ull << 20) /* for a range that cannot grow */
#define RESERVE_MOST (64ull << 30)
#define MOST_VIEW (256ull << 20)

static uint64_t between(uint64_t least, uint64_t value, uint64_t most)
{
	return value < least ? least : value > most ? most : value;
}

/* Returns how long the range may become. If the address space is limited, most of it is left to the
 * program. */
static uint64_t most_for(rlim_t limit)
{
	return limit == RLIM_INFINITY ? RESERVE_MOST
				      : between(RESERVE_LEAST, round_up(limit / 16, GRAIN),
						RESERVE_ALONE);
}

void sis__store_reserve(void)
{
	struct rlimit limit;
	rlim_t most = getrlimit(RLIMIT_AS, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
	uint64_t may = most_for(most),
		 bytes = between(RESERVE_LEAST, round_up(most / 64, GRAIN), RESERVE);
	char *base = sis__range_reserve(SIS_RANGE_PROFILE, &bytes,
					may < RESERVE_ALONE ? bytes : RESERVE_ALONE);
	if (base && mprotect(base, GRAIN, PROT_READ | PROT_WRITE) == 0)
		sis__store = (struct sis_store){
			.base = base, .reserved = bytes, .most = may, .capacity = GRAIN
		};
	sis__header()->size = SIS_PAGE;
	sis__header()->base = (uintptr_t)sis__header();
}

/* Keeps at least twice the length in use, because a process maps its file a second time at its end
 * (seal.c). */
void sis__store_confine(rlim_t limit)
{
	int saved = errno;
	if (!sis__in_this_process() || !sis__store.base || !sis__lock(&sis__store.lock))
		return;
	uint64_t used = round_up(2 * sis__store.capacity, GRAIN), keep = most_for(limit);
	sis__store.most = keep = keep < used ? used : keep;
	if (keep < sis__store.reserved &&
	    munmap(sis__store.base + keep, sis__store.reserved - keep) == 0)
		sis__store.reserved = keep;
	sis__unlock(&sis__store.lock);
	errno = saved;
}

/* -- growing ----------------------------------------------------------------------------------- */

bool sis__store_allows(uint64_t bytes)
{
	struct rlimit limit;
	return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
	       bytes <= limit.rlim_cur;
}

static int allocate(int fd, uint64_t from, uint64_t bytes)
{
	if (!sis__store_allows(from + bytes))
		return EFBIG;
	return posix_fallocate(fd, (off_t)from, (off_t)bytes);
}

static int map(int fd, uint64_t from, uint64_t bytes, int how)
{
	void *there = mmap(sis__store.base + from, bytes, PROT_READ | PROT_WRITE, how | MAP_FIXED,
			   fd, (off_t)from);
	return there == MAP_FAILED ? errno : 0;
}

/* Whether the range has room for a file of `bytes`. If possible, the range also gets room for the
 * second mapping at the end (seal.c). Otherwise the second mapping is elsewhere. */
static bool has_addresses(uint64_t bytes)
{
	struct sis_store *store = &sis__store;
	uint64_t wanted = round_up(bytes + between(0, bytes, MOST_VIEW), GRAIN);
	return (wanted <= store->most &&
		sis__range_extend(store->base, &store->reserved, wanted)) ||
	       bytes <= store->reserved ||
	       (bytes <= store->most && sis__range_extend(store->base, &store->reserved, bytes));
}

/* Makes the file longer by at least `need` bytes, and by a whole step if possible. The caller holds
 * the lock. */
static bool grow(uint64_t need)
{
	uint64_t from = sis__store.capacity;
	uint64_t step = from < STEP_FIRST  ? STEP_FIRST
			: from > STEP_MOST ? STEP_MOST
					   : round_up(from, GRAIN);
	uint64_t least = round_up(need, SIS_PAGE),
		 bytes = round_up(least > step ? least : step, SIS_PAGE);
	int fd = sis__file_open(SIS_FILE_PROFILE);
	int failed = fd < 0 ? -fd : has_addresses(from + least) ? 0 : ENOMEM;
	if (!failed) {
		if (!has_addresses(from + bytes) || allocate(fd, from, bytes) != 0) {
			bytes = least;
			failed = allocate(fd, from, bytes);
		}
		if (!failed)
			failed = map(fd, from, bytes, MAP_SHARED);
	}
	if (fd >= 0)
		sis__file_close(fd);
	if (failed)
		sis__store_full = failed;
	else
		sis__store.capacity += bytes;
	return !failed;
}

void sis__store_grow_ahead(uint64_t bytes)
{
	int before = sis__store_full;
	if (!sis__store_is_live() || !sis__lock(&sis__store.lock))
		return;
	uint64_t end = sis__header()->size + bytes;
	if (!sis__store_frozen && !sis__store_full && end > sis__store.capacity)
		grow(end - sis__store.capacity);
	sis__store_full = before; /* no data is missing yet */
	sis__unlock(&sis__store.lock);
}

/* Writes zeros to the file. One call is for many pages, so the kernel creates these pages together,
 * and the first store maps all of them. */
static void fill(int fd, uint64_t from, uint64_t bytes)
{
	static char zeros[SIS_PAGE];
	enum { MOST = 64 };
	struct iovec piece[MOST];
	for (uint64_t done = 0; done < bytes;) {
		int count = 0;
		for (uint64_t rest = bytes - done; rest > 0 && count < MOST;
		     rest -= piece[count++].iov_len)
			piece[count] = (struct iovec){ zeros,
						       rest < sizeof zeros ? rest : sizeof zeros };
		ssize_t n = pwritev(fd, piece, count, (off_t)(from + done));
		if (n <= 0)
			break;
		done += (uint64_t)n;
	}
}

/* The caller holds the lock. */
static void make_pages(const char *from, uint64_t bytes)
{
	bool may = !sis__store_frozen &&
		   sis__store_allows((uint64_t)(from - sis__store.base) + bytes);
	int fd = may ? sis__file_open(SIS_FILE_PROFILE) : -1;
	if (fd < 0)
		return;
	fill(fd, (uint64_t)(from - sis__store.base), bytes);
	sis__file_close(fd);
}

void sis__store_make_pages(char *from, uint64_t bytes)
{
	int saved = errno;
	if (!sis__store_is_live() || !sis__lock(&sis__store.lock))
		return;
	make_pages(from, bytes);
	sis__unlock(&sis__store.lock);
	errno = saved;
}

/* The magic and then the size are written last, so that a reader of the running file never finds a
 * half-made chunk. */
static struct sis_chunk *put_chunk(enum sis_chunk_kind kind, uint32_t slot, uint64_t bytes)
{
	struct sis_profile_header *header = sis__header();
	struct sis_chunk *chunk = (struct sis_chunk *)(sis__store.base + header->size);
	/* Without this, the store to the chunk's head would make the kernel read this page and the
	 * next pages from the file. */
	if (bytes > SIS_CHUNK_READY && header->size + SIS_CHUNK_READY > sis__store.ready)
		make_pages((char *)chunk, SIS_CHUNK_READY);
	chunk->kind = kind;
	chunk->size = bytes;
	chunk->slot = slot;
	__atomic_store_n(&chunk->magic, SIS_CHUNK_MAGIC, __ATOMIC_RELEASE);
	__atomic_store_n(&header->size, header->size + bytes, __ATOMIC_RELEASE);
	return chunk;
}

SIS_EXPORT struct sis_chunk *sis__chunk_new(enum sis_chunk_kind kind, uint32_t slot,
					    uint64_t payload_bytes)
{
	struct sis_chunk *chunk = NULL;
	int saved = errno;
	uint64_t bytes = round_up(sizeof *chunk + payload_bytes, SIS_PAGE);
	if (!sis__store_is_live() || sis__store_frozen || !sis__lock(&sis__store.lock))
		return NULL;
	if (!sis__store_frozen) {
		uint64_t end = sis__header()->size + bytes;
		if (end <= sis__store.capacity ||
		    (!sis__store_full && !sis__is_confined() && grow(end - sis__store.capacity)))
			chunk = put_chunk(kind, slot, bytes);
	}
	sis__unlock(&sis__store.lock);
	errno = saved;
	return chunk;
}

struct sis_chunk *sis__chunk_next(char *base, struct sis_chunk *chunk)
{
	char *next = chunk ? (char *)chunk + chunk->size : base + SIS_PAGE;
	uint64_t size = __atomic_load_n(&((struct sis_profile_header *)base)->size,
					__ATOMIC_ACQUIRE); /* pairs with put_chunk */
	return (uint64_t)(next - base) < size ? (struct sis_chunk *)next : NULL;
}

void *sis__from_chunk(struct sis_thread *thread, struct sis_chunk **filling,
		      enum sis_chunk_kind kind, uint64_t bytes, uint64_t size)
{
	struct sis_chunk *chunk = *filling;
	if (!chunk || chunk->used + bytes > chunk->size - sizeof *chunk) {
		chunk = sis__chunk_new(kind, thread->pub.slot, size - sizeof *chunk);
		if (!chunk)
			return NULL;
		*filling = chunk;
	}
	return (char *)sis__payload(chunk) + chunk->used;
}

/* -- the file ---------------------------------------------------------------------------------- */

static int write_all(int fd, const char *bytes, uint64_t length)
{
	for (uint64_t done = 0; done < length;) {
		ssize_t n = pwrite(fd, bytes + done, length - done, (off_t)done);
		if (n < 0 && errno != EINTR)
			return errno;
		done += n > 0 ? (uint64_t)n : 0;
	}
	return 0;
}

/* The content of the anonymous memory becomes the beginning of the file, at the same address. The
 * next pages are created, too, because most processes need them. If the first store to each page
 * created it, this would take ten times as long. */
int sis__store_move_into_file(int fd)
{
	uint64_t size = sis__header()->size;
	uint64_t bytes = round_up(size, SIS_PAGE) + STEP_FIRST;
	int failed = allocate(fd, 0, bytes);
	if (!failed)
		failed = write_all(fd, sis__store.base, size);
	if (!failed)
		failed = map(fd, 0, bytes, MAP_SHARED);
	if (failed)
		return failed;
	fill(fd, round_up(size, SIS_PAGE), STEP_READY);
	sis__store.ready = round_up(size, SIS_PAGE) + STEP_READY;
	sis__store.capacity = bytes;
	return 0;
}
