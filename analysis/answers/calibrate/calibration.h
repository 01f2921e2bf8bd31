/* SPDX-License-Identifier: BSD-3-Clause */
/* calibration.h - a calibration: the cost of measuring on a machine, as the times of single runs.
 *
 * Each time is the time of one call in one fresh process of a small program
 * (rtlib/apart/calibrated), in one state of measuring. Portions, statistics and fits are not
 * stored, but computed from the times (portions.h), so that a later version can compute them
 * better. */
#ifndef SIS_ANALYSIS_CALIBRATION_H
#define SIS_ANALYSIS_CALIBRATION_H

#include "base/err.h"
#include "base/mem.h"
#include "repository/database/repository.h"

/* The states in which a program is measured. Portions are differences between the times in two
 * states (portions.c). */
enum state {
	STATE_PLAIN,    /* compiled without sisc */
	STATE_OFF,      /* SIS_ENABLE=0 */
	STATE_EXCLUDED, /* the region is turned off by SIS_FILTER, while others are on */
	STATE_PROFILE,  /* the default */
	STATE_INSIDE,   /* runs of STATE_PROFILE: the time that the region recorded */
	STATE_BUFFERED, /* traced; the trace is never written */
	STATE_WRITTEN,  /* traced; the trace is written */
	STATES
};
extern const char *const state_names[STATES];

struct cost_setting { char *name, *where, *writer, *cpus, *missing; }; /* cpus or missing is NULL */
struct cost_time {
	char *setting, *kernel; /* kernel: `region`, or the name of a call or metric */
	enum state state;
	int64_t depth, process;
	/* times of a call; median_ns is the mean if only the mean is known */
	double mean_ns, median_ns;
};
/* What was written by one process that makes events as fast as it can. */
struct cost_writer { char *setting; int64_t process, ns, events, dropped, raw_bytes, bytes; };

struct calibration {
	int64_t id;         /* 0: not in the repository */
	char *host, *processor, *runtime, *run_id;
	int64_t cores, memory_bytes, started_ns;
	/* number of calls in each process; length of a call; number of rounds (measure.c) */
	int64_t calls, call_ns, processes;
	VEC(struct cost_setting) setting;
	VEC(struct cost_time) time;
	VEC(struct cost_writer) writer;
};

void calibration_release(struct calibration *c);

/* Adds the calibration and its machine to the repository, and sets its id. */
int calibration_store(struct calibration *c, struct repo *repo, struct err *err);
/* Loads a calibration. Fails if its rows have impossible values. */
int calibration_load(struct calibration *c, struct repo *repo, int64_t id, struct err *err);

#endif
