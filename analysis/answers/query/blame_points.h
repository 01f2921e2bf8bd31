/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_points.h - chooses the blame points and the units of an experiment that a user wants to
 * see. */
#ifndef SIS_ANALYSIS_BLAME_POINTS_H
#define SIS_ANALYSIS_BLAME_POINTS_H

#include "repository/database/repository.h"

/* Which blame points are chosen. Without `at` and with a negative `share`, these are: outermost
 * points whose callers are all known; points with #pragma sis blame; and, if they have at least the
 * part `least` of the samples, other outermost points and points above which some blame cannot
 * rise. */
struct blame_choice {
	const char *const *at; /* paths or ends of paths, ended by NULL; NULL: no choice by path */
	double share;          /* each point with at least this part of the samples; < 0: none */
	double least;
	bool all_roots;        /* outermost points are chosen however few samples they have */
};

/* Makes temp.chosen_point(point, share), which replaces the table of an earlier choice. A path that
 * no point has is an error. *left_out: the number of points that were not chosen because they have
 * less than `least`. */
int blame_points_choose(struct repo *repo, int64_t experiment, const struct blame_choice *choice,
			int64_t *left_out, struct err *err);

/* What a line of the output stands for. */
enum blame_unit { BLAME_THREADS, BLAME_PROCESSES, BLAME_NODES, BLAME_UNITS };
/* Finds the unit that has a name; false if no unit has it. */
bool blame_unit_named(const char *name, enum blame_unit *unit);
/* Makes temp.blame_unit(pu, unit, name), which replaces an earlier table. *n: number of units. */
int blame_units_load(struct repo *repo, int64_t experiment, enum blame_unit unit, int64_t *n,
		     struct err *err);

/* Counts all samples of an experiment, including samples that no blame point has. */
int blame_samples(struct repo *repo, int64_t experiment, int64_t *samples, struct err *err);

#endif
