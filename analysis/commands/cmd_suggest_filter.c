/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_suggest_filter.c - `sis-analyze suggest-filter`: writes a filter file with which measuring
 * the next run costs less. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clamp.h"
#include "base/escape.h"
#include "base/whole_file.h"
#include "commands/command.h"
#include "commands/option_values.h"
#include "answers/query/filter_rules.h"

static const struct cli_option options[] = {
	{ "--target", "PERCENT", "part of the time that measuring may cost (default: 2%)" },
	{ "--output", "FILE", "write FILE instead of standard output" },
	{ NULL, NULL, NULL },
};

/* -- patterns ---------------------------------------------------------------------------------- */

static bool is_word_of_filters(const char *name)
{
	return strcmp(name, "INCLUDE") == 0 || strcmp(name, "EXCLUDE") == 0 ||
	       strcmp(name, "MANGLED") == 0 || strncmp(name, "SIS_", 4) == 0 ||
	       strncmp(name, "SCOREP_", 7) == 0;
}

/* A pattern that matches a name; the caller frees it. A backslash takes the special meaning from
 * the next character or, in front of a word, from the word. Characters that should not be in a text
 * file become `*`. */
static char *pattern_of(const char *name)
{
	struct buf buf = { 0 };
	if (is_word_of_filters(name))
		buf_print(&buf, "\\");
	for (const unsigned char *p = (const unsigned char *)name; *p;) {
		int n = sis_utf8_length(p);
		if (n == 0 || sis_is_invisible(sis_utf8_code(p, n)))
			buf_print(&buf, "*");
		else
			buf_print(&buf, "%s%.*s", strchr("*?[]\\# ", *p) ? "\\" : "", n, p);
		p += n ? n : 1;
	}
	return buf_take(&buf);
}

/* -- output ------------------------------------------------------------------------------------ */

static double percent(const struct filter_rules *rules, double cost)
{
	return 100 * filter_rules_share(rules, cost);
}

static void print_head(const struct filter_rules *rules, double target, FILE *out)
{
	escape_line(out, "# For experiment %s, by sis-analyze suggest-filter.", rules->experiment);
	fputs("# Use it as sisc --sis-filter=FILE, or without compiling, as SIS_FILTER=FILE.\n#\n",
	      out);
	fprintf(out, "# Activations: %lld. Estimated cost of each: %.1f ns.\n",
		(long long)rules->calls, rules->pair_ns);
	fprintf(out, "# Estimated cost of measuring: %.6f s, %.2f %% of the time of all threads.\n",
		rules->before / 1e9, percent(rules, rules->before));
	fprintf(out, "# With this filter:            %.6f s, %.2f %%. Target: %g %%.\n",
		rules->after / 1e9, percent(rules, rules->after), 100 * target);
	if (!rules->reached)
		fputs("# The target is not reached: what is left cannot be excluded.\n", out);
}

static void print_rule(const struct filter_rules *rules, const struct named_regions *named,
		       FILE *out)
{
	static const char *const why[LOSSES] = {
		[LOSS_ARGUMENT] = "it is in the arguments of a call, and will count as that call",
		[LOSS_LEAF] = "its time is overhead, and will count as work",
		[LOSS_NAMED] = "a directive names this region",
	};
	char *pattern = pattern_of(named->name);
	fputs("\n  # ", out);
	escape_print(out, "%s %s", named->type, named->place);
	if (named->regions > 1)
		fprintf(out, " and %zu more regions of this name", named->regions - 1);
	fprintf(out, "\n  # calls: %lld, of %.0f ns on average; cost: %.2f %% -> %.2f %%\n",
		(long long)named->calls, (double)named->incl_ns / (double)named->calls,
		percent(rules, named->before), percent(rules, named->after));
	if (why[named->loss])
		fprintf(out, "  # Nothing else helps: %s.\n", why[named->loss]);
	fprintf(out, "  EXCLUDE %s\n", pattern);
	free(pattern);
}

