/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_run.c - executes rules. Called under the lock of control.c.
 *
 * In each period, the sums of all regions that conditions name are read. Measures are computed from
 * the differences to the sums of the period before, and conditions from the measures. A rule acts
 * when its condition has had the same answer for as long as the rule asks. Its actions are in force
 * until the rule acts on the other answer. The wish for a region follows from the last action in
 * force, in the order of the file, that names the region. The wishes are computed anew in each
 * period, because `below F` covers more regions as the program enters them. */
#include "base/state.h"
#include "output/profile/switched.h"
#include "output/profile/text.h"
#include "output/trace/tracing.h"
#include "measure/control/rules_run.h"

#include <math.h>
#include <string.h>

enum { LINES_MOST = 2000 };

/* -- what the rules want ----------------------------------------------------------------------- */

/* Sets the wishes of the regions that an action names. */
struct wishing { struct sis_wish *wish; uint32_t ids; enum sis_control_act act; uint16_t cause; };

static void wish_for(void *context, uint32_t id)
{
	const struct wishing *w = context;
	bool counters = w->act == SIS_CONTROL_COUNTERS_ON || w->act == SIS_CONTROL_COUNTERS_OFF;
	if (id < w->ids)
		*(counters ? &w->wish[id].no_counters : &w->wish[id].off) = w->cause;
}

static uint32_t pattern_index(const struct sis_rules_run *run, uint32_t text)
{
	uint32_t i = 0;
	while (i < run->ids.patterns && run->pattern[i] != run->rules.text + text)
		i++;
	return i;
}

static void wish_action(const struct sis_rules_run *run, const struct sis_control_action *action,
			struct sis_wish *wish, uint32_t ids)
{
	struct wishing w = { wish, ids, action->act, run->cause[action - run->rules.action] };
	uint32_t pattern = pattern_index(run, action->pattern);
	if (action->act == SIS_CONTROL_TRACE_ON || action->act == SIS_CONTROL_TRACE_OFF ||
	    pattern == run->ids.patterns)
		return;
	if (action->below)
		sis__regions_below(&run->ids, pattern, wish_for, &w);
	for (uint32_t id = 0; id < run->ids.ids && !action->below; id++)
		if (sis__pattern_matches(&run->ids, pattern, id) && sis__region_may_be_off(id))
			wish_for(&w, id);
}

/* Finds the actions of rule i that are in force: *count actions from *first on. */
static void in_force(const struct sis_rules_run *run, uint32_t i, uint32_t *first, uint32_t *count)
{
	const struct sis_control_rule *rule = &run->rules.rule[i];
	bool yes = run->state[i].acted == SIS_CONTROL_YES,
	     no = run->state[i].acted == SIS_CONTROL_NO;
	*first = yes ? rule->then : rule->other;
	*count = yes ? rule->thens : no ? rule->others : 0;
}

void sis__rules_wish(struct sis_rules_run *run, struct sis_wish *wish, uint32_t ids)
{
	uint32_t first, count;
	sis__pattern_ids_update(&run->ids);
	for (uint32_t i = 0; i < run->rules.rules; i++) {
		in_force(run, i, &first, &count);
		for (uint32_t k = first; k < first + count; k++)
			wish_action(run, &run->rules.action[k], wish, ids);
	}
}

/* -- rules ------------------------------------------------------------------------------------- */

/* If the rule begins to act now, notes this in the profile, in at most LINES_MOST lines of all
 * rules. Also starts or stops the trace as the rule's actions say. */
static void run_rule(struct sis_rules_run *run, uint32_t i, uint64_t now_ns)
{
	static unsigned lines;
	uint32_t first, count;
	const struct sis_control_rule *rule = &run->rules.rule[i];
	enum sis_control_answer answer = rule->steps == 0 ? SIS_CONTROL_YES :
		sis_control_holds(&run->rules, rule, run->value);
	if (!sis__rule_decide(&run->state[i], rule, answer, now_ns))
		return;
	in_force(run, i, &first, &count);
	for (uint32_t k = first; k < first + count; k++)
		if (run->rules.action[k].act == SIS_CONTROL_TRACE_ON)
			sis_hand_trace_start();
		else if (run->rules.action[k].act == SIS_CONTROL_TRACE_OFF)
			sis__trace_stop_for(run->cause[k]);
	if (lines++ < LINES_MOST)
		sis__text("rule", "%llu\t%s:%u\t%s", (unsigned long long)sis__ticks(),
			  run->origin, rule->line, answer == SIS_CONTROL_YES ? "then" : "else");
}

/* -- measures ---------------------------------------------------------------------------------- */

static double value_of(const struct sis_rules_run *run, const struct sis_control_subject *subject,
		       const struct sis_region_sums *now, const struct sis_value_sums *value,
		       const struct sis_period *period)
{
	uint32_t p = pattern_index(run, subject->pattern);
	const struct sis_value_sums *before = &run->value_before[p];
	switch (subject->measure) {
	case SIS_CONTROL_USUAL:
		return sis__history_usual(&run->history[p]);
	case SIS_CONTROL_SPREAD:
		return sis__history_spread(&run->history[p]);
	case SIS_CONTROL_VALUE:
		return value[p].count > before->count ?
			(value[p].sum - before->sum) / (double)(value[p].count - before->count) :
			NAN;
	default:
		return sis__measure_of(subject->measure, &run->before[p], &now[p], period);
	}
}

