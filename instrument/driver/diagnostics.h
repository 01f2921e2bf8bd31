/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnostics.h - whether a compiler's messages about two texts with the same lines are the
 * same. */
#ifndef SISC_DIAGNOSTICS_H
#define SISC_DIAGNOSTICS_H

#include <stdbool.h>

/* Whether both consist of the same messages about the same lines, in the same order, and of at
 * least one. Columns and quoted source may differ: probes take room in a line. */
bool sis_diagnostics_alike(const char *one, const char *other);

#endif
