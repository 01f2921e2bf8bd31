/* SPDX-License-Identifier: BSD-3-Clause */
/* user_api.h - what the files behind sis/sis.h share. */
#ifndef SIS_USER_API_H
#define SIS_USER_API_H

/* sis.h has its declarations only where sisc compiles. */
#define __SISC__ 1
#include "sis/sis.h"

#pragma GCC visibility push(hidden)

/* A permanent copy: names are in libraries that may be closed. NULL: no memory. Not from a signal
 * handler. */
void *sis__keep(const void *data, size_t size);

/* SIS_PAUSE, for another cause (enum sis_cause). */
__attribute__((__visibility__("default"))) void sis__pause_for(unsigned cause);

#pragma GCC visibility pop
#endif
