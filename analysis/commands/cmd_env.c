/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_env.c - `sis-analyze env`: the settings of a run, from schema/env.def. */
#include <stdlib.h>

#include "commands/table_view.h"

static const struct cli_option options[] = { SHAPE_OPTIONS, { NULL, NULL, NULL } };

static const struct { const char *name, *dflt, *values, *meaning; } setting[] = {
#define SIS_ENV(name, dflt, values, meaning) { #name, dflt, values, meaning },
#include "env.def"
#undef SIS_ENV
};

static const struct column columns[] = {
	{ "name", "variable", CELL_TEXT },   { "now", "now", CELL_TEXT },
	{ "default", "default", CELL_TEXT }, { "values", "values", CELL_TEXT },
	{ "meaning", "meaning", CELL_TEXT },
};

static int run(struct context *c, struct err *err)
{
	struct table table;
	table_init(&table, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < sizeof setting / sizeof *setting; i++) {
		table_text(&table, setting[i].name);
		table_text(&table, getenv(setting[i].name));
		table_text(&table, setting[i].dflt);
		table_text(&table, setting[i].values);
		table_text(&table, setting[i].meaning);
	}
	int rc = shape_print(c, &table, "env", err);
	table_release(&table);
	return rc;
}

const struct command cmd_env = {
	"env", "", "Print the environment variables that a measured program obeys",
	"Example: SIS_OUTPUT=/scratch/run1 mpiexec -n 4 ./prog", options, 0, run,
};
