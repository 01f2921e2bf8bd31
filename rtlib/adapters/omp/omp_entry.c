/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_entry.c - libgomp's functions whose whole time is one wait: scheduling, cancellation. Called
 * by the program. Each calls libgomp's function of the same name, with a node of a built-in region
 * around the call. Expanded from omp_entry.def.
 */
#include "adapters/omp/omp_real.h"

#define SIS_OMP_TIMED(result, name, signature, wait, same) \
	SIS_OMP_TIMED_BY(sis__span_begin, result, name, signature, wait, same)
#define SIS_OMP_DOACROSS(name, signature)
#define SIS_OMP_BARRIER(name)
#define SIS_OMP_BARRIER_CANCEL(name)
#define SIS_OMP_FORK(name, signature)
#define SIS_OMP_OWN(result, name, signature)
#define SIS_OMP_REAL(result, name, signature)
#include "adapters/omp/omp_entry.def"
