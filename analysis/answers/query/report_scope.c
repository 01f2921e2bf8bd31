/* SPDX-License-Identifier: BSD-3-Clause */
/* report_scope.c - finds the nodes that a report is about. Owns a temporary table; one thread. */
#include "answers/query/report_scope.h"

#include "base/buf.h"
#include "answers/query/region_choice.h"

enum { NAMES_MOST = 8 };

struct named { int64_t region; size_t n; struct buf names; };

static int take_chosen(void *arg, const struct cell *row, struct err *err)
{
	struct named *named = arg;
	(void)err;
	named->region = row[0].integer;
	if (named->n++ < NAMES_MOST)
		buf_print(&named->names, "%s%s (%s)", named->n > 1 ? ", " : "", row[1].text,
			  row[2].text);
	return 0;
}

static int find_region(int64_t *region, struct repo *repo, int64_t experiment, const char *name,
		       struct err *err)
{
	struct region_choice choice;
	struct named named = { .n = 0 };
	int rc = region_choice_load(&choice, repo, experiment, name, REGION_INCLUSIVE, err);
	rc = rc ? rc :
		  repo_each(repo, take_chosen, &named, err,
			    "SELECT c.region, c.title, r.place FROM temp.chosen c "
			    "JOIN region r ON r.id = c.region ORDER BY c.file, c.line, c.id", "");
	char *names = buf_take(&named.names);
	/* A call path cannot be reported: efficiencies are computed for whole regions. */
	if (rc == 0 && choice.by_path)
		rc = err_fail(err, "report: '%s' is a call path; name its region, or use "
			      "`sis-analyze overhead --region`", name);
	else if (rc == 0 && named.n > 1)
		rc = err_fail(err, "report: %zu regions are named '%s': %s%s; name one by "
			      "NAME@LINE or FILE:LINE", named.n, name, names,
			      named.n > NAMES_MOST ? " ..." : "");
	*region = named.region;
	mem_free((void **)&names);
	return rc;
}

static int take_key(void *arg, const struct cell *row, struct err *err)
{
	(void)err;
	map_put(arg, (uint64_t)row[0].integer, 0, 0, NULL);
	return 0;
}

static const char all[] =
	"INSERT INTO temp.report_node SELECT id FROM drg_node WHERE experiment = ?1";
static const char chosen[] =
	"INSERT INTO temp.report_node SELECT DISTINCT node FROM temp.chosen_node WHERE ?1 > 0";

int report_scope_load(struct report_scope *scope, struct repo *repo, int64_t experiment,
		      const char *name, struct err *err)
{
	*scope = (struct report_scope){ .region = 0 };
	if ((name && find_region(&scope->region, repo, experiment, name, err)) ||
	    repo_run(repo, err, "DROP TABLE IF EXISTS temp.report_node", "") ||
	    repo_run(repo, err, "CREATE TEMP TABLE report_node (node INTEGER PRIMARY KEY)", "") ||
	    repo_run(repo, err, name ? chosen : all, "i", experiment))
		return ERR_FAILED;
	return repo_each(repo, take_key, &scope->regions, err,
			 "SELECT DISTINCT n.region FROM temp.report_node k "
			 "JOIN drg_node n ON n.id = k.node", "");
}

void report_scope_release(struct report_scope *scope)
{
	map_free(&scope->regions);
}
