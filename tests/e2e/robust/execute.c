/* execute.c - runs SQL in a database as a hostile or careless program would: execute FILE SQL.
 * References between rows are not checked, and the schema may be written. */
#include <sqlite3.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	sqlite3 *db;
	char *problem = NULL;
	static const char head[] =
		"PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; "
		"PRAGMA writable_schema = ON; PRAGMA legacy_alter_table = ON";
	if (argc != 3 || sqlite3_open(argv[1], &db) != SQLITE_OK)
		return 2;
	if (sqlite3_exec(db, head, NULL, NULL, NULL) == SQLITE_OK &&
	    sqlite3_exec(db, argv[2], NULL, NULL, &problem) == SQLITE_OK)
		return sqlite3_close(db) != SQLITE_OK;
	fprintf(stderr, "execute: %s\n", problem ? problem : sqlite3_errmsg(db));
	return 1;
}
