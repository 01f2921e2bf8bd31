/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_real.c - finds libgomp's own functions, and libomp's. Any thread calls it, on the first use
 * of each function.
 *
 * libsis comes before libgomp in the search order, so the next definition of a name is libgomp's.
 * A program that was linked with --as-needed may not need libgomp, since libsis defines all that it
 * refers to. Then libgomp is loaded here. Only in libsis.so; omp_real.h explains libsis.a.
 * LIMIT: binaries of GCC before 4.4 use the first version of locks; they get the newest one.
 */
#include "omp/omp_real.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void *sis__omp_reals[SIS_OMP_ENTRIES];

static const char *const names[SIS_OMP_ENTRIES] = {
#define SIS_OMP_ANY(name) #name,
#include "omp/omp_entry_each.h"
};

static const char *library_of(const char *name)
{
	return strncmp(name, "__kmpc_", 7) == 0 ? "libomp.so.5" : "libgomp.so.1";
}

/* Ends the program as the dynamic linker does if a library lacks a function: to go on, or to return
 * an invented result, would be wrong. */
static _Noreturn void missing(const char *name)
{
	fprintf(stderr,
		"sis: error: no function %s: %s does not have it or is not there; "
		"install that of the compiler that built the program\n",
		name, library_of(name));
	_exit(127);
}

void *sis__omp_resolve(enum sis_omp_entry entry)
{
	void *real = dlsym(RTLD_NEXT, names[entry]);
	if (!real) {
		void *library = dlopen(library_of(names[entry]), RTLD_LAZY | RTLD_GLOBAL);
		real = library ? dlsym(library, names[entry]) : NULL;
	}
	if (!real)
		missing(names[entry]);
	__atomic_store_n(&sis__omp_reals[entry], real, __ATOMIC_RELAXED); /* all store the same */
	return real;
}

/* -- which runtime it is, and what reports its events ------------------------------------------ */

enum sis_omp_events sis__omp_events;
bool sis__ompt_on;

static const void *library_with(const char *name)
{
	Dl_info info;
	void *function = dlsym(RTLD_NEXT, name);
	return function && dladdr(function, &info) ? info.dli_fbase : NULL;
}

/* libomp looks for tools when it initializes itself, which its first call does. */
static bool calls_back(void)
{
	const void *gomp = library_with("GOMP_parallel");
	int (*ask)(void) = NULL;
	if (!gomp || gomp != library_with("__kmpc_fork_call"))
		return false;
	*(void **)&ask = dlsym(RTLD_NEXT, "omp_get_max_threads");
	if (ask)
		ask();
	return sis__ompt_is_on();
}

bool sis__omp_find_events(void)
{
	bool callbacks = calls_back();
	__atomic_store_n(&sis__omp_events, callbacks ? SIS_EVENTS_CALLBACKS : SIS_EVENTS_ENTRIES,
			 __ATOMIC_RELAXED);
	return callbacks;
}
