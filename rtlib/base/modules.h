/* SPDX-License-Identifier: BSD-3-Clause */
/* modules.h - libraries that are opened when they are first needed. */
#ifndef SIS_RT_MODULES_H
#define SIS_RT_MODULES_H

#include <pthread.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

void *sis__module(const char *name, const char *symbol); /* a symbol of lib/sis/NAME; NULL: none */
/* Between these calls no thread opens a module: a forked child cannot use the dynamic linker if
 * another thread was in it at the fork. */
void sis__modules_lock(void);
void sis__modules_unlock(void);
bool sis__has_symbol(const char *symbol); /* in the program or one of its libraries */
/* Whether no library of the program can replace the functions that make a bare thread's system
 * calls (adapters/libc/system_calls.c). */
bool sis__calls_can_be_bare(void);
extern const char *const sis__no_papi;    /* the message for the user: why there may be no PAPI */
typedef int sis__pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
sis__pthread_create *sis__libc_pthread_create(void); /* libc's own; NULL: not found */

#pragma GCC visibility pop

/* Opens lib/sis/NAME, or NAME where the dynamic linker looks. `flags` are added to RTLD_NOW and
 * RTLD_LOCAL. Returns NULL if there is no such library. libsis-mpi.so calls this, too. */
__attribute__((visibility("default"))) void *sis__open_beside(const char *name, int flags);
#endif
