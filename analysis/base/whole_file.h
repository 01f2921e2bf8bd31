/* SPDX-License-Identifier: BSD-3-Clause */
/* whole_file.h - a file that is written completely or not at all. */
#ifndef SIS_ANALYSIS_WHOLE_FILE_H
#define SIS_ANALYSIS_WHOLE_FILE_H

#include <stdio.h>

#include "base/err.h"

struct whole_file {
	const char *name; /* as the user wrote it */
	FILE *out;
	char *path;      /* of the file itself, without links; NULL: standard output */
	char *temporary; /* beside it; NULL: a device or pipe, which is written directly */
};

/* `option` is what messages name. The path NULL or "-" is standard output, which stays open. A link
 * that another user may have planted is an error (links.h). */
int whole_file_open(struct whole_file *file, const char *path, const char *option,
		    struct err *err);
/* If `rc` is 0, the file gets its name; otherwise, and if not all was written, it is removed, and
 * what had that name before stays. */
int whole_file_close(struct whole_file *file, const char *option, int rc, struct err *err);

#endif
