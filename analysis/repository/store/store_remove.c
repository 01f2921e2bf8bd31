/* SPDX-License-Identifier: BSD-3-Clause */
/* store_remove.c - removes experiments from the repository. Owns nothing. Called by one thread. The
 * database itself removes the rows that refer to a removed row. This file does what the database
 * cannot: it chooses the order, and removes rows that are not used any more. */
#include "repository/store/store.h"

/* The edges of the call graph and of the blame points are cut first. Otherwise the database would
 * follow them as deep as the program's recursion was, but SQLite follows references only to a depth
 * of 1000. */
int store_remove(struct repo *repo, int64_t id, struct err *err)
{
	if (repo_run(repo, err,
		     "UPDATE drg_node SET parent = NULL, source_node = id WHERE experiment = ?",
		     "i", id) ||
	    repo_run(repo, err, "UPDATE blame_point SET parent = NULL WHERE experiment = ?", "i",
		     id) ||
	    repo_run(repo, err, "DELETE FROM experiment WHERE id = ?", "i", id))
		return ERR_FAILED;
	return 0;
}

int store_sweep(struct repo *repo, int64_t *rows, struct err *err)
{
	static const char *const statement[] = {
		"DELETE FROM version WHERE id NOT IN (SELECT version FROM experiment)",
		"DELETE FROM application WHERE id NOT IN (SELECT application FROM version)",
		"DELETE FROM virtual_machine "
		"WHERE id NOT IN (SELECT virtual_machine FROM experiment)",
		"DELETE FROM network WHERE id NOT IN (SELECT network FROM virtual_machine)",
		"DELETE FROM physical_machine "
		"WHERE id NOT IN (SELECT physical_machine FROM node) "
		"AND id NOT IN (SELECT physical_machine FROM calibration)",
	};
	for (size_t i = 0; i < sizeof statement / sizeof *statement; i++) {
		int64_t gone;
		if (repo_run(repo, err, statement[i], "") ||
		    repo_number(repo, &gone, err, "SELECT changes()", "") < 0)
			return ERR_FAILED;
		*rows += gone;
	}
	return 0;
}
