/* SPDX-License-Identifier: BSD-3-Clause */
/* own_sources.h - checksums of the sources of programs that sisc did not compile. */
#ifndef SIS_ANALYSIS_OWN_SOURCES_H
#define SIS_ANALYSIS_OWN_SOURCES_H

#include "experiment/model/experiment.h"

/* Adds checksums of the files that debug information names. To be called only for a run that the
 * user of this process has just made: other runs may name files that nobody shall see
 * (schema/source_checksum.h). */
void own_sources_add(struct experiment *x);

#endif
