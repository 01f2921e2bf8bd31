/* SPDX-License-Identifier: BSD-3-Clause */
/* libc_entry.h - interposes the functions of libc_entry.def.
 *
 * libsis.so comes before libc. So the program calls libsis.so's function NAME, which finds libc's
 * function NAME with dlsym. In a static program a name can be defined only once. There the linker
 * gets --wrap=NAME (share/sis/wrap-libc): a call of NAME calls the runtime's __wrap_NAME, and
 * __real_NAME is libc's function.
 */
#ifndef SIS_LIBC_ENTRY_H
#define SIS_LIBC_ENTRY_H

#include <assert.h>
#include <dlfcn.h>
#include <grp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* With POSIX of 2008, no header declares this function. */
void (*bsd_signal(int number, void (*handler)(int)))(int);
/* The first instructions of a program call this function; no header declares it. */
int __libc_start_main(int (*entry)(int, char **, char **), int count, char **arguments,
		      void (*begin)(void), void (*end)(void), void (*unload)(void), void *stack);

/* With -D_FORTIFY_SOURCE, the program calls these functions instead. */
int __poll_chk(struct pollfd *of, nfds_t n, int ms, size_t room);
int __ppoll_chk(struct pollfd *of, nfds_t n, const struct timespec *time, const sigset_t *mask,
		size_t room);
ssize_t __read_chk(int of, void *bytes, size_t length, size_t room);
ssize_t __recv_chk(int of, void *bytes, size_t length, size_t room, int flags);
ssize_t __recvfrom_chk(int of, void *restrict bytes, size_t length, size_t room, int flags,
		       struct sockaddr *restrict from, socklen_t *restrict size);

#ifdef SIS_STATIC
#define INTERPOSED(name) __wrap_##name
#define REAL(name) __real_##name
/* Weak, because the program may wrap the function, too. */
#define SIS_LIBC(name) \
	extern __typeof__(name) REAL(name), INTERPOSED(name) __attribute__((weak));
#include "adapters/libc/libc_entry.def"
#else
#define INTERPOSED(name) name
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#endif

/* real_NAME() returns the function behind the interposed one. Such calls may be frequent, or made
 * in signal handlers. So a constructor calls dlsym in advance. A call before the constructor calls
 * dlsym itself. dlsym finds the newest version of the function. */
#ifdef SIS_STATIC
#define SIS_BEHIND(name) \
	static __typeof__(&name) real_##name(void) { return REAL(name); }
#else
#define SIS_BEHIND(name) \
	static __typeof__(&name) real_##name(void) \
	{ \
		static __typeof__(&name) found; \
		__typeof__(&name) real = __atomic_load_n( \
			&found, __ATOMIC_RELAXED); /* all store the same */ \
		if (__builtin_expect(!real, 0)) { \
			real = REAL(name); \
			__atomic_store_n(&found, real, __ATOMIC_RELAXED); \
		} \
		return real; \
	} \
	static __attribute__((__constructor__)) void find_##name(void) { real_##name(); }
#endif

#endif
