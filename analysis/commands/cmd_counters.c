/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_counters.c - `sis-analyze counters`: which metrics can be measured on this machine, and why
 * the rest cannot. lib/sis/sis-counters is asked: it is linked with the runtime, so it searches for
 * metrics in the same way as a measured program. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "commands/runtime_helper.h"
#include "commands/table_view.h"

static const struct cli_option options[] = {
	{ "--native", NULL, "also native events of the processor, which PAPI(name) measures" },
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

enum { FIELDS = 8 };
static const struct column columns[] = {
	{ "metric", "metric", CELL_TEXT },
	{ "available", "there", CELL_BOOL },
	{ "source", "source", CELL_TEXT },
	{ "unit", "unit", CELL_TEXT },
	{ "set", "set", CELL_INTEGER },
	{ "read", "read by", CELL_TEXT },
	{ "read_ns", "in [ns]", CELL_INTEGER },
	{ "description", "what it is, or why it cannot be measured", CELL_TEXT },
};

static void add_line(struct table *table, char *line)
{
	line[strcspn(line, "\n")] = '\0';
	for (int i = 0; i < FIELDS; i++) {
		char *next = strchr(line, '\t');
		if (next && i + 1 < FIELDS)
			*next++ = '\0';
		if (strcmp(line, "-") == 0)
			table_null(table);
		else if (columns[i].kind != CELL_TEXT)
			table_integer(table, atoi(line));
		else
			table_text(table, line);
		line = next ? next : line + strlen(line);
	}
}

/* The shell command that runs the helper with the names of metrics. Names that contain quotes are
 * refused. */
static char *command_line(const char *helper, const struct cli *cli, struct err *err)
{
	char *command = mem_print("'%s'%s", helper, cli_get(cli, "--native") ? " --native" : "");
	for (size_t i = 0; i < cli->argument.n; i++) {
		char *longer = mem_print("%s '%s'", command, cli->argument.at[i]);
		free(command);
		command = longer;
		if (!strpbrk(cli->argument.at[i], "'\t\n") && *cli->argument.at[i] != '-')
			continue;
		err_usage(err, "counters: '%s' is not the name of a metric; `sis-analyze counters` "
			  "lists them", cli->argument.at[i]);
		free(command);
		return NULL;
	}
	return command;
}

static int ask(struct table *table, const char *helper, const struct cli *cli, struct err *err)
{
	char *line = NULL, *command = command_line(helper, cli, err);
	size_t size = 0;
	if (!command)
		return ERR_USAGE;
	FILE *answer = popen(command, "r");
	free(command);
	while (answer && getline(&line, &size, answer) > 0)
		add_line(table, line);
	free(line);
	int status = answer ? pclose(answer) : -1;
	return status == 0 && table_rows(table) ? 0 :
		err_fail(err, "'%s' does not answer; install the runtime again", helper);
}

static int run_counters(struct context *c, struct err *err)
{
	char helper[PATH_MAX + 32];
	struct table table;
	table_init(&table, columns, FIELDS);
	int rc = runtime_helper_find(helper, sizeof helper, err);
	rc = rc ? rc : ask(&table, helper, &c->cli, err);
	if (rc == 0)
		rc = shape_print(c, &table, "counters", err);
	table_release(&table);
	return rc;
}

const struct command cmd_counters = {
	"counters",
	"[METRIC...] [--native]",
	"List what can be measured on this machine, and why the rest cannot",
	"Directives (pmetric) and sisc --sis-pmetric choose metrics; SIS_PMETRIC chooses them\n"
	"for a whole run. Hardware counters of one set can be counted in one run. Those of\n"
	"another set need another run, or SIS_MULTIPLEX=1, which gives estimates. The time is\n"
	"that of one reading; a region reads its counters when it begins and when it ends.\n"
	"METRICs restrict the list to these, in that order; PAPI(name) names an event of the\n"
	"processor's own.\n"
	"Example: sis-analyze counters TOT_CYC TOT_INS L2_TCM",
	options,
	256,
	run_counters,
};
