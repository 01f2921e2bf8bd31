/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnostics.h - compares a compiler's messages about two texts with the same lines. */
#ifndef SISC_DIAGNOSTICS_H
#define SISC_DIAGNOSTICS_H

#include <stdbool.h>

/* Whether both texts have the same messages about the same lines, in the same order, and at least
 * one message. Columns and quoted source may differ, because probes are inserted in lines. */
bool sis_diagnostics_alike(const char *one, const char *other);

#endif
