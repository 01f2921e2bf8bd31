/* SPDX-License-Identifier: BSD-3-Clause */
/* petsc.c - PETSc's stages. The functions are interposed, and call PETSc's. Any thread may call
 * them; PETSc itself has one stack of stages for the process.
 *
 * LIMIT: PETSc's events are no regions: PetscLogEventBegin and PetscLogEventEnd are macros or
 * inline functions, which call no function of a fixed name.
 */
#include "apart/annotations/annotations.h"
#include "apart/annotations/interposed.h"

#include <stdio.h>

enum { STAGES = 1000 };
static struct sis_region *stages[STAGES]; /* by number; NULL: its registration was not seen */
static const char petsc[1]; /* the owner */

/* The relaxed accesses to `stages` are enough: PETSc's users order them with calls of their own. */
INTERPOSED(PetscLogStageRegister, (const char *name, int *stage))
{
	int error = REAL(PetscLogStageRegister, (name, stage));
	if (error == 0 && *stage >= 0 && *stage < STAGES)
		__atomic_store_n(&stages[*stage], sis__annotation(NULL, name), __ATOMIC_RELAXED);
	return error;
}

INTERPOSED(PetscLogStagePush, (int stage))
{
	struct sis_region *region = NULL;
	int error = REAL(PetscLogStagePush, (stage));
	if (error)
		return error;
	if (stage >= 0 && stage < STAGES)
		region = __atomic_load_n(&stages[stage], __ATOMIC_RELAXED);
	if (!region) {
		char number[16];
		snprintf(number, sizeof number, "%d", stage);
		region = sis__annotation("PETSc stage", number);
	}
	sis__annotation_begin(petsc, region);
	return 0;
}

INTERPOSED(PetscLogStagePop, (void))
{
	sis__annotation_end(petsc);
	return REAL(PetscLogStagePop, ());
}
