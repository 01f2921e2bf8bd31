/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_names.h - reads the names of the ids in a trace from the texts of the trace. */
#ifndef SIS_ANALYSIS_TRACE_NAMES_H
#define SIS_ANALYSIS_TRACE_NAMES_H

#include "experiment/model/experiment.h"
#include "experiment/read/trace_read.h"

struct trace_region {
	char *name;                /* NULL: the trace does not say what the id means */
	enum sis_region_type type; /* CR_NONE: unknown */
	char *file, *function;     /* NULL: the region is not in the source */
	uint32_t line;
};

struct trace_names { /* both lists are indexed by id */
	VEC(struct trace_region) region;
	VEC(char *) value;         /* NULL: unknown */
};
void trace_names_read(struct trace_names *names, const struct experiment *x,
		      const struct trace *trace);
void trace_names_release(struct trace_names *names);

/* The name of a region or value; "region ID" or "value ID" if it is not known. The caller frees the
 * result. */
char *trace_names_region(const struct trace_names *names, uint32_t id);
char *trace_names_value(const struct trace_names *names, uint32_t id);

#endif
