/* SPDX-License-Identifier: BSD-3-Clause */
/* modules.c - opens a module when it is first needed, and finds libc's own symbols. A module is a
 * part of the runtime that needs a further library. Called at the start and the end of the process,
 * and when a translation unit is registered. libsis.a has modules_static.c instead.
 */
#include "base/lock.h"
#include "base/modules.h"
#include "base/runtime.h"

#include <dlfcn.h>
#include <gnu/lib-names.h>
#include <stdio.h>
#include <string.h>

const char *const sis__no_papi = "the module libsis-papi.so or PAPI itself is not installed";

/* Functions of sanitizers; GCC's begin with two underscores, clang's with three. These functions
 * are weak symbols, because a dlsym that does not find a name allocates and frees memory. The
 * program would find the contents of that memory in what malloc returns later. */
#define WEAK __attribute__((weak))
extern void *__interceptor_memcpy(void *, const void *, size_t) WEAK;
extern void *___interceptor_memcpy(void *, const void *, size_t) WEAK;
extern sis__pthread_create __interceptor_pthread_create WEAK, ___interceptor_pthread_create WEAK;
extern void __asan_init(void) WEAK;
extern void __tsan_init(void) WEAK;

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
		dlclose(handle); /* the library stays loaded: the program uses it */
	return found;
}

/* If a program defines memcpy, all libraries call the program's function. Then RTLD_DEEPBIND makes
 * a module and its library call libc's (adapters/libc/own_memory.c). Sanitizers define memcpy, too,
 * but forbid RTLD_DEEPBIND. */
static int binding(void)
{
	bool is_sanitized = __interceptor_memcpy || ___interceptor_memcpy || __asan_init;
	void *memcpy_of_libc = symbol_of(LIBC_SO, "memcpy");
	bool is_libcs = !memcpy_of_libc || dlsym(RTLD_DEFAULT, "memcpy") == memcpy_of_libc;
	dlerror(); /* clears the error of a missing name, or the program would see it */
	return is_libcs || is_sanitized ? 0 : RTLD_DEEPBIND;
}

void *sis__open_beside(const char *name, int flags)
{
	char path[4096];
	Dl_info here;
	void *module = NULL;
	flags |= RTLD_NOW | RTLD_LOCAL;
	if (dladdr((void *)&sis__empty, &here) && here.dli_fname &&
	    strlen(here.dli_fname) < sizeof path - 64) {
		const char *slash = strrchr(here.dli_fname, '/');
		int length = slash ? (int)(slash - here.dli_fname) : 1;
		snprintf(path, sizeof path, "%.*s/sis/%s", length, slash ? here.dli_fname : ".",
			 name);
		module = dlopen(path, flags);
	}
	return module ? module : dlopen(name, flags);
}

static struct sis_lock opening;
static __thread bool locked __attribute__((tls_model("initial-exec")));

void sis__modules_lock(void)
{
	locked = sis__lock(&opening);
}

void sis__modules_unlock(void)
{
	if (locked)
		sis__unlock(&opening);
	locked = false;
}

void *sis__module(const char *name, const char *symbol)
{
	sis__modules_lock();
	void *module = sis__open_beside(name, binding());
	void *found = module ? dlsym(module, symbol) : NULL;
	sis__modules_unlock();
	return found;
}

/* If there is a thread sanitizer, its function is found: it has to know each thread that calls
 * libc. Other sanitizers must not know the thread: a forked child, which does not have it, would
 * say that it could not stop it. The function is remembered for forked children, which must not
 * call the dynamic linker. Before glibc 2.34 pthreads were a library of their own. */
sis__pthread_create *sis__libc_pthread_create(void)
{
	static void *known; /* all threads find the same function */
	void *found = __atomic_load_n(&known, __ATOMIC_RELAXED);
	if (found)
		return (sis__pthread_create *)found;
	if (__tsan_init)
		found = (void *)__interceptor_pthread_create ?:
			(void *)___interceptor_pthread_create;
	found = found ? found : symbol_of(LIBC_SO, "pthread_create");
	found = found ? found : symbol_of(LIBPTHREAD_SO, "pthread_create");
	found = found ? found : dlsym(RTLD_NEXT, "pthread_create");
	dlerror(); /* clears the error of a missing name, or the program would see it */
	__atomic_store_n(&known, found, __ATOMIC_RELAXED);
	return (sis__pthread_create *)found;
}
