/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_sensors.c - `sis-analyze sensors`: the load of the hosts of a run, sampled while it ran. */
#include "commands/table_view.h"

static const struct cli_option options[] = { SHAPE_OPTIONS, { NULL, NULL, NULL } };

static const struct column columns[] = {
	{ "node", "node", CELL_TEXT },		 { "from", "from [s]", CELL_SECONDS },
	{ "to", "to [s]", CELL_SECONDS },	 { "cpu", "cpu", CELL_SHARE },
	{ "running", "running", CELL_INTEGER },	 { "memory_used", "memory [bytes]", CELL_INTEGER },
	{ "faults", "faults/s", CELL_REAL },	 { "major_faults", "major/s", CELL_REAL },
	{ "switches", "switches/s", CELL_REAL }, { "received", "received [B/s]", CELL_REAL },
	{ "sent", "sent [B/s]", CELL_REAL },
};

static int run_sensors(struct context *c, struct err *err)
{
	int64_t id;
	struct table table;
	table_init(&table, columns, sizeof columns / sizeof *columns);
	int rc = context_experiment(c, &id, err);
	if (rc == 0)
		rc = repo_fill(
			c->repo, &table, err,
			"SELECT node, from_ns, to_ns, round(cpu, 4), running, memory_used, "
			"round(faults, 1), round(major_faults, 1), round(switches, 1), "
			"round(received, 1), round(sent, 1) "
			"FROM sensor_rate "
			"WHERE experiment = ? "
			"ORDER BY node, to_ns",
			"i", id);
	if (rc == 0 && table_rows(&table) == 0)
		rc = err_fail(err, "the load of the nodes was not sampled in this run; set "
			      "SIS_SENSORS to an interval, for example SIS_SENSORS=1s");
	if (rc == 0)
		rc = shape_print(c, &table, "sensors", err);
	table_release(&table);
	return rc;
}

const struct command cmd_sensors = {
	"sensors",
	"[EXP]",
	"Show the load of the nodes while the run lasted",
	"One line for each interval of SIS_SENSORS and each node: the share of its processors\n"
	"that was busy, processes that could run, memory in use, and per second the page\n"
	"faults, context switches and network bytes.\n"
	"Example: SIS_SENSORS=500ms mpiexec -n 4 ./prog; sis-analyze sensors",
	options,
	1,
	run_sensors,
};
