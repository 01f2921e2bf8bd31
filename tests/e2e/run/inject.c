/* inject.c - preloaded: lets calls that the runtime makes of the system fail, one or from one on.
 * Any thread.
 *
 *     FAULT=N     the N-th fails        FAULT=N+    so do all after it        FAULT=0    none
 *     FAULT_LOG=FILE                    gets a byte for each call that could have failed
 *     FAULT_FROM=FILE                   none counts before this file is there; without it, what
 *                                       undoes others does not fail:
 *                                       unlink, rename
 *     FAULT_RANK=N                      only in this rank of MPI_COMM_WORLD
 *     FAULT_KILL=1                      the process is killed where the call would have failed
 *
 * Only calls that come from a library named libsis* count: a program's own are its own business.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* libc's syscall */
static long (*kernel)(long, ...);
#define KERNEL(...) \
	(kernel ? kernel : (*(void **)&kernel = dlsym(RTLD_NEXT, "syscall"), kernel))(__VA_ARGS__)

static int wanted = -1, count; /* which is to fail; how many there were */
static bool all_after;
static int log_file = -1;
static const char *from_file; /* NULL: it is there, or none is waited for */

static void read_settings(void)
{
	const char *fault = getenv("FAULT"), *name = getenv("FAULT_LOG");
	const char *rank = getenv("FAULT_RANK"), *own = getenv("PMI_RANK");
	from_file = getenv("FAULT_FROM");
	wanted = fault && (!rank || (own && atoi(rank) == atoi(own))) ? atoi(fault) : 0;
	name = rank && (!own || atoi(rank) != atoi(own)) ? NULL : name;
	all_after = fault && strchr(fault, '+');
	if (name)
		log_file = (int)KERNEL(SYS_openat, AT_FDCWD, name,
					O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

static bool is_ours(void *caller)
{
	Dl_info info;
	return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "/libsis");
}

static bool fails(void *caller, int error)
{
	if (!is_ours(caller))
		return false;
	if (wanted < 0)
		read_settings();
	if (from_file && KERNEL(SYS_faccessat, AT_FDCWD, from_file, F_OK) != 0)
		return false;
	from_file = NULL;
	int number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
	if (log_file >= 0 && KERNEL(SYS_write, log_file, ".", 1) != 1)
		abort();
	bool hit = wanted > 0 && (number == wanted || (all_after && number > wanted));
	const char *end = hit ? getenv("FAULT_KILL") : NULL;
	if (end && *end)
		raise(SIGKILL);
	if (hit)
		errno = error;
	return hit;
}
#define FAILS(error) __builtin_expect(fails(__builtin_return_address(0), error), 0)
#define FAILS_LATE(error) (getenv("FAULT_FROM") && FAILS(error))
#define REAL(name) (real ? real : (*(void **)&real = dlsym(RTLD_NEXT, #name), real))

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset)
{
	return FAILS(ENOMEM) ?
		MAP_FAILED :
		(void *)KERNEL(SYS_mmap, address, length, protection, flags, fd, offset);
}

int mprotect(void *address, size_t length, int protection)
{
	return FAILS(ENOMEM) ? -1 : (int)KERNEL(SYS_mprotect, address, length, protection);
}

void *mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
	va_list rest;
	va_start(rest, flags);
	void *new = va_arg(rest, void *);
	va_end(rest);
	return FAILS(ENOMEM) ? MAP_FAILED :
			       (void *)KERNEL(SYS_mremap, old, old_size, size, flags, new);
}

int msync(void *address, size_t length, int flags)
{
	return FAILS(EIO) ? -1 : (int)KERNEL(SYS_msync, address, length, flags);
}

int ftruncate(int fd, off_t length)
{
	return FAILS(EIO) ? -1 : (int)KERNEL(SYS_ftruncate, fd, length);
}

int posix_fallocate(int fd, off_t offset, off_t length)
{
	static int (*real)(int, off_t, off_t);
	int saved = errno;
	if (FAILS(ENOSPC)) {
		errno = saved;
		return ENOSPC;
	}
	return REAL(posix_fallocate)(fd, offset, length);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
	return FAILS(ENOSPC) ? -1 : KERNEL(SYS_write, fd, bytes, length);
}

