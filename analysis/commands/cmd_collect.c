/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_collect.c - `sis-analyze collect`: fetches what killed processes left on this host. */
#include <stdlib.h>

#include "commands/command.h"
#include "live/collect/collect.h"

static const struct column columns[] = {
	{ "experiment", "experiment", CELL_TEXT },
	{ "files", "files moved", CELL_INTEGER },
	{ "bytes", "bytes", CELL_INTEGER },
	{ "running", "files of running processes", CELL_INTEGER },
};

static int run_collect(struct context *c, struct err *err)
{
	collected_runs done = { 0 };
	struct table table;
	const char *tmpdir = getenv("SIS_TMPDIR"), *run = getenv("SIS_RUN");
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < c->cli.argument.n; i++)
		rc = collect_experiment(&done, c->cli.argument.at[i], err);
	if (!c->cli.argument.n && tmpdir && *tmpdir)
		rc = collect_from(&done, tmpdir, run && *run ? run : NULL, err);
	else if (!c->cli.argument.n)
		rc = err_usage(err, "collect: SIS_TMPDIR is not set; set it as for the run, or "
			       "name the directory of the run");
	table_init(&table, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < done.n; i++) {
		table_text(&table, done.at[i].experiment);
		table_integer(&table, (int64_t)done.at[i].files);
		table_integer(&table, (int64_t)done.at[i].bytes);
		table_integer(&table, (int64_t)done.at[i].running);
	}
	if (done.n || c->format != FORMAT_TEXT)
		table_print(&table, c->format, stdout);
	table_release(&table);
	collected_release(&done);
	return rc;
}

const struct command cmd_collect = {
	"collect",
	"[DIRECTORY...]",
	"Fetch what killed processes left in SIS_TMPDIR of this host",
	"With SIS_TMPDIR=DIR, processes have their files in DIR of their host. At its end, a\n"
	"process moves them into the experiment, to the file host-HOST.sis. A process that was\n"
	"killed cannot, so a job script runs this command once on each host after the program:\n"
	"    srun --ntasks-per-node=1 sis-analyze collect\n"
	"    mpiexec -ppn 1 -n HOSTS sis-analyze collect\n"
	"DIRECTORY is the experiment. Without it, all runs of this user in SIS_TMPDIR are\n"
	"collected; with SIS_RUN, only this run. Files of processes that still run stay. A second\n"
	"collect finds nothing. `sis-analyze run` collects on its own host.\n"
	"Example: sis-analyze collect sis-prog-20261101-120000-77",
	NULL,
	SIZE_MAX,
	run_collect,
};
