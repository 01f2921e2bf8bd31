/* SPDX-License-Identifier: BSD-3-Clause */
/* libc_entry.h - routines of libc that the runtime stands before: libc_entry.def has them.
 *
 * In libsis.so ours stand before libc's own, which are looked up. In libsis.a there can be only
 * one of a name: the linker is told to --wrap each (share/sis/wrap-libc), and then a call of NAME
 * is one of __wrap_NAME, which is ours, and __real_NAME is libc's.
 */
#ifndef SIS_LIBC_ENTRY_H
#define SIS_LIBC_ENTRY_H

#include <assert.h>
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <unistd.h>

/* What the first instructions of a program call; no header has it. */
int __libc_start_main(int (*entry)(int, char **, char **), int count, char **arguments,
		      void (*begin)(void), void (*end)(void), void (*unload)(void), void *stack);

#ifdef SIS_STATIC
#define INTERPOSED(name) __wrap_##name
#define REAL(name) __real_##name
/* Weak: the program may wrap it, too. */
#define SIS_LIBC(name) \
	extern __typeof__(name) REAL(name), INTERPOSED(name) __attribute__((weak));
#include "libc/libc_entry.def"
#else
#define INTERPOSED(name) name
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#endif

#endif
