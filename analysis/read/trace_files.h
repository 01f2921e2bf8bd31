/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_files.h - the traces of an experiment's processes. */
#ifndef SIS_ANALYSIS_TRACE_FILES_H
#define SIS_ANALYSIS_TRACE_FILES_H

#include "read/trace_read.h"

struct traces {
	VEC(struct trace) trace;
	size_t unwritten; /* without a header: their processes were killed early; left out */
};

/* Opens those in the directory, in the order of their names; none is no error. */
int traces_open(struct traces *traces, const char *directory, struct err *err);
void traces_release(struct traces *traces);

#endif
