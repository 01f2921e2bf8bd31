/* SPDX-License-Identifier: BSD-3-Clause */
/* exported_rows.c - the tables and rows that an experiment consists of. Owns nothing; one
 * thread. */
#include "store/exported_rows.h"

#include <stdlib.h>

#define OF_EXPERIMENT(column) "(SELECT " column " FROM experiment WHERE id = ?1)"
#define MACHINES \
	"(SELECT physical_machine FROM node WHERE virtual_machine = " \
	OF_EXPERIMENT("virtual_machine") ")"
#define CALIBRATIONS \
	"(SELECT id FROM calibration WHERE physical_machine IN " MACHINES ")"
#define NODES "(SELECT id FROM drg_node WHERE experiment = ?1)"
#define POINTS "(SELECT id FROM blame_point WHERE experiment = ?1)"
#define VARIABLES "(SELECT id FROM variable WHERE blame_point IN " POINTS ")"

const struct row_kind row_kind[ROW_KINDS] = {
	{ "overhead_kind", "1", "place" },
	{ "metric_kind", "1", "name" },
	{ "application",
	  "id = (SELECT application FROM version WHERE id = " OF_EXPERIMENT("version") ")", "id" },
	{ "version", "id = " OF_EXPERIMENT("version"), "id" },
	{ "source_file", "version = " OF_EXPERIMENT("version"), "id" },
	{ "code_region",
	  "source_file IN (SELECT id FROM source_file "
	  "WHERE version = " OF_EXPERIMENT("version") ")",
	  "id" },
	{ "network",
	  "id = (SELECT network FROM virtual_machine "
	  "WHERE id = " OF_EXPERIMENT("virtual_machine") ")",
	  "id" },
	{ "physical_machine", "id IN " MACHINES, "id" },
	{ "machine_fact", "physical_machine IN " MACHINES, "physical_machine, key" },
	{ "virtual_machine", "id = " OF_EXPERIMENT("virtual_machine"), "id" },
	{ "node", "virtual_machine = " OF_EXPERIMENT("virtual_machine"), "id" },
	{ "experiment", "id = ?1", "id" },
	{ "experiment_fact", "experiment = ?1", "key" },
	{ "warning", "experiment = ?1", "rowid" },
	{ "processing_unit", "experiment = ?1", "id" },
	{ "drg_node", "experiment = ?1", "id" },
	{ "region_summary", "drg_node IN " NODES, "id" },
	{ "metric", "region_summary IN (SELECT id FROM region_summary WHERE drg_node IN " NODES ")",
	  "region_summary, name" },
	{ "user_value",
	  "region_summary IN (SELECT id FROM region_summary WHERE drg_node IN " NODES ")",
	  "region_summary, name" },
	{ "overhead", "drg_node IN " NODES, "drg_node, pu, leaf" },
	{ "estimate", "drg_node IN " NODES, "drg_node, pu" },
	{ "critical_path", "drg_node IN " NODES, "drg_node, pu" },
	{ "delay", "drg_node IN " NODES, "drg_node, leaf, culprit, culprit_node" },
	{ "wait_pair", "drg_node IN " NODES, "drg_node, leaf, culprit, culprit_node, victim" },
	{ "communicator", "experiment = ?1", "id" },
	{ "message", "drg_node IN " NODES, "drg_node, pu, communicator, target" },
	{ "sensor", "experiment = ?1", "node, time_ns" },
	{ "turned_down", "experiment = ?1", "process, number" },
	{ "switched_off", "experiment = ?1", "process, number" },
	{ "calibration", "physical_machine IN " MACHINES, "id" },
	{ "calibration_setting", "calibration IN " CALIBRATIONS, "calibration, name" },
	{ "calibration_time", "calibration IN " CALIBRATIONS,
	  "calibration, setting, kernel, state, depth, process" },
	{ "calibration_writer", "calibration IN " CALIBRATIONS, "calibration, setting, process" },
	{ "sampling", "experiment = ?1", "experiment" },
	{ "sample_share", "experiment = ?1", "is_reason, place" },
	{ "function_samples", "experiment = ?1", "pu, function, file, line" },
	{ "blame_point", "experiment = ?1", "id" },
	{ "variable", "blame_point IN " POINTS, "id" },
	{ "blame", "variable IN " VARIABLES, "variable, pu, is_blocked, routine" },
	{ "variable_overhead", "variable IN " VARIABLES, "variable, pu, routine, leaf" },
	{ "memory", "experiment = ?1", "id" },
	{ "memory_use", "memory IN (SELECT id FROM memory WHERE experiment = ?1)", "memory, pu" },
};

static int take_name(void *arg, const struct cell *row, struct err *err)
{
	struct row_columns *columns = arg;
	(void)err;
	*vec_push(&columns->name) = mem_string(row[0].text);
	*vec_push(&columns->type) = mem_string(row[1].text);
	return 0;
}

int row_columns_load(struct row_columns *columns, struct repo *repo, const struct row_kind *kind,
		     struct err *err)
{
	*columns = (struct row_columns){ 0 };
	return repo_each(repo, take_name, columns, err,
			 "SELECT name, type FROM pragma_table_info(?) ORDER BY cid", "t",
			 kind->table);
}

void row_columns_release(struct row_columns *columns)
{
	for (size_t i = 0; i < columns->name.n; i++)
		free(columns->name.at[i]), free(columns->type.at[i]);
	vec_free(&columns->name);
	vec_free(&columns->type);
}

int row_each(struct repo *repo, const struct row_kind *kind, int64_t experiment, repo_take *take,
	     void *arg, struct err *err)
{
	char *sql = mem_print("SELECT * FROM main.%s WHERE %s ORDER BY %s", kind->table,
			      kind->where, kind->order);
	int rc = repo_each(repo, take, arg, err, sql, "i", experiment);
	free(sql);
	return rc;
}
