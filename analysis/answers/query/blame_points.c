/* SPDX-License-Identifier: BSD-3-Clause */
/* blame_points.c - chooses blame points and units. Owns the temporary tables of blame_points.h; one
 * thread. */
#include "answers/query/blame_points.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "answers/query/pu_names.h"

int blame_samples(struct repo *repo, int64_t experiment, int64_t *samples, struct err *err)
{
	static const char sql[] =
		"SELECT coalesce((SELECT samples FROM sampling WHERE experiment = ?1), "
		"(SELECT sum(samples) FROM blame_point "
		"WHERE experiment = ?1 AND parent IS NULL), 0)";
	return repo_number(repo, samples, err, sql, "i", experiment) == 1 ? 0 : ERR_FAILED;
}

/* -- points ------------------------------------------------------------------------------------ */

/* A path in the form of the repository. The user may write it with ' > ', as commands print it. The
 * caller frees the text. */
static char *stored_path(const char *text)
{
	char *path = mem_string(text), *to = path;
	for (const char *at = text; *at;) {
		size_t blanks = strspn(at, " ");
		if (at[blanks] == '>') {
			*to++ = '/';
			at += blanks + 1;
			at += strspn(at, " ");
		} else {
			*to++ = *at++;
		}
	}
	*to = '\0';
	return path;
}

static int choose_at(struct repo *repo, const char *at, struct err *err)
{
	static const char sql[] =
		"INSERT OR IGNORE INTO temp.chosen_point "
		"SELECT id, share FROM temp.point_share "
		"WHERE path = ?1 OR substr(path, -length(?1) - 1) = '/' || ?1";
	int64_t found = 0;
	char *path = stored_path(at);
	int rc = repo_run(repo, err, sql, "t", path);
	rc = rc ? rc : repo_number(repo, &found, err, "SELECT changes()", "") < 0 ? ERR_FAILED : 0;
	if (rc == 0 && found == 0) {
		char *shown = escape_text(at, SIS_ESCAPE_NAME);
		rc = err_fail(err, "no blame point '%s'; sis-analyze blame --share 1%% shows where "
			      "samples are", shown);
		free(shown);
	}
	free(path);
	return rc;
}

static int load_shares(struct repo *repo, int64_t experiment, struct err *err)
{
	int64_t all;
	if (repo_run(repo, err, "DROP TABLE IF EXISTS temp.point_share", "") ||
	    repo_run(repo, err, "DROP TABLE IF EXISTS temp.chosen_point", "") ||
	    repo_run(repo, err, "CREATE TEMP TABLE chosen_point (point INTEGER PRIMARY KEY, "
		     "share REAL)", "") ||
	    blame_samples(repo, experiment, &all, err))
		return ERR_FAILED;
	return repo_run(repo, err,
			"CREATE TEMP TABLE point_share AS "
			"SELECT b.id, b.path, b.parent IS NULL AS is_root, "
			"b.parent IS NULL AND b.is_cut = 0 AS is_main, b.is_chosen, b.is_top, "
			"CASE WHEN ?2 > 0 THEN 1.0 * b.samples / ?2 ELSE 0 END AS share "
			"FROM blame_point b WHERE b.experiment = ?1", "ii", experiment, all);
}

int blame_points_choose(struct repo *repo, int64_t experiment, const struct blame_choice *choice,
			int64_t *left_out, struct err *err)
{
	int rc = load_shares(repo, experiment, err);
	*left_out = 0;
	for (size_t i = 0; rc == 0 && choice->at && choice->at[i]; i++)
		rc = choose_at(repo, choice->at[i], err);
	if (rc || (choice->at && choice->at[0]))
		return rc;
	char *sql = choice->share >= 0 ?
		mem_print("INSERT INTO temp.chosen_point SELECT id, share FROM "
			  "temp.point_share WHERE share >= %.9f", choice->share) :
		mem_print("INSERT INTO temp.chosen_point SELECT id, share FROM "
			  "temp.point_share WHERE is_main OR is_chosen OR (is_root AND %d) OR "
			  "((is_root OR is_top) AND share >= %.9f)", choice->all_roots,
			  choice->least);
	rc = repo_run(repo, err, sql, "");
	free(sql);
	if (rc == 0 && choice->share < 0 &&
	    repo_number(repo, left_out, err,
			"SELECT count(*) FROM temp.point_share "
			"WHERE (is_root OR is_top) AND id NOT IN "
			"(SELECT point FROM temp.chosen_point)", "") < 0)
		rc = ERR_FAILED;
	return rc;
}

/* -- units ------------------------------------------------------------------------------------- */

static const struct { const char *name, *unit, *shown; } units[BLAME_UNITS] = {
	[BLAME_THREADS] = { "thread", "u.id", "n.name" },
	[BLAME_PROCESSES] = { "process", "u.process", "'process ' || u.process" },
	[BLAME_NODES] = { "node", "u.node", "h.host" },
};

bool blame_unit_named(const char *name, enum blame_unit *unit)
{
	for (*unit = 0; *unit < BLAME_UNITS; ++*unit)
		if (strcmp(units[*unit].name, name) == 0)
			return true;
	return false;
}

int blame_units_load(struct repo *repo, int64_t experiment, enum blame_unit unit, int64_t *n,
		     struct err *err)
{
	if (pu_names_load(repo, experiment, err) ||
	    repo_run(repo, err, "DROP TABLE IF EXISTS temp.blame_unit", ""))
		return ERR_FAILED;
	char *sql = mem_print("CREATE TEMP TABLE blame_unit AS "
			      "SELECT u.id AS pu, %s AS unit, %s AS name FROM processing_unit u "
			      "JOIN node d ON d.id = u.node "
			      "JOIN physical_machine h ON h.id = d.physical_machine "
			      "JOIN temp.pu_name n ON n.pu = u.id WHERE u.experiment = ?1",
			      units[unit].unit, units[unit].shown);
	int rc = repo_run(repo, err, sql, "i", experiment);
	free(sql);
	if (rc == 0 && repo_number(repo, n, err, "SELECT count(DISTINCT unit) FROM "
				   "temp.blame_unit", "") != 1)
		rc = ERR_FAILED;
	return rc;
}
