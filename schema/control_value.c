/* SPDX-License-Identifier: BSD-3-Clause */
/* control_value.c - evaluates conditions (control_rules.h). It has no state; any thread may call
 * it. */
#include "control_rules.h"

#include <math.h>

/* Truth values are 1 (true), 0 (false) and NaN (not known). */
static double truth_and(double a, double b)
{
	return a == 0 || b == 0 ? 0 : isnan(a) || isnan(b) ? NAN : 1;
}

static double compute(char op, double a, double b)
{
	bool unknown = isnan(a) || isnan(b);
	switch (op) {
	case '+': return a + b;
	case '-': return a - b;
	case '*': return a * b;
	case '/': return b != 0 ? a / b : NAN;
	case '<': return unknown ? NAN : a < b;
	case '>': return unknown ? NAN : a > b;
	case 'l': return unknown ? NAN : a <= b;
	case 'g': return unknown ? NAN : a >= b;
	case '&': return truth_and(a, b);
	default: return 1 - truth_and(1 - a, 1 - b);
	}
}

enum sis_control_answer sis_control_holds(const struct sis_control_rules *rules,
					  const struct sis_control_rule *rule,
					  const double *value)
{
	/* Each parenthesis leaves at most five operands open: one each of `or`, `and`, a
	 * comparison, a sum and a product. */
	double stack[5 * (SIS_CONTROL_DEEPEST + 2)];
	size_t n = 0;
	for (uint32_t i = rule->step; i < rule->step + rule->steps; i++) {
		const struct sis_control_step *step = &rules->step[i];
		if (step->op == 'n')
			stack[n++] = step->number;
		else if (step->op == 'm')
			stack[n++] = value[step->subject];
		else if (step->op == '!')
			stack[n - 1] = 1 - stack[n - 1];
		else {
			n--;
			stack[n - 1] = compute(step->op, stack[n - 1], stack[n]);
		}
	}
	if (n == 0 || isnan(stack[0]))
		return SIS_CONTROL_UNKNOWN;
	return stack[0] != 0 ? SIS_CONTROL_YES : SIS_CONTROL_NO;
}
