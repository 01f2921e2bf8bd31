/* SPDX-License-Identifier: BSD-3-Clause */
/* store_remove.c - takes experiments out of the repository; owns nothing, one thread. The database
 * itself removes what hangs on a row; here is what it cannot know: an order, and what is of no use
 * any more. */
#include "store/store.h"

/* The graph's edges are cut first: along them the database would go as deep as the program's
 * recursion did, and it does not go deeper than 1000. */
int store_remove(struct repo *repo, int64_t id, struct err *err)
{
	if (repo_run(repo, err,
		     "UPDATE drg_node SET parent = NULL, source_node = id WHERE experiment = ?",
		     "i", id) ||
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
		"DELETE FROM physical_machine WHERE id NOT IN (SELECT physical_machine FROM node)",
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