static void print_file(const struct filter_rules *rules, double target, FILE *out)
{
	bool any = false;
	print_head(rules, target, out);
	for (size_t i = 0; i < rules->named.n; i++) {
		if (!rules->named.at[i].excluded)
			continue;
		if (!any)
			fputs("\nSIS_REGION_NAMES_BEGIN\n", out);
		any = true;
		print_rule(rules, &rules->named.at[i], out);
	}
	fputs(any ? "\nSIS_REGION_NAMES_END\n" : "# No region has to be excluded.\n", out);
}

static const struct column columns[] = {
	{ "region", "region", CELL_TEXT },
	{ "pattern", "pattern", CELL_TEXT },
	{ "type", "type", CELL_TEXT },
	{ "place", "place", CELL_TEXT },
	{ "regions", "regions", CELL_INTEGER },
	{ "calls", "calls", CELL_INTEGER },
	{ "incl", "incl [s]", CELL_SECONDS },
	{ "cost", "cost [s]", CELL_SECONDS },
	{ "before", "before", CELL_SHARE },
	{ "after", "after", CELL_SHARE },
	{ "loss", "loss", CELL_TEXT },
};

static void print_table(const struct filter_rules *rules, enum format format, FILE *out)
{
	static const char *const loss[LOSSES] = { "detail", "argument", "leaf", "named" };
	struct table t;
	table_init(&t, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < rules->named.n; i++) {
		const struct named_regions *named = &rules->named.at[i];
		if (!named->excluded)
			continue;
		char *pattern = pattern_of(named->name);
		table_text(&t, named->name);
		table_text(&t, pattern);
		table_text(&t, named->type);
		table_text(&t, named->place);
		table_integer(&t, (int64_t)named->regions);
		table_integer(&t, named->calls);
		table_seconds(&t, named->incl_ns);
		table_seconds(&t, clamp_round(named->before - named->after));
		table_real(&t, filter_rules_share(rules, named->before));
		table_real(&t, filter_rules_share(rules, named->after));
		table_text(&t, loss[named->loss]);
		free(pattern);
	}
	table_print(&t, format, out);
	table_release(&t);
}

/* -- the command ------------------------------------------------------------------------------- */

static int run_suggest_filter(struct context *c, struct err *err)
{
	int64_t id;
	double target = 0.02;
	struct filter_rules rules = { 0 };
	int rc = select_percent(&c->cli, "suggest-filter", "--target", &target, err);
	rc = rc ? rc : context_experiment(c, &id, err);
	rc = rc ? rc : filter_rules_load(&rules, c->repo, id, target, err);
	struct whole_file file;
	rc = rc ? rc : whole_file_open(&file, cli_get(&c->cli, "--output"), "--output", err);
	if (rc == 0) {
		if (c->format == FORMAT_TEXT)
			print_file(&rules, target, file.out);
		else
			print_table(&rules, c->format, file.out);
		rc = whole_file_close(&file, "--output", 0, err);
	}
	filter_rules_release(&rules);
	return rc;
}

const struct command cmd_suggest_filter = {
	"suggest-filter",
	"[EXP] [--target PERCENT] [--output FILE]",
	"Write a filter file that makes measuring cheaper",
	"The file excludes regions until the estimated cost of measuring is below the target:\n"
	"first those with the shortest activations. Comments give for each rule the calls, and\n"
	"the cost before and after. Calls in the arguments of others, regions whose time is\n"
	"overhead (such as calls of I/O), and then regions that a directive names are excluded\n"
	"only if nothing else helps.\n"
	"The same file is for sisc --sis-filter=FILE and, without compiling again, for\n"
	"SIS_FILTER=FILE. A rule excludes all regions of a name. Calls of MPI that communicate\n"
	"stay measured.\n"
	"Example: sis-analyze suggest-filter --output prog.filter",
	options,
	1,
	run_suggest_filter,
};
