/* SPDX-License-Identifier: BSD-3-Clause */
/* chrome.h - Trace Event JSON, which Perfetto and chrome://tracing read: shared by the files of the
 * export. */
#ifndef SIS_ANALYSIS_CHROME_H
#define SIS_ANALYSIS_CHROME_H

#include "model/experiment.h"
#include "export/export.h"
#include "read/trace_files.h"

struct chrome {
	FILE *out;
	bool some;                 /* whether events were written */
	int64_t zero_ns;           /* the run's start */
	int64_t from_ns, to_ns;    /* window, on the same clock */
	int64_t process, thread;   /* only these; -1: all */
	struct experiment *x;
	uint64_t unknown;          /* traces whose process has no profile */
};

/* Writes the begin of an event of this phase, up to "ts". The caller adds members, each after a
 * comma, and closes the event. `process` and `thread` are those of the experiment, from 0. */
void chrome_event(struct chrome *c, char phase, uint32_t process, uint32_t thread, int64_t ns);

/* Names of ids (chrome_names.c), as JSON with quotation marks. */
typedef VEC(char *) strings;
struct chrome_names {
	strings region; /* by id; NULL: not known */
	strings value;
};
void chrome_names_read(struct chrome_names *names, const struct trace *trace);
void chrome_names_release(struct chrome_names *names);

/* Arrows from sends to receives (chrome_arrows.c). */
void chrome_arrows(struct chrome *c);

#endif
