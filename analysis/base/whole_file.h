/* SPDX-License-Identifier: BSD-3-Clause */
/* whole_file.h - writes a file completely or not at all. */
#ifndef SIS_ANALYSIS_WHOLE_FILE_H
#define SIS_ANALYSIS_WHOLE_FILE_H

#include <stdio.h>

#include "base/err.h"

struct whole_file {
	const char *name; /* as the user wrote it */
	FILE *out;
	char *path;      /* path of the file itself, without links; NULL: standard output */
	char *temporary; /* path of the new file beside `path`; NULL: `path` is written directly: a
	                  * device, a pipe, or a file in a directory that cannot be written */
};

/* Messages name `option`. The path NULL or "-" is standard output, which stays open. A link that
 * another user may have planted is an error (links.h). */
int whole_file_open(struct whole_file *file, const char *path, const char *option,
		    struct err *err);
/* If `rc` is 0 and everything was written, the new file gets the name `path`. Otherwise the new
 * file is removed, and a file that had this name before stays. */
int whole_file_close(struct whole_file *file, const char *option, int rc, struct err *err);

#endif
