/* SPDX-License-Identifier: BSD-3-Clause */
/* request.c - interprets the words of directives and options. Called by select.c and plan.c, and by
 * options_check.c before any source is opened.
 * The idea: mnemonics become sets indexed by the tables' enums. Only the tables say which regions
 * influence which metrics. */
#include "common/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const enum sis_region_type defaults[] = { SIS_DEFAULT_REGIONS };

/* -- sets of metrics --------------------------------------------------------------------------- */

static bool has_native(const struct metric_set *set, const char *name)
{
	for (size_t i = 0; i < set->native.count; i++)
		if (strcmp(set->native.at[i], name) == 0)
			return true;
	return false;
}

void sis_metric_set_unite(struct metric_set *into, const struct metric_set *more)
{
	for (size_t i = 0; i < SIS_METRICS; i++)
		into->metric[i] |= more->metric[i];
	for (size_t i = 0; i < SIS_OVERHEADS; i++)
		into->overhead[i] |= more->overhead[i];
	for (size_t i = 0; i < more->native.count; i++)
		if (!has_native(into, more->native.at[i]))
			sis_words_add(&into->native, more->native.at[i]);
}

char *sis_metric_set_names(const struct metric_set *set)
{
	struct buf text = { 0 };
	buf_add(&text, "");
	for (size_t i = 1; i < SIS_METRICS; i++)
		if (set->metric[i])
			buf_print(&text, "%s%s", text.length ? "," : "",
				      sis_metric_table[i].name);
	for (size_t i = 1; i < SIS_OVERHEADS; i++)
		if (set->overhead[i])
			buf_print(&text, "%s%s", text.length ? "," : "",
				      sis_overhead_table[i].name);
	for (size_t i = 0; i < set->native.count; i++)
		buf_print(&text, "%s%s", text.length ? "," : "", set->native.at[i]);
	return text.at;
}

/* -- words ------------------------------------------------------------------------------------- */

/* Reports an error in a word, and frees the message. `where`: NULL, or the word's position. */
static int wrong(const struct request *request, const struct sis_ast_position *where, char *message)
{
	sis_report_to(request->reporter, SIS_AST_ERROR, where, "%s", message);
	free(message);
	return -1;
}

static int unknown(const struct request *request, const struct sis_ast_position *where,
		   const char *what, const char *word, const char *suggestion)
{
	return wrong(request, where,
		     suggestion ? mem_print("unknown %s '%s'; did you mean '%s'?", what, word,
					     suggestion) :
				  mem_print("unknown %s '%s'; sisc --sis-list shows them all",
					     what, word));
}

/* The metric or overhead that `word` names where a code region is expected, as in WTIME or
 * CR_WTIME; NULL if it names none. */
static const char *metric_in(const char *word)
{
	const char *bare = sis_starts(word, "CR_") ? word + 3 : word;
	size_t length = strlen(bare);
	bool known = sis_metric_by_name(bare, length) || sis_overhead_by_name(bare, length);
	return known ? bare : NULL;
}

int sis_request_add_types(struct request *request, const char *const *items,
			  const struct sis_ast_position *where)
{
	int failed = 0;
	for (size_t i = 0; items && items[i]; i++) {
		const char *word = items[i];
		const struct sis_ast_position *at = where ? &where[i] : NULL;
		enum sis_region_type type = sis_region_by_name(word, strlen(word));
		request->has_types = true;
		if (sis_region_selectable(type))
			request->type[type] = true;
		else if (metric_in(word))
			failed |= wrong(request, at,
					mem_print("unknown code region '%s'; '%s' is a metric, "
						   "give it to %s", word, metric_in(word),
						   request->directive ? "pmetric" :
									"--sis-pmetric="));
		else
			failed |= unknown(request, at, "code region", word,
					  sis_region_suggest(word, strlen(word)));
	}
	return failed;
}

static bool is_native(const char *word)
{
	size_t length = strlen(word);
	return strncasecmp(word, "PAPI(", 5) == 0 && word[length - 1] == ')' && length > 6 &&
		!strpbrk(word, ", \t\"\\");
}

