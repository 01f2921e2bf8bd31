/* SPDX-License-Identifier: BSD-3-Clause */
/* lazy_library.c - loads libraries by dlopen (lazy_library.h). Any thread may call it. */
#include "base/lazy_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *optional_function(const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	return handle ? dlsym(handle, name) : NULL;
}

void *lazy_function(const char *library, const char *name)
{
	void *function = optional_function(library, name);
	if (function)
		return function;
	fprintf(stderr, "sis-analyze: error: cannot load %s: %s; install it, or the version that "
			"sis-analyze was built with\n", library, dlerror());
	exit(1);
}
