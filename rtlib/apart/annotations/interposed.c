/* SPDX-License-Identifier: BSD-3-Clause */
/* interposed.c - finds the functions that are interposed. Called at the first call of each, by any
 * thread.
 *
 * A library that was opened without RTLD_GLOBAL finds the interposed function, but dlsym does not
 * find the library's own one behind it. So all loaded libraries are searched, then.
 */
#include "apart/annotations/interposed.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>

struct library {
	unsigned before; /* how many libraries are before it in the list of loaded ones */
	char path[PATH_MAX];
};

static int look_at_library(struct dl_phdr_info *info, size_t size, void *context)
{
	struct library *library = context;
	(void)size;
	if (library->before-- > 0)
		return 0;
	snprintf(library->path, sizeof library->path, "%s", info->dlpi_name);
	return 1;
}

/* The library is not opened while the list is read, because other threads may hold the dynamic
 * linker's lock and wait for the list. */
static bool find_library(struct library *library, unsigned number)
{
	library->before = number;
	return dl_iterate_phdr(look_at_library, library) == 1;
}

static long nothing(void)
{
	return 0;
}

void *sis__interposed_real(const char *name, const void *own)
{
	struct library library;
	void *found = dlsym(RTLD_NEXT, name);
	for (unsigned i = 0; !found && find_library(&library, i); i++) {
		void *handle = dlopen(library.path, RTLD_LAZY | RTLD_NOLOAD);
		if (!handle)
			continue;
		found = dlsym(handle, name);
		if (found == own)
			found = NULL;
		dlclose(handle); /* the library stays loaded: the program uses it */
	}
	dlerror(); /* clears the error of a missing name, or the program would see it */
	return found ? found : (void *)nothing;
}