/* It has descriptors of its own, so it cannot write the log. */
static bool is_switches(void)
{
	char name[17] = "";
	KERNEL(SYS_prctl, PR_GET_NAME, name);
	return strcmp(name, "sis-switches") == 0;
}

/* The runtime makes some calls without libc's functions, many of which it interposes itself. */
static int error_of(long number)
{
	switch (number) {
	case SYS_read: return EIO;
	case SYS_write: return ENOSPC;
	case SYS_openat: return EMFILE;
	case SYS_perf_event_open: return EMFILE;
	case SYS_timer_create: return EAGAIN;
	default: return 0;
	}
}

long syscall(long number, ...)
{
	va_list rest;
	long argument[6];
	va_start(rest, number);
	for (int i = 0; i < 6; i++)
		argument[i] = va_arg(rest, long); /* if there is none, nobody reads it */
	va_end(rest);
	int error = error_of(number);
	if (error && !is_switches() && FAILS(error))
		return -1;
	return KERNEL(number, argument[0], argument[1], argument[2], argument[3], argument[4],
		      argument[5]);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset)
{
	return FAILS(ENOSPC) ? -1 : KERNEL(SYS_pwrite64, fd, bytes, length, offset);
}

ssize_t pread(int fd, void *bytes, size_t length, off_t offset)
{
	return FAILS(EIO) ? -1 : KERNEL(SYS_pread64, fd, bytes, length, offset);
}

int fdatasync(int fd)
{
	return FAILS(EIO) ? -1 : (int)KERNEL(SYS_fdatasync, fd);
}

int rename(const char *from, const char *to)
{
	return FAILS_LATE(ENOSPC) ? -1 : (int)KERNEL(SYS_rename, from, to);
}

ssize_t read(int fd, void *bytes, size_t length)
{
	return FAILS(EIO) ? -1 : KERNEL(SYS_read, fd, bytes, length);
}

int open(const char *path, int flags, ...)
{
	va_list rest;
	va_start(rest, flags);
	int mode = flags & O_CREAT ? va_arg(rest, int) : 0;
	va_end(rest);
	return FAILS(EMFILE) ? -1 : (int)KERNEL(SYS_openat, AT_FDCWD, path, flags, mode);
}

int unlink(const char *path)
{
	return FAILS_LATE(EIO) ? -1 : (int)KERNEL(SYS_unlink, path);
}

int mkdir(const char *path, mode_t mode)
{
	return FAILS(ENOSPC) ? -1 : (int)KERNEL(SYS_mkdir, path, mode);
}

int fstat(int fd, struct stat *status)
{
	static int (*real)(int, struct stat *);
	return FAILS(EIO) ? -1 : REAL(fstat)(fd, status);
}

int clone(int (*run)(void *), void *stack, int flags, void *argument, ...)
{
	static int (*real)(int (*)(void *), void *, int, void *, ...);
	va_list rest;
	va_start(rest, argument);
	void *parent = va_arg(rest, void *), *variables = va_arg(rest, void *),
	     *child = va_arg(rest, void *);
	va_end(rest);
	return FAILS(EAGAIN) ? -1 :
			       REAL(clone)(run, stack, flags, argument, parent, variables, child);
}

int symlink(const char *target, const char *path)
{
	return FAILS(ENOSPC) ? -1 : (int)KERNEL(SYS_symlink, target, path);
}

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
	static int (*real)(unsigned *, void (*)(void *));
	int saved = errno;
	if (FAILS(EAGAIN)) {
		errno = saved;
		return EAGAIN;
	}
	return REAL(pthread_key_create)(key, destructor);
}

void *malloc(size_t size)
{
	static void *(*real)(size_t);
	return FAILS(ENOMEM) ? NULL : REAL(malloc)(size);
}

void *__libc_calloc(size_t count, size_t size);
void *calloc(size_t count, size_t size) /* dlsym calls it */
{
	return FAILS(ENOMEM) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	static void *(*real)(void *, size_t);
	return FAILS(ENOMEM) ? NULL : REAL(realloc)(old, size);
}
