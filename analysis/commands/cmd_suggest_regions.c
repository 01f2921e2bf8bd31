/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_suggest_regions.c - `sis-analyze suggest-regions`: writes which functions the next build
 * should measure, as a file for sisc --sis-profile. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/whole_file.h"
#include "commands/command.h"
#include "commands/option_values.h"
#include "answers/query/function_choice.h"

static const struct cli_option options[] = {
	{ "--target", "PERCENT", "part of the time that measuring may cost (default: 2%)" },
	{ "--output", "FILE", "write FILE instead of standard output" },
	{ NULL, NULL, NULL },
};

static const char *const words[FUNCTION_VERDICTS] = {
	[FUNCTION_LEAVE] = "leave", [FUNCTION_INSIDE] = "inside",
};

static int64_t mean_ns(const struct chosen_function *f)
{
	int64_t ns = f->verdict == FUNCTION_INSIDE ? f->excl_ns : f->incl_ns;
	return f->calls ? ns / f->calls : 0;
}

/* Whether a name can be written in a line of text. */
static bool is_plain(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name < ' ')
			return false;
	return true;
}

static bool is_told(const struct chosen_function *f)
{
	return words[f->verdict] && is_plain(f->file) && is_plain(f->name);
}

static void print_file(const struct function_choice *choice, double target, FILE *out)
{
	double whole = choice->total_ns > 0 ? choice->total_ns : 1;
	escape_line(out, "# For experiment %s, by sis-analyze suggest-regions.",
		    choice->experiment);
	fputs("# Use it as sisc --sis-profile=FILE. Several files add up: keep that of the first "
	      "run.\n", out);
	fprintf(out, "# Estimated cost of measuring: %.2f %% of the time of all threads; with this "
		"file: %.2f %%. Target: %g %%.\n", 100 * choice->before / whole,
		100 * choice->after / whole, 100 * target);
	if (!choice->reached)
		fputs("# The target is not reached: functions that are left out are not enough. "
		      "See suggest-filter.\n", out);
	fputs("#\n# leave:  too dear to measure. inside: much time is in the function alone, so "
	      "those that it\n# calls are measured. Then: calls, ns of a call, function, file.\n",
	      out);
	for (size_t i = 0; i < choice->function.n; i++) {
		const struct chosen_function *f = &choice->function.at[i];
		if (is_told(f))
			fprintf(out, "%s %" PRId64 " %" PRId64 " %s%c%s\n", words[f->verdict],
				f->calls, mean_ns(f), f->name, strchr(f->name, ' ') ? '\t' : ' ',
				f->file);
	}
}

static const struct column columns[] = {
	{ "verdict", "verdict", CELL_TEXT }, { "region", "region", CELL_TEXT },
	{ "file", "file", CELL_TEXT },       { "calls", "calls", CELL_INTEGER },
	{ "ns", "ns", CELL_INTEGER },
};

static void print_table(const struct function_choice *choice, enum format format, FILE *out)
{
	struct table t;
	table_init(&t, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < choice->function.n; i++) {
		const struct chosen_function *f = &choice->function.at[i];
		if (!is_told(f))
			continue;
		table_text(&t, words[f->verdict]);
		table_text(&t, f->name);
		table_text(&t, f->file);
		table_integer(&t, f->calls);
		table_integer(&t, mean_ns(f));
	}
	table_print(&t, format, out);
	table_release(&t);
}

static int run_suggest_regions(struct context *c, struct err *err)
{
	int64_t id;
	double target = 0.02;
	struct function_choice choice = { 0 };
	int rc = select_percent(&c->cli, "suggest-regions", "--target", &target, err);
	rc = rc ? rc : context_experiment(c, &id, err);
	rc = rc ? rc : function_choice_load(&choice, c->repo, id, target, err);
	struct whole_file file;
	rc = rc ? rc : whole_file_open(&file, cli_get(&c->cli, "--output"), "--output", err);
	if (rc == 0) {
		if (c->format == FORMAT_TEXT)
			print_file(&choice, target, file.out);
		else
			print_table(&choice, c->format, file.out);
		rc = whole_file_close(&file, "--output", 0, err);
	}
	function_choice_release(&choice);
	return rc;
}

const struct command cmd_suggest_regions = {
	"suggest-regions",
	"[EXP] [--target PERCENT] [--output FILE]",
	"Choose the functions that the next build measures",
	"Writes a file for sisc --sis-profile=FILE. It says which functions are too dear to\n"
	"measure: those with the shortest calls, until the estimated cost of measuring is below\n"
	"the target. It also says in which functions much time is that no other region explains:\n"
	"sisc then measures the functions that these call, however small they look.\n"
	"Functions are named with their files, and without lines, so the file stays valid when\n"
	"the source is edited. In the directory of an experiment the file is called regions, and\n"
	"--sis-profile= may name the directory.\n"
	"Example: sis-analyze suggest-regions --output prog.regions",
	options,
	1,
	run_suggest_regions,
};
