/* SPDX-License-Identifier: BSD-3-Clause */
/* filter_rules.h - which regions a filter should exclude, so that measuring costs less. */
#ifndef SIS_ANALYSIS_FILTER_RULES_H
#define SIS_ANALYSIS_FILTER_RULES_H

#include "repository/repository.h"

/* What is lost if a region is excluded. Regions with a later loss of this list are excluded only if
 * it is not enough to exclude those with an earlier one. */
enum filter_loss {
	LOSS_DETAIL,  /* its time was work; it becomes work of the region around it */
	LOSS_ARGUMENT,/* its time is work in the arguments of a call; it becomes overhead */
	LOSS_LEAF,    /* its time is overhead; it becomes work of the region around it */
	LOSS_NAMED,   /* a directive names it */
	LOSSES
};

/* All regions of one name. A rule of a filter excludes them together. */
struct named_regions {
	char *name, *type, *place; /* type and place: of the one with the most calls */
	size_t regions;
	int64_t calls, incl_ns, most_calls;
	/* of the one with the most calls, but LOSS_NAMED if it is one's */
	enum filter_loss loss;
	bool excluded;
	double before, after; /* if it is excluded: the cost without and with the rule, ns */
};

struct filter_rules {
	char *experiment;
	VEC(struct named_regions) named; /* in the order in which they are excluded */
	int64_t calls;   /* all activations */
	double pair_ns;  /* cost of one */
	double total_ns; /* time of all processing units */
	double before, after; /* cost of measuring, ns */
	bool reached;    /* the target */
};

/* Excludes regions until measuring costs no more than the part `target` of the time. */
int filter_rules_load(struct filter_rules *rules, struct repo *repo, int64_t experiment,
		      double target, struct err *err);
void filter_rules_release(struct filter_rules *rules);
/* The part of the run's time that a cost is, if the run took less by what was saved. */
double filter_rules_share(const struct filter_rules *rules, double cost);

#endif
