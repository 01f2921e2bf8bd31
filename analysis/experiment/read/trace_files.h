/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_files.h - the traces of an experiment's processes. */
#ifndef SIS_ANALYSIS_TRACE_FILES_H
#define SIS_ANALYSIS_TRACE_FILES_H

#include "experiment/read/trace_read.h"

struct traces {
	VEC(struct trace) trace;
	/* number of traces without a header. They are left out. Their processes were killed
	 * early */
	size_t unwritten;
	/* messages for the user: for each other trace that cannot be read, its name and the
	 * reason */
	VEC(char *) unreadable;
};

/* Opens all traces in the directory, in the order of their names. */
void traces_open(struct traces *traces, const char *directory);
void traces_release(struct traces *traces);

#endif
