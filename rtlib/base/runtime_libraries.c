/* SPDX-License-Identifier: BSD-3-Clause */
/* runtime_libraries.c - see runtime_libraries.h. Called by any thread. */
#include "base/runtime_libraries.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#pragma weak _dl_find_object

enum sis_library sis__library_of(const void *code)
{
	static const struct { const char *begin; enum sis_library kind; } names[] = {
		{ "libc.so", SIS_LIBRARY_LIBC },           { "ld-linux", SIS_LIBRARY_LIBC },
		{ "libsis", SIS_LIBRARY_RUNTIME },         { "libgomp", SIS_LIBRARY_RUNTIME },
		{ "libomp", SIS_LIBRARY_RUNTIME },         { "libiomp5", SIS_LIBRARY_RUNTIME },
		{ "libmpi", SIS_LIBRARY_RUNTIME },         { "libopen-rte", SIS_LIBRARY_RUNTIME },
		{ "libopen-pal", SIS_LIBRARY_RUNTIME },    { "libpmix", SIS_LIBRARY_RUNTIME },
		{ "libprrte", SIS_LIBRARY_RUNTIME },       { "mca_", SIS_LIBRARY_RUNTIME },
		{ "libfabric", SIS_LIBRARY_RUNTIME },      { "libuc", SIS_LIBRARY_RUNTIME },
		{ "libhwloc", SIS_LIBRARY_RUNTIME },       { "libevent", SIS_LIBRARY_RUNTIME },
	};
	struct dl_find_object found;
	if (!_dl_find_object || _dl_find_object((void *)(size_t)code, &found) != 0)
		return SIS_LIBRARY_NONE;
	const char *path = found.dlfo_link_map->l_name, *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(file, names[i].begin, strlen(names[i].begin)) == 0)
			return names[i].kind;
	return SIS_LIBRARY_OTHER;
}
