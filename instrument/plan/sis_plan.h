/* SPDX-License-Identifier: BSD-3-Clause */
/* sis_plan.h - the low-level instrumentation library: it decides what is measured in a translation
 * unit that sis_ast.h has opened, and writes the instrumented source and the description (IDF).
 *
 *     sis_ast_open -> sis_plan_new
 *                  -> sis_plan_select              as sisc chooses: directives, lists, filters,
 *                                                  defaults
 *                     sis_plan_measure, _leave     single regions, instead of select or after it
 *                  -> sis_plan_source, sis_plan_idf
 *                  -> sis_plan_free -> sis_ast_close
 *
 * sisc uses the library through this interface, too. One thread at a time uses a plan. Strings live
 * as long as the plan, or until the decision about their region changes. If memory runs out, the
 * process ends. */
#ifndef SIS_PLAN_H
#define SIS_PLAN_H

#include <stdio.h>

#include "sis_ast.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct sis_plan;

/* A plan that measures nothing yet. `report` gets errors and warnings. If `report` is NULL, they
 * are dropped. */
struct sis_plan *sis_plan_new(struct sis_ast *ast, sis_ast_report *report, void *context);
void sis_plan_free(struct sis_plan *plan);
/* The `ast` with which sis_plan_new was called. */
struct sis_ast *sis_plan_ast(const struct sis_plan *plan);

struct sis_plan_options {              /* all zero: directives and defaults alone */
	/* lists of mnemonics, as --sis-cr= and --sis-pmetric=; NULL: not given */
	const char *regions, *metrics;
	const char *const *filters;    /* names of filter files, in order, NULL-ended; NULL: none */
	const char *exclude, *include; /* patterns of region names, applied last; NULL: none */
	/* whether the compiler translates OpenMP; has an effect on warnings alone */
	bool openmp;
	/* names of files of --sis-profile, in order, NULL-ended; NULL: none */
	const char *const *profiles;
};

/* Decides for every region whether it is measured, as sisc does. Returns 0, or -1 if a directive,
 * list or filter is wrong (reported). */
int sis_plan_select(struct sis_plan *plan, const struct sis_plan_options *options);

/* Region `index` is then measured for `metrics`, a list of mnemonics, and for the metrics of
 * earlier calls. If there are no metrics, the region is measured for the run's default. `why` is
 * the reason, one clause. Returns 0, or -1. After -1, the region has an obstacle or is where
 * measurement is switched off (its `why` says so), or a metric is unknown (reported). */
int sis_plan_measure(struct sis_plan *plan, size_t index, const char *metrics, const char *why);
/* Region `index` is not measured. */
void sis_plan_leave(struct sis_plan *plan, size_t index, const char *why);

struct sis_plan_choice {
	bool measured;
	const char *metrics;           /* beyond the default, comma-separated; "": the default */
	const char *why;               /* one clause: why (not) measured; "": undecided */
};
struct sis_plan_choice sis_plan_choice(const struct sis_plan *plan, size_t index);
/* Passes a message to the plan's `report`. `where` is NULL if the message has no position in a
 * file. */
void sis_plan_report(const struct sis_plan *plan, enum sis_ast_severity severity,
		     const struct sis_ast_position *where, const char *message);
/* How many regions are measured. */
size_t sis_plan_measured(const struct sis_plan *plan);
/* Whether the instrumented source behaves differently from the source: it measures regions, or its
 * directives switch measurement or the trace. */
bool sis_plan_acts(const struct sis_plan *plan);
/* A line for each region, in the form of compiler messages: whether and why it is measured. */
void sis_plan_explain(const struct sis_plan *plan, FILE *file);

struct sis_plan_facts {                /* for the description and the prologue */
	const char *compiler, *flags;  /* NULL: those of sis_ast_unit */
	/* the name by which the source includes sis/probe.h; NULL: "sis/probe.h" */
	const char *probe_header;
};

/* The instrumented source, which contains its description; *text is malloc'ed. Returns 0, or -1
 * with the reason in *message, which is to be freed. */
int sis_plan_source(struct sis_plan *plan, const struct sis_plan_facts *facts, char **text,
		    size_t *length, char **message);
/* The description alone: one element of "units" in idf.schema.json; malloc'ed. */
char *sis_plan_idf(struct sis_plan *plan, const struct sis_plan_facts *facts);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
