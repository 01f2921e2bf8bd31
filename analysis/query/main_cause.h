/* SPDX-License-Identifier: BSD-3-Clause */
/* main_cause.h - the main cause of a region's waits: the culprit, and the region it was in
 * meanwhile. */
#ifndef SIS_ANALYSIS_MAIN_CAUSE_H
#define SIS_ANALYSIS_MAIN_CAUSE_H

#include "base/json.h"
#include "repository/repository.h"
#include "tables.h"

struct cause {
	/* region that it was in; NULL: no cause is known, or the region is its own cause */
	char *region, *file;
	int64_t line;             /* 0: not in the source */
	int64_t process, thread;  /* the PU that cost most there ... */
	int64_t pus;            /* ... of this number of PUs */
	double part;              /* part of the waits */
	bool waited;              /* it mostly waited itself */
};

/* Loads the main cause of the waits in region `region` (id of a row) that are booked below a node
 * of the overhead tree. `ns`: those waits, mean over the PUs. */
int cause_load(struct cause *cause, struct repo *repo, int64_t experiment, int64_t region,
	       enum sis_overhead node, int64_t ns, struct err *err);
void cause_release(struct cause *cause);
/* Prints "Mostly for 1.0 in f (x.c:5), 80 % of it.", or nothing if there is none. */
void cause_print(const struct cause *cause, FILE *out);
void cause_json(const struct cause *cause, struct json *json); /* an object, or null */

#endif
