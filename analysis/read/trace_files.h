/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_files.h - the traces of an experiment's processes. */
#ifndef SIS_ANALYSIS_TRACE_FILES_H
#define SIS_ANALYSIS_TRACE_FILES_H

#include "read/trace_read.h"

struct traces {
	VEC(struct trace) trace;
	/* traces without a header, which are left out: their processes were killed early */
	size_t unwritten;
	/* of each other file that cannot be read and is left out: its name and why, for the user */
	VEC(char *) unreadable;
};

/* Opens the traces in the directory, ordered by name. There may be none. */
void traces_open(struct traces *traces, const char *directory);
void traces_release(struct traces *traces);

#endif
