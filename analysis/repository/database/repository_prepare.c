/* SPDX-License-Identifier: BSD-3-Clause */
/* repository_prepare.c - prepares a database for use. An empty database gets the schema. A database
 * of another version is refused. Owns nothing; one thread, before any other statement.
 *
 * The program itself contains the views, the overhead tree and the metrics. If those of the
 * database differ, they are made again. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "profile.h"
#include "repository/database/repository_internal.h"
#include "repository_version.h"
#include "repository/database/sql_text.h"
#include "tables.h"

/* -- versions ---------------------------------------------------------------------------------- */

static int pragma(struct repo *repo, const char *sql, int64_t *value, struct err *err)
{
	return repo_number(repo, value, err, sql, "") < 0 ? ERR_FAILED : 0;
}

int repo_check_version(const char *name, int64_t version, struct err *err)
{
	return version == SIS_REPOSITORY_VERSION ?
		0 :
		err_fail(err, "repository '%s' has version %" PRId64 ", not %d, the only one known "
			 "here; import the experiments again into a new one with --db, or use the "
			 "sis-analyze that made it", name, version, SIS_REPOSITORY_VERSION);
}

static int create(struct repo *repo, struct err *err)
{
	char mark[96];
	snprintf(mark, sizeof mark, "PRAGMA user_version = %d; PRAGMA application_id = %d",
		 SIS_REPOSITORY_VERSION, SIS_REPOSITORY_MAGIC);
	if (repo_begin(repo, err))
		return ERR_FAILED;
	int64_t tables = 0; /* another program may have made the tables meanwhile */
	int rc = pragma(repo, "SELECT count(*) FROM sqlite_master", &tables, err);
	if (rc == 0 && tables == 0 && (rc = repo_execute(repo, sql_repository, err)) == 0)
		rc = repo_execute(repo, mark, err);
	if (rc == 0)
		return repo_commit(repo, err);
	repo_rollback(repo);
	return rc;
}

/* -- contents that the program derives --------------------------------------------------------- */

static int depth_of(enum sis_overhead o)
{
	int depth = 0;
	while ((o = sis_overhead_table[o].parent) != O_NONE)
		depth++;
	return depth;
}

static bool is_leaf(enum sis_overhead o)
{
	for (int i = 1; i < SIS_OVERHEADS; i++)
		if (sis_overhead_table[i].parent == o)
			return false;
	return true;
}

static const char *const unit[] = {
	[SIS_UNIT_NS] = "ns", [SIS_UNIT_COUNT] = "count", [SIS_UNIT_BYTES] = "bytes",
	[SIS_UNIT_KIB] = "KiB",
};

/* Fills the tables of overheads and metrics. */
static int fill_kinds(struct repo *repo, struct err *err)
{
	for (int i = 1; i < SIS_OVERHEADS; i++) {
		const struct sis_overhead_info *o = &sis_overhead_table[i];
		if (repo_run(
			    repo, err,
			    "INSERT INTO overhead_kind "
			    "VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (name) DO UPDATE "
			    "SET parent = ?2, place = ?3, depth = ?4, is_leaf = ?5, "
			    "description = ?6",
			    "ttiiit", o->name,
			    o->parent ? sis_overhead_table[o->parent].name : NULL, (int64_t)i,
			    (int64_t)depth_of(i), (int64_t)is_leaf(i), o->description))
			return ERR_FAILED;
	}
	for (int i = 1; i < SIS_METRICS; i++) {
		const struct sis_metric_info *m = &sis_metric_table[i];
		if (repo_run(repo, err, "INSERT OR REPLACE INTO metric_kind VALUES (?, ?, ?)",
			     "ttt", m->name, unit[m->unit], m->description))
			return ERR_FAILED;
	}
	return 0;
}

static int64_t derived_checksum(void)
{
	uint64_t sum = sis_checksum(sql_views, strlen(sql_views));
	for (int i = 1; i < SIS_OVERHEADS; i++) {
		const struct sis_overhead_info *o = &sis_overhead_table[i];
		sum = sum * 31 + sis_checksum(o->name, strlen(o->name));
		sum = sum * 31 + sis_checksum(o->description, strlen(o->description)) + o->parent;
	}
	for (int i = 1; i < SIS_METRICS; i++)
		sum = sum * 31 +
			sis_checksum(sis_metric_table[i].name, strlen(sis_metric_table[i].name)) +
			sis_metric_table[i].unit;
	return (int64_t)(sum >> 1);
}

/* Each of the following functions counts a row if it is as the program makes it. */
static int take_view(void *arg, const struct cell *row, struct err *err)
{
	const char *found = row[0].kind == CELL_TEXT ? strstr(sql_views, row[0].text) : NULL;
	(void)err;
	*(int64_t *)arg += found && found[strlen(row[0].text)] == ';';
	return 0;
}

static int take_overhead(void *arg, const struct cell *row, struct err *err)
{
	enum sis_overhead o = sis_overhead_by_name(row[0].text, strlen(row[0].text));
	const struct sis_overhead_info *info = &sis_overhead_table[o];
	const char *parent = o && info->parent ? sis_overhead_table[info->parent].name : "";
	(void)err;
	*(int64_t *)arg += o && strcmp(row[0].text, info->name) == 0 &&
			   strcmp(row[1].text, parent) == 0 && row[2].integer == (int64_t)o &&
			   row[3].integer == depth_of(o) && row[4].integer == is_leaf(o) &&
			   strcmp(row[5].text, info->description) == 0;
	return 0;
}

