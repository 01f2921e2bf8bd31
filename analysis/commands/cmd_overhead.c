/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_overhead.c - `sis-analyze overhead`: the overhead tree of an experiment, of its PUs, of its
 * regions. Leaves are divided by p and rounded before they are added up, so a node is exactly the
 * sum of its children. */
#include "answers/query/overhead_tree.h"

#include "base/escape.h"
#include "base/json.h"
#include "commands/command.h"
#include "commands/option_values.h"
#include "commands/overhead_lists.h"
#include "commands/table_view.h"

static const struct cli_option options[] = {
	{ "--region", "NAME",
	  "the overheads inside a region: its name, NAME@LINE, FILE:LINE, or a call path "
	  "'main > solve' or its end" },
	{ "--pu", "P.T", "only of process P, thread T; P: all threads of it; *.T; P.T,P.T" },
	{ "--overhead", "NAME",
	  "only this overhead; without --region and --by-pu: the regions where it arises" },
	{ "--inclusive", NULL, "with what the regions call (the default with --region)" },
	{ "--exclusive", NULL, "without what the regions call (the default without --region)" },
	{ "--by-pu", NULL, "for each process and thread, in seconds of its own" },
	{ "--explain", "NAME",
	  "where an overhead comes from: regions, processes and threads, and by which rule" },
	{ "--imbalance", NULL, "show waits for uneven work as OLOSS_IMB, in the tree" },
	INTERVAL_OPTIONS,
	REFERENCE_OPTIONS,
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

/* -- the tree ---------------------------------------------------------------------------------- */

static void times_json(const struct overheads *o, struct json *json)
{
	json_field_string(json, "experiment", o->name);
	json_field_integer(json, "p", o->p);
	json_field_integer(json, "processing_units", o->units);
	json_field_seconds(json, "t_p", o->t_p);
	json_key(json, "t_p_without_probes"), json_time(json, o->t_p_without);
	json_key(json, "t_s_without_probes"), json_time(json, o->t_s_without);
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

static void print_json(const struct overheads *o, const struct overhead_list *list, FILE *out)
{
	struct json json;
	json_init(&json, out);
	json_open(&json, '{');
	times_json(o, &json);
	if (list->has_interval) {
		const struct interval_overheads *i = &list->interval;
		json_field_seconds(&json, "from", i->from_ns);
		json_field_seconds(&json, "to", i->to_ns);
		/* divided as the leaves are */
		json_field_seconds(&json, "uncertain", i->uncertain_ns / o->units);
		json_field_seconds(&json, "not_known", i->gaps.ns / o->units);
	}
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

static void print_head(const struct context *c, const struct overheads *o,
		       const struct overhead_list *list)
{
	escape_print(stdout, "%s", o->name);
	if (list->has_interval)
		printf(" from %.6f s to %.6f s", (double)list->interval.from_ns / 1e9,
		       (double)list->interval.to_ns / 1e9);
	printf(": p = %lld, T_p = %.6f s", (long long)o->p, (double)o->t_p / 1e9);
	if (o->t_p_without != COST_UNKNOWN)
		printf(", without probes %.6f s", (double)o->t_p_without / 1e9);
	if (o->has_t_s)
		printf(", T_s = %.6f s, T_o = T_p - T_s/p = %.6f s\n"
		       "\n", (double)o->t_s / 1e9, (double)o->t_o / 1e9);
	else if (cli_get(&c->cli, "--pu"))
		printf(", of %lld chosen processing units\n"
		       "\n", (long long)o->units);
	else if (list->has_interval)
		puts("\n"
		     "T_s and T_o of a part of the run are unknown, OTOTAL is what was "
		     "identified.\n");
	else
		puts("\n"
		     "No sequential run (import one with --role seq): T_s and T_o are unknown,\n"
		     "OTOTAL is what was identified.\n");
}

static void print_text(const struct context *c, const struct overheads *o,
		       const struct overhead_list *list)
{
	print_head(c, o, list);
	overheads_print_tree(o, false, "of T_p", c->color, stdout);
	printf("\nSeconds are sums over the processing units divided by %s.\n",
	       cli_get(&c->cli, "--pu") ? "their number" : "p");
	if (o->has_t_s)
		escape_line(stdout, "T_s is that of %s; OADD_ALGO, OADD_COMP, OLOSS_REPL and OUNID "
			    "are what useful work exceeds it by%s%s.", o->ref.seq_name,
			    o->ref.par1_name ? ", divided by the run on one processing unit " : "",
			    o->ref.par1_name ? o->ref.par1_name : "");
	puts("\nNot in this experiment:");
	for (int i = 1; i < SIS_OVERHEADS; i++)
		if (overheads_reason(o, i))
			printf("  %-13s %s\n", sis_overhead_table[i].name, overheads_reason(o, i));
	if (list->has_interval)
		interval_notes_print(&list->interval);
	overheads_print_warnings(o, stdout);
}

static int print_tree(struct context *c, int64_t id, const struct overhead_list *list,
		      struct err *err)
{
	struct overheads o;
	int rc = list->has_interval ?
		overheads_load_interval(&o, c->repo, id, &list->interval, err) :
		cli_get(&c->cli, "--pu") ?
		overheads_load_chosen(&o, c->repo, id, err) :
		overheads_load(&o, c->repo, id, list->seq, list->par1, err);
	if (rc)
		return ERR_FAILED;
	if (c->format != FORMAT_CSV && overheads_load_counted(&o, c->repo, id, err)) {
		overheads_release(&o);
		return ERR_FAILED;
	}
	if (cli_get(&c->cli, "--imbalance"))
		overheads_show_imbalance(&o);
	if (c->format == FORMAT_JSON)
		print_json(&o, list, stdout);
	else if (c->format == FORMAT_CSV)
		print_csv(&o, stdout);
	else
		print_text(c, &o, list);
	overheads_release(&o);
	return 0;
}

/* -- options ----------------------------------------------------------------------------------- */

/* Fails if options do not go together. */
static int check_options(const struct cli *cli, struct err *err)
{
	static const struct { const char *one, *other; } apart[] = {
		{ "--explain", "--by-pu" },
		{ "--explain", "--overhead" },
	};
	for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
		if (cli_get(cli, apart[i].one) && cli_get(cli, apart[i].other))
			return err_usage(err, "overhead: %s and %s answer different questions; "
					 "choose one", apart[i].one, apart[i].other);
	if (cli_get(cli, "--inclusive") && cli_get(cli, "--exclusive"))
		return err_usage(err, "overhead: --inclusive and --exclusive at once; choose one");
	return 0;
}

/* Fails if options for an interval are combined with options that need the whole run, because they
 * show causes or use reference runs. */
static int check_interval(const struct cli *cli, struct err *err)
{
	static const char *const other[] = { "--explain", "--seq", "--par1" };
	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		if (cli_get(cli, other[i]))
			return err_usage(err, "overhead: %s is for the whole run: leave it out, or "
					 "--from and --to", other[i]);
	return 0;
}

/* Fails if there are options for lists, but the command prints the tree. */
static int check_tree(const struct cli *cli, struct err *err)
{
	static const char *const shape[] = { "--sort", "--top", "--filter" };
	static const char *const extent[] = { "--inclusive", "--exclusive" };
	for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
		if (cli_get(cli, shape[i]))
			return err_usage(err, "overhead: %s of the tree, which has its order; ask "
					 "for a list: --overhead OTOTAL", shape[i]);
	for (size_t i = 0; i < sizeof extent / sizeof *extent; i++)
		if (cli_get(cli, extent[i]))
			return err_usage(err, "overhead: %s is for regions; name one with "
					 "--region, or an overhead with --overhead", extent[i]);
	return 0;
}

/* Reads which list the user wants. If the user names a region, its time includes what it calls. If
 * the user asks where an overhead arises, times are exclusive. */
static int read_list(const struct cli *cli, struct overhead_list *list, struct err *err)
{
	const char *explained = cli_get(cli, "--explain"), *overhead = cli_get(cli, "--overhead");
	const char *name = explained ? explained : overhead;
	struct overhead_choice *choice = &list->choice;
	list->explain = explained;
	choice->region = cli_get(cli, "--region");
	choice->by_pu = cli_get(cli, "--by-pu");
	choice->references = !choice->by_pu && !cli_get(cli, "--pu") && !list->has_interval;
	choice->extent = choice->region ? REGION_INCLUSIVE : REGION_EXCLUSIVE;
	if (cli_get(cli, "--inclusive"))
		choice->extent = REGION_INCLUSIVE;
	else if (cli_get(cli, "--exclusive"))
		choice->extent = REGION_EXCLUSIVE;
	return name ? select_overhead(name, "overhead", &choice->overhead, err) : 0;
}

static int run_overhead(struct context *c, struct err *err)
{
	int64_t id;
	struct overhead_list list = { .has_interval = false };
	pu_patterns patterns = { 0 };
	int rc = check_options(&c->cli, err);
	rc = rc ? rc : select_interval(&c->cli, "overhead", &list.has_interval,
				       &list.interval.from_ns, &list.interval.to_ns, err);
	if (rc == 0 && list.has_interval)
		rc = check_interval(&c->cli, err);
	rc = rc ? rc : read_list(&c->cli, &list, err);
	bool is_tree = !list.choice.region && !list.choice.overhead && !list.choice.by_pu;
	if (rc == 0 && is_tree)
		rc = check_tree(&c->cli, err);
	rc = rc ? rc : select_pus(&c->cli, "overhead", &patterns, err);
	rc = rc ? rc : context_experiment(c, &id, err);
	rc = rc ? rc : context_references(c, &list.seq, &list.par1, err);
	rc = rc ? rc : pu_choice_load(c->repo, id, &patterns, &list.units, err);
	if (rc == 0 && list.has_interval)
		rc = interval_overheads_load(&list.interval, c->repo, id, "overhead", err);
	if (rc == 0)
		rc = is_tree ? print_tree(c, id, &list, err) :
			       overhead_list_print(c, id, &list, err);
	vec_free(&patterns);
	return rc;
}

const struct command cmd_overhead = {
	"overhead",
	"[EXP] [--region R] [--pu P.T] [--overhead O | --explain O] [--by-pu] [--inclusive | "
	"--exclusive] [--imbalance] [--from S] [--to S] [--seq EXP] [--par1 EXP]",
	"Show what kept the program from useful work",
	"The tree of overheads: data movement, synchronization, control of parallelism,\n"
	"additional computation, loss of parallelism. Seconds are sums over the processing\n"
	"units, divided by their number; with --by-pu and --explain they are those of each\n"
	"process and thread. --region, --pu, --overhead and --by-pu go together in any way and\n"
	"restrict the tree or give a list. What the runtime adds below a region (waits,\n"
	"scheduling) counts for the region. The exclusive overheads of all regions add up to\n"
	"the tree, and so does the inclusive one of --region program, the whole run. --explain\n"
	"divides waits among call paths, because each of them can have a cause of its own.\n"
	"With a sequential run T_s is known, and the useful work beyond it is divided:\n"
	"OLOSS_REPL is work of a call path that each processing unit does as one alone did,\n"
	"with as many calls; as many calls in total are divided work. With the parallel version\n"
	"on one processing unit (--role par1), OADD_ALGO and OADD_COMP are its work beyond the\n"
	"sequential run: OADD_ALGO where the text of a function was changed (after its macros\n"
	"are expanded) or is called more often, OADD_COMP where only the compiler or its flags\n"
	"were changed. The rest is OUNID. These are known of all processing units together, and\n"
	"are left out with --pu and --by-pu. --explain gives the numbers of each call path.\n"
	"--from and --to read the trace: the overheads of that part of the run, whose length is\n"
	"T_p then. Times in regions and single waits are exact. It is not known when probes,\n"
	"misses and a lack of processors cost time, or which thread an idle one could have\n"
	"helped. So the time in a region is divided among useful work and overheads as in the\n"
	"whole run; the end of the output says how much of it is uncertain. Parts that follow\n"
	"each other add up.\n"
	"Example: sis-analyze overhead --region 'solve > MPI_Recv' --pu 0.1 --overhead OSYNC",
	options,
	1,
	run_overhead,
};
