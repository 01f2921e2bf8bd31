/* SPDX-License-Identifier: BSD-3-Clause */
/* annotations.h - regions that a program names for another tool. Each file beside this one serves
 * one interface for annotations, and calls these functions.
 *
 *     NVTX     nvtx.c      the program opens this library (NVTX_INJECTION64_PATH)
 *     ITT      itt.c       the same (INTEL_LIBITTNOTIFY64)
 *     Kokkos   kokkos.c    the same (KOKKOS_TOOLS_LIBS, KOKKOS_PROFILE_LIBRARY)
 *     Caliper  caliper.c   this library is preloaded, and interposes Caliper's functions
 *     PETSc    petsc.c     the same
 *
 * Any thread calls these functions. Without a runtime in the process they do nothing.
 */
#ifndef SIS_ANNOTATIONS_H
#define SIS_ANNOTATIONS_H

/* sis.h has declarations only if sisc compiles the file. */
#define __SISC__ 1
#include "sis/sis.h"

#include <stdbool.h>

/* Returns the region DOMAIN/NAME. If `domain` is NULL, the region is called NAME. NULL: nothing is
 * measured. */
struct sis_region *sis__annotation(const char *domain, const char *name);

/* Begins the region on the calling thread's stack of this owner: the owner is an interface, or a
 * domain of it, whose annotations nest among themselves. Annotations of different owners may
 * overlap. If `region` is NULL, the begin only matches its end. */
void sis__annotation_begin(const void *owner, struct sis_region *region);
/* Ends the region that the owner began last in this thread. */
void sis__annotation_end(const void *owner);

/* Counts an annotation that need not be nested in its thread, and so is no region. */
void sis__annotation_without_region(void);

/* Whether the process has a runtime. */
bool sis__annotations_are_measured(void);

#endif
