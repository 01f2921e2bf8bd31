/* SPDX-License-Identifier: BSD-3-Clause */
/* link.h - linking instrumented objects with the runtime. */
#ifndef SISC_LINK_H
#define SISC_LINK_H

#include "driver/compile.h"

/* Runs the link (and what is left to compile in the same command). `objects`: by argument index,
 * what replaces a source that is compiled already, or NULL. job->status gets the result. */
int sis_link(struct job *job, char *const *objects, struct err *err);

#endif
