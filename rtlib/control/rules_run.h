/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_run.h - rules at work: asks their conditions period by period, and says what
 * they wish. */
#ifndef SIS_RULES_RUN_H
#define SIS_RULES_RUN_H

#include "control/measures.h"
#include "core/region_registry.h"
#include "control_rules.h"

#pragma GCC visibility push(hidden)

enum { SIS_RULE_PATTERNS = 512 };

/* The rules of one file. 400 KB: the caller maps it. */
struct sis_rules_run {
	const char *origin;             /* the file's name, for messages */
	bool by_hand;                   /* they are commands */
	struct sis_control_rules rules;
	struct sis_rule_state state[SIS_CONTROL_RULES];
	const char *pattern[SIS_RULE_PATTERNS];
	struct sis_pattern_ids ids;
	struct sis_region_sums before[SIS_RULE_PATTERNS];
	struct sis_value_sums value_before[SIS_RULE_PATTERNS];
	double time[SIS_RULE_PATTERNS]; /* per activation, in this period; NaN: none */
	struct sis_history history[SIS_RULE_PATTERNS];
	double value[SIS_CONTROL_SUBJECTS];
	uint16_t cause[SIS_CONTROL_ACTIONS]; /* enum sis_cause, of what turns something off */
	uint64_t last_ns;               /* the last period's end; 0: there was none */
};

/* The rules were parsed into run->rules: begins with them. */
void sis__rules_begin(struct sis_rules_run *run, const char *origin, bool by_hand);
/* A period has ended. */
void sis__rules_period(struct sis_rules_run *run, uint64_t now_ns);
/* Changes the wishes of all regions as the actions in force say. `wish`: one for each id below
 * `ids`. */
void sis__rules_wish(struct sis_rules_run *run, struct sis_wish *wish, uint32_t ids);

#pragma GCC visibility pop
#endif
