/* SPDX-License-Identifier: BSD-3-Clause */
/* bare_thread.c - makes a bare thread. Called by any thread of the program. The memory of a bare
 * thread that has ended is freed when the next bare thread is made.
 *
 * The thread-local variables of loaded objects are below the thread pointer. libc's struct of the
 * thread begins at the thread pointer (x86-64). The bare thread has its own variables and struct:
 *
 *     low                  low + STACK                              tp
 *     | guard |    stack   |  variables of the objects              | struct  |
 *     |       | <- grows   |  copies of their initial values        |         |
 */
#include "base/bare_thread.h"
#include "base/lock.h"
#include "base/modules.h"
#include "base/signal_mask.h"
#include "base/state.h"
#include "base/thread_variables.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

/* Sanitizers define one of these functions: GCC's the first, clang's the second. */
extern int __interceptor_pthread_create(void) __attribute__((weak));
extern int ___interceptor_pthread_create(void) __attribute__((weak));

/* LIMIT: with a higher limit, a program whose user has almost as many processes as that may fail to
 * make a thread or child because of the runtime's threads. */
bool sis__thread_is_allowed(void)
{
	enum { FEW = 256 };
	struct rlimit limit;
	return getuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur >= FEW;
}

#if defined(__x86_64__) && defined(__LP64__) && defined(__GLIBC__)

#include <locale.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum {
	GUARD = 4096,
	STACK = GUARD + (128 << 10),
	STRUCT = 8192, /* libc's has 2304 bytes */
	/* The words that are copied from libc's struct of the calling thread. Among them are the
	 * values that guard stacks and pointers. Two of the words point to the struct itself. */
	WORDS = 8, SELF = 0, SELF_AGAIN = 2,
};

/* What is known of a bare thread; stored at the end of the memory that is made for the thread. */
struct bare {
	struct bare *next;
	char *low;     /* the lowest address of the memory */
	size_t size;
	int alive;     /* the thread's number; the kernel stores 0 when the thread ends */
	void *(*run)(void *);
};
static struct bare *threads;  /* running ones, and those that ended since the last one was made */
static struct sis_lock lock;  /* guards `threads` */

bool sis__bare_thread_is_possible(void)
{
	return !__interceptor_pthread_create && !___interceptor_pthread_create &&
	       sis__calls_can_be_bare();
}

/* -- the thread -------------------------------------------------------------------------------- */

static int begin(void *context)
{
	const struct bare *bare = context;
	sis__local.bare = true;
	/* libc has a static object for the locale C, so this takes no memory and no lock */
	uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
	bare->run(NULL);
	return 0;
}

/* The memory of a thread of this process; NULL: there is none. */
static struct bare *allocate(size_t variables)
{
	size_t size = (STACK + variables + STRUCT + GUARD - 1) & -(size_t)GUARD;
	char *low = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (low == MAP_FAILED)
		return NULL;
	mprotect(low, GUARD, PROT_NONE);
	struct bare *bare = (struct bare *)(low + size) - 1;
	*bare = (struct bare){ .low = low, .size = size };
	return bare;
}

static int make_thread(struct bare *bare, uintptr_t to)
{
	/* LIMIT: descriptors are shared, because files that are kept open may be behind a chroot.
	 * While this thread reads a file of /proc, a file that the program opens does not get the
	 * lowest free number. */
	const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			  CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
	sigset_t all, before;
	sigfillset(&all);
	sis__signal_mask(SIG_SETMASK, &all, &before);
	int failed = clone(begin, bare->low + STACK, flags, bare, &bare->alive, (void *)to,
			   &bare->alive) < 0 ? errno : 0;
	sis__signal_mask(SIG_SETMASK, &before, NULL);
	return failed;
}

static int start(void *(*run)(void *))
{
	uintptr_t from = (uintptr_t)__builtin_thread_pointer();
	size_t room = sis__variables_room();
	struct bare *bare = allocate(room);
	if (!bare)
		return ENOMEM;
	/* `to` is at the begin of a page, so that the variables of each object have the alignment
	 * they need */
	uintptr_t to = (uintptr_t)(bare->low + bare->size - STRUCT);
	sis__variables_make(from, to, room);
	uintptr_t *word = (uintptr_t *)to;
	memcpy(word, (const void *)from, WORDS * sizeof *word);
	word[SELF] = word[SELF_AGAIN] = to;
	bare->run = run;
	bare->next = threads;
	int failed = make_thread(bare, to);
	if (failed)
		munmap(bare->low, bare->size);
	else
		threads = bare;
	return failed;
}

int sis__bare_thread_start(void *(*run)(void *))
{
	if (!sis__bare_thread_is_possible())
		return ENOTSUP;
	if (!sis__thread_is_allowed() || !sis__lock(&lock))
		return EAGAIN;
	struct bare **at = &threads, *bare;
	while ((bare = *at)) {
		/* pairs with the kernel's store */
		if (__atomic_load_n(&bare->alive, __ATOMIC_ACQUIRE) != 0) {
			at = &bare->next;
			continue;
		}
		*at = bare->next;
		munmap(bare->low, bare->size);
	}
	int failed = start(run);
	sis__unlock(&lock);
	return failed;
}

void sis__bare_thread_new_process(void)
{
	for (struct bare *bare = threads, *next; bare; bare = next) {
		next = bare->next;
		munmap(bare->low, bare->size);
	}
	threads = NULL;
}

#else

bool sis__bare_thread_is_possible(void)
{
	return false;
}

int sis__bare_thread_start(void *(*run)(void *))
{
	(void)run;
	return ENOTSUP;
}

void sis__bare_thread_new_process(void) {}

#endif
