/* names_hostile.c - `hostile DB`: every name, path, command and message of a repository
 * becomes "=NAME" and what terminals obey, as if programs, files, computers and users were called
 * so. Mnemonics stay, since the analyzer looks them up.
 * `hostile DB TEXT COUNT`: the names of regions become TEXT, COUNT times. */
#include <sqlite3.h>
#include <stdio.h>

/* A window's title, a colour, a line of its own, a C1 control in UTF-8 and as a byte, a mark of
 * direction, a tab, and a backslash. */
#define HOSTILE "x'1b5d303b7807' || x'1b5b33316d' || x'0d0a464f52474544202d2d2d' || x'c29b' || " \
		"x'9b' || x'e280ae' || x'095c'"

static const struct { const char *table, *column; } place[] = {
	{ "application", "name" }, { "version", "compiler" }, { "version", "flags" },
	{ "version", "sisc" }, { "source_file", "path" }, { "source_file", "directory" },
	{ "code_region", "key" }, { "code_region", "name" }, { "code_region", "unit" },
	{ "code_region", "metrics" }, { "code_region", "tokens" }, { "code_region", "build" },
	{ "network", "name" }, { "physical_machine", "host" },
	{ "machine_fact", "key" }, { "machine_fact", "value" }, { "experiment", "name" },
	{ "experiment", "directory" }, { "experiment", "program" }, { "experiment", "command" },
	{ "experiment", "runtime" }, { "experiment", "clock" },
	{ "experiment_fact", "key" }, { "experiment_fact", "value" }, { "warning", "text" },
	{ "drg_node", "path" }, { "metric", "name" }, { "user_value", "name" },
	{ "communicator", "name" },
};

static int run(sqlite3 *db, const char *sql)
{
	char *error = NULL;
	if (sqlite3_exec(db, sql, NULL, NULL, &error) == SQLITE_OK)
		return 0;
	return fprintf(stderr, "%s: %s\n", sql, error), 1;
}

static int make_hostile(sqlite3 *db)
{
	int failed = 0;
	for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
		char sql[512];
		snprintf(sql, sizeof sql,
			 "UPDATE %s SET %s = CAST('=' || %s || " HOSTILE " AS TEXT)",
			 place[i].table, place[i].column, place[i].column);
		failed |= run(db, sql);
	}
	return failed;
}

int main(int argc, char **argv)
{
	sqlite3 *db;
	char sql[512];
	if ((argc != 2 && argc != 4) || sqlite3_open(argv[1], &db) != SQLITE_OK)
		return 2;
	if (argc == 4)
		snprintf(sql, sizeof sql, "UPDATE code_region SET name = "
			 "replace(hex(zeroblob(%s)), '00', '%s')", argv[3], argv[2]);
	int failed = argc == 4 ? run(db, sql) : make_hostile(db);
	return sqlite3_close(db) != SQLITE_OK || failed;
}