static int take_metric(void *arg, const struct cell *row, struct err *err)
{
	enum sis_metric m = sis_metric_by_name(row[0].text, strlen(row[0].text));
	(void)err;
	*(int64_t *)arg += m && strcmp(row[0].text, sis_metric_table[m].name) == 0 &&
			   strcmp(row[1].text, unit[sis_metric_table[m].unit]) == 0 &&
			   strcmp(row[2].text, sis_metric_table[m].description) == 0;
	return 0;
}

/* Whether the views, the overhead tree and the metrics are those of the program. The stored
 * checksum is not enough, because another program may have changed them since. Additional views,
 * like those of a user, do not count. */
static int is_as_made(struct repo *repo, bool *as_made, struct err *err)
{
	int64_t views = 0, wanted = 0, overheads = 0, metrics = 0;
	for (const char *at = sql_views; (at = strstr(at, "CREATE VIEW ")); at++)
		wanted++;
	int rc = repo_each(repo, take_view, &views, err,
			   "SELECT sql FROM main.sqlite_master WHERE type = 'view'", "");
	rc = rc ? rc : repo_each(repo, take_overhead, &overheads, err,
				 "SELECT name, parent, place, depth, is_leaf, description "
				 "FROM main.overhead_kind", "");
	rc = rc ? rc : repo_each(repo, take_metric, &metrics, err,
				 "SELECT name, unit, description FROM main.metric_kind", "");
	*as_made = views == wanted && overheads == SIS_OVERHEADS - 1 && metrics == SIS_METRICS - 1;
	return rc;
}

static int drop_views(struct repo *repo, struct err *err)
{
	static const struct column column = { "sql", "sql", CELL_TEXT };
	struct table drops;
	table_init(&drops, &column, 1);
	int rc = repo_fill(
		repo, &drops, err,
		"SELECT printf('DROP VIEW \"%w\"', name) FROM sqlite_master WHERE type = 'view'",
		"");
	for (size_t i = 0; rc == 0 && i < table_rows(&drops); i++)
		rc = repo_execute(repo, table_cell(&drops, i, 0)->text, err);
	table_release(&drops);
	return rc;
}

static int derive(struct repo *repo, struct err *err)
{
	int64_t there = 0, wanted = derived_checksum();
	bool as_made = false;
	if (pragma(repo, "SELECT checksum FROM derived", &there, err) ||
	    is_as_made(repo, &as_made, err))
		return ERR_FAILED;
	if (there == wanted && as_made)
		return 0;
	if (repo_begin(repo, err))
		return ERR_FAILED;
	if (drop_views(repo, err) || repo_execute(repo, sql_views, err) ||
	    fill_kinds(repo, err) || repo_execute(repo, "DELETE FROM derived", err) ||
	    repo_run(repo, err, "INSERT INTO derived VALUES (?)", "i", wanted)) {
		repo_rollback(repo);
		return ERR_FAILED;
	}
	return repo_commit(repo, err);
}

/* The view for LEAVES of repository.h. It is temporary, so that a new property does not change the
 * version of the database. */
static const char make_properties[] =
	"CREATE TEMP VIEW IF NOT EXISTS overhead_property AS "
	"SELECT column1 AS overhead, column2 AS properties FROM (VALUES "
#define SIS_OVERHEAD(mnem, parent, desc, is, ...) "('" #mnem "', ' " #is " '), "
#include "overheads.def"
#undef SIS_OVERHEAD
	"(NULL, NULL))";

/* -- preparing a database ---------------------------------------------------------------------- */

static int create_or_check(struct repo *repo, struct err *err)
{
	int64_t magic = 0, version = 0, tables = 0;
	if (pragma(repo, "PRAGMA application_id", &magic, err) ||
	    pragma(repo, "PRAGMA user_version", &version, err) ||
	    pragma(repo, "SELECT count(*) FROM sqlite_master", &tables, err))
		return ERR_FAILED;
	if (tables == 0)
		return create(repo, err);
	if (magic != SIS_REPOSITORY_MAGIC)
		return err_fail(err, "'%s' is a database of another program, not a repository of "
				"SIS; name another with --db", repo_path(repo));
	return repo_check_version(repo_path(repo), version, err);
}

int repo_check_tables(struct repo *repo, const char *schema, const char *path, struct err *err)
{
	static const char create[] = "\nCREATE TABLE ";
	int64_t wanted = 0, found = 0;
	struct buf list = { 0 };
	for (const char *at = sql_repository; (at = strstr(at, create)); wanted++) {
		at += sizeof create - 1;
		buf_print(&list, "%s'%.*s'", wanted ? ", " : "", (int)strcspn(at, " "), at);
	}
	char *names = buf_take(&list);
	char *sql = mem_print("SELECT count(*) "
			      "FROM %s.sqlite_master m "
			      "WHERE type = 'table' AND rootpage > 0 AND name IN (%s) "
			      "AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(m.name, '%s') "
			      "WHERE hidden)",
			      schema, names, schema);
	int rc = pragma(repo, sql, &found, err);
	free(names), free(sql);
	if (rc || found == wanted)
		return rc;
	return err_fail(err, "repository '%s': only %" PRId64 " of its %" PRId64 " tables are "
			"those of SIS: it was damaged, or changed by another program; restore it "
			"from a copy, or import the experiments into a new one with --db", path,
			found, wanted);
}

int repo_prepare(struct repo *repo, struct err *err)
{
	return create_or_check(repo, err) ||
	       repo_check_tables(repo, "main", repo_path(repo), err) || derive(repo, err) ||
	       repo_execute(repo, make_properties, err) ?
		       ERR_FAILED : 0;
}
