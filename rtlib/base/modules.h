/* SPDX-License-Identifier: BSD-3-Clause */
/* modules.h - libraries that are opened when something first asks for them. */
#ifndef SIS_RT_MODULES_H
#define SIS_RT_MODULES_H

#include <pthread.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

void *sis__module(const char *name, const char *symbol); /* a symbol of lib/sis/NAME; NULL: none */
bool sis__has_symbol(const char *symbol); /* in the program or one of its libraries */
/* Whether system calls of a bare thread are out of reach of the program's libraries, which may
 * replace functions of libc (libc/system_calls.c). */
bool sis__calls_can_be_bare(void);
extern const char *const sis__no_papi;    /* why there may be no PAPI */
typedef int sis__pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
sis__pthread_create *sis__libc_pthread_create(void); /* libc's own; NULL: not found */

#pragma GCC visibility pop
#endif
