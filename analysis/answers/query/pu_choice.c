/* SPDX-License-Identifier: BSD-3-Clause */
/* pu_choice.c - see pu_choice.h. Owns the temporary table; one thread. */
#include "answers/query/pu_choice.h"

#include <inttypes.h>
#include <stdio.h>

bool pu_patterns_match(const pu_patterns *patterns, int64_t process, int64_t thread)
{
	for (size_t i = 0; i < patterns->n; i++) {
		const struct pu_pattern *p = &patterns->at[i];
		if ((p->process < 0 || p->process == process) &&
		    (p->thread < 0 || p->thread == thread))
			return true;
	}
	return !patterns->n;
}

static const char matching[] =
	"FROM processing_unit WHERE experiment = ?1 AND (?2 < 0 OR process = ?2) "
	"AND (?3 < 0 OR thread = ?3)";

static void number_text(char *text, size_t size, int64_t number)
{
	if (number < 0)
		snprintf(text, size, "*");
	else
		snprintf(text, size, "%" PRId64, number);
}

static int add_matching(struct repo *repo, int64_t experiment, const struct pu_pattern *p,
			struct err *err)
{
	int64_t found = 0;
	char sql[256];
	snprintf(sql, sizeof sql, "SELECT count(*) %s", matching);
	if (repo_number(repo, &found, err, sql, "iii", experiment, p->process, p->thread) < 0)
		return ERR_FAILED;
	if (!found) {
		char process[24], thread[24];
		number_text(process, sizeof process, p->process);
		number_text(thread, sizeof thread, p->thread);
		return err_fail(err, "no processing unit %s.%s in this experiment; `sis-analyze "
				"summary` lists them", process, thread);
	}
	snprintf(sql, sizeof sql, "INSERT OR IGNORE INTO temp.chosen_pu SELECT id %s", matching);
	return repo_run(repo, err, sql, "iii", experiment, p->process, p->thread);
}

int pu_choice_load(struct repo *repo, int64_t experiment, const pu_patterns *patterns, int64_t *n,
		   struct err *err)
{
	static const struct pu_pattern all = { -1, -1 };
	int rc = repo_run(repo, err, "DROP TABLE IF EXISTS temp.chosen_pu", "");
	rc = rc ? rc :
		  repo_run(repo, err, "CREATE TEMP TABLE chosen_pu (pu INTEGER PRIMARY KEY)", "");
	for (size_t i = 0; rc == 0 && i < patterns->n; i++)
		rc = add_matching(repo, experiment, &patterns->at[i], err);
	if (rc == 0 && !patterns->n)
		rc = add_matching(repo, experiment, &all, err);
	if (rc == 0 && repo_number(repo, n, err, "SELECT count(*) FROM temp.chosen_pu", "") < 0)
		rc = ERR_FAILED;
	return rc;
}

static int take_id(void *arg, const struct cell *row, struct err *err)
{
	(void)err;
	map_put(arg, (uint64_t)row[0].integer, 0, 0, NULL);
	return 0;
}

int pu_choice_map(struct repo *repo, struct map *map, struct err *err)
{
	return repo_each(repo, take_id, map, err, "SELECT pu FROM temp.chosen_pu", "");
}
