/* SPDX-License-Identifier: BSD-3-Clause */
/* main_cause.h - the main cause of waits: the culprit, and the call path in which the culprit was
 * while others waited for it. */
#ifndef SIS_ANALYSIS_MAIN_CAUSE_H
#define SIS_ANALYSIS_MAIN_CAUSE_H

#include "base/json.h"
#include "repository/database/repository.h"
#include "tables.h"

struct cause {
	/* the region in which the culprit was; NULL: no cause is known, or the region of the waits
	 * is its own cause */
	char *region, *file;
	char *path, *name;        /* the culprit's call path: in full, and its name */
	int64_t line;             /* 0: not in the source */
	int64_t process, thread;  /* the culprit that caused most of the waits */
	int64_t pus;              /* number of culprits in the call path */
	char *pu;                 /* the culprit's name in text */
	/* fractions of the waits: those with this cause; those that have it by an estimate */
	double part, estimated;
	bool waited;              /* the culprit mostly waited itself */
	bool asleep;              /* the culprit mostly slept */
};

struct wait_place { /* waits that are booked below a node of the overhead tree */
	int64_t region;           /* id of their region */
	int64_t call_path;        /* id of their call path; 0: any of the region */
	enum sis_overhead node;
	/* mean over the PUs, without waits for culprits that waited themselves or had no
	 * processor */
	int64_t ns;
};

int cause_load(struct cause *cause, struct repo *repo, int64_t experiment,
	       const struct wait_place *waits, struct err *err);
void cause_release(struct cause *cause);
/* Whether the cause explains most of the waits, so that advice begins with it. */
bool cause_leads(const struct cause *cause);
/* Prints "solve > f (x.c:5), rank 1, thread 0, makes others wait in ". */
void cause_print_lead(const struct cause *cause, FILE *out);
/* Prints " Cause of 80 % of it: rank 1, thread 0 in solve > f (x.c:5).", or a shorter text if
 * cause_leads; nothing if no cause is known. */
void cause_print(const struct cause *cause, FILE *out);
void cause_json(const struct cause *cause, struct json *json); /* an object, or null */

#endif
