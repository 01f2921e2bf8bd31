/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_flags.h - the options of the compiler that --sis-blame adds. */
#ifndef SISC_BLAME_FLAGS_H
#define SISC_BLAME_FLAGS_H

#include "driver/options.h"

/* Puts options before the user's words: one for debug information with lines, and one for frame
 * pointers, which stacks of samples need. An option is left out if the user's words decide about
 * the same thing. The code of the program does not change, apart from the frame pointers. */
void sis_blame_flags_add(struct options *options, bool clang);

#endif
