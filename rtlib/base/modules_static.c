/* SPDX-License-Identifier: BSD-3-Clause */
/* modules_static.c - in libsis.a, for programs that load nothing at run time. Finds symbols of
 * libc, and the modules whose library can be linked in. Called by any thread.
 */
#include "base/modules.h"
#include "base/zstd_module.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/auxv.h>

const char *const sis__no_papi =
	"PAPI is loaded at run time, which a statically linked program cannot; link it without "
	"-static";

void *sis__module(const char *name, const char *symbol)
{
	(void)name;
#ifdef SIS_STATIC_ZSTD
	if (strcmp(symbol, "sis_zstd") == 0)
		return (void *)(uintptr_t)&sis_zstd;
#endif
	(void)symbol;
	return NULL;
}

void sis__modules_lock(void) {}
void sis__modules_unlock(void) {}

/* Returns true, so that the caller goes on to call sis__module. sis__module fails, and the user
 * gets the right reason (sis__no_papi). */
bool sis__has_symbol(const char *symbol)
{
	(void)symbol;
	return true;
}

/* Without a dynamic linker no library replaces a function. */
bool sis__calls_can_be_bare(void)
{
	return getauxval(AT_BASE) == 0;
}

/* libc.a has pthread_create under a second name, which neither the program nor ld --wrap replaces.
 * A shared libc does not export that name. In a program with a shared libc, the next pthread_create
 * after the executable's is used. */
#pragma weak dlsym
#pragma weak dlerror
extern sis__pthread_create __pthread_create __attribute__((weak));

sis__pthread_create *sis__libc_pthread_create(void)
{
	void *found = __pthread_create ? (void *)__pthread_create : NULL;
	if (found || !dlsym || !dlerror)
		return (sis__pthread_create *)found;
	found = dlsym(RTLD_NEXT, "pthread_create");
	dlerror(); /* clears the error of a missing name, or the program would see it */
	return (sis__pthread_create *)found;
}
