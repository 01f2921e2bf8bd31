/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_names.h - what the ids in a trace mean, from the texts of the trace itself. */
#ifndef SIS_ANALYSIS_TRACE_NAMES_H
#define SIS_ANALYSIS_TRACE_NAMES_H

#include "model/experiment.h"
#include "read/trace_read.h"

struct trace_region {
	char *name;                /* NULL: the trace does not say what the id means */
	enum sis_region_type type; /* CR_NONE: unknown */
	char *file, *function;     /* NULL: it is not in the source */
	uint32_t line;
};

struct trace_names { /* by id */
	VEC(struct trace_region) region;
	VEC(char *) value;         /* NULL: unknown */
};
void trace_names_read(struct trace_names *names, const struct experiment *x,
		      const struct trace *trace);
void trace_names_release(struct trace_names *names);

/* The name, or "region ID" and "value ID" if it is not known. The caller frees it. */
char *trace_names_region(const struct trace_names *names, uint32_t id);
char *trace_names_value(const struct trace_names *names, uint32_t id);

#endif
