/* SPDX-License-Identifier: BSD-3-Clause */
/* expr.h - arithmetic over named values, as users write it.
 *
 *     expression  term { + | - term }
 *     term        factor { * | / factor }
 *     factor      - factor | NUMBER | NAME | NAME(event) | min(e, e) | max(e, e) | ( expression )
 *
 * A value that is not known is NaN, and so is every result computed from it. A division by zero is
 * NaN, too. */
#ifndef SIS_ANALYSIS_EXPR_H
#define SIS_ANALYSIS_EXPR_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"

struct expr_op { char kind; uint32_t variable; double number; }; /* in reverse Polish order */
struct expr { VEC(struct expr_op) op; size_t stack; };

/* Returns the number of the variable `name`. If there is no such variable, the function fills `err`
 * and returns a negative number. */
typedef int64_t expr_lookup(void *context, const char *name, struct err *err);

/* Parses `text`. `what` names the expression in messages. After a failure, `expr` needs no
 * release. */
int expr_parse(struct expr *expr, const char *text, const char *what, expr_lookup *lookup,
	       void *context, struct err *err);
double expr_value(const struct expr *expr, const double *variable);
void expr_release(struct expr *expr);

#endif
