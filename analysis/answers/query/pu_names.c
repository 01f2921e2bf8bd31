/* SPDX-License-Identifier: BSD-3-Clause */
/* pu_names.c - names processing units. Owns the temporary table of pu_names.h; one thread. */
#include "answers/query/pu_names.h"

/* ?1 experiment. */
static const char names[] =
	"INSERT INTO temp.pu_name WITH rank AS (SELECT DISTINCT u.process FROM drg_node n "
	"JOIN code_region r ON r.id = n.region JOIN region_summary s ON s.drg_node = n.id "
	"JOIN processing_unit u ON u.id = s.pu WHERE n.experiment = ?1 AND r.type LIKE 'CR_MPI%'), "
	"whole AS (SELECT count(DISTINCT process) AS processes FROM processing_unit "
	"WHERE experiment = ?1) "
	"SELECT u.id, ?1, CASE WHEN w.processes = 1 THEN '' WHEN r.process IS NULL "
	"THEN 'process ' || u.process || ', ' ELSE 'rank ' || u.process || ', ' END || "
	"'thread ' || u.thread "
	"FROM processing_unit u "
	"JOIN whole w "
	"LEFT JOIN rank r ON r.process = u.process "
	"WHERE u.experiment = ?1";

int pu_names_load(struct repo *repo, int64_t experiment, struct err *err)
{
	int64_t known = 0;
	int rc = repo_run(repo, err,
			  "CREATE TEMP TABLE IF NOT EXISTS pu_name (pu INTEGER PRIMARY KEY, "
			  "experiment INTEGER, name TEXT)",
			  "");
	if (rc == 0)
		rc = repo_number(repo, &known, err,
				 "SELECT 1 FROM temp.pu_name WHERE experiment = ? LIMIT 1", "i",
				 experiment);
	return rc == 0 ? repo_run(repo, err, names, "i", experiment) : rc < 0 ? rc : 0;
}
