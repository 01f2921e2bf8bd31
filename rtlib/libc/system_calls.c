/* SPDX-License-Identifier: BSD-3-Clause */
/* bare_calls.c - system calls of a bare thread (base/bare_thread.h). Libraries of the program
 * replace libc's functions: UCX follows what is mapped, under a lock of pthreads, and tools that
 * watch files call malloc. A bare thread must execute none of that. So libsis.so is linked with
 * --wrap for each function here (rt_bare in module.mk): its calls of NAME are calls of __wrap_NAME,
 * which asks the kernel if the thread is bare, and else calls libc's. Any thread.
 *
 * libsis.a is not linked so. There a thread is bare only in a program without a dynamic linker, in
 * which nobody replaces a function.
 */
#ifndef SIS_STATIC
#include "base/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define PASS(...) (__VA_ARGS__)
#define BARE(name, type, parameters, arguments, ...) \
	extern type __real_##name parameters; \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		return SIS_UNLIKELY(sis__local.bare) ? (type)syscall(__VA_ARGS__) \
						     : __real_##name arguments; \
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

/* -- files ------------------------------------------------------------------------------------- */

BARE(close, int, (int fd), PASS(fd), SYS_close, fd)
BARE(fstat, int, (int fd, struct stat *status), PASS(fd, status), SYS_fstat, fd, status)
BARE(stat, int, (const char *path, struct stat *status), PASS(path, status),
     SYS_newfstatat, AT_FDCWD, path, status, 0)
BARE(read, ssize_t, (int fd, void *bytes, size_t length), PASS(fd, bytes, length),
     SYS_read, fd, bytes, length)
BARE(readlink, ssize_t, (const char *path, char *to, size_t size), PASS(path, to, size),
     SYS_readlinkat, AT_FDCWD, path, to, size)
BARE(ftruncate, int, (int fd, off_t length), PASS(fd, length), SYS_ftruncate, fd, length)
BARE(fchmod, int, (int fd, mode_t mode), PASS(fd, mode), SYS_fchmod, fd, mode)
BARE(write, ssize_t, (int fd, const void *bytes, size_t length), PASS(fd, bytes, length),
     SYS_write, fd, bytes, length)
BARE(pwrite, ssize_t, (int fd, const void *bytes, size_t length, off_t at),
     PASS(fd, bytes, length, at), SYS_pwrite64, fd, bytes, length, at)
BARE(pwritev, ssize_t, (int fd, const struct iovec *part, int parts, off_t at),
     PASS(fd, part, parts, at), SYS_pwritev, fd, part, parts, at, 0)

#define VARIADIC(name, type, first, ...) \
	extern int __real_##name(first, int how, ...); \
	int __wrap_##name(first, int how, ...); \
	int __wrap_##name(first, int how, ...) \
	{ \
		va_list rest; \
		va_start(rest, how); \
		type last = va_arg(rest, type); /* if there is none, nobody reads it */ \
		va_end(rest); \
		return SIS_UNLIKELY(sis__local.bare) ? (int)syscall(__VA_ARGS__, how, last) \
						     : __real_##name(of, how, last); \
	}
VARIADIC(open, unsigned, const char *of, SYS_openat, AT_FDCWD, of)
VARIADIC(fcntl, long, int of, SYS_fcntl, of)

extern int __real_ioctl(int fd, unsigned long what, ...);
int __wrap_ioctl(int fd, unsigned long what, ...);
int __wrap_ioctl(int fd, unsigned long what, ...)
{
	va_list rest;
	va_start(rest, what);
	void *last = va_arg(rest, void *); /* if there is none, nobody reads it */
	va_end(rest);
	return SIS_UNLIKELY(sis__local.bare) ? (int)syscall(SYS_ioctl, fd, what, last)
					     : __real_ioctl(fd, what, last);
}

extern char *__real_getcwd(char *to, size_t size);
char *__wrap_getcwd(char *to, size_t size);
char *__wrap_getcwd(char *to, size_t size)
{
	if (!sis__local.bare)
		return __real_getcwd(to, size);
	return syscall(SYS_getcwd, to, size) > 0 ? to : NULL;
}

/* A file system without this call gets a byte in each block, as libc does it. The range is behind
 * the end of the file. */
extern int __real_posix_fallocate(int fd, off_t from, off_t bytes);
int __wrap_posix_fallocate(int fd, off_t from, off_t bytes);
int __wrap_posix_fallocate(int fd, off_t from, off_t bytes)
{
	enum { BLOCK = 4096 };
	if (!sis__local.bare)
		return __real_posix_fallocate(fd, from, bytes);
	if (syscall(SYS_fallocate, fd, 0, from, bytes) == 0)
		return 0;
	if (errno != EOPNOTSUPP)
		return errno;
	for (off_t at = from + bytes - 1; at >= from; at -= BLOCK)
		if (syscall(SYS_pwrite64, fd, "", (size_t)1, at) != 1)
			return errno;
	return 0;
}

/* -- time and identity ------------------------------------------------------------------------- */

BARE(clock_getres, int, (clockid_t clock, struct timespec *step), PASS(clock, step),
     SYS_clock_getres, clock, step)
BARE(getpid, pid_t, (void), PASS(), SYS_getpid)
#endif
