/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_library.c - finds the MPI library that the process has loaded. Called by any thread that
 * calls MPI, or that looks up a routine of MPI.
 * The idea: the libraries that are loaded are looked at by their names, because a library that was
 * opened privately (RTLD_LOCAL) cannot be found by its symbols.
 */
#include "apart/mpi_entry/mpi_entry.h"

#include <dlfcn.h>
#include <fnmatch.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

static const struct library { const char *wrappers, *files; } libraries[] = {
#define SIS_MPI_LIBRARY(name, macro, files) { "libsis-" #name ".so", files },
#include "apart/mpi_entry/mpi_library.def"
};
/* Libraries that a linker may have left out (mpi_link.c). If the handles of an MPI library are
 * variables, programs refer to these, and no linker leaves the library out. */
static const char *const left_out[] = { "libmpich.so.12", "libmpi.so.12" };

/* dlopen finds the loaded library by the dynamic linker's name for it. Returns NULL if `symbol` is
 * not found in the library, or is this library's own. */
static void *open_with(const char *name, const char *symbol)
{
	void *handle = *name ? dlopen(name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
	void *found = handle ? sis__mpi_real_dlsym(handle, symbol) : NULL;
	if (found && found != sis__mpi_entry(symbol))
		return handle;
	if (handle)
		dlclose(handle);
	return NULL;
}

/* The library that is found may be for another language, with a similar name. But such a library
 * needs the MPI library, so that dlsym finds the symbols of the MPI library, too. */
static int look_at_known(struct dl_phdr_info *info, size_t size, void *context)
{
	struct sis_mpi_library *library = context;
	const char *slash = strrchr(info->dlpi_name, '/');
	const char *file = slash ? slash + 1 : info->dlpi_name;
	(void)size;
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !library->handle; i++) {
		if (fnmatch(libraries[i].files, file, 0) != 0)
			continue;
		library->handle = open_with(info->dlpi_name, "PMPI_Init");
		library->wrappers = library->handle ? libraries[i].wrappers : NULL;
	}
	return library->handle != NULL;
}

static int look_at_any(struct dl_phdr_info *info, size_t size, void *context)
{
	struct sis_mpi_library *library = context;
	(void)size;
	library->handle = open_with(info->dlpi_name, "MPI_Init");
	return library->handle != NULL;
}

struct sis_mpi_library sis__mpi_known_library(void)
{
	struct sis_mpi_library library = { NULL, NULL };
	dl_iterate_phdr(look_at_known, &library);
	dlerror(); /* clears the error of a missing name, or the program would see it */
	return library;
}

struct sis_mpi_library sis__mpi_library(void)
{
	struct sis_mpi_library library = sis__mpi_known_library();
	if (!library.handle)
		dl_iterate_phdr(look_at_any, &library);
	for (size_t i = 0; !library.handle && i < sizeof left_out / sizeof *left_out; i++)
		if (dlopen(left_out[i], RTLD_NOW | RTLD_GLOBAL))
			library = sis__mpi_known_library();
	return library;
}
