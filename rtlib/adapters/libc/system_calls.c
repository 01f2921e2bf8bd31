/* SPDX-License-Identifier: BSD-3-Clause */
/* system_calls.c - system calls of the runtime, for threads that must not call some functions of
 * libc. Called by any thread.
 *
 *      a bare thread (base/bare_thread.h)   calls the kernel here, because the program's libraries
 *                                           may replace functions of libc by ones that a bare
 *                                           thread cannot execute: UCX tracks mappings, under a
 *                                           lock of pthreads; tools that watch files call malloc
 *      a confined thread (base/state.h)     must not make system calls. In it the functions here do
 *                                           nothing and fail with EPERM
 *
 * So libsis.so is linked with --wrap for each function here (rt_calls in module.mk): calls of NAME
 * in libsis.so become calls of __wrap_NAME. In libsis.a the name is sis__call_NAME. Some functions
 * of libc are more than one system call, such as opendir, dlopen and pthread_create. Such functions
 * are called only where no thread is confined.
 *
 * libsis.a is not linked with --wrap. With it, bare threads are used only if the program has no
 * dynamic linker, and then no library replaces a function.
 */
#include "base/futex.h"
#include "base/state.h"
#include "base/system_call.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* -- a confined thread ------------------------------------------------------------------------- */

static long refuse(void)
{
	errno = EPERM;
	return -1;
}

#ifdef SIS_STATIC
#define CALL(name) sis__call_##name
#define REAL_CALL(name) name
#define DECLARE_REAL(type, name, ...)
#else
#define CALL(name) __wrap_##name
#define REAL_CALL(name) __real_##name
#define DECLARE_REAL(type, name, ...) extern type __real_##name(__VA_ARGS__);
#endif

#define PASS(...) (__VA_ARGS__)
/* Defines a function that no bare thread calls. In a confined thread it returns `refused`. */
#define REFUSED(name, type, parameters, arguments, refused) \
	DECLARE_REAL(type, name, EACH parameters) \
	type CALL(name) parameters; \
	type CALL(name) parameters \
	{ \
		return sis__is_confined() ? refused : REAL_CALL(name) arguments; \
	}
#define EACH(...) __VA_ARGS__
/* Defines a function that, in a bare thread, makes the system call given by the last arguments. */
#define BARE(name, type, parameters, arguments, ...) \
	DECLARE_REAL(type, name, EACH parameters) \
	type CALL(name) parameters; \
	type CALL(name) parameters \
	{ \
		if (sis__is_confined()) \
			return (type)refuse(); \
		return SIS_UNLIKELY(sis__local.bare) ? (type)sis__system_call(__VA_ARGS__) \
						     : REAL_CALL(name) arguments; \
	}

/* -- memory ------------------------------------------------------------------------------------ */

BARE(mmap, void *, (void *at, size_t size, int protection, int flags, int fd, off_t offset),
     PASS(at, size, protection, flags, fd, offset),
     SYS_mmap, at, size, protection, flags, fd, offset)
BARE(munmap, int, (void *at, size_t size), PASS(at, size), SYS_munmap, at, size)
BARE(madvise, int, (void *at, size_t size, int advice), PASS(at, size, advice),
     SYS_madvise, at, size, advice)
BARE(process_vm_readv, ssize_t,
     (pid_t process, const struct iovec *to, unsigned long tos, const struct iovec *from,
      unsigned long froms, unsigned long flags), PASS(process, to, tos, from, froms, flags),
     SYS_process_vm_readv, process, to, tos, from, froms, flags)
BARE(mprotect, int, (void *at, size_t size, int protection), PASS(at, size, protection),
     SYS_mprotect, at, size, protection)
REFUSED(msync, int, (void *at, size_t size, int how), PASS(at, size, how), (int)refuse())

/* -- files ------------------------------------------------------------------------------------- */

BARE(close, int, (int fd), PASS(fd), SYS_close, fd)
BARE(fstat, int, (int fd, struct stat *status), PASS(fd, status), SYS_fstat, fd, status)
BARE(stat, int, (const char *path, struct stat *status), PASS(path, status),
     SYS_newfstatat, AT_FDCWD, path, status, 0)
BARE(readlink, ssize_t, (const char *path, char *to, size_t size), PASS(path, to, size),
     SYS_readlinkat, AT_FDCWD, path, to, size)
BARE(ftruncate, int, (int fd, off_t length), PASS(fd, length), SYS_ftruncate, fd, length)
BARE(fchmod, int, (int fd, mode_t mode), PASS(fd, mode), SYS_fchmod, fd, mode)
BARE(pwrite, ssize_t, (int fd, const void *bytes, size_t length, off_t at),
     PASS(fd, bytes, length, at), SYS_pwrite64, fd, bytes, length, at)
BARE(pwritev, ssize_t, (int fd, const struct iovec *part, int parts, off_t at),
     PASS(fd, part, parts, at), SYS_pwritev, fd, part, parts, at, 0)
REFUSED(pread, ssize_t, (int fd, void *bytes, size_t length, off_t at), PASS(fd, bytes, length, at),
	refuse())
