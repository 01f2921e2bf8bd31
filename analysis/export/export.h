/* SPDX-License-Identifier: BSD-3-Clause */
/* export.h - what a format for other tools is, and what its writer is given. */
#ifndef SIS_ANALYSIS_EXPORT_H
#define SIS_ANALYSIS_EXPORT_H

#include "query/call_graph.h"

struct export_job {
	struct repo *repo;
	int64_t experiment;
	struct call_graph graph; /* of formats that are written from one */
	FILE *out;               /* of formats that are one file */
	int64_t from_ns, to_ns;  /* of a trace, since the run's start; to_ns -1: to the end */
	int64_t process, thread; /* of a trace; -1: all */
	/* of those that are many: there, and without files of the format */
	const char *directory;
};

struct export_format {
	const char *name;
	bool is_trace;           /* takes a window, processes and threads */
	bool is_directory;
	bool has_graph;          /* written from the call graph, with units folded so */
	enum graph_fold fold;
	/* errors of `out` are the caller's business */
	int (*write)(const struct export_job *job, struct err *err);
};

int export_xml(const struct export_job *job, struct err *err);
int export_json(const struct export_job *job, struct err *err);
int export_csv(const struct export_job *job, struct err *err);
int export_folded(const struct export_job *job, struct err *err);
int export_speedscope(const struct export_job *job, struct err *err);
int export_hatchet(const struct export_job *job, struct err *err);
int export_caliper(const struct export_job *job, struct err *err);
int export_chrome(const struct export_job *job, struct err *err);
int export_tau(const struct export_job *job, struct err *err);

#endif
