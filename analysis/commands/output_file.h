/* SPDX-License-Identifier: BSD-3-Clause */
/* output_file.h - the file that an option names for a command's output. */
#ifndef SIS_ANALYSIS_OUTPUT_FILE_H
#define SIS_ANALYSIS_OUTPUT_FILE_H

#include <stdio.h>

#include "base/err.h"

/* Opens the file; stdout if `path` is NULL. `option` is what messages name. */
int output_open(FILE **out, const char *path, const char *option, struct err *err);
/* Closes the file, and fails if not all of it was written. */
int output_close(FILE *out, const char *path, const char *option, struct err *err);

#endif
