/* SPDX-License-Identifier: BSD-3-Clause */
/* filter_rules.h - finds which regions a filter should exclude, so that measuring costs less. */
#ifndef SIS_ANALYSIS_FILTER_RULES_H
#define SIS_ANALYSIS_FILTER_RULES_H

#include "repository/database/repository.h"

/* What is lost if a region is excluded, the least loss first. Regions with a greater loss are
 * excluded only if it is not enough to exclude those with smaller losses. */
enum filter_loss {
	LOSS_DETAIL,  /* its time is work; it becomes work of the region around it */
	LOSS_ARGUMENT,/* its time is work in the arguments of a call; it becomes overhead */
	LOSS_LEAF,    /* its time is overhead; it becomes work of the region around it */
	LOSS_NAMED,   /* a directive names it */
	LOSSES
};

/* All regions of one name. A rule of a filter excludes them together. */
struct named_regions {
	char *name, *type, *place; /* type, place: of the region with the most calls */
	size_t regions;
	int64_t calls, incl_ns, most_calls;
	/* loss of the region with the most calls; LOSS_NAMED if a directive names any of the
	 * regions */
	enum filter_loss loss;
	bool excluded;
	double before, after; /* if excluded: cost of measuring, ns, without the rule and with it */
};

struct filter_rules {
	char *experiment;
	VEC(struct named_regions) named; /* in the order in which they are excluded */
	int64_t calls;   /* all activations */
	double pair_ns;  /* cost of an activation */
	double total_ns; /* time of all processing units */
	double before, after; /* cost of measuring, ns */
	bool reached;    /* the target */
};

/* Excludes regions until measuring costs no more than the part `target` of the time. */
int filter_rules_load(struct filter_rules *rules, struct repo *repo, int64_t experiment,
		      double target, struct err *err);
void filter_rules_release(struct filter_rules *rules);
/* A cost of measuring as a part of the run's time. If the cost is less than it was, the run is
 * assumed to be shorter by the difference. */
double filter_rules_share(const struct filter_rules *rules, double cost);

#endif
