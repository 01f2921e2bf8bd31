/* SPDX-License-Identifier: BSD-3-Clause */
/* option_files.h - the files that options of sisc name: filters, profiles, plugins. The compiled
 * code depends on the content of these files, as on the content of headers. */
#ifndef SISC_OPTION_FILES_H
#define SISC_OPTION_FILES_H

#include "driver/compile.h"

/* Whether the command preprocesses C, and options name such files. */
bool sis_option_files_are_shown(const struct job *job);

/* Appends two line markers for each file to the output of -E. The first has the name of the file,
 * and the second the checksum of its content. 0 or -1. */
int sis_option_files_show(const struct job *job, struct err *err);

/* Adds the files to the dependency files of the C inputs. 0 or -1. */
int sis_option_files_depend(const struct job *job, struct err *err);

#endif