static bool asks_for(const struct sis_rules_run *run, enum sis_control_measure measure)
{
	for (uint32_t i = 0; i < run->rules.subjects; i++)
		if (run->rules.subject[i].measure == measure)
			return true;
	return false;
}

static void measure(struct sis_rules_run *run, uint64_t now_ns)
{
	static struct sis_region_sums now[SIS_RULE_PATTERNS];
	static struct sis_value_sums value[SIS_RULE_PATTERNS];
	const struct sis_period period = {
		.seconds = (double)(now_ns - run->last_ns) / 1e9,
		.threads = sis__threads_now(),
		.ticks_per_second = (double)sis__header()->ticks_per_second,
	};
	memset(now, 0, sizeof now);
	memset(value, 0, sizeof value);
	sis__measures_read(&run->ids, sis__ticks(), now,
			   asks_for(run, SIS_CONTROL_VALUE) ? value : NULL);
	for (uint32_t i = 0; i < run->rules.subjects && run->last_ns; i++)
		run->value[i] = value_of(run, &run->rules.subject[i], now, value, &period);
	for (uint32_t p = 0; p < run->ids.patterns && run->last_ns; p++)
		run->time[p] = sis__measure_of(SIS_CONTROL_TIME, &run->before[p], &now[p], &period);
	memcpy(run->before, now, sizeof now);
	memcpy(run->value_before, value, sizeof value);
}

/* -- periods ----------------------------------------------------------------------------------- */

/* Whether a rule whose condition is true compares with the history of this pattern. */
static bool is_held(const struct sis_rules_run *run, uint32_t pattern)
{
	for (uint32_t i = 0; i < run->rules.rules; i++) {
		const struct sis_control_rule *rule = &run->rules.rule[i];
		if (run->state[i].answer != SIS_CONTROL_YES)
			continue;
		for (uint32_t k = rule->step; k < rule->step + rule->steps; k++) {
			const struct sis_control_step *step = &run->rules.step[k];
			const struct sis_control_subject *s = &run->rules.subject[step->subject];
			if (step->op == 'm' && s->measure == SIS_CONTROL_USUAL &&
			    run->rules.text + s->pattern == run->pattern[pattern])
				return true;
		}
	}
	return false;
}

/* Sets the causes of a rule's actions; 0: the action turns something on. */
static void name_causes(struct sis_rules_run *run, const struct sis_control_rule *rule,
			uint32_t first, uint32_t count)
{
	static const char *const words[] = {
		[SIS_CONTROL_OFF] = "off ", [SIS_CONTROL_COUNTERS_OFF] = "counters off ",
		[SIS_CONTROL_TRACE_OFF] = "trace off", [SIS_CONTROL_TRACE_ON] = NULL,
		[SIS_CONTROL_COUNTERS_ON] = NULL,
	};
	for (uint32_t k = first; k < first + count; k++) {
		const struct sis_control_action *action = &run->rules.action[k];
		bool trace = action->act == SIS_CONTROL_TRACE_OFF;
		run->cause[k] = !words[action->act] ? 0 :
			(uint16_t)sis__cause("%s\t%s:%u\t%s%s%s",
					     run->by_hand ? "command" : "rule", run->origin,
					     rule->line, words[action->act],
					     action->below ? "below " : "",
					     trace ? "" : run->rules.text + action->pattern);
	}
}

void sis__rules_begin(struct sis_rules_run *run, const char *origin, bool by_hand)
{
	uint32_t count = 0;
	const struct sis_control_rules *rules = &run->rules;
	run->origin = origin;
	run->by_hand = by_hand;
	for (uint32_t at = 0; at < rules->used && count < SIS_RULE_PATTERNS;
	     at += (uint32_t)strlen(rules->text + at) + 1)
		run->pattern[count++] = rules->text + at;
	sis__pattern_ids_begin(&run->ids, run->pattern, count);
	memset(run->state, 0, sizeof run->state);
	for (uint32_t i = 0; i < SIS_CONTROL_RULES; i++)
		run->state[i].acted = run->state[i].answer = SIS_CONTROL_UNKNOWN;
	for (uint32_t i = 0; i < rules->rules; i++) {
		name_causes(run, &rules->rule[i], rules->rule[i].then, rules->rule[i].thens);
		name_causes(run, &rules->rule[i], rules->rule[i].other, rules->rule[i].others);
	}
	memset(run->history, 0, sizeof run->history);
	for (uint32_t i = 0; i < SIS_CONTROL_SUBJECTS; i++)
		run->value[i] = NAN;
	for (uint32_t i = 0; i < SIS_RULE_PATTERNS; i++)
		run->time[i] = NAN;
	run->last_ns = 0;
}

void sis__rules_period(struct sis_rules_run *run, uint64_t now_ns)
{
	sis__pattern_ids_update(&run->ids);
	if (run->rules.subjects)
		measure(run, now_ns);
	run->last_ns = now_ns;
	for (uint32_t i = 0; i < run->rules.rules; i++)
		run_rule(run, i, now_ns);
	/* if a condition found the time of this period unusual, it is not added (is_held) */
	for (uint32_t p = 0; p < run->ids.patterns; p++)
		sis__history_add(&run->history[p], run->time[p], is_held(run, p));
}