REFUSED(access, int, (const char *path, int how), PASS(path, how), (int)refuse())
REFUSED(lstat, int, (const char *path, struct stat *status), PASS(path, status), (int)refuse())
REFUSED(chmod, int, (const char *path, mode_t mode), PASS(path, mode), (int)refuse())
REFUSED(mkdir, int, (const char *path, mode_t mode), PASS(path, mode), (int)refuse())
REFUSED(rename, int, (const char *from, const char *to), PASS(from, to), (int)refuse())
REFUSED(unlink, int, (const char *path), PASS(path), (int)refuse())
REFUSED(fdatasync, int, (int fd), PASS(fd), (int)refuse())

#define VARIADIC(name, type, first, ...) \
	DECLARE_REAL(int, name, first, int how, ...) \
	int CALL(name)(first, int how, ...); \
	int CALL(name)(first, int how, ...) \
	{ \
		va_list rest; \
		va_start(rest, how); \
		type last = va_arg(rest, type); /* if it is missing, nobody reads it */ \
		va_end(rest); \
		if (sis__is_confined()) \
			return (int)refuse(); \
		return SIS_UNLIKELY(sis__local.bare) \
			       ? (int)sis__system_call(__VA_ARGS__, how, last) \
			       : REAL_CALL(name)(of, how, last); \
	}
VARIADIC(open, unsigned, const char *of, SYS_openat, AT_FDCWD, of)
VARIADIC(fcntl, long, int of, SYS_fcntl, of)

DECLARE_REAL(int, ioctl, int fd, unsigned long what, ...)
int CALL(ioctl)(int fd, unsigned long what, ...);
int CALL(ioctl)(int fd, unsigned long what, ...)
{
	va_list rest;
	va_start(rest, what);
	void *last = va_arg(rest, void *); /* if it is missing, nobody reads it */
	va_end(rest);
	if (sis__is_confined())
		return (int)refuse();
	return SIS_UNLIKELY(sis__local.bare) ? (int)sis__system_call(SYS_ioctl, fd, what, last)
					     : REAL_CALL(ioctl)(fd, what, last);
}

DECLARE_REAL(char *, getcwd, char *to, size_t size)
char *CALL(getcwd)(char *to, size_t size);
char *CALL(getcwd)(char *to, size_t size)
{
	if (sis__is_confined())
		return refuse(), NULL;
	if (!sis__local.bare)
		return REAL_CALL(getcwd)(to, size);
	return sis__system_call(SYS_getcwd, to, size) > 0 ? to : NULL;
}

/* If the file system lacks this call, a byte is written to each block, as libc does it. This is
 * safe because the range is behind the end of the file. */
DECLARE_REAL(int, posix_fallocate, int fd, off_t from, off_t bytes)
int CALL(posix_fallocate)(int fd, off_t from, off_t bytes);
int CALL(posix_fallocate)(int fd, off_t from, off_t bytes)
{
	enum { BLOCK = 4096 };
	if (sis__is_confined())
		return EPERM;
	if (!sis__local.bare)
		return REAL_CALL(posix_fallocate)(fd, from, bytes);
	if (sis__system_call(SYS_fallocate, fd, 0, from, bytes) == 0)
		return 0;
	if (errno != EOPNOTSUPP)
		return errno;
	for (off_t at = from + bytes - 1; at >= from; at -= BLOCK)
		if (sis__system_call(SYS_pwrite64, fd, "", (size_t)1, at) != 1)
			return errno;
	return 0;
}

/* -- time and identity ------------------------------------------------------------------------- */

BARE(clock_getres, int, (clockid_t clock, struct timespec *step), PASS(clock, step),
     SYS_clock_getres, clock, step)
REFUSED(sched_yield, int, (void), PASS(), (sis__pause(), 0))
REFUSED(sched_getaffinity, int, (pid_t thread, size_t size, cpu_set_t *set),
	PASS(thread, size, set), (int)refuse())
REFUSED(getrlimit, int, (__rlimit_resource_t what, struct rlimit *limit), PASS(what, limit),
	(int)refuse())

/* A confined thread uses the number that is stored in the header. This number is right, because the
 * runtime does nothing in a forked child that is confined. */
DECLARE_REAL(pid_t, getpid, void)
pid_t CALL(getpid)(void);
pid_t CALL(getpid)(void)
{
	if (sis__is_confined())
		return (pid_t)sis__header()->pid;
	return SIS_UNLIKELY(sis__local.bare) ? (pid_t)sis__system_call(SYS_getpid)
					     : REAL_CALL(getpid)();
}

DECLARE_REAL(int, prctl, int what, ...)
int CALL(prctl)(int what, ...);
int CALL(prctl)(int what, ...)
{
	va_list rest;
	va_start(rest, what);
	unsigned long one = va_arg(rest, unsigned long); /* the runtime needs one argument only */
	va_end(rest);
	return sis__is_confined() ? (int)refuse() : (int)sis__system_call(SYS_prctl, what, one);
}

/* -- any --------------------------------------------------------------------------------------- */

#define SIX_OF(rest, number) \
	va_list rest; \
	va_start(rest, number); \
	long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long), \
	     d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long); \
	va_end(rest)

long CALL(syscall)(long number, ...);
SIS_ANY_ARGUMENTS long CALL(syscall)(long number, ...)
{
	SIX_OF(rest, number);
	if (!sis__is_confined())
		return sis__system_call(number, a, b, c, d, e, f);
	return number == SYS_gettid ? (long)sis__local.tid : refuse();
}
