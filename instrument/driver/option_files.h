/* SPDX-License-Identifier: BSD-3-Clause */
/* option_files.h - the files that options of sisc name: filters, profiles, plugins. What is
 * compiled depends on their content, as on that of headers. */
#ifndef SISC_OPTION_FILES_H
#define SISC_OPTION_FILES_H

#include "driver/compile.h"

/* Whether the command preprocesses C, and there are such files. */
bool sis_option_files_are_shown(const struct job *job);

/* Appends line markers to the output of -E: one with the name of each file, behind it one with the
 * checksum of its content. 0 or -1. */
int sis_option_files_show(const struct job *job, struct err *err);

/* Adds the files to the dependency files of the C inputs. 0 or -1. */
int sis_option_files_depend(const struct job *job, struct err *err);

#endif
