/* SPDX-License-Identifier: BSD-3-Clause */
/* link.h - linking instrumented objects with the runtime. */
#ifndef SISC_LINK_H
#define SISC_LINK_H

#include "driver/compile.h"

/* Runs the compiler for the link. The same run compiles the sources that are not compiled yet.
 * `objects`: by argument index, the object of a source that is compiled already, or NULL.
 * job->status gets the result. */
int sis_link(struct job *job, char *const *objects, struct err *err);

#endif
