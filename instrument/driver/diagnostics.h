/* diagnostics.h - whether a compiler says the same of two texts that have the same lines. */
#ifndef SISC_DIAGNOSTICS_H
#define SISC_DIAGNOSTICS_H

#include <stdbool.h>

/* Whether both consist of the same messages about the same lines, in the same order, and of at least one.
 * Columns and quoted source may differ: probes take room in a line. */
bool sis_diagnostics_alike(const char *one, const char *other);

#endif
