/* SPDX-License-Identifier: BSD-3-Clause */
/* exported_rows.c - the tables and rows that an experiment consists of. Owns nothing. Called by one
 * thread. */
#include "repository/store/exported_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#include "row_kinds.inc"

/* The conditions for rows that experiments refer to, but do not own. %1$s is the schema, %2$s are
 * the experiments. */
#define OF_EXPERIMENTS(column) "(SELECT " column " FROM %1$s.experiment WHERE id IN %2$s)"
static const struct {
	const char *table, *condition;
} referred[] = {
	{ "overhead_kind", "1" },
	{ "metric_kind", "1" },
	{ "application", "id IN (SELECT application FROM %1$s.version "
	  "WHERE id IN " OF_EXPERIMENTS("version") ")" },
	{ "version", "id IN " OF_EXPERIMENTS("version") },
	{ "network", "id IN (SELECT network FROM %1$s.virtual_machine "
	  "WHERE id IN " OF_EXPERIMENTS("virtual_machine") ")" },
	{ "physical_machine", "id IN (SELECT physical_machine FROM %1$s.node "
	  "WHERE virtual_machine IN " OF_EXPERIMENTS("virtual_machine") ")" },
	{ "virtual_machine", "id IN " OF_EXPERIMENTS("virtual_machine") },
	{ "experiment", "id IN %2$s" },
};

size_t row_kind_named(const char *table)
{
	size_t kind = 0;
	while (kind < ROW_KINDS && strcmp(table, row_kind[kind].table) != 0)
		kind++;
	return kind;
}

char *row_names(const struct row_kind *kind)
{
	struct buf list = { 0 };
	for (size_t i = 0; i < kind->columns; i++)
		buf_print(&list, "%s%s", i ? ", " : "", kind->column[i].name);
	return buf_take(&list);
}

char *row_condition(const struct row_kind *kind, const char *schema, const char *which)
{
	for (size_t i = 0; i < sizeof referred / sizeof *referred; i++)
		if (strcmp(kind->table, referred[i].table) == 0)
			return mem_print(referred[i].condition, schema, which);
	const struct row_column *column = &kind->column[kind->owner];
	const struct row_kind *owner = &row_kind[column->refers];
	if (strcmp(owner->table, "experiment") == 0)
		return mem_print("%s IN %s", column->name, which);
	char *of_owner = row_condition(owner, schema, which);
	char *condition = mem_print("%s IN (SELECT id FROM %s.%s WHERE %s)", column->name, schema,
				    owner->table, of_owner);
	free(of_owner);
	return condition;
}

int row_each(struct repo *repo, const struct row_kind *kind, int64_t experiment, repo_take *take,
	     void *arg, struct err *err)
{
	bool by_place = strcmp(kind->table, "overhead_kind") == 0; /* parents first */
	char *names = row_names(kind), *condition = row_condition(kind, "main", "(?1)");
	char *sql = mem_print("SELECT %s FROM main.%s WHERE %s ORDER BY %s", names, kind->table,
			      condition, by_place ? "place" : kind->order);
	int rc = repo_each(repo, take, arg, err, sql, "i", experiment);
	free(names), free(condition), free(sql);
	return rc;
}
