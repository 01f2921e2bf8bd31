/* SPDX-License-Identifier: BSD-3-Clause */
/* bare_thread.c - makes a bare thread. Any thread of the program. The memory of a bare thread that
 * has ended is freed when the next one is made.
 *
 * Thread-local variables of all loaded objects begin below the thread pointer, and libc's struct of
 * the thread begins there (x86-64). The bare thread has its own of both:
 *
 *     low                  low + STACK                              tp
 *     | guard |    stack   |  variables of the objects              | struct  |
 *     |       | <- grows   |  copies of their initial values        |         |
 */
#include "base/bare_thread.h"
#include "base/signal_mask.h"
#include "base/state.h"
#include "base/thread_variables.h"

#include <errno.h>

/* A sanitizer defines one of them: GCC's the first, clang's the second. */
extern int __interceptor_pthread_create(void) __attribute__((weak));
extern int ___interceptor_pthread_create(void) __attribute__((weak));

#if defined(__x86_64__) && defined(__LP64__) && defined(__GLIBC__)

#include <locale.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

enum {
	GUARD = 4096,
	STACK = GUARD + (128 << 10),
	STRUCT = 8192, /* libc's has 2304 bytes */
	/* The words of libc's struct that are taken over: among them the values that guard stacks
	 * and pointers. Two of them point to the struct itself. */
	WORDS = 8, SELF = 0, SELF_AGAIN = 2,
};

struct bare {
	char *low;     /* of the memory; NULL: none */
	size_t size;
	int alive;     /* the thread's number; the kernel stores 0 at its end */
	void *(*run)(void *);
};
static struct bare *last; /* at the end of its own memory */

/* Without libsis.so, the functions of bare_calls.c are not there. */
static bool has_bare_calls(void)
{
#ifdef SIS_STATIC
	return getauxval(AT_BASE) == 0; /* no dynamic linker */
#else
	return true;
#endif
}

bool sis__bare_thread_is_possible(void)
{
	return !__interceptor_pthread_create && !___interceptor_pthread_create && has_bare_calls();
}

/* -- the thread -------------------------------------------------------------------------------- */

static void make_struct(uintptr_t from, uintptr_t to)
{
	uintptr_t *word = (uintptr_t *)to;
	memcpy(word, (const void *)from, WORDS * sizeof *word);
	word[SELF] = word[SELF_AGAIN] = to;
}

static int begin(void *context)
{
	const struct bare *bare = context;
	sis__local.bare = true;
	/* the object of the locale C is libc's own: no memory, no lock */
	uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
	bare->run(NULL);
	return 0;
}

static void free_last(void)
{
	/* with the kernel's store */
	if (last && __atomic_load_n(&last->alive, __ATOMIC_ACQUIRE) == 0)
		munmap(last->low, last->size);
	last = NULL;
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

int sis__bare_thread_start(void *(*run)(void *))
{
	const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			  CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
	uintptr_t from = (uintptr_t)__builtin_thread_pointer();
	sigset_t all, before;
	if (!sis__bare_thread_is_possible())
		return ENOTSUP;
	free_last();
	size_t room = sis__variables_room();
	struct bare *bare = allocate(room);
	if (!bare)
		return ENOMEM;
	/* at a page, so that each object's variables are aligned as they ask for */
	uintptr_t to = (uintptr_t)(bare->low + bare->size - STRUCT);
	bare->run = run;
	sis__variables_make(from, to, room);
	make_struct(from, to);
	sigfillset(&all);
	sis__signal_mask(SIG_SETMASK, &all, &before);
	int failed = clone(begin, bare->low + STACK, flags, bare, &bare->alive, (void *)to,
			   &bare->alive) < 0 ? errno : 0;
	sis__signal_mask(SIG_SETMASK, &before, NULL);
	if (failed)
		munmap(bare->low, bare->size);
	else
		last = bare;
	return failed;
}

void sis__bare_thread_new_process(void)
{
	if (last)
		munmap(last->low, last->size);
	last = NULL;
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
