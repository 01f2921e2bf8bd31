/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_link.c - lib/sis/link/libsis-mpi.so. sisc links programs with it, but at run time they load
 * lib/libsis-mpi.so. Both have the same entries.
 * The idea: this library needs a routine that it does not define. The MPI library defines it. So
 * GNU ld makes the program need the MPI library in spite of --as-needed, although the entries
 * satisfy all calls of the program. gold and lld do not do this; with them, sisc links with
 * --no-as-needed. lld refuses a library with an undefined symbol, even a library that it leaves
 * out, unless the library needs another library that lld does not see. So this library needs
 * libanl.so.1, which no program is linked with (module.mk).
 */
#include "apart/mpi_entry/jump.h"

#define SIS_MPI_ENTRY(name) \
	__asm__(".text\n	.globl " #name "\n	.globl P" #name "\n" \
		SIS_JUMP_FUNCTION("P" #name) SIS_JUMP_FUNCTION(#name) SIS_TAIL_JUMP("sis_needed"));
#include "mpi_entries.inc"

/* Fortran's names of the routines with which a program begins MPI. Without these names a program in
 * Fortran would refer to nothing here, and --as-needed would drop this library. At run time the
 * names are found in Fortran's MPI library, because lib/libsis-mpi.so does not define them. The
 * linker keeps Fortran's MPI library for the other routines, so these have no names here.
 * LIMIT: a program in Fortran of which only a shared library begins MPI, and a static program in
 * Fortran, have no MPI in their experiments. The first one can be preloaded.
 */
#define FORTRAN(name) \
	__asm__(".text\n	.globl " #name "\n" \
		SIS_JUMP_FUNCTION(#name) SIS_TAIL_JUMP("sis_needed"));
FORTRAN(mpi_init_)
FORTRAN(mpi_init_thread_)
FORTRAN(mpi_session_init_)
FORTRAN(mpi_init_f08_)
FORTRAN(mpi_init_thread_f08_)
FORTRAN(mpi_session_init_f08_)

extern double MPI_Wtime(void);
double (*sis_needed)(void) __attribute__((visibility("hidden"), used)) = MPI_Wtime;
