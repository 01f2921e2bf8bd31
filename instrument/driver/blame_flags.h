/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_flags.h - the options of the compiler that --sis-blame adds. */
#ifndef SISC_BLAME_FLAGS_H
#define SISC_BLAME_FLAGS_H

#include "driver/options.h"

/* Puts them before the user's words, unless the user has decided: lines for positions, and frame
 * pointers for the stacks of samples. They do not change the text of the program, apart from the
 * frame pointers. */
void sis_blame_flags_add(struct options *options, bool clang);

#endif
