/* SPDX-License-Identifier: BSD-3-Clause */
/* idf_find.h - finds descriptions: in PROGRAM.idf, in a section of programs and objects, and in the
 * profiles of a run. */
#ifndef SIS_ANALYSIS_IDF_FIND_H
#define SIS_ANALYSIS_IDF_FIND_H

#include "experiment/read/idf_read.h"

struct idf { idf_tus tu; };

/* Finds the descriptions in a description file, a program, an object or an archive. */
int idf_find_in_file(struct idf *idf, const char *path, struct err *err);
/* Finds the descriptions in the profiles of an experiment's directory. */
int idf_find_in_experiment(struct idf *idf, const char *directory, struct err *err);
void idf_find_release(struct idf *idf); /* also after a failure */

#endif
