/* SPDX-License-Identifier: BSD-3-Clause */
/* runtime_libraries.h - whether code belongs to the program or to a runtime, by the name of its
 * file. */
#ifndef SIS_RUNTIME_LIBRARIES_H
#define SIS_RUNTIME_LIBRARIES_H

enum sis_library {
	SIS_LIBRARY_NONE,    /* the code is in no file: the program has generated it */
	SIS_LIBRARY_LIBC,
	SIS_LIBRARY_RUNTIME, /* of OpenMP or MPI, or this one */
	SIS_LIBRARY_OTHER    /* the program, and all other libraries */
};

/* The library that has the code at an address. Takes no lock: a thread may hold that of the dynamic
 * linker while it waits for the calling thread. */
__attribute__((visibility("hidden"))) enum sis_library sis__library_of(const void *code);

#endif
