/* SPDX-License-Identifier: BSD-3-Clause */
/* control_rules.h - rules that turn regions, the trace and counters on and off while a program
 * runs. The runtime reads them from SIS_RULES and from the file `control` of a run's directory, to
 * which `sis-analyze control` adds. Nothing here allocates memory.
 *
 *     period 200ms
 *     off util_*
 *     when time(solve) > usual(solve) + 3 * spread(solve) for 1s
 *         then on below solve, trace on
 *         else off below solve, trace off
 *
 *     file        { statement }
 *     statement   period TIME | action | when condition [for TIME] then actions [else actions]
 *     actions     action { , action }
 *     action      on regions | off regions | trace on | trace off
 *                 | counters on regions | counters off regions
 *     regions     PATTERN | below PATTERN
 *     condition   all { or all }
 *     all         one { and one }
 *     one         not one | ( condition ) | sum < sum | sum <= sum | sum > sum | sum >= sum
 *     sum         product { + | - product }
 *     product     value { * | / value }
 *     value       NUMBER[us|ms|s|%] | MEASURE(PATTERN) | ( sum )
 *
 * A PATTERN is one of fnmatch. It is compared with a region's name, and with FUNCTION/NAME. It
 * stands in quotes if it has a blank or one of ( ) , # ". `below F` means the regions that were
 * called from F. # begins a comment. If a measure is not known, a condition with this measure may
 * be neither true nor false.
 *
 * The actions after `then` come into force when the condition has been true for the time after
 * `for`. When the condition has been false for the same time, the actions after `else` come into
 * force instead. They stay in force until the condition has again been true for this time. If
 * several actions in force name one region, the last one in the file counts. */
#ifndef SIS_SCHEMA_CONTROL_RULES_H
#define SIS_SCHEMA_CONTROL_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Measures of the regions that match a pattern, for the last period unless said otherwise. */
enum sis_control_measure {
	SIS_CONTROL_TIME,    /* seconds per activation that ended */
	SIS_CONTROL_CALLS,   /* activations per second */
	SIS_CONTROL_SHARE,   /* the regions' share of the time of all threads, callees included */
	SIS_CONTROL_USUAL,   /* mean of SIS_CONTROL_TIME so far */
	SIS_CONTROL_SPREAD,  /* standard deviation of SIS_CONTROL_TIME so far */
	SIS_CONTROL_VALUE,   /* mean of the numbers that the program gave under this name
	                      * (SIS_VALUE) */
	SIS_CONTROL_MEASURES
};

enum sis_control_act {
	SIS_CONTROL_ON, SIS_CONTROL_OFF,
	SIS_CONTROL_TRACE_ON, SIS_CONTROL_TRACE_OFF,
	SIS_CONTROL_COUNTERS_ON, SIS_CONTROL_COUNTERS_OFF
};

/* MEASURE(PATTERN), which occurs in one or several conditions. */
struct sis_control_subject { enum sis_control_measure measure; uint32_t pattern; };

struct sis_control_action {
	enum sis_control_act act;
	bool below;          /* regions called from those that match, instead of those that match */
	uint32_t pattern;    /* offset into `text`; not used for the trace */
};

/* One operation of a condition, in reverse Polish order. */
struct sis_control_step {
	char op;             /* n number, m measure, + - * / < > ! & |, l means <=, g means >= */
	uint32_t subject;
	double number;
};

struct sis_control_rule {
	uint32_t line;
	uint32_t step, steps;/* the condition; without steps, the actions come into force at once */
	uint64_t hold_ns;    /* how long the condition must be true or false before actions
	                      * change */
	uint32_t then, thens;
	uint32_t other, others; /* the actions after `else` */
};

enum {
	SIS_CONTROL_RULES = 256, SIS_CONTROL_STEPS = 2048, SIS_CONTROL_SUBJECTS = 256,
	SIS_CONTROL_ACTIONS = 1024, SIS_CONTROL_TEXT = 32768, SIS_CONTROL_DEEPEST = 32,
	SIS_CONTROL_LARGEST = 1 << 20, /* most bytes of a file */
};

struct sis_control_rules {
	uint64_t period_ns;
	uint32_t rules, steps, subjects, actions, used;
	struct sis_control_rule rule[SIS_CONTROL_RULES];
	struct sis_control_step step[SIS_CONTROL_STEPS];
	struct sis_control_subject subject[SIS_CONTROL_SUBJECTS];
	struct sis_control_action action[SIS_CONTROL_ACTIONS];
	char text[SIS_CONTROL_TEXT]; /* patterns, each ended by a NUL */
};

struct sis_control_user {
	void *context;
	/* line 0: the error concerns the whole file */
	void (*error)(void *context, uint32_t line, uint32_t column, const char *message);
};

/* Fills the rules. Returns the number of errors; if there are any, the rules must not be used. */
int sis_control_parse(struct sis_control_rules *rules, const char *text, size_t length,
		      const struct sis_control_user *user);

enum sis_control_answer { SIS_CONTROL_NO, SIS_CONTROL_YES, SIS_CONTROL_UNKNOWN };

/* Whether the condition of the rule holds. `value` has the value of each subject; NaN: not
 * known. */
enum sis_control_answer sis_control_holds(const struct sis_control_rules *rules,
					  const struct sis_control_rule *rule,
					  const double *value);

#endif
