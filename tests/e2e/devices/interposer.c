/* SPDX-License-Identifier: BSD-3-Clause */
/* interposer.c - a dlsym that asks the runtime for its entries of drivers. It is preloaded. */
#define _GNU_SOURCE
#include <dlfcn.h>

extern void *sis__device_entry(const char *name, void *real) __attribute__((weak));
typedef void *symbol(void *handle, const char *name);

/* RTLD_NEXT depends on the caller, so this call must become a jump. */
void *dlsym(void *handle, const char *name)
{
	static symbol *behind;
	if (!behind)
		*(void **)&behind = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	if (handle == RTLD_NEXT || !sis__device_entry)
		return behind(handle, name);
	return sis__device_entry(name, behind(handle, name));
}
