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
 * too, because Fortran's libraries call PMPI_X.
 */
#ifndef SIS_MPI_ENTRY_H
#define SIS_MPI_ENTRY_H

/* Gives the wrappers the addresses of the library's routines. `library` is a handle of dlopen. */
void sis_mpi_bind(void *library) __attribute__((visibility("default")));

/* In the place of a routine that the library lacks, because its version of MPI is older. Programs
 * for this library do not call it. Returns an error. */
static inline int sis__mpi_is_missing(void)
{
	enum { NOT_SUCCESS = 15 };
	return NOT_SUCCESS;
}

#endif
