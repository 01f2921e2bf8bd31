/* SPDX-License-Identifier: BSD-3-Clause */
/* code_reader.h - reads a module's file, and finds the places of its code addresses and the
 * variables at its data addresses. */
#ifndef SIS_ANALYSIS_CODE_READER_H
#define SIS_ANALYSIS_CODE_READER_H

#include <stdio.h>

#include "experiment/code/code_places.h"

/* Writes the answers to `out`, for code_places.c: for each address a line P, with a line S for each
 * of its sites; for each data a line V. Each field ends with a tab. A field that is not known is
 * empty.
 *
 *      P reason count start symbol callee
 *      S function unit directory file line column prologue declared declared_line
 *      V name function type file line bytes */
void code_reader_write(FILE *out, const struct code_module *module,
		       const struct code_questions *questions);

#endif
