/* omp_real.c - finds libgomp's own functions. Any thread calls it, on the first use of each entry point.
 *
 * libsis stands before libgomp in the search order, so the next definition of a name is libgomp's. A
 * program linked with --as-needed may not name libgomp at all (libsis satisfied all it refers to);
 * then it is loaded here.
 * Only in libsis.so; omp_real.h says how it is in libsis.a.
 * LIMIT: binaries of GCC before 4.4 use the locks' first version; they get the present one.
 */
#include "omp_real.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

void *sis__omp_reals[SIS_OMP_ENTRIES];

static const char *const names[SIS_OMP_ENTRIES] = {
#define SIS_OMP_ANY(name) #name,
#include "omp_entry_each.h"
};

/* The dynamic linker's way to end a program whose library lacks a function: nothing else is left, for
 * neither running on nor returning a made-up result would be what was asked for. */
static _Noreturn void missing(const char *name)
{
	fprintf(stderr, "sis: error: no function %s: libgomp.so.1 does not have it or is not there; "
			"install the libgomp of the compiler that built the program\n", name);
	_exit(127);
}

void *sis__omp_resolve(enum sis_omp_entry entry)
{
	void *real = dlsym(RTLD_NEXT, names[entry]);
	if (!real) {
		void *library = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_GLOBAL);
		real = library ? dlsym(library, names[entry]) : NULL;
	}
	if (!real)
		missing(names[entry]);
	__atomic_store_n(&sis__omp_reals[entry], real, __ATOMIC_RELAXED); /* all store the same */
	return real;
}
