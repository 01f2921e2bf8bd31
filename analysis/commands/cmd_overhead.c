/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_overhead.c - `sis-analyze overhead`: the overhead tree of an experiment, of its PUs, of its
 * regions. Leaves are divided by p and rounded before they are summed, so a node is exactly the sum
 * of its children. */
#include "query/overhead.h"

#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "commands/command.h"
#include "query/explain.h"
#include "commands/option_values.h"
#include "commands/table_view.h"
#include "repository/pu_leaves.h"

static const struct cli_option options[] = {
	{ "--by-pu", NULL, "for each process and thread, in seconds of its own" },
	{ "--region", "NAME", "the overheads inside a region, what it calls included" },
	{ "--overhead", "NAME", "the regions where an overhead arises" },
	{ "--explain", "NAME",
	  "where an overhead comes from: regions, processes and threads, and by which rule" },
	{ "--imbalance", NULL, "show waits for uneven work as OLOSS_IMB, in the tree" },
	REFERENCE_OPTIONS,
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

/* -- the tree ---------------------------------------------------------------------------------- */

static void times_json(const struct overheads *o, struct json *json)
{
	json_field_string(json, "experiment", o->name);
	json_field_integer(json, "p", o->p);
	json_field_seconds(json, "t_p", o->t_p);
	const struct { const char *key; int64_t ns; } with_t_s[] = {
		{ "t_s", o->t_s }, { "t_o", o->t_o }, { "t_u", o->t_u } };
	for (size_t i = 0; i < 3; i++) {
		json_key(json, with_t_s[i].key);
		if (o->has_t_s)
			json_seconds(json, with_t_s[i].ns);
		else
			json_null(json);
	}
	json_field_seconds(json, "t_i", o->t_i);
	json_field_seconds(json, "useful", o->useful);
	json_field_seconds(json, "identity_error", o->identity_error);
	json_field_string(json, "seq", o->ref.seq_name);
	json_field_string(json, "par1", o->ref.par1_name);
}

static void print_json(const struct overheads *o, FILE *out)
{
	struct json json;
	json_init(&json, out);
	json_open(&json, '{');
	times_json(o, &json);
	json_field_open(&json, "overheads", '{');
	for (int i = 1; i < SIS_OVERHEADS; i++)
		json_field_seconds(&json, sis_overhead_table[i].name, o->ns[i]);
	json_close(&json, '}');
	json_field_open(&json, "not_computed", '{');
	for (int i = 1; i < SIS_OVERHEADS; i++) {
		const char *reason = overheads_reason(o, i);
		if (reason)
			json_field_string(&json, sis_overhead_table[i].name, reason);
	}
	json_close(&json, '}');
	json_close(&json, '}');
}

static const struct column csv_columns[] = {
	{ "experiment", NULL, CELL_TEXT },
	{ "overhead", NULL, CELL_TEXT },
	{ "seconds", NULL, CELL_SECONDS },
};

static void print_csv(const struct overheads *o, FILE *out)
{
	struct table table;
	table_init(&table, csv_columns, 3);
	for (int i = 1; i < SIS_OVERHEADS; i++) {
		table_text(&table, o->name);
		table_text(&table, sis_overhead_table[i].name);
		table_seconds(&table, o->ns[i]);
	}
	table_print(&table, FORMAT_CSV, out);
	table_release(&table);
}

static void print_text(const struct context *c, const struct overheads *o)
{
	escape_print(stdout, "%s: p = %lld, T_p = %.6f s", o->name, (long long)o->p,
		     (double)o->t_p / 1e9);
	if (o->has_t_s)
		printf(", T_s = %.6f s, T_o = T_p - T_s/p = %.6f s\n"
		       "\n", (double)o->t_s / 1e9, (double)o->t_o / 1e9);
	else
		puts("\n"
		     "No sequential run (import one with --role seq): T_s and T_o are unknown,\n"
		     "OTOTAL is what was identified.\n");
	overheads_print_tree(o, c->color, stdout);
	puts("\nSeconds are sums over the processing units divided by p.");
	if (o->has_t_s)
		escape_line(stdout, "T_s is that of %s; OADD_ALGO, OADD_COMP, OLOSS_REPL and OUNID "
			    "are what useful work exceeds it by%s%s.", o->ref.seq_name,
			    o->ref.par1_name ? ", divided by the run on one processing unit " : "",
			    o->ref.par1_name ? o->ref.par1_name : "");
	puts("\nNot in this experiment:");
	for (int i = 1; i < SIS_OVERHEADS; i++)
		if (overheads_reason(o, i))
			printf("  %-13s %s\n", sis_overhead_table[i].name, overheads_reason(o, i));
	overheads_print_warnings(o, true, stdout);
}

static int print_tree(struct context *c, int64_t id, int64_t seq, int64_t par1, struct err *err)
{
	struct overheads o;
	if (overheads_load(&o, c->repo, id, seq, par1, err))
		return ERR_FAILED;
	if (c->format != FORMAT_CSV && overheads_load_counted(&o, c->repo, id, err)) {
		overheads_release(&o);
		return ERR_FAILED;
	}
	if (cli_get(&c->cli, "--imbalance"))
		overheads_show_imbalance(&o);
	if (c->format == FORMAT_JSON)
		print_json(&o, stdout);
	else if (c->format == FORMAT_CSV)
		print_csv(&o, stdout);
	else
		print_text(c, &o);
	overheads_release(&o);
	return 0;
}

/* -- the lists --------------------------------------------------------------------------------- */

static const struct column pu_columns[] = {
	{ "process", "process", CELL_INTEGER }, { "thread", "thread", CELL_INTEGER },
	{ "overhead", "overhead", CELL_TEXT }, { "seconds", "seconds", CELL_SECONDS },
};

static const char by_pu[] =
	"SELECT u.process, u.thread, a.name, sum(l.ns) "
	"FROM temp.pu_leaf l "
	"JOIN processing_unit u ON u.id = l.pu "
	"JOIN overhead_ancestor a ON a.leaf = l.leaf "
	"JOIN overhead_kind k ON k.name = a.name "
	"WHERE l.experiment = ?1 "
	"GROUP BY u.id, a.name "
	"HAVING sum(l.ns) <> 0 "
	"ORDER BY u.process, u.thread, k.place";

static const struct column region_columns[] = {
	{ "region", "region", CELL_TEXT },	{ "file", "file", CELL_TEXT },
	{ "line_start", "line", CELL_INTEGER }, { "overhead", "overhead", CELL_TEXT },
	{ "seconds", "seconds", CELL_SECONDS },
};

/* All nodes below those of the region; a node below two of them counts once (UNION). */
static const char of_region[] =
	"WITH RECURSIVE below(region, node) AS ( SELECT n.region, n.id FROM drg_node n "
	"JOIN code_region r ON r.id = n.region "
	"WHERE n.experiment = ?1 AND (r.name = ?2 OR r.key = ?2) UNION SELECT b.region, n.id "
	"FROM below b JOIN drg_node n ON n.parent = b.node), "
	"inner(region, called) AS (SELECT DISTINCT b.region, n.region FROM below b "
	"JOIN drg_node n ON n.id = b.node), "
	"leaves AS (SELECT b.region, o.leaf, sum(o.ns) AS ns FROM below b "
	"JOIN overhead o ON o.drg_node = b.node GROUP BY b.region, o.leaf UNION ALL "
	"SELECT i.region, p.leaf, p.ns FROM inner i "
	"JOIN temp.reference_part p ON p.region = i.called "
	"WHERE NOT EXISTS (SELECT 1 FROM drg_node m "
	"WHERE m.region = i.called AND m.experiment = ?1 AND m.id NOT IN "
	"(SELECT node FROM below WHERE region = i.region))) "
	"SELECT r.name, r.file, r.line_start, a.name, (sum(l.ns) + e.p / 2) / e.p AS seconds "
	"FROM leaves l "
	"JOIN overhead_ancestor a ON a.leaf = l.leaf "
	"JOIN overhead_kind k ON k.name = a.name "
	"JOIN region r ON r.id = l.region "
	"JOIN experiment e ON e.id = ?1 "
	"GROUP BY r.id, a.name "
	"HAVING sum(l.ns) <> 0 "
	"ORDER BY r.file, r.line_start, r.id, k.place";

static const char of_overhead_sql[] =
	"WITH leaves AS (SELECT s.region, r.name, r.file, r.line_start AS line, s.leaf, s.ns "
	"FROM overhead_by_source s JOIN region r ON r.id = s.region WHERE s.experiment = ?1 "
	"UNION ALL SELECT region, name, file, line, leaf, ns FROM temp.reference_part) "
	"SELECT l.name, l.file, l.line, ?2, (sum(l.ns) + e.p / 2) / e.p AS seconds "
	"FROM leaves l "
	"JOIN overhead_ancestor a ON a.leaf = l.leaf AND a.name = ?2 "
	"JOIN experiment e ON e.id = ?1 "
	"GROUP BY l.region, l.name "
	"HAVING sum(l.ns) <> 0 "
	"ORDER BY seconds DESC, l.region";

static int print_list(struct context *c, const struct column *columns, size_t n, const char *sql,
		      int64_t id, const char *name, struct err *err)
{
	struct table table;
	table_init(&table, columns, n);
	int rc = repo_fill(c->repo, &table, err, sql, name ? "it" : "i", id, name);
	rc = rc ? rc : shape_print(c, &table, "overhead", err);
	table_release(&table);
	return rc;
}

static int check_region(struct context *c, int64_t id, const char *name, struct err *err)
{
	int64_t found;
	int rc = repo_number(c->repo, &found, err,
			     "SELECT 1 "
			     "FROM drg_node n "
			     "JOIN code_region r ON r.id = n.region "
			     "WHERE n.experiment = ? AND (r.name = ?2 OR r.key = ?2) LIMIT 1",
			     "it", id, name);
	return rc == 0 ?
		err_fail(err, "no region '%s' in this experiment; `sis-analyze regions` lists them",
			 name) :
		rc < 0 ? rc :
			 0;
}

static int print_explanation(struct context *c, int64_t id, enum sis_overhead node, struct err *err)
{
	struct table table;
	table_init(&table, explain_columns, EXPLAIN_COLUMNS);
	int rc = explain_fill(&table, c->repo, id, node, err);
	rc = rc ? rc : shape_print(c, &table, "overhead", err);
	table_release(&table);
	return rc;
}

/* Loads what the lists show of the reference runs. */
static int keep_references(struct context *c, int64_t id, int64_t seq, int64_t par1,
			   struct err *err)
{
	struct references references;
	if (references_load(&references, c->repo, id, seq, par1, err))
		return ERR_FAILED;
	int rc = references_keep(&references, c->repo, err);
	references_release(&references);
	return rc;
}

/* The one that is given of the options that ask different questions; NULL: none. */
static int find_question(const struct cli *cli, const char **question, struct err *err)
{
	static const char *const shape[] = { "--sort", "--top", "--filter" };
	static const char *const questions[] = { "--by-pu", "--region", "--overhead", "--explain" };
	*question = NULL;
	for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
		if (!cli_get(cli, questions[i]))
			continue;
		if (*question)
			return err_usage(err, "overhead: %s and %s answer different questions; "
					 "choose one", *question, questions[i]);
		*question = questions[i];
	}
	for (size_t i = 0; !*question && i < sizeof shape / sizeof *shape; i++)
		if (cli_get(cli, shape[i]))
			return err_usage(err, "overhead: %s of the tree, which has its order; ask "
					 "for a list: --overhead OTOTAL", shape[i]);
	return 0;
}

