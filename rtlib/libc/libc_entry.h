/* SPDX-License-Identifier: BSD-3-Clause */
/* libc_entry.h - interposes the functions of libc_entry.def.
 *
 * libsis.so comes before libc, so that its function NAME is called, which looks up libc's with
 * dlsym. In a static program a name can be defined only once. There the linker gets --wrap=NAME
 * (share/sis/wrap-libc): a call of NAME calls __wrap_NAME, which is the runtime's, and __real_NAME
 * is libc's.
 */
#ifndef SIS_LIBC_ENTRY_H
#define SIS_LIBC_ENTRY_H

#include <assert.h>
#include <dlfcn.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* Headers that ask for POSIX of 2008 do not declare it. */
void (*bsd_signal(int number, void (*handler)(int)))(int);
/* The first instructions of a program call it; no header declares it. */
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
