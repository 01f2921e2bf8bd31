/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_points.h - the blame points and the units of an experiment that a user asks for. */
#ifndef SIS_ANALYSIS_BLAME_POINTS_H
#define SIS_ANALYSIS_BLAME_POINTS_H

#include "repository/repository.h"

/* Which blame points are chosen. Without `at` and with a negative `share`, these are chosen:
 * outermost points that are not cut, points with #pragma sis blame, and, if they have at least the
 * part `least` of the samples, points that are cut or above which blame cannot rise. */
struct blame_choice {
	const char *const *at; /* paths or ends of paths, NULL-ended; NULL: not asked for */
	double share;          /* every point with at least this part of the samples; < 0: not */
	double least;
	bool all_roots;        /* outermost ones need no part of the samples */
};

/* Makes temp.chosen_point(point, share), which replaces that of an earlier choice. A path that no
 * point has is an error. *left_out: points that have less than `least`. */
int blame_points_choose(struct repo *repo, int64_t experiment, const struct blame_choice *choice,
			int64_t *left_out, struct err *err);

/* What lines are about. */
enum blame_unit { BLAME_THREADS, BLAME_PROCESSES, BLAME_NODES, BLAME_UNITS };
/* False: no unit is called so. */
bool blame_unit_named(const char *name, enum blame_unit *unit);
/* Makes temp.blame_unit(pu, unit, name), which replaces an earlier one. *n: number of units. */
int blame_units_load(struct repo *repo, int64_t experiment, enum blame_unit unit, int64_t *n,
		     struct err *err);

/* All samples of an experiment, placed or not; 0: it has none. */
int blame_samples(struct repo *repo, int64_t experiment, int64_t *samples, struct err *err);

#endif
