/* mutate_rows.c - damages the rows of a repository as chance and malice do: mutate_rows FILE SEED.
 * Some values of a column become others of any type, or rows are removed. References are not
 * checked. What it did is on standard output, in SQL. */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sqlite3 *db;
static uint64_t state;

static uint64_t next(uint64_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % n;
}

/* The first column of row `k` of a statement, in `text`; empty: there is none. */
static void row_of(char *text, size_t size, const char *sql, uint64_t k)
{
	sqlite3_stmt *stmt;
	int step = SQLITE_DONE;
	text[0] = 0;
	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		return;
	do
		step = sqlite3_step(stmt);
	while (step == SQLITE_ROW && k-- > 0);
	if (step == SQLITE_ROW)
		snprintf(text, size, "%s", (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
}

static uint64_t count_of(const char *from)
{
	char sql[256], text[32];
	snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", from);
	row_of(text, sizeof text, sql, 0);
	return strtoull(text, NULL, 10);
}

static void choose(char *text, size_t size, const char *column, const char *from)
{
	char sql[256];
	uint64_t n = count_of(from);
	snprintf(sql, sizeof sql, "SELECT %s FROM %s", column, from);
	row_of(text, size, sql, n ? next(n) : 0);
}

/* A value at which arithmetic, text or pointers go wrong; or that of another row. */
static void some_value(char *text, size_t size, const char *table, const char *column)
{
	static const char *const value[] = {
		"NULL",
		"0",
		"1",
		"-1",
		"2147483647",
		"-2147483648",
		"4294967295",
		"4294967296",
		"9223372036854775807",
		"-9223372036854775808",
		"4611686018427387904",
		"0.5",
		"9e999",
		"-9e999",
		"1e18",
		"''",
		"'x'",
		"x''",
		"x'00'",
		"x'fffe41'",
		"'a' || char(0) || 'b'",
		"CAST(x'c3' AS TEXT)",
		"hex(zeroblob(100000))",
		"zeroblob(100000)",
		"'12abc'",
		"'../../x'",
		"'%s%n'",
		"char(10) || '\"<&'",
		"7",
	};
	enum { VALUES = sizeof value / sizeof *value };
	uint64_t k = next(VALUES + 8);
	if (k < VALUES)
		snprintf(text, size, "%s", value[k]);
	else
		snprintf(text, size, "(SELECT %s FROM %s LIMIT 1 OFFSET %llu)", column, table,
			 (unsigned long long)next(count_of(table) + 1));
}

static void damage(void)
{
	char table[64], column[64], from[128], which[256], value[256], sql[800];
	choose(table, sizeof table, "name", "sqlite_master WHERE type = 'table'");
	snprintf(from, sizeof from, "pragma_table_info('%s')", table);
	choose(column, sizeof column, "name", from);
	some_value(value, sizeof value, table, column);
	snprintf(which, sizeof which, "%s IS (SELECT %s FROM %s LIMIT 1 OFFSET %llu)", column,
		 column, table, (unsigned long long)next(count_of(table) + 1));
	if (next(4) == 0)
		snprintf(which, sizeof which, "1");
	if (next(8) == 0)
		snprintf(sql, sizeof sql, "DELETE FROM %s WHERE %s", table, which);
	else
		snprintf(sql, sizeof sql, "UPDATE OR REPLACE %s SET %s = %s WHERE %s", table,
			 column, value, which);
	puts(sql);
	sqlite3_exec(db, sql, NULL, NULL, NULL); /* an id that is no number is refused: no damage */
}

int main(int argc, char **argv)
{
	if (argc != 3 || sqlite3_open(argv[1], &db) != SQLITE_OK ||
	    sqlite3_exec(db, "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; "
			 "PRAGMA synchronous = OFF; BEGIN", NULL, NULL, NULL) != SQLITE_OK)
		return 2;
	state = strtoull(argv[2], NULL, 10) * 2654435761u + 1;
	for (int i = 0; i < 20; i++)
		next(2);
	for (uint64_t n = 1 + next(3); n; n--)
		damage();
	return sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK ||
		sqlite3_close(db) != SQLITE_OK;
}