int sis_request_add_metrics(struct request *request, const char *const *items,
			    const struct sis_ast_position *where)
{
	int failed = 0;
	for (size_t i = 0; items && items[i]; i++) {
		const char *word = items[i];
		const struct sis_ast_position *at = where ? &where[i] : NULL;
		enum sis_metric metric = sis_metric_by_name(word, strlen(word));
		enum sis_overhead overhead = sis_overhead_by_name(word, strlen(word));
		request->has_metrics = true;
		if (metric != M_NONE)
			request->metrics.metric[metric] = true;
		else if (overhead != O_NONE)
			request->metrics.overhead[overhead] = true;
		else if (is_native(word))
			sis_words_addf(&request->metrics.native, "PAPI%s", word + 4);
		else if (sis_region_selectable(sis_region_by_name(word, strlen(word))))
			failed |= wrong(request, at,
					mem_print("unknown metric '%s'; it is a code region, "
						   "give it to %s", word,
						   request->directive ? "cr" : "--sis-cr="));
		else
			failed |= unknown(request, at, "metric", word,
					  sis_metric_suggest(word, strlen(word)));
	}
	return failed;
}

static struct words split_list(const char *list)
{
	struct words words = { 0 };
	char *copy = mem_print("%s", list ? list : "");
	for (char *save, *word = strtok_r(copy, ", \t", &save); word;
	     word = strtok_r(NULL, ", \t", &save))
		sis_words_add(&words, word);
	free(copy);
	return words;
}

int sis_request_add_lists(struct request *request, const char *types, const char *metrics)
{
	struct words type_words = split_list(types), metric_words = split_list(metrics);
	int failed = sis_request_add_types(request, (const char *const *)type_words.at, NULL);
	failed |= sis_request_add_metrics(request, (const char *const *)metric_words.at, NULL);
	sis_words_release(&type_words);
	sis_words_release(&metric_words);
	return failed;
}

void sis_request_add_defaults(struct request *request)
{
	for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
		request->type[defaults[i]] = true;
}

/* -- regions ----------------------------------------------------------------------------------- */

bool sis_request_type_matches(enum sis_region_type type, const struct sis_ast_region *region)
{
	if (type == CR_S)
		return region->callee[0] ||
			region->type == CR_S; /* a call through a pointer has no callee */
	if (type == CR_OUTERLOOP)
		return region->outer_loop;
	if (type == CR_INNERLOOP)
		return region->inner_loop;
	return sis_region_in(region->type, type);
}

static bool is_default(const struct sis_ast_region *region)
{
	for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
		if (sis_region_in(region->type, defaults[i]))
			return true;
	return false;
}

/* Whether a row of overheads.def at or below `overhead` lists the type. */
static bool is_listed(enum sis_overhead overhead, enum sis_region_type type)
{
	for (size_t o = 1; o < SIS_OVERHEADS; o++) {
		const enum sis_region_type *list = sis_overhead_table[o].influences;
		for (; sis_overhead_in(o, overhead) && *list != CR_NONE; list++)
			if (sis_region_in(type, *list))
				return true;
	}
	return false;
}

/* A routine can have a more specific leaf than its type. For example, MPI_Pack is of type
 * CR_MPITYPE. */
bool sis_request_influences(const struct sis_ast_region *region, enum sis_overhead overhead)
{
	const struct sis_routine_info *routine = region->callee[0] ?
		sis_routine_by_name(region->callee) :
		NULL;
	if (!routine || routine->type != region->type)
		return sis_overhead_influenced(overhead, region->type);
	return sis_overhead_in(routine->leaf, overhead) ||
		sis_overhead_in(routine->wait, overhead) || is_listed(overhead, region->type);
}

bool sis_request_wants(const struct request *request, const struct sis_ast_region *region)
{
	const struct metric_set *set = &request->metrics;
	for (size_t i = 1; i < SIS_REGION_TYPES; i++)
		if (request->type[i] && sis_request_type_matches(i, region))
			return true;
	if (request->has_types || !request->has_metrics || region->directive != SIS_AST_NONE)
		return false;
	for (size_t i = 1; i < SIS_METRICS; i++)
		if (set->metric[i] && (sis_metric_table[i].influences[0] == CR_NONE ?
					       is_default(region) :
					       sis_metric_influenced(i, region->type)))
			return true;
	for (size_t i = 1; i < SIS_OVERHEADS; i++)
		if (set->overhead[i] && sis_request_influences(region, i))
			return true;
	/* Native events of PAPI are in no table. They are measured for the same regions as
	 * TOT_CYC. */
	return set->native.count && sis_metric_influenced(M_TOT_CYC, region->type);
}
