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
#include <sys/mman.h>

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

/* -- the names of the loaded libraries --------------------------------------------------------- */

/* The names one after the other, each with its NUL. `used`: bytes that all of them need. */
struct names { char *at; size_t used, room; };

static int add_name(struct dl_phdr_info *info, size_t size, void *context)
{
	struct names *names = context;
	size_t bytes = strlen(info->dlpi_name) + 1;
	(void)size;
	if (names->used + bytes <= names->room)
		memcpy(names->at + names->used, info->dlpi_name, bytes);
	names->used += bytes;
	return 0;
}

/* The names are copied, because dlopen must not be called within dl_iterate_phdr: each of the two
 * holds a lock that the other one needs, and two threads could wait for each other. Returns no
 * names if there is no memory. */
static struct names copy_names(void)
{
	enum { FIRST_ROOM = 64 << 10 };
	for (size_t room = FIRST_ROOM;; room *= 2) {
		struct names names = { .room = room };
		void *memory = mmap(NULL, room, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			return (struct names){ .at = NULL };
		names.at = memory;
		dl_iterate_phdr(add_name, &names);
		if (names.used <= room)
			return names;
		munmap(memory, room);
	}
}

/* -- the MPI library --------------------------------------------------------------------------- */

/* The library of this name may be for another language, with a similar name. But such a library
 * needs the MPI library, so that dlsym finds the symbols of the MPI library, too. */
static struct sis_mpi_library open_known(const char *name)
{
	const char *slash = strrchr(name, '/'), *file = slash ? slash + 1 : name;
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		void *handle = fnmatch(libraries[i].files, file, 0) == 0 ?
				       open_with(name, "PMPI_Init") : NULL;
		if (handle)
			return (struct sis_mpi_library){ libraries[i].wrappers, handle };
	}
	return (struct sis_mpi_library){ NULL, NULL };
}

static struct sis_mpi_library open_any(const char *name)
{
	return (struct sis_mpi_library){ NULL, open_with(name, "MPI_Init") };
}

/* The first of the loaded libraries that can be opened so. */
static struct sis_mpi_library find_loaded(struct sis_mpi_library (*open)(const char *name))
{
	struct sis_mpi_library library = { NULL, NULL };
	struct names names = copy_names();
	for (size_t at = 0; at < names.used && !library.handle; at += strlen(names.at + at) + 1)
		library = open(names.at + at);
	if (names.at)
		munmap(names.at, names.room);
	dlerror(); /* clears the error of a missing name, or the program would see it */
	return library;
}

struct sis_mpi_library sis__mpi_known_library(void)
{
	return find_loaded(open_known);
}

struct sis_mpi_library sis__mpi_library(void)
{
	struct sis_mpi_library library = find_loaded(open_known);
	if (!library.handle)
		library = find_loaded(open_any);
	for (size_t i = 0; !library.handle && i < sizeof left_out / sizeof *left_out; i++)
		if (dlopen(left_out[i], RTLD_NOW | RTLD_GLOBAL))
			library = find_loaded(open_known);
	return library;
}
