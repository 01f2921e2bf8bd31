/* SPDX-License-Identifier: BSD-3-Clause */
/* export.h - the formats for other tools, and the input of their writers. */
#ifndef SIS_ANALYSIS_EXPORT_H
#define SIS_ANALYSIS_EXPORT_H

#include "answers/query/call_graph.h"

struct export_job {
	struct repo *repo;
	int64_t experiment;
	struct call_graph graph; /* for formats with has_graph */
	FILE *out;               /* for formats of one file */
	int64_t from_ns, to_ns;  /* for traces, since the start of the run; to_ns -1: to the end */
	int64_t process, thread; /* for traces; -1: all */
	/* for formats of several files: the folder in which to write; it has no files of this
	 * format yet */
	const char *directory;
};

struct export_format {
	const char *name;
	bool is_trace;           /* --window, --process and --thread choose a part */
	bool is_directory;
	bool is_binary;          /* must not be written to a terminal */
	bool has_graph;          /* written from the call graph, whose PUs are folded by `fold` */
	enum graph_fold fold;
	/* the caller checks whether writing to `out` failed */
	int (*write)(const struct export_job *job, struct err *err);
};

int export_xml(const struct export_job *job, struct err *err);
int export_json(const struct export_job *job, struct err *err);
int export_csv(const struct export_job *job, struct err *err);
int export_folded(const struct export_job *job, struct err *err);
int export_speedscope(const struct export_job *job, struct err *err);
int export_hatchet(const struct export_job *job, struct err *err);
int export_caliper(const struct export_job *job, struct err *err);
int export_perfetto(const struct export_job *job, struct err *err);
int export_tau(const struct export_job *job, struct err *err);

#endif
