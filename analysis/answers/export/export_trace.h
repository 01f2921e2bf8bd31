/* SPDX-License-Identifier: BSD-3-Clause */
/* export_trace.h - writes the traces of a job in a format. */
#ifndef SIS_ANALYSIS_EXPORT_TRACE_H
#define SIS_ANALYSIS_EXPORT_TRACE_H

#include "answers/export/export.h"
#include "experiment/timeline/trace_walk.h"

int export_trace(const struct export_job *job, const struct trace_writer *writer, void *self,
		 struct err *err);

#endif
