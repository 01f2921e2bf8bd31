/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_real.c - finds the functions of libgomp and libomp. Called by any thread, on the first use of
 * each function. This file is in libsis.so only; omp_real.h explains libsis.a.
 *
 * libsis comes before libgomp in the search order, so the next definition of a name after that in
 * libsis is libgomp's.
 * A program that was linked with --as-needed may not load libgomp, because libsis defines all names
 * that the program refers to. Then libgomp is loaded here.
 * LIMIT: binaries of GCC before 4.4 need the first version of libgomp's functions of locks, but get
 * the newest.
 */
#include "adapters/omp/omp_real.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void *sis__omp_reals[SIS_OMP_ENTRIES];

static const char *const names[SIS_OMP_ENTRIES] = {
#define SIS_OMP_ANY(name) #name,
#include "adapters/omp/omp_entry_each.h"
};

static const char *library_of(const char *name)
{
	return strncmp(name, "__kmpc_", 7) == 0 ? "libomp.so.5" : "libgomp.so.1";
}

void *sis__omp_resolve(enum sis_omp_entry entry)
{
	const char *name = names[entry];
	void *real = dlsym(RTLD_NEXT, name);
	if (!real) {
		void *library = dlopen(library_of(name), RTLD_LAZY | RTLD_GLOBAL);
		real = library ? dlsym(library, name) : NULL;
	}
	/* Ends the program, as the dynamic linker does if a library lacks a function. Going on
	 * without the call, or with an invented result, would be wrong. */
	if (!real) {
		fprintf(stderr,
			"sis: error: no function %s: %s does not have it or is not there; "
			"install that of the compiler that built the program\n",
			name, library_of(name));
		_exit(127);
	}
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

bool sis__omp_find_events(void)
{
	const void *gomp = library_with("GOMP_parallel");
	bool callbacks = gomp && gomp == library_with("__kmpc_fork_call");
	if (callbacks) {
		/* libomp looks for tools when it is initialized, and its first call does this */
		int (*ask)(void) = NULL;
		*(void **)&ask = dlsym(RTLD_NEXT, "omp_get_max_threads");
		if (ask)
			ask();
		callbacks = sis__ompt_is_on();
	}
	__atomic_store_n(&sis__omp_events, callbacks ? SIS_EVENTS_CALLBACKS : SIS_EVENTS_ENTRIES,
			 __ATOMIC_RELAXED);
	return callbacks;
}
