/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi_real.c - the routines of the MPI library that wrappers call. Each is a jump to an address
 * that sis_mpi_bind has found. This file is part of each libsis-NAME.so. mpi_real.inc lists the
 * routines, as SIS_MPI_REAL(PMPI_X); in the objects of the wrappers their names are
 * sis_real_PMPI_X.
 */
#include "apart/mpi_entry/jump.h"
#include "apart/mpi_entry/mpi_entry.h"

#include <stddef.h>

#define SIS_MPI_REAL(name) \
	void *sis_at_##name __attribute__((visibility("hidden"))); \
	__asm__(".text\n	.hidden sis_real_" #name "\n	.globl sis_real_" #name "\n" \
		SIS_JUMP_FUNCTION("sis_real_" #name) SIS_TAIL_JUMP("sis_at_" #name));
#include "mpi_real.inc"
#undef SIS_MPI_REAL

static const struct { const char *name; void **at; } routines[] = {
#define SIS_MPI_REAL(name) { #name, &sis_at_##name },
#include "mpi_real.inc"
};

void sis_mpi_bind(void *library, void *(*find)(void *library, const char *name))
{
	for (size_t i = 0; i < sizeof routines / sizeof *routines; i++) {
		void *found = find(library, routines[i].name);
		*routines[i].at = found ? found : (void *)sis__mpi_is_missing;
	}
}
