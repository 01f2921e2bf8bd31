/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_entry.c - libgomp's functions whose whole time is one wait: scheduling, cancellation. The
 * program's threads call them; each calls libgomp's function of its name, with a node of a built-in
 * region around it. Expanded from omp_entry.def.
 */
#include "omp/omp_real.h"

#define SIS_OMP_TIMED(result, name, signature, wait, same) \
	SIS_OMP_TIMED_BY(sis__span_begin, result, name, signature, wait, same)
#define SIS_OMP_DOACROSS(name, signature)
#define SIS_OMP_BARRIER(name)
#define SIS_OMP_BARRIER_CANCEL(name)
#define SIS_OMP_FORK(name, signature)
#define SIS_OMP_OWN(result, name, signature)
#define SIS_OMP_REAL(result, name, signature)
#include "omp/omp_entry.def"
