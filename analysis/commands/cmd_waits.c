/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_waits.c - `sis-analyze waits`: where processing units waited, their culprits, and the regions
 * of the culprits. One thread. Waits are the leaves of synchronization and loss of parallelism;
 * their causes are delay costs (causes/). */
#include "commands/command.h"
#include "query/overhead.h"
#include "commands/table_view.h"

static const struct cli_option options[] = {
	{ "--victims", NULL, "the waits of each process and thread, in seconds of its own" },
	{ "--culprits", NULL, "the regions whose delays made others wait" },
	REFERENCE_OPTIONS,
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

#define PLACE(r) \
	"CASE WHEN " r ".line_start THEN " r ".file || ':' || " r ".line_start ELSE '-' END"
#define UNIT(u) u ".process || '.' || " u ".thread"
/* Waits in regions of the source, by PU. */
#define WAITS \
	"wait AS (SELECT s.region, o.leaf, o.pu, sum(o.ns) AS ns FROM drg_node n " \
	"JOIN overhead o ON o.drg_node = n.id" \
	" JOIN drg_node s ON s.id = n.source_node WHERE n.experiment = ?1 " \
	"AND (o.leaf IN ('OLOSS_UNPAR', 'OLOSS_PART')" \
	"  OR o.leaf IN (SELECT leaf FROM overhead_ancestor WHERE name = 'OSYNC')) " \
	"GROUP BY s.region, o.leaf, o.pu)"

/* -- by place ---------------------------------------------------------------------------------- */

static const struct column place_columns[] = {
	{ "wait", "wait", CELL_TEXT }, { "region", "region", CELL_TEXT },
	{ NULL, "place", CELL_TEXT }, { "file", NULL, CELL_TEXT },
	{ "line_start", NULL, CELL_INTEGER }, { "seconds", "seconds", CELL_SECONDS },
	{ "share", "share", CELL_SHARE },
	{ "victims", "victims", CELL_INTEGER }, { "worst", "most", CELL_TEXT },
	{ "culprit", "for", CELL_TEXT },
	{ "cause", "in", CELL_TEXT }, { NULL, "place of that", CELL_TEXT },
	{ "cause_file", NULL, CELL_TEXT },
	{ "cause_line_start", NULL, CELL_INTEGER }, { "cause_share", "part", CELL_SHARE },
	{ "culprits", NULL, CELL_INTEGER },
	{ "cause_seconds", NULL, CELL_SECONDS }, { "known_seconds", NULL, CELL_SECONDS },
	{ "indirect_seconds", NULL, CELL_SECONDS }, { "wrong_order_seconds", NULL, CELL_SECONDS },
	{ "estimated_seconds", NULL, CELL_SECONDS },
};

/* A PU counts as waiting if it has more than a thousandth of the wait. */
static const char by_place[] =
	"WITH " WAITS ", site AS (SELECT region, leaf, sum(ns) AS ns, pu, max(ns) AS most "
	"FROM wait GROUP BY region, leaf HAVING sum(ns) > 0), "
	"causes AS (SELECT region, leaf, sum(ns) AS ns, sum(indirect_ns) AS indirect_ns, "
	"sum(wrong_order_ns) AS wrong_order_ns, sum(estimated_ns) AS estimated_ns FROM wait_cause "
	"WHERE experiment = ?1 GROUP BY region, leaf), "
	"cause AS (SELECT region, leaf, cause, pu, units, ns, max(ns) FROM wait_cause "
	"WHERE experiment = ?1 AND ns > 0 GROUP BY region, leaf) "
	"SELECT s.leaf, r.name, " PLACE("r") ", r.file, r.line_start, (s.ns + e.p / 2) / e.p, "
	"CASE WHEN ?2 > 0 THEN 1.0 * s.ns / e.p / ?2 END, "
	"(SELECT count(*) FROM wait w "
	"WHERE w.region = s.region AND w.leaf = s.leaf AND w.ns * 1000 > s.ns), " UNIT("v") ", "
	UNIT("u") ", c.name, " PLACE("c") ", c.file, c.line_start, 1.0 * t.ns / s.ns, t.units, "
	"(t.ns + e.p / 2) / e.p, (coalesce(a.ns, 0) + e.p / 2) / e.p, "
	"(coalesce(a.indirect_ns, 0) + e.p / 2) / e.p, "
	"(coalesce(a.wrong_order_ns, 0) + e.p / 2) / e.p, "
	"(coalesce(a.estimated_ns, 0) + e.p / 2) / e.p "
	"FROM site s "
	"JOIN region r ON r.id = s.region "
	"JOIN experiment e ON e.id = ?1 "
	"JOIN processing_unit v ON v.id = s.pu "
	"LEFT JOIN causes a ON a.region = s.region AND a.leaf = s.leaf "
	"LEFT JOIN cause t ON t.region = s.region AND t.leaf = s.leaf "
	"LEFT JOIN processing_unit u ON u.id = t.pu "
	"LEFT JOIN region c ON c.id = t.cause "
	"ORDER BY s.ns DESC, r.id, s.leaf";

/* -- by victim --------------------------------------------------------------------------------- */

static const struct column victim_columns[] = {
	{ "wait", "wait", CELL_TEXT }, { "region", "region", CELL_TEXT },
	{ NULL, "place", CELL_TEXT }, { "file", NULL, CELL_TEXT },
	{ "line_start", NULL, CELL_INTEGER }, { "process", "process", CELL_INTEGER },
	{ "thread", "thread", CELL_INTEGER },
	{ "seconds", "seconds", CELL_SECONDS },
};

static const char by_victim[] =
	"WITH " WAITS " "
	"SELECT w.leaf, r.name, " PLACE("r") ", r.file, r.line_start, v.process, v.thread, w.ns "
	"FROM wait w "
	"JOIN region r ON r.id = w.region "
	"JOIN processing_unit v ON v.id = w.pu "
	"WHERE w.ns > 0 "
	"ORDER BY w.ns DESC, r.id, w.leaf, v.process, v.thread";

/* -- by culprit -------------------------------------------------------------------------------- */

static const struct column culprit_columns[] = {
	{ "region", "region", CELL_TEXT }, { NULL, "place", CELL_TEXT },
	{ "file", NULL, CELL_TEXT },
	{ "line_start", NULL, CELL_INTEGER }, { "culprits", "units", CELL_INTEGER },
	{ "worst", "most", CELL_TEXT },
	{ "seconds", "seconds", CELL_SECONDS }, { "share", "share", CELL_SHARE },
	{ "direct_seconds", "at once", CELL_SECONDS },
	{ "indirect_seconds", "later", CELL_SECONDS }, { "estimated_seconds", NULL, CELL_SECONDS },
	{ "waits", "waits", CELL_INTEGER }, { "wait", "mostly", CELL_TEXT },
	{ "wait_region", "in", CELL_TEXT },
};

/* Waits of the culprit itself are left out: they are an indirect cost of another region. */
static const char by_culprit[] =
	"WITH "
	"cost AS (SELECT cause, region, leaf, ns - passed_ns AS direct, indirect_ns AS indirect, "
	"estimated_ns, most_ns, pu FROM wait_cause WHERE experiment = ?1), "
	"who AS (SELECT m.region AS cause, count(DISTINCT d.culprit) AS units FROM drg_node n "
	"JOIN delay d ON d.drg_node = n.id JOIN drg_node k ON k.id = d.culprit_node "
	"JOIN drg_node m ON m.id = k.source_node "
	"WHERE n.experiment = ?1 AND d.ns - d.passed_ns + d.indirect_ns > 0 GROUP BY m.region), "
	"one AS (SELECT cause, pu, max(most_ns) FROM cost GROUP BY cause), "
	"mostly AS (SELECT cause, region, leaf, max(direct + indirect) FROM cost GROUP BY cause), "
	"total AS (SELECT cause, sum(direct) AS direct, sum(indirect) AS indirect, "
	"sum(estimated_ns) AS estimated, count(*) AS waits FROM cost WHERE direct + indirect > 0 "
	"GROUP BY cause) "
	"SELECT r.name, " PLACE("r") ", r.file, r.line_start, w.units, " UNIT("u") ", "
	"(t.direct + t.indirect + e.p / 2) / e.p, "
	"CASE WHEN ?2 > 0 THEN 1.0 * (t.direct + t.indirect) / e.p / ?2 END, "
	"(t.direct + e.p / 2) / e.p, (t.indirect + e.p / 2) / e.p, (t.estimated + e.p / 2) / e.p, "
	"t.waits, m.leaf, v.name "
	"FROM total t "
	"JOIN who w USING (cause) "
	"JOIN one o USING (cause) "
	"JOIN mostly m USING (cause) "
	"JOIN region r ON r.id = t.cause "
	"JOIN region v ON v.id = m.region "
	"JOIN processing_unit u ON u.id = o.pu "
	"JOIN experiment e ON e.id = ?1 "
	"ORDER BY t.direct + t.indirect DESC, r.id";

/* -- the command ------------------------------------------------------------------------------- */

/* T_o, or the part of it that is known without a sequential run. */
static int load_total(struct context *c, int64_t id, int64_t *total, struct err *err)
{
	struct overheads o = { 0 };
	int64_t seq, par1;
	if (context_references(c, &seq, &par1, err) ||
	    overheads_load(&o, c->repo, id, seq, par1, err))
		return ERR_FAILED;
	*total = o.has_t_s ? o.t_o : o.ns[OTOTAL];
	overheads_release(&o);
	return 0;
}

static int print(struct context *c, const struct column *columns, size_t n, const char *sql,
		 struct err *err)
{
	int64_t id, total;
	struct table table;
	if (context_experiment(c, &id, err) || load_total(c, id, &total, err))
		return ERR_FAILED;
	table_init(&table, columns, n);
	int rc = repo_fill(c->repo, &table, err, sql, "ii", id, total);
	rc = rc ? rc : shape_print(c, &table, "waits", err);
	table_release(&table);
	return rc;
}

#define COLUMNS(list) list, sizeof list / sizeof *list

static int run(struct context *c, struct err *err)
{
	bool victims = cli_get(&c->cli, "--victims"), culprits = cli_get(&c->cli, "--culprits");
	if (victims && culprits)
		return err_usage(err, "waits: --victims and --culprits answer different questions; "
				 "choose one");
	if (victims)
		return print(c, COLUMNS(victim_columns), by_victim, err);
	if (culprits)
		return print(c, COLUMNS(culprit_columns), by_culprit, err);
	return print(c, COLUMNS(place_columns), by_place, err);
}

const struct command cmd_waits = {
	"waits", "[EXP] [--victims | --culprits] [--seq EXP] [--par1 EXP]",
	"Show where processing units waited, for which others, and why these were late",
	"One line for each kind of wait and each place: seconds (sums over the processing\n"
	"units, divided by p); their share of T_o (of the part of T_o that is known without a\n"
	"sequential run); how many processing units waited, and which one most; for which\n"
	"culprit they mostly waited; the region in which the culprit was longer than they were;\n"
	"and the part of the wait that this region caused.\n"
	"--culprits has one line for each region that delayed others: what its delays cost at\n"
	"once, and what they cost later, through those that it made late.\n"
	"Causes within a process, and between calls whose regions were not recorded one by one,\n"
	"are estimates; estimated_seconds of --json is the part that is estimated. The culprit\n"
	"is not known for waits of threads at atomics, at spin locks and in doacross loops,\n"
	"and, in programs with libsis.a, at pthreads.\n"
	"Example: sis-analyze waits --top 5",
	options, 1, run,
};
