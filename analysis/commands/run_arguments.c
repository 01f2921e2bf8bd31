/* SPDX-License-Identifier: BSD-3-Clause */
/* run_arguments.c - see run_arguments.h. One thread. */
#include "commands/run_arguments.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int runs_of_list(run_list *runs, struct context *c, const char *list, bool repeats, struct err *err)
{
	struct stat st;
	int rc = 0;
	bool whole = stat(list, &st) == 0; /* a directory may have a comma in its name */
	for (size_t n; rc == 0; list += n + 1) {
		int64_t id;
		n = whole ? strlen(list) : strcspn(list, ",");
		char *name = mem_print("%.*s", (int)n, list);
		rc = context_named(c, name, &id, err);
		free(name);
		rc = rc ? rc : runs_add(runs, c->repo, id, NULL, err);
		rc = rc || !repeats ? rc : runs_add_repetitions(runs, c->repo, id, err);
		if (!list[n])
			break;
	}
	return rc;
}

int runs_of_arguments(run_list *runs, struct context *c, const char *key, struct err *err)
{
	int64_t id;
	if (!c->cli.argument.n)
		return context_experiment(c, &id, err) ?
			ERR_FAILED :
			runs_add_of_application(runs, c->repo, id, key, err);
	for (size_t i = 0; i < c->cli.argument.n; i++) {
		if (context_nth(c, i, &id, err) || runs_add(runs, c->repo, id, key, err))
			return ERR_FAILED;
	}
	return 0;
}
