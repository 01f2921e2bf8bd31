/* SPDX-License-Identifier: BSD-3-Clause */
/* sleeps.c - interposed functions that only sleep, or only wait for something outside of the
 * program. The time inside is RT_ASLEEP. Called by any thread, in signal handlers, too.
 *
 * A call that does not wait (poll with a time of 0, waitpid with WNOHANG) has no node RT_ASLEEP.
 * Calls that libc makes itself, for example of waitpid in system, are not interposed.
 * LIMIT: a thread that is cancelled in such a call leaves the node only when it ends, after its
 * cleanup handlers.
 */
#include "adapters/libc/asleep.h"
#include "adapters/libc/libc_entry.h"

#ifndef __SANITIZE_THREAD__

#define SLEEPS(type, name, parameters, arguments, waits) \
	SIS_BEHIND(name) \
	SIS_EXPORT type INTERPOSED(name) parameters \
	{ \
		struct sis_thread *thread = (waits) ? sis__sleeper() : NULL; \
		if (!thread) \
			return real_##name() arguments; \
		struct sis_node *node = sis__sleep_begin(thread); \
		type result = real_##name() arguments; \
		sis__sleep_end(thread, node); \
		return result; \
	}

static inline bool is_time(const struct timespec *time)
{
	return !time || time->tv_sec || time->tv_nsec;
}

/* -- for some time ----------------------------------------------------------------------------- */

SLEEPS(unsigned, sleep, (unsigned seconds), (seconds), seconds > 0)
SLEEPS(int, usleep, (useconds_t microseconds), (microseconds), true)
SLEEPS(int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left), true)
SLEEPS(int, clock_nanosleep,
       (clockid_t clock, int flags, const struct timespec *time, struct timespec *left),
       (clock, flags, time, left), true)
SLEEPS(int, thrd_sleep, (const struct timespec *time, struct timespec *left), (time, left), true)

/* -- for descriptors --------------------------------------------------------------------------- */

SLEEPS(int, poll, (struct pollfd *of, nfds_t n, int ms), (of, n, ms), ms != 0)
SLEEPS(int, __poll_chk, (struct pollfd *of, nfds_t n, int ms, size_t room), (of, n, ms, room),
       ms != 0)
SLEEPS(int, ppoll,
       (struct pollfd *of, nfds_t n, const struct timespec *time, const sigset_t *mask),
       (of, n, time, mask), is_time(time))
SLEEPS(int, __ppoll_chk,
       (struct pollfd *of, nfds_t n, const struct timespec *time, const sigset_t *mask,
	size_t room),
       (of, n, time, mask, room), is_time(time))
SLEEPS(int, select, (int n, fd_set *in, fd_set *out, fd_set *except, struct timeval *time),
       (n, in, out, except, time), !time || time->tv_sec || time->tv_usec)
SLEEPS(int, pselect,
       (int n, fd_set *in, fd_set *out, fd_set *except, const struct timespec *time,
	const sigset_t *mask),
       (n, in, out, except, time, mask), is_time(time))
SLEEPS(int, epoll_wait, (int of, struct epoll_event *event, int n, int ms), (of, event, n, ms),
       ms != 0)
SLEEPS(int, epoll_pwait, (int of, struct epoll_event *event, int n, int ms, const sigset_t *mask),
       (of, event, n, ms, mask), ms != 0)
SLEEPS(int, accept, (int of, struct sockaddr *restrict from, socklen_t *restrict length),
       (of, from, length), true)
SLEEPS(int, accept4,
       (int of, struct sockaddr *restrict from, socklen_t *restrict length, int flags),
       (of, from, length, flags), true)
SLEEPS(int, connect, (int of, const struct sockaddr *to, socklen_t length), (of, to, length), true)
SLEEPS(int, flock, (int of, int operation), (of, operation), !(operation & LOCK_NB))

/* -- for signals ------------------------------------------------------------------------------- */

SLEEPS(int, pause, (void), (), true)
SLEEPS(int, sigsuspend, (const sigset_t *mask), (mask), true)
SLEEPS(int, sigwait, (const sigset_t *restrict set, int *restrict number), (set, number), true)
SLEEPS(int, sigwaitinfo, (const sigset_t *restrict set, siginfo_t *restrict info), (set, info),
       true)
SLEEPS(int, sigtimedwait,
       (const sigset_t *restrict set, siginfo_t *restrict info,
	const struct timespec *restrict time),
       (set, info, time), is_time(time))

/* -- for children ------------------------------------------------------------------------------ */

SLEEPS(pid_t, wait, (int *status), (status), true)
SLEEPS(pid_t, waitpid, (pid_t child, int *status, int flags), (child, status, flags),
       !(flags & WNOHANG))
SLEEPS(int, waitid, (idtype_t kind, id_t child, siginfo_t *info, int flags),
       (kind, child, info, flags), !(flags & WNOHANG))
SLEEPS(pid_t, wait3, (int *status, int flags, struct rusage *usage), (status, flags, usage),
       !(flags & WNOHANG))
SLEEPS(pid_t, wait4, (pid_t child, int *status, int flags, struct rusage *usage),
       (child, status, flags, usage), !(flags & WNOHANG))
SLEEPS(int, system, (const char *command), (command), command != NULL)
SLEEPS(int, pclose, (FILE *pipe), (pipe), true)

#endif
