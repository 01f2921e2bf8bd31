/* SPDX-License-Identifier: BSD-3-Clause */
/* omp_entry_each.h - expands every row of omp_entry.def and of kmp_entry.def in the same way: by
 * SIS_OMP_ANY(name), or by SIS_OMP_ANY_TYPED(result, name, signature). If SIS_OMP_ANY_REAL is
 * defined, it expands the functions that are only called. May be included more than once.
 */
#ifdef SIS_OMP_ANY
#define SIS_OMP_ANY_TYPED(result, name, signature) SIS_OMP_ANY(name)
#endif
#ifndef SIS_OMP_ANY_REAL
#define SIS_OMP_ANY_REAL(result, name, signature) SIS_OMP_ANY_TYPED(result, name, signature)
#endif
#define SIS_OMP_TIMED(result, name, signature, wait, same) \
	SIS_OMP_ANY_TYPED(result, name, signature)
#define SIS_OMP_DOACROSS(name, signature) SIS_OMP_ANY_TYPED(bool, name, signature)
#define SIS_OMP_BARRIER(name) SIS_OMP_ANY_TYPED(void, name, NOTHING)
#define SIS_OMP_BARRIER_CANCEL(name) SIS_OMP_ANY_TYPED(bool, name, NOTHING)
#define SIS_OMP_FORK(name, signature) SIS_OMP_ANY_TYPED(void, name, signature)
#define SIS_OMP_OWN(result, name, signature) SIS_OMP_ANY_TYPED(result, name, signature)
#define SIS_OMP_REAL(result, name, signature) SIS_OMP_ANY_REAL(result, name, signature)
#include "adapters/omp/omp_entry.def"
#ifndef SIS_STATIC
#define SIS_KMP_TIMED(result, name, signature, wait, same) \
	SIS_OMP_ANY_TYPED(result, name, signature)
#define SIS_KMP_QUIET(name, signature, wait, same) SIS_OMP_ANY_TYPED(void, name, signature)
#define SIS_KMP_OWN(result, name, signature) SIS_OMP_ANY_TYPED(result, name, signature)
#include "adapters/omp/kmp_entry.def"
#undef SIS_KMP_TIMED
#undef SIS_KMP_QUIET
#undef SIS_KMP_OWN
#endif
#undef SIS_OMP_ANY
#undef SIS_OMP_ANY_TYPED
#undef SIS_OMP_ANY_REAL
#undef SIS_OMP_TIMED
#undef SIS_OMP_DOACROSS
#undef SIS_OMP_BARRIER
#undef SIS_OMP_BARRIER_CANCEL
#undef SIS_OMP_FORK
#undef SIS_OMP_OWN
#undef SIS_OMP_REAL
