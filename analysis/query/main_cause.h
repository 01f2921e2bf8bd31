/* SPDX-License-Identifier: BSD-3-Clause */
/* main_cause.h - the main cause of waits: the culprit, and the call path that it was in
 * meanwhile. */
#ifndef SIS_ANALYSIS_MAIN_CAUSE_H
#define SIS_ANALYSIS_MAIN_CAUSE_H

#include "base/json.h"
#include "repository/repository.h"
#include "tables.h"

struct cause {
	/* region that it was in; NULL: no cause is known, or the region is its own cause */
	char *region, *file;
	char *path, *name;        /* call path of that: all of it, and its name (call_paths.h) */
	int64_t line;             /* 0: not in the source */
	int64_t process, thread;  /* the PU that cost most there ... */
	int64_t pus;              /* ... of this number of PUs */
	char *pu;                 /* its name in text */
	double part, estimated;   /* part of the waits; of them, what is an estimate */
	bool waited;              /* it mostly waited itself */
	bool asleep;              /* it mostly slept */
};

struct wait_place { /* that are booked below a node of the overhead tree */
	int64_t region;           /* id; they are in this region ... */
	int64_t call_path;        /* ... and, if not 0, in this call path */
	enum sis_overhead node;
	/* mean over the PUs, without waits for others that waited themselves or had no
	 * processor */
	int64_t ns;
};

/* Loads the main cause of waits. */
int cause_load(struct cause *cause, struct repo *repo, int64_t experiment,
	       const struct wait_place *waits, struct err *err);
void cause_release(struct cause *cause);
/* Whether it is the cause of most of the waits, so that advice begins with it. */
bool cause_leads(const struct cause *cause);
/* Prints "solve > f (x.c:5), rank 1, thread 0, makes others wait in ". */
void cause_print_lead(const struct cause *cause, FILE *out);
/* Prints " Cause of 80 % of it: rank 1, thread 0 in solve > f (x.c:5).", or less if it leads;
 * nothing if there is none. */
void cause_print(const struct cause *cause, FILE *out);
void cause_json(const struct cause *cause, struct json *json); /* an object, or null */

#endif
