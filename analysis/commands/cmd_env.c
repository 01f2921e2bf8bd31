/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_env.c - `sis-analyze env`: lists the environment variables that control a run, from
 * schema/env.def. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/runtime_helper.h"
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

/* The clock that `auto` chooses on this machine; the caller frees the text. Returns NULL if the
 * runtime is not installed. A process chooses its clock when it starts, so a program with the
 * runtime is asked. */
static char *clock_here(void)
{
	char path[PATH_MAX + 32], line[256] = "";
	struct err err = { 0 };
	if (runtime_helper_find(path, sizeof path, &err))
		return NULL;
	char *command = mem_print("SIS_CLOCK= SIS_LOG=quiet '%s' --clock", path);
	FILE *answer = popen(command, "r");
	free(command);
	if (answer && fgets(line, sizeof line, answer))
		line[strcspn(line, "\n")] = '\0';
	return answer && pclose(answer) == 0 ? mem_print("auto: %s", line) : NULL;
}

static int run_env(struct context *c, struct err *err)
{
	char *clock = clock_here();
	struct table table;
	table_init(&table, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < sizeof setting / sizeof *setting; i++) {
		table_text(&table, setting[i].name);
		table_text(&table, getenv(setting[i].name));
		bool is_clock = clock && strcmp(setting[i].name, "SIS_CLOCK") == 0;
		table_text(&table, is_clock ? clock : setting[i].dflt);
		table_text(&table, setting[i].values);
		table_text(&table, setting[i].meaning);
	}
	int rc = shape_print(c, &table, "env", err);
	table_release(&table);
	free(clock);
	return rc;
}

const struct command cmd_env = {
	"env", "", "Print the environment variables that a measured program obeys",
	"Example: SIS_OUTPUT=/scratch/run1 mpiexec -n 4 ./prog", options, 0, run_env,
};
