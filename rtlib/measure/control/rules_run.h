/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_run.h - executes rules: evaluates their conditions in each period, and computes the wishes
 * for each region. */
#ifndef SIS_RULES_RUN_H
#define SIS_RULES_RUN_H

#include "measure/control/measures.h"
#include "measure/core/region_registry.h"
#include "control_rules.h"

#pragma GCC visibility push(hidden)

enum { SIS_RULE_PATTERNS = 512 };

/* The rules of one file. The struct has 400 KB, so the caller maps memory for it. */
struct sis_rules_run {
	const char *origin;             /* the file's name, for messages */
	bool by_hand;                   /* the rules are commands of a user */
	struct sis_control_rules rules;
	struct sis_rule_state state[SIS_CONTROL_RULES];
	const char *pattern[SIS_RULE_PATTERNS];
	struct sis_pattern_ids ids;
	struct sis_region_sums before[SIS_RULE_PATTERNS];
	struct sis_value_sums value_before[SIS_RULE_PATTERNS];
	double time[SIS_RULE_PATTERNS]; /* of an activation in this period; NaN: no activation */
	struct sis_history history[SIS_RULE_PATTERNS];
	double value[SIS_CONTROL_SUBJECTS];
	uint16_t cause[SIS_CONTROL_ACTIONS]; /* enum sis_cause; 0: the action turns something on */
	uint64_t last_ns;               /* the end of the last period; 0: there was no period yet */
};

/* Begins to execute the rules that were parsed into run->rules. */
void sis__rules_begin(struct sis_rules_run *run, const char *origin, bool by_hand);
/* Called at the end of each period. */
void sis__rules_period(struct sis_rules_run *run, uint64_t now_ns);
/* Sets the wishes of the actions in force. `wish` has one element for each id below `ids`. */
void sis__rules_wish(struct sis_rules_run *run, struct sis_wish *wish, uint32_t ids);

#pragma GCC visibility pop
#endif
