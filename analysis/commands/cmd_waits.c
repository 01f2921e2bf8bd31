/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_waits.c - `sis-analyze waits`: lists where processing units waited, and the culprits with
 * their call paths. One thread. Waits are the leaves of loss of parallelism, and those of
 * synchronization except OSYNC_UNCONT. Their causes are delay costs (experiment/causes/). */
#include <inttypes.h>
#include <stdlib.h>

#include "commands/command.h"
#include "commands/option_values.h"
#include "commands/overhead_lists.h"
#include "answers/query/call_paths.h"
#include "answers/query/overhead.h"
#include "answers/query/pu_choice.h"
#include "answers/query/pu_names.h"
#include "answers/query/region_choice.h"
#include "commands/table_view.h"

static const struct cli_option options[] = {
	{ "--victims", NULL, "the waits of each process and thread, in seconds of its own" },
	{ "--culprits", NULL, "the call paths whose delays made others wait" },
	{ "--pairs", NULL, "which thread waited for which, in seconds of the one that waited" },
	{ "--region", "NAME", "with --pairs: waits inside this region only" },
	{ "--overhead", "NAME", "with --pairs: only waits that belong to it" },
	INTERVAL_OPTIONS,
	REFERENCE_OPTIONS,
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

#define PLACE(r) "coalesce(" r ".place, '-')"
#define PU(u) u ".process || '.' || " u ".thread"
/* SQL: the mean over the PUs of a sum of nanoseconds. */
#define MEAN(ns) "(coalesce(" ns ", 0) + e.p / 2) / e.p"
/* Waits in call paths, by PU. */
#define WAITS \
	"wait AS (SELECT c.call_path, o.leaf, o.pu, sum(o.ns) AS ns FROM drg_node n " \
	"JOIN overhead o ON o.drg_node = n.id JOIN temp.call_path_of c ON c.node = n.id " \
	"WHERE n.experiment = ?1 AND o.leaf IN " LEAVES("IS_WAIT") " " \
	"GROUP BY c.call_path, o.leaf, o.pu)"

/* -- by place ---------------------------------------------------------------------------------- */

static const struct column place_columns[] = {
	{ "wait", "wait", CELL_TEXT }, { "region", NULL, CELL_TEXT },
	{ NULL, "region", CELL_TEXT },
	{ NULL, "place", CELL_TEXT }, { "file", NULL, CELL_TEXT },
	{ "line_start", NULL, CELL_INTEGER }, { "seconds", "seconds", CELL_SECONDS },
	{ "share", "share of T_o", CELL_SHARE },
	{ "victims", "units waiting", CELL_INTEGER }, { "worst", NULL, CELL_TEXT },
	{ NULL, "waited most", CELL_TEXT },
	{ "culprit", NULL, CELL_TEXT }, { NULL, "mostly for", CELL_TEXT },
	{ "cause", NULL, CELL_TEXT }, { NULL, "delayed in", CELL_TEXT },
	{ NULL, "delayed at", CELL_TEXT },
	{ "cause_file", NULL, CELL_TEXT },
	{ "cause_line_start", NULL, CELL_INTEGER }, { "cause_share", "share of wait", CELL_SHARE },
	{ "culprits", NULL, CELL_INTEGER },
	{ "cause_seconds", NULL, CELL_SECONDS }, { "known_seconds", NULL, CELL_SECONDS },
	{ "indirect_seconds", NULL, CELL_SECONDS }, { "wrong_order_seconds", NULL, CELL_SECONDS },
	{ "estimated_seconds", "estimated [s]", CELL_SECONDS },
	{ "no_processor_seconds", "no processor [s]", CELL_SECONDS },
	{ "path", NULL, CELL_TEXT }, { "cause_path", NULL, CELL_TEXT },
};

/* A PU counts as waiting only if it has more than a thousandth of the waits of the place. */
static const char by_place[] =
	"WITH " WAITS ", site AS (SELECT call_path, leaf, sum(ns) AS ns, pu, max(ns) AS most "
	"FROM wait GROUP BY call_path, leaf HAVING sum(ns) > 0), "
	"causes AS (SELECT call_path, leaf, sum(ns) AS ns, sum(indirect_ns) AS indirect_ns, "
	"sum(wrong_order_ns) AS wrong_order_ns, sum(estimated_ns) AS estimated_ns, "
	"sum(no_processor_ns) AS no_processor_ns "
	"FROM temp.path_cause WHERE experiment = ?1 GROUP BY call_path, leaf), "
	"cause AS (SELECT call_path, leaf, cause, pu, units, ns, asleep_ns, no_processor_ns, "
	"indirect_ns, max(ns) "
	"FROM temp.path_cause "
	"WHERE experiment = ?1 AND ns > 0 GROUP BY call_path, leaf) "
	"SELECT s.leaf, r.name, h.name, " PLACE("r") ", r.file, r.line_start, " MEAN("s.ns") ", "
	"CASE WHEN ?2 > 0 THEN 1.0 * s.ns / e.p / ?2 END, "
	"(SELECT count(*) FROM wait w WHERE w.call_path = s.call_path AND w.leaf = s.leaf "
	"AND w.ns * 1000 > s.ns), " PU("v") ", vn.name, "
	PU("u") ", un.name, c.name, " CAUSE_NAME("s.leaf", "k.name", "c.type") " || "
	CAUSE_STATE("t.asleep_ns", "t.no_processor_ns", "t.ns + t.indirect_ns") ", "
	PLACE("c") ", c.file, c.line_start, "
	"1.0 * t.ns / s.ns, t.units, (t.ns + e.p / 2) / e.p, " MEAN("a.ns") ", "
	MEAN("a.indirect_ns") ", " MEAN("a.wrong_order_ns") ", " MEAN("a.estimated_ns") ", "
	MEAN("a.no_processor_ns") ", "
	"h.path, k.path "
	"FROM site s "
	"JOIN temp.call_path h ON h.id = s.call_path "
	"JOIN region r ON r.id = h.region "
	"JOIN experiment e ON e.id = ?1 "
	"JOIN processing_unit v ON v.id = s.pu "
	"JOIN temp.pu_name vn ON vn.pu = s.pu "
	"LEFT JOIN causes a ON a.call_path = s.call_path AND a.leaf = s.leaf "
	"LEFT JOIN cause t ON t.call_path = s.call_path AND t.leaf = s.leaf "
	"LEFT JOIN processing_unit u ON u.id = t.pu "
	"LEFT JOIN temp.pu_name un ON un.pu = t.pu "
	"LEFT JOIN temp.call_path k ON k.id = t.cause "
	"LEFT JOIN region c ON c.id = k.region "
	"ORDER BY s.ns DESC, s.call_path, s.leaf";

/* -- by victim --------------------------------------------------------------------------------- */

static const struct column victim_columns[] = {
	{ "wait", "wait", CELL_TEXT }, { "region", NULL, CELL_TEXT },
	{ NULL, "region", CELL_TEXT },
	{ NULL, "place", CELL_TEXT }, { "file", NULL, CELL_TEXT },
	{ "line_start", NULL, CELL_INTEGER }, { "process", "process", CELL_INTEGER },
	{ "thread", "thread", CELL_INTEGER },
	{ "seconds", "seconds", CELL_SECONDS }, { "path", NULL, CELL_TEXT },
};

static const char by_victim[] =
	"WITH " WAITS " "
	"SELECT w.leaf, r.name, h.name, " PLACE("r") ", r.file, r.line_start, v.process, v.thread, "
	"w.ns, h.path "
	"FROM wait w "
	"JOIN temp.call_path h ON h.id = w.call_path "
	"JOIN region r ON r.id = h.region "
	"JOIN processing_unit v ON v.id = w.pu "
	"WHERE w.ns > 0 "
	"ORDER BY w.ns DESC, w.call_path, w.leaf, v.process, v.thread";

/* -- by culprit -------------------------------------------------------------------------------- */

static const struct column culprit_columns[] = {
	{ "region", NULL, CELL_TEXT }, { NULL, "region", CELL_TEXT },
	{ NULL, "place", CELL_TEXT },
	{ "file", NULL, CELL_TEXT },
	{ "line_start", NULL, CELL_INTEGER }, { "culprits", "culprits", CELL_INTEGER },
	{ "worst", NULL, CELL_TEXT }, { NULL, "worst culprit", CELL_TEXT },
	{ "seconds", "waits caused [s]", CELL_SECONDS }, { "share", "share of T_o", CELL_SHARE },
	{ "direct_seconds", "direct [s]", CELL_SECONDS },
	{ "indirect_seconds", "indirect [s]", CELL_SECONDS },
	{ "estimated_seconds", "estimated [s]", CELL_SECONDS },
	{ "no_processor_seconds", "no processor [s]", CELL_SECONDS },
	{ "waits", "kinds of wait", CELL_INTEGER }, { "wait", "mostly as", CELL_TEXT },
	{ "wait_region", NULL, CELL_TEXT }, { NULL, "waiting in", CELL_TEXT },
	{ "path", NULL, CELL_TEXT }, { "wait_path", NULL, CELL_TEXT },
};

/* Waits for a culprit that waited itself are left out: they are an indirect cost of another call
 * path. */
static const char by_culprit[] =
	"WITH "
	"cost AS (SELECT cause, call_path, leaf, ns - passed_ns AS direct, "
	"indirect_ns AS indirect, estimated_ns, no_processor_ns, asleep_ns, "
	"ns + indirect_ns AS ns, most_ns, pu "
	"FROM temp.path_cause "
	"WHERE experiment = ?1), "
	"culprits AS (SELECT c.call_path AS cause, count(DISTINCT d.culprit) AS units "
	"FROM drg_node n JOIN delay d ON d.drg_node = n.id "
	"JOIN temp.call_path_of c ON c.node = d.culprit_node "
	"WHERE n.experiment = ?1 AND d.ns - d.passed_ns + d.indirect_ns > 0 GROUP BY c.call_path), "
	"one AS (SELECT cause, pu, max(most_ns) FROM cost GROUP BY cause), "
	"mostly AS (SELECT cause, call_path, leaf, max(direct + indirect) FROM cost "
	"GROUP BY cause), "
	"total AS (SELECT cause, sum(direct) AS direct, sum(indirect) AS indirect, "
	"sum(estimated_ns) AS estimated, sum(no_processor_ns) AS no_processor, "
	"sum(asleep_ns) AS asleep, sum(ns) AS ns, "
	"count(*) AS waits FROM cost WHERE direct + indirect > 0 "
	"GROUP BY cause) "
	"SELECT r.name, h.name || " CAUSE_STATE("t.asleep", "t.no_processor", "t.ns") ", "
	PLACE("r") ", r.file, "
	"r.line_start, w.units, " PU("u") ", "
	"n.name, (t.direct + t.indirect + e.p / 2) / e.p, "
	"CASE WHEN ?2 > 0 THEN 1.0 * (t.direct + t.indirect) / e.p / ?2 END, "
	MEAN("t.direct") ", " MEAN("t.indirect") ", " MEAN("t.estimated") ", "
	MEAN("t.no_processor") ", "
	"t.waits, m.leaf, v.name, k.name, h.path, k.path "
	"FROM total t "
	"JOIN culprits w USING (cause) "
	"JOIN one o USING (cause) "
	"JOIN mostly m USING (cause) "
	"JOIN temp.call_path h ON h.id = t.cause "
	"JOIN region r ON r.id = h.region "
	"JOIN temp.call_path k ON k.id = m.call_path "
	"JOIN region v ON v.id = k.region "
	"JOIN processing_unit u ON u.id = o.pu "
	"JOIN temp.pu_name n ON n.pu = o.pu "
	"JOIN experiment e ON e.id = ?1 "
	"ORDER BY t.direct + t.indirect DESC, t.cause";

/* -- by pair ----------------------------------------------------------------------------------- */

static const struct column pair_columns[] = {
	{ "victim", NULL, CELL_TEXT }, { NULL, "waiting", CELL_TEXT },
	{ "culprit", NULL, CELL_TEXT }, { NULL, "for", CELL_TEXT },
	{ "seconds", "seconds", CELL_SECONDS },
	{ "wait", "wait", CELL_TEXT }, { "region", NULL, CELL_TEXT },
	{ NULL, "waiting in", CELL_TEXT }, { NULL, "waiting at", CELL_TEXT },
	{ "file", NULL, CELL_TEXT }, { "line_start", NULL, CELL_INTEGER },
	{ "cause", NULL, CELL_TEXT }, { NULL, "delayed in", CELL_TEXT },
	{ NULL, "delayed at", CELL_TEXT },
	{ "cause_file", NULL, CELL_TEXT }, { "cause_line_start", NULL, CELL_INTEGER },
	{ "path", NULL, CELL_TEXT }, { "cause_path", NULL, CELL_TEXT },
};

/* %1$s and %2$s stand for these two conditions, or for nothing */
#define IN_REGION "AND n.id IN (SELECT node FROM temp.chosen_node) "
#define IN_OVERHEAD "AND p.leaf IN (SELECT leaf FROM overhead_ancestor WHERE name = '%s') "
static const char by_pair[] =
	"WITH pair AS (SELECT p.victim, p.culprit, p.leaf, w.call_path, c.call_path AS cause, "
	"sum(p.ns) AS ns, sum(CASE WHEN r.type = 'RT_ASLEEP' THEN p.ns ELSE 0 END) AS asleep_ns "
	"FROM drg_node n JOIN wait_pair p ON p.drg_node = n.id "
	"JOIN temp.call_path_of w ON w.node = n.id "
	"JOIN temp.call_path_of c ON c.node = p.culprit_node "
	"JOIN drg_node m ON m.id = p.culprit_node JOIN code_region r ON r.id = m.region "
	"WHERE n.experiment = ?1 %1$s%2$s"
	"GROUP BY p.victim, p.culprit, p.leaf, w.call_path, c.call_path) "
	"SELECT " PU("v") ", coalesce(vn.name, 'others'), " PU("u") ", un.name, p.ns, p.leaf, "
	"r.name, h.name, " PLACE("r") ", r.file, r.line_start, "
	"c.name, " CAUSE_NAME("p.leaf", "k.name", "c.type") " || "
	CAUSE_STATE("p.asleep_ns", "0", "p.ns") ", " PLACE("c") ", c.file, "
	"c.line_start, h.path, k.path "
	"FROM pair p "
	"JOIN temp.call_path h ON h.id = p.call_path "
	"JOIN region r ON r.id = h.region "
	"JOIN temp.call_path k ON k.id = p.cause "
	"JOIN region c ON c.id = k.region "
	"JOIN processing_unit u ON u.id = p.culprit "
	"JOIN temp.pu_name un ON un.pu = p.culprit "
	"LEFT JOIN processing_unit v ON v.id = p.victim "
	"LEFT JOIN temp.pu_name vn ON vn.pu = p.victim "
	"ORDER BY p.ns DESC, u.process, u.thread, v.process, v.thread, p.call_path, p.leaf, "
	"p.cause";

/* -- the command ------------------------------------------------------------------------------- */

struct question {
	const struct column *columns;
	size_t n;
	const char *sql;
	bool causes;             /* the list has culprits */
	bool has_interval;
	struct interval_overheads interval;
};
#define QUESTION(list, sql, causes) \
	{ list, sizeof list / sizeof *list, sql, causes, false, { .to_ns = -1 } }

/* Loads T_o. Without a sequential run, or in an interval, loads the part of T_o that is known.
 * Makes the temporary tables of an interval. */
static int load_total(struct context *c, int64_t id, struct question *q, int64_t *total,
		      struct err *err)
{
	static const pu_patterns all;
	struct overheads o = { 0 };
	int64_t seq, par1, units;
	if (q->has_interval) {
		q->interval.with_causes = q->causes;
		if (pu_choice_load(c->repo, id, &all, &units, err) ||
		    interval_overheads_load(&q->interval, c->repo, id, "waits", err) ||
		    overheads_load_interval(&o, c->repo, id, &q->interval, err))
			return ERR_FAILED;
	} else if (context_references(c, &seq, &par1, err) ||
		   overheads_load(&o, c->repo, id, seq, par1, err)) {
		return ERR_FAILED;
	}
	*total = o.has_t_s ? o.t_o : o.ns[OTOTAL];
	overheads_release(&o);
	return 0;
}

static int print(struct context *c, int64_t id, struct question *q, struct err *err)
{
	int64_t total;
	struct table table;
	if (load_total(c, id, q, &total, err) || call_paths_load(c->repo, id, err) ||
	    pu_names_load(c->repo, id, err))
		return ERR_FAILED;
	table_init(&table, q->columns, q->n);
	int rc = repo_fill(c->repo, &table, err, q->sql, "ii", id, total);
	rc = rc ? rc : shape_print(c, &table, "waits", err);
	if (rc == 0 && q->has_interval && c->format == FORMAT_TEXT)
		interval_notes_print(&q->interval);
	if (rc == 0 && q->causes)
		rc = view_print_warnings(c, id, WARNING_CAUSES, err);
	table_release(&table);
	return rc;
}

static int print_pairs(struct context *c, int64_t id, struct question *q, struct err *err)
{
	const char *region = cli_get(&c->cli, "--region"), *name = cli_get(&c->cli, "--overhead");
	struct region_choice choice;
	enum sis_overhead overhead = O_NONE;
	if (name && select_overhead(name, "waits", &overhead, err))
		return ERR_USAGE;
	if (region && region_choice_load(&choice, c->repo, id, region, REGION_INCLUSIVE, err))
		return ERR_FAILED;
	char *of = name ? mem_print(IN_OVERHEAD, sis_overhead_table[overhead].name) :
			  mem_string("");
	char *sql = mem_print(by_pair, region ? IN_REGION : "", of);
	q->sql = sql;
	int rc = print(c, id, q, err);
	free(of), free(sql);
	return rc;
}

static int run_waits(struct context *c, struct err *err)
{
	static const struct question by_places = QUESTION(place_columns, by_place, true),
				     by_victims = QUESTION(victim_columns, by_victim, false),
				     by_culprits = QUESTION(culprit_columns, by_culprit, true),
				     by_pairs = QUESTION(pair_columns, by_pair, true);
	int64_t id;
	bool victims = cli_get(&c->cli, "--victims"), culprits = cli_get(&c->cli, "--culprits"),
	     pairs = cli_get(&c->cli, "--pairs");
	if (victims + culprits + pairs > 1)
		return err_usage(err, "waits: --victims, --culprits and --pairs answer different "
				 "questions; choose one");
	if (!pairs && (cli_get(&c->cli, "--region") || cli_get(&c->cli, "--overhead")))
		return err_usage(err, "waits: --region and --overhead restrict --pairs; add it");
	struct question q = victims ? by_victims : culprits ? by_culprits : pairs ? by_pairs :
										    by_places;
	if (select_interval(&c->cli, "waits", &q.has_interval, &q.interval.from_ns,
			    &q.interval.to_ns, err))
		return ERR_USAGE;
	/* T_o from reference runs is known only for the whole run. */
	const char *other = cli_get(&c->cli, "--seq")  ? "--seq" :
			    cli_get(&c->cli, "--par1") ? "--par1" : NULL;
	if (q.has_interval && other)
		return err_usage(err, "waits: %s is for the whole run: leave it out, or --from and "
				 "--to", other);
	if (context_experiment(c, &id, err))
		return ERR_FAILED;
	return pairs ? print_pairs(c, id, &q, err) : print(c, id, &q, err);
}

const struct command cmd_waits = {
	"waits",
	"[EXP] [--victims | --culprits | --pairs [--region R] [--overhead O]] [--from S] "
	"[--to S] [--seq EXP] [--par1 EXP]",
	"Show where processing units waited, for which others, and why these were late",
	"One line for each kind of wait and each call path: seconds (sums over the processing\n"
	"units, divided by p); their share of T_o (of the part of T_o that is known without a\n"
	"sequential run); how many processing units waited, and which one most; for which\n"
	"culprit they mostly waited; the call path in which the culprit was longer than they\n"
	"were; and the part of the wait that this call path caused. `solve > spend_ms` is\n"
	"spend_ms called from solve: a region that has several callers is named with the nearest\n"
	"one that tells its call paths apart. A recursive region counts as one call path.\n"
	"--culprits has one line for each call path that delayed others: the waits that its\n"
	"delays caused directly, and indirectly, through those that it made late.\n"
	"--pairs has one line for each processing unit that waited, the one that it waited for,\n"
	"the wait and its cause. The lines of a wait and a cause add up to its cost. Beyond a\n"
	"million pairs in a run, the smallest of each cause are one line, `others`.\n"
	"Causes within a process, and between calls whose regions were not recorded one by one,\n"
	"are estimates: `estimated` is the part of the seconds whose cause is one. With a trace\n"
	"(SIS_TRACE), causes are exact. `not recorded` stands for a cause that is not known; nor\n"
	"is it for waits of threads at spin locks and in doacross loops, and, in programs with\n"
	"libsis.a, at pthreads.\n"
	"--from and --to show a part of the run. Of each wait, the time within this part counts,\n"
	"with the delays that caused it, even if these were earlier. Waits that are known only as\n"
	"a sum are divided as in `overhead --from`, so both commands have the same waits. Parts\n"
	"that follow each other add up.\n"
	"Example: sis-analyze waits --top 5",
	options, 1, run_waits,
};
