/* SPDX-License-Identifier: BSD-3-Clause */
/* modules.c - parts that need a library of their own, opened when something first asks for them,
 * and libc's own symbols. Called at the start and the end of the process, and when a translation
 * unit is registered. Only in libsis.so; modules_static.c is its counterpart in libsis.a.
 */
#include "base/modules.h"
#include "base/runtime.h"

#include <dlfcn.h>
#include <gnu/lib-names.h>
#include <stdio.h>
#include <string.h>

const char *const sis__no_papi = "the module libsis-papi.so or PAPI itself is not installed";

/* Functions of sanitizers; GCC's begin with two underscores, clang's with three. Weak: where dlsym
 * finds no such name, it allocates and frees memory. The program would find the contents of that
 * memory in what malloc returns later. */
#define WEAK __attribute__((weak))
extern void *__interceptor_memcpy(void *, const void *, size_t) WEAK;
extern void *___interceptor_memcpy(void *, const void *, size_t) WEAK;
extern sis__pthread_create __interceptor_pthread_create WEAK, ___interceptor_pthread_create WEAK;
extern void __asan_init(void) WEAK;

bool sis__has_symbol(const char *symbol)
{
	return dlsym(RTLD_DEFAULT, symbol) != NULL;
}

bool sis__calls_can_be_bare(void)
{
	return true;
}

static void *symbol_of(const char *library, const char *symbol)
{
	void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
	void *found = handle ? dlsym(handle, symbol) : NULL;
	if (handle)
		dlclose(handle); /* the library stays: the program has it open */
	return found;
}

/* A program that defines memcpy gives it to all libraries. A module and its library take libc's
 * functions then (libc/own_memory.c). Sanitizers define memcpy, too, and forbid RTLD_DEEPBIND. */
static int binding(void)
{
	bool is_sanitized = __interceptor_memcpy || ___interceptor_memcpy || __asan_init;
	void *memcpy_of_libc = symbol_of(LIBC_SO, "memcpy");
	bool is_libcs = !memcpy_of_libc || dlsym(RTLD_DEFAULT, "memcpy") == memcpy_of_libc;
	dlerror(); /* clears the error of a missing name, or the program would see it */
	return is_libcs || is_sanitized ? 0 : RTLD_DEEPBIND;
}

/* Looks beside this library, then where the dynamic linker looks. */
void *sis__module(const char *name, const char *symbol)
{
	char path[4096];
	Dl_info here;
	void *module = NULL;
	int flags = RTLD_NOW | RTLD_LOCAL | binding();
	if (dladdr((void *)&sis__empty, &here) && here.dli_fname &&
	    strlen(here.dli_fname) < sizeof path - 64) {
		const char *slash = strrchr(here.dli_fname, '/');
		int length = slash ? (int)(slash - here.dli_fname) : 1;
		snprintf(path, sizeof path, "%.*s/sis/%s", length, slash ? here.dli_fname : ".",
			 name);
		module = dlopen(path, flags);
	}
	if (!module)
		module = dlopen(name, flags);
	return module ? dlsym(module, symbol) : NULL;
}

/* A sanitizer has to know each thread that calls libc. Once the function is known, it is known to
 * forked children, which may not ask the dynamic linker. Before glibc 2.34 pthreads were a library
 * of their own. */
sis__pthread_create *sis__libc_pthread_create(void)
{
	static void *known; /* all threads find the same */
	void *found = __atomic_load_n(&known, __ATOMIC_RELAXED);
	if (found)
		return (sis__pthread_create *)found;
	found = (void *)__interceptor_pthread_create;
	found = found ? found : (void *)___interceptor_pthread_create;
	found = found ? found : symbol_of(LIBC_SO, "pthread_create");
	found = found ? found : symbol_of(LIBPTHREAD_SO, "pthread_create");
	found = found ? found : dlsym(RTLD_NEXT, "pthread_create");
	dlerror(); /* clears the error of a missing name, or the program would see it */
	__atomic_store_n(&known, found, __ATOMIC_RELAXED);
	return (sis__pthread_create *)found;
}
