/* SPDX-License-Identifier: BSD-3-Clause */
/* transfers.c - interposed functions that move data and may have to wait for the data. Called by
 * any thread, in signal handlers, too.
 *
 * A call that takes long has waited if its descriptor is a pipe, socket, terminal or the like. The
 * time of the wait is RT_ASLEEP; that of the copy belongs to the call. Waits for files count as
 * reading and writing.
 *
 *     read  |~~~~~~~~~~ waits ~~~~~~~~~~|= copies =|
 *
 * The clock is read twice; once is enough if the region of the call has just been entered. If the
 * copy may be long, it is measured by the thread's CPU time; otherwise its time is estimated.
 * Everything else is tested only after a call that took long.
 */
#include "base/blocked_call.h"
#include "base/kernel_clock.h"
#include "base/ticks.h"
#include "adapters/libc/asleep.h"
#include "adapters/libc/libc_entry.h"
#include "measure/wait_causes/culprit.h"

#include <errno.h>
#include <sys/stat.h>

#ifndef __SANITIZE_THREAD__

enum {
	LARGE = 32768,       /* bytes: copying this many takes microseconds */
	BYTES_PER_NS = 8,    /* speed of a smaller copy */
};

struct transfer { struct sis_thread *thread; uint64_t from; int64_t cpu_ns; };

/* If the call is a region of the source and is timed, the thread's last probe was its enter. */
static inline struct transfer transfer_begin(size_t bytes)
{
	struct transfer transfer = { .thread = NULL };
	if (SIS_UNLIKELY(sis__watched)) { /* transfer_end opens the profile if the call took long */
		transfer.from = sis__ticks();
		return transfer;
	}
	transfer.thread = sis__sleeper();
	if (!transfer.thread)
		return transfer;
	const struct sis_node *node = transfer.thread->pub.current;
	bool timed = node->start < SIS_START_CHOSEN &&
		sis_region_in(sis__region_fact(sis_node_region(node))->type, CR_IO);
	transfer.from = timed ? transfer.thread->pub.stamp : sis__ticks();
	if (SIS_UNLIKELY(bytes >= LARGE))
		transfer.cpu_ns = (int64_t)sis__clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return transfer;
}

static SIS_COLD __attribute__((noinline)) void transfer_was_long(const struct transfer *transfer,
								 int of, ssize_t moved,
								 uint64_t now)
{
	int saved = errno;
	struct stat status; /* fstat may fail: another thread may have closed the descriptor */
	int64_t copy = moved / BYTES_PER_NS;
	if (transfer->cpu_ns)
		copy = (int64_t)sis__clock_ns(CLOCK_THREAD_CPUTIME_ID) - transfer->cpu_ns;
	uint64_t ticks = sis__ns_to_ticks((uint64_t)copy);
	if (fstat(of, &status) == 0 && sis__may_block(&status) && ticks < now - transfer->from)
		sis__slept(transfer->thread, transfer->from, now - ticks);
	errno = saved;
}

static inline void transfer_end(struct transfer *transfer, int of, ssize_t moved)
{
	if (!transfer->from)
		return;
	uint64_t now = sis__ticks();
	if (SIS_LIKELY(now <= transfer->from || now - transfer->from < sis__wait_short()))
		return;
	if (!transfer->thread)
		transfer->thread = sis__sleeper();
	if (transfer->thread && sis__measured() == transfer->thread)
		transfer_was_long(transfer, of, moved > 0 ? moved : 0, now);
}

#define TRANSFERS(name, parameters, arguments, of, bytes) \
	SIS_BEHIND(name) \
	SIS_EXPORT ssize_t INTERPOSED(name) parameters \
	{ \
		struct transfer transfer = transfer_begin(bytes); \
		ssize_t moved = real_##name() arguments; \
		transfer_end(&transfer, of, moved); \
		return moved; \
	}

TRANSFERS(read, (int of, void *bytes, size_t length), (of, bytes, length), of, length)
TRANSFERS(__read_chk, (int of, void *bytes, size_t length, size_t room),
	  (of, bytes, length, room), of, length)
TRANSFERS(readv, (int of, const struct iovec *part, int parts), (of, part, parts), of, LARGE)
TRANSFERS(recv, (int of, void *bytes, size_t length, int flags), (of, bytes, length, flags), of,
	  length)
TRANSFERS(__recv_chk, (int of, void *bytes, size_t length, size_t room, int flags),
	  (of, bytes, length, room, flags), of, length)
TRANSFERS(recvfrom,
	  (int of, void *restrict bytes, size_t length, int flags, struct sockaddr *restrict from,
	   socklen_t *restrict size),
	  (of, bytes, length, flags, from, size), of, length)
TRANSFERS(__recvfrom_chk,
	  (int of, void *restrict bytes, size_t length, size_t room, int flags,
	   struct sockaddr *restrict from, socklen_t *restrict size),
	  (of, bytes, length, room, flags, from, size), of, length)
TRANSFERS(recvmsg, (int of, struct msghdr *message, int flags), (of, message, flags), of, LARGE)
TRANSFERS(write, (int of, const void *bytes, size_t length), (of, bytes, length), of, length)
TRANSFERS(writev, (int of, const struct iovec *part, int parts), (of, part, parts), of, LARGE)
TRANSFERS(send, (int of, const void *bytes, size_t length, int flags), (of, bytes, length, flags),
	  of, length)
TRANSFERS(sendto,
	  (int of, const void *bytes, size_t length, int flags, const struct sockaddr *to,
	   socklen_t size),
	  (of, bytes, length, flags, to, size), of, length)
TRANSFERS(sendmsg, (int of, const struct msghdr *message, int flags), (of, message, flags), of,
	  LARGE)

#endif
