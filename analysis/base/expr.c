/* SPDX-License-Identifier: BSD-3-Clause */
/* expr.c - parses an expression once into reverse Polish order, and evaluates it many times with a
 * stack of known depth. struct expr owns the operations. One thread uses it. */
#include "base/expr.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* most nested parentheses and signs: the parser is recursive */
enum { DEEPEST = 100 };

struct parser {
	struct expr *expr;
	const char *text, *at, *what;
	size_t height;      /* values on the stack after the operations so far */
	int depth;
	expr_lookup *lookup;
	void *context;
	struct err *err;
};

static int sum(struct parser *p);

static void skip_space(struct parser *p)
{
	p->at += strspn(p->at, " \t\r\n");
}

static int complain(const struct parser *p, const char *wanted)
{
	if (!*p->at)
		return err_usage(p->err, "%s: '%s' ends where %s is expected; complete it", p->what,
				 p->text, wanted);
	return err_usage(p->err, "%s: '%.1s' at column %zu of '%s', where %s is expected; write "
			 "for example WTIME / CALLS", p->what, p->at, (size_t)(p->at - p->text) + 1,
			 p->text, wanted);
}

/* Appends an operation that takes `taken` values and leaves one. */
static void emit(struct parser *p, struct expr_op op, size_t taken)
{
	*vec_push(&p->expr->op) = op;
	p->height += 1 - taken;
	if (p->height > p->expr->stack)
		p->expr->stack = p->height;
}

static int expect(struct parser *p, char c, const char *wanted)
{
	skip_space(p);
	if (*p->at != c)
		return complain(p, wanted);
	p->at++;
	return 0;
}

static int two_arguments(struct parser *p, char kind)
{
	if (expect(p, '(', "'('") || sum(p) || expect(p, ',', "',' and a second value") || sum(p) ||
	    expect(p, ')', "')'"))
		return ERR_USAGE;
	emit(p, (struct expr_op){ .kind = kind }, 2);
	return 0;
}

static int variable(struct parser *p, char *name)
{
	int64_t number = p->lookup(p->context, name, p->err);
	free(name);
	if (number < 0)
		return ERR_USAGE;
	emit(p, (struct expr_op){ .kind = 'v', .variable = number }, 0);
	return 0;
}

/* Reads NAME, NAME(event), min(e, e) or max(e, e). The text of `event` is not parsed. */
static int name(struct parser *p)
{
	size_t n = strspn(p->at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
	const char *start = p->at;
	p->at += n;
	if (n == 3 && strncasecmp(start, "min", n) == 0)
		return two_arguments(p, '<');
	if (n == 3 && strncasecmp(start, "max", n) == 0)
		return two_arguments(p, '>');
	if (*p->at == '(') {
		const char *end = strchr(p->at, ')');
		if (!end)
			return err_usage(p->err, "%s: '(' at column %zu of '%s' is not closed; add "
					 "')'", p->what, (size_t)(p->at - p->text) + 1, p->text);
		p->at = end + 1;
	}
	return variable(p, mem_print("%.*s", (int)(p->at - start), start));
}

static int number(struct parser *p)
{
	char *end;
	double value = strtod(p->at, &end);
	if (end == p->at)
		return complain(p, "a value");
	p->at = end;
	emit(p, (struct expr_op){ .kind = 'n', .number = value }, 0);
	return 0;
}

static int factor(struct parser *p)
{
	int rc;
	skip_space(p);
	if (p->depth >= DEEPEST)
		return err_usage(p->err, "%s: nested more than %d deep; define parts of it by "
				 "themselves", p->what, DEEPEST);
	p->depth++;
	if (*p->at == '-') {
		p->at++;
		rc = factor(p);
		if (rc == 0)
			emit(p, (struct expr_op){ .kind = '~' }, 1);
	} else if (*p->at == '(') {
		p->at++;
		rc = sum(p) ? ERR_USAGE : expect(p, ')', "')'");
	} else if (isalpha((unsigned char)*p->at)) {
		rc = name(p);
	} else {
		rc = isdigit((unsigned char)*p->at) || *p->at == '.' ? number(p) :
								       complain(p, "a value");
	}
	p->depth--;
	return rc;
}

static int product(struct parser *p)
{
	if (factor(p))
		return ERR_USAGE;
	for (skip_space(p); *p->at == '*' || *p->at == '/'; skip_space(p)) {
		char kind = *p->at++;
		if (factor(p))
			return ERR_USAGE;
		emit(p, (struct expr_op){ .kind = kind }, 2);
	}
	return 0;
}

static int sum(struct parser *p)
{
	if (product(p))
		return ERR_USAGE;
	for (skip_space(p); *p->at == '+' || *p->at == '-'; skip_space(p)) {
		char kind = *p->at++;
		if (product(p))
			return ERR_USAGE;
		emit(p, (struct expr_op){ .kind = kind }, 2);
	}
	return 0;
}

int expr_parse(struct expr *expr, const char *text, const char *what, expr_lookup *lookup,
	       void *context, struct err *err)
{
	struct parser p = { .expr = expr,
			    .text = text,
			    .at = text,
			    .what = what,
			    .lookup = lookup,
			    .context = context,
			    .err = err };
	*expr = (struct expr){ 0 };
	int rc = sum(&p);
	if (rc == 0 && *p.at)
		rc = complain(&p, "an operator");
	if (rc)
		expr_release(expr);
	return rc;
}

static double apply(char kind, double a, double b)
{
	switch (kind) {
	case '+': return a + b;
	case '-': return a - b;
	case '*': return a * b;
	case '/': return b == 0 ? NAN : a / b;
	case '<': return isnan(a) || isnan(b) ? NAN : a < b ? a : b;
	default: return isnan(a) || isnan(b) ? NAN : a > b ? a : b;
	}
}

double expr_value(const struct expr *expr, const double *variable)
{
	size_t n = 0;
	double *stack = mem_alloc(expr->stack + 1, sizeof *stack);
	for (size_t i = 0; i < expr->op.n; i++) {
		const struct expr_op *op = &expr->op.at[i];
		if (op->kind == 'v' || op->kind == 'n') {
			stack[n++] = op->kind == 'v' ? variable[op->variable] : op->number;
		} else if (op->kind == '~') {
			stack[n - 1] = -stack[n - 1];
		} else {
			stack[n - 2] = apply(op->kind, stack[n - 2], stack[n - 1]);
			n--;
		}
	}
	double value = isfinite(stack[0]) ? stack[0] : NAN;
	free(stack);
	return value;
}

void expr_release(struct expr *expr)
{
	vec_free(&expr->op);
}
