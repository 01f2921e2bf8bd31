/* SPDX-License-Identifier: BSD-3-Clause */
/* code_reader.h - reads a module's file and says where its addresses are, and which variables are
 * at addresses of data. */
#ifndef SIS_ANALYSIS_CODE_READER_H
#define SIS_ANALYSIS_CODE_READER_H

#include <stdio.h>

#include "place/code_places.h"

/* Writes what it found to `out`, for code_places.c: for each address a line, and a line for each of
 * its sites; for data a line. Fields end with a tab, and a field that is not known is empty.
 *
 *      P reason count symbol callee
 *      S function unit directory file line column prologue
 *      V name function type file line bytes                                                    */
void code_reader_write(FILE *out, const struct code_module *module,
		       const struct code_questions *questions);

#endif