static int run(struct context *c, struct err *err)
{
	int64_t id, seq, par1;
	const char *question;
	enum sis_overhead kind = O_NONE;
	if (find_question(&c->cli, &question, err))
		return ERR_USAGE;
	const char *name = question ? cli_get(&c->cli, question) : NULL;
	bool of_overhead = question &&
		(strcmp(question, "--overhead") == 0 || strcmp(question, "--explain") == 0);
	if (of_overhead && select_overhead(name, "overhead", &kind, err))
		return ERR_USAGE;
	if (context_experiment(c, &id, err) || context_references(c, &seq, &par1, err))
		return ERR_FAILED;
	if (!question)
		return print_tree(c, id, seq, par1, err);
	if (strcmp(question, "--by-pu") == 0)
		return pu_leaves_load(c->repo, id, err) ?
			ERR_FAILED :
			print_list(c, pu_columns, 4, by_pu, id, NULL, err);
	if (keep_references(c, id, seq, par1, err))
		return ERR_FAILED;
	if (strcmp(question, "--explain") == 0)
		return print_explanation(c, id, kind, err);
	if (of_overhead)
		return print_list(c, region_columns, 5, of_overhead_sql, id,
				  sis_overhead_table[kind].name, err);
	return check_region(c, id, name, err) ?
		ERR_FAILED :
		print_list(c, region_columns, 5, of_region, id, name, err);
}

const struct command cmd_overhead = {
	"overhead",
	"[EXP] [--by-pu | --region R | --overhead O | --explain O] [--imbalance] [--seq EXP] "
	"[--par1 EXP]",
	"Show what kept the program from useful work",
	"The tree of overheads: data movement, synchronization, control of parallelism,\n"
	"additional computation, loss of parallelism. Seconds are sums over the processing\n"
	"units, divided by their number p, with --region and --overhead too. What the runtime\n"
	"adds below a region (waits, scheduling) counts for the region. --explain and --by-pu\n"
	"give the seconds of each process and thread. --explain divides waits among call paths,\n"
	"because each of them can have a cause of its own.\n"
	"With a sequential run T_s is known, and the useful work beyond it is divided:\n"
	"OLOSS_REPL is work that each processing unit does as one alone did. With the parallel\n"
	"version on one processing unit (--role par1), OADD_ALGO and OADD_COMP are its work\n"
	"beyond the sequential run: OADD_ALGO where the source text was changed, OADD_COMP\n"
	"where it is the same. The rest is OUNID.\n"
	"Example: sis-analyze overhead --explain OSYNC_IBAR",
	options,
	1,
	run,
};
