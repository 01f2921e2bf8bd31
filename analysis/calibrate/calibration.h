/* SPDX-License-Identifier: BSD-3-Clause */
/* calibration.h - a calibration: what measuring cost on a machine, run by run.
 *
 * A time is that of one fresh process: of one call of a program that is measured (rtlib/calibrated)
 * in one state. Portions, their statistics and fits are computed from these (portions.h), so that
 * they may improve later. */
#ifndef SIS_ANALYSIS_CALIBRATION_H
#define SIS_ANALYSIS_CALIBRATION_H

#include "base/err.h"
#include "base/mem.h"
#include "repository/repository.h"

/* The states of a program. Each adds a portion to one of those before it. */
enum state {
	STATE_PLAIN,    /* compiled without sisc */
	STATE_OFF,      /* SIS_ENABLE=0 */
	STATE_EXCLUDED, /* the region is turned off by SIS_FILTER, while others are on */
	STATE_PROFILE,  /* the default */
	STATE_INSIDE,   /* the same runs: what the region's recorded time has of it */
	STATE_BUFFERED, /* traced, and never written */
	STATE_WRITTEN,  /* traced and written */
	STATES
};
extern const char *const state_names[STATES];

struct cost_setting { char *name, *where, *writer, *cpus, *missing; }; /* one of the last is NULL */
struct cost_time {
	char *setting, *kernel; /* `region`, the name of a call, or that of a metric */
	enum state state;
	int64_t depth, process;
	/* of a call: mean; median, or the mean where only that is known */
	double mean_ns, median_ns;
};
/* One process that traces as fast as it can. */
struct cost_writer { char *setting; int64_t process, ns, events, dropped, raw_bytes, bytes; };

struct calibration {
	int64_t id;         /* 0: it is not in the repository */
	char *host, *processor, *runtime, *run_id;
	int64_t cores, memory_bytes, started_ns;
	/* calls of each process, time of a call, processes of each kind */
	int64_t calls, call_ns, processes;
	VEC(struct cost_setting) setting;
	VEC(struct cost_time) time;
	VEC(struct cost_writer) writer;
};

void calibration_release(struct calibration *c);

/* Adds it to the repository, with its machine, and sets its id. */
int calibration_store(struct calibration *c, struct repo *repo, struct err *err);
/* Rows of it that cannot be are an error. */
int calibration_load(struct calibration *c, struct repo *repo, int64_t id, struct err *err);

#endif
