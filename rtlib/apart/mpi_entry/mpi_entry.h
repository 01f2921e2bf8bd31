/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_entry.h - how libsis-mpi.so and the wrappers of one MPI library (libsis-NAME.so) are joined.
 *
 *   program, Fortran's    libsis-mpi.so         libsis-mpich.so          libmpich.so.12
 *   MPI_X, PMPI_X   --->  mpi_entry.c: jumps -> MPI_X: the wrapper
 *                                               PMPI_X in the wrapper
 *                                               = sis_real_PMPI_X,
 *                                               mpi_real.c: jumps ---->  PMPI_X
 *
 * A program is linked with libsis-mpi.so, or has it preloaded. libsis-mpi.so needs no MPI library
 * itself. The first call of MPI finds which MPI library the process has loaded, and opens the
 * wrappers for this library. The wrappers call the library through addresses that sis_mpi_bind
 * gives them, because a search by name would find the entries of libsis-mpi.so. PMPI_X is an entry,
 * too, because Fortran's libraries call PMPI_X. A program that opens the MPI library itself and
 * takes MPI_X by dlsym gets the entry as well (mpi_dlsym.c).
 * LIMIT: an MPI library in a namespace of its own (dlmopen) is not measured.
 */
#ifndef SIS_MPI_ENTRY_H
#define SIS_MPI_ENTRY_H

/* Gives the wrappers the addresses of the library's routines. `library` is a handle of dlopen,
 * `find` is the real dlsym. */
typedef void sis_mpi_bind_function(void *library, void *(*find)(void *library, const char *name));
__attribute__((visibility("default"))) sis_mpi_bind_function sis_mpi_bind;

/* -- For libsis-mpi.so alone ------------------------------------------------------------------- */

/* The MPI library of the process. */
struct sis_mpi_library {
	const char *wrappers; /* the file of its wrappers; NULL: SIS has none for it */
	void *handle;         /* of dlopen; NULL: no library is loaded */
};
struct sis_mpi_library sis__mpi_library(void);
/* The same, or none if SIS has no wrappers for the library (mpi_library.c). */
struct sis_mpi_library sis__mpi_known_library(void);
/* The entry of the routine MPI_X or PMPI_X; NULL: it is not wrapped. */
void *sis__mpi_entry(const char *name);
/* The dlsym behind the interposed one. `library` is a handle of dlopen. */
void *sis__mpi_real_dlsym(void *library, const char *name);

/* In the place of a routine that the library lacks, because its version of MPI is older. Programs
 * for this library do not call it. Returns an error. */
static inline int sis__mpi_is_missing(void)
{
	enum { NOT_SUCCESS = 15 };
	return NOT_SUCCESS;
}

#endif
