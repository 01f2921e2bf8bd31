/* SPDX-License-Identifier: BSD-3-Clause */
/* temporary_directory.h - the directory for temporary files. */
#ifndef SISC_TEMPORARY_DIRECTORY_H
#define SISC_TEMPORARY_DIRECTORY_H

#include "common/base.h"

struct temporary_directory {
	char *name;   /* of this process alone, and locked while the process lives */
	char *parent; /* to be removed after `name`, if it is empty; NULL: none */
};

/* Makes the directory, and removes directories that killed processes left beside it. */
int sis_temporary_directory_make(struct temporary_directory *out, struct err *err);

#endif
