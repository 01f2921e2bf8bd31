/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_blame.c - `sis-analyze blame`: the variables on which the time of a run was spent, by its
 * samples. */
#include "commands/blame_lists.h"
#include "commands/blame_memory.h"
#include "commands/option_values.h"
#include "commands/table_view.h"

static const struct cli_option options[] = {
	{ "--at", "PATH",
	  "at this blame point: 'main > solve', or its end 'solve'; several: repeat it" },
	{ "--share", "PERCENT", "at all blame points with this part of the samples: 5%" },
	{ "--fields", NULL, "show the parts of variables, too: PANEL->L2" },
	{ "--inclusive", NULL, "a sample counts for each variable that its work reaches" },
	{ "--partitioned", NULL,
	  "a sample is divided among the nearest variables that its work reaches (the default)" },
	{ "--by", "UNIT", "a line for each thread, process or node" },
	{ "--over", "UNIT",
	  "mean, deviation and imbalance over threads, processes or nodes: thread, process, node" },
	{ "--functions", NULL, "the profile of functions, of the same samples" },
	{ "--folded", NULL, "stacks of functions and a variable, for flame graphs" },
	{ "--memory", NULL, "which memory the samples access, and where it was allocated" },
	{ "--overhead", "NAME", "the time of this overhead for each variable, which is exact" },
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

static int check_options(const struct cli *cli, struct err *err)
{
	static const struct { const char *one, *other; } apart[] = {
		{ "--inclusive", "--partitioned" }, { "--at", "--share" }, { "--by", "--over" },
		{ "--functions", "--folded" }, { "--functions", "--overhead" },
		{ "--folded", "--overhead" }, { "--folded", "--inclusive" },
		{ "--folded", "--fields" }, { "--memory", "--functions" },
		{ "--memory", "--folded" }, { "--memory", "--overhead" }, { "--memory", "--at" },
		{ "--memory", "--share" }, { "--memory", "--fields" },
		{ "--memory", "--inclusive" }, { "--memory", "--partitioned" },
	};
	for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
		if (cli_get(cli, apart[i].one) && cli_get(cli, apart[i].other))
			return err_usage(err, "blame: %s and %s at once; choose one", apart[i].one,
					 apart[i].other);
	return 0;
}

static int read_unit(const struct cli *cli, struct blame_view *view, struct err *err)
{
	const char *by = cli_get(cli, "--by"), *over = cli_get(cli, "--over");
	const char *name = by ? by : over;
	view->by_unit = by;
	if (name && !blame_unit_named(name, &view->unit))
		return err_usage(err, "blame: %s '%s' is none of thread, process and node",
				 by ? "--by" : "--over", name);
	return 0;
}

/* Without --by and --over, units are processes if there are several processes, else threads. */
static int load_units(struct context *c, struct blame_view *view, struct err *err)
{
	bool given = cli_get(&c->cli, "--by") || cli_get(&c->cli, "--over");
	int64_t processes;
	if (!given && repo_number(c->repo, &processes, err, "SELECT count(DISTINCT process) FROM "
				  "processing_unit WHERE experiment = ?", "i",
				  view->experiment) != 1)
		return ERR_FAILED;
	if (!given)
		view->unit = processes > 1 ? BLAME_PROCESSES : BLAME_THREADS;
	return blame_units_load(c->repo, view->experiment, view->unit, &view->units, err);
}

/* Fails if the experiment has no samples, or no overheads by variable. Overheads by variable exist
 * only if the import could read the program's variables. */
static int check_recorded(struct context *c, int64_t experiment, bool overheads, struct err *err)
{
	int64_t found = 0;
	int rc = repo_number(c->repo, &found, err,
			     overheads ?
			     "SELECT 1 FROM blame_point b "
			     "JOIN variable v ON v.blame_point = b.id "
			     "JOIN variable_overhead o ON o.variable = v.id "
			     "WHERE b.experiment = ? LIMIT 1" :
			     "SELECT 1 FROM sampling WHERE experiment = ?", "i", experiment);
	if (rc < 0 || found)
		return rc < 0 ? ERR_FAILED : 0;
	return err_fail(err, overheads ?
			"this experiment has no overheads by variable: its program was not built "
			"with sisc --sis-blame, or was not there any more, or a newer one was, "
			"when the experiment was imported" :
			"this experiment has no samples; build the program with sisc --sis-blame, "
			"and run it with SIS_BLAME=1");
}

static int choose_points(struct context *c, struct blame_view *view, struct err *err)
{
	VEC(const char *) at = { 0 };
	struct blame_choice choice = { .share = -1, .all_roots = cli_get(&c->cli, "--overhead"),
				       .least = c->format == FORMAT_TEXT ? 0.01 : 0 };
	const char *path;
	int rc = select_percent(&c->cli, "blame", "--share", &choice.share, err);
	for (size_t k = 0; (path = cli_nth(&c->cli, "--at", k)); k++)
		*vec_push(&at) = path;
	*vec_push(&at) = NULL;
	choice.at = at.at;
	rc = rc ? rc : blame_points_choose(c->repo, view->experiment, &choice, &view->left_out,
					   err);
	vec_free(&at);
	return rc;
}

static int run_blame(struct context *c, struct err *err)
{
	struct blame_view view = { .inclusive = cli_get(&c->cli, "--inclusive"),
				   .fields = cli_get(&c->cli, "--fields"),
				   .chosen = cli_get(&c->cli, "--at") ||
					     cli_get(&c->cli, "--share") };
	const char *name = cli_get(&c->cli, "--overhead");
	enum sis_overhead overhead = O_NONE;
	int rc = check_options(&c->cli, err);
	rc = rc ? rc : read_unit(&c->cli, &view, err);
	if (rc == 0 && name)
		rc = select_overhead(name, "blame", &overhead, err);
	rc = rc ? rc : context_experiment(c, &view.experiment, err);
	rc = rc ? rc : check_recorded(c, view.experiment, name, err);
	rc = rc ? rc : blame_samples(c->repo, view.experiment, &view.samples, err);
	rc = rc ? rc : load_units(c, &view, err);
	rc = rc ? rc : choose_points(c, &view, err);
	if (rc)
		return rc;
	if (name)
		return blame_print_overhead(c, &view, sis_overhead_table[overhead].name, err);
	if (cli_get(&c->cli, "--functions"))
		return blame_print_functions(c, &view, 0, err);
	if (cli_get(&c->cli, "--folded"))
		return blame_print_folded(c, &view, err);
	if (cli_get(&c->cli, "--memory"))
		return blame_print_memory(c, &view, err);
	return c->format == FORMAT_TEXT ? blame_print_page(c, &view, err) :
					  blame_print_rows(c, &view, err);
}

const struct command cmd_blame = {
	"blame",
	"[EXP] [--at PATH | --share PERCENT] [--fields] [--inclusive | --partitioned] "
	"[--by UNIT | --over UNIT] [--functions | --folded | --memory | --overhead O]",
	"Show for which variables the time was spent",
	"Needs a program that was built with sisc --sis-blame and ran with SIS_BLAME=1: then\n"
	"stacks were sampled. The work of a sample flows through assignments, memory, calls\n"
	"and conditions into variables. Each call path is a blame point with variables of its\n"
	"own: an argument of a function is another variable of its caller. Shown are main,\n"
	"functions with #pragma sis blame, and blame points above which some blame cannot rise.\n"
	"Explicit: the work reaches the variable through data alone. Implicit: a condition or\n"
	"loop counter decides about the variable. Blocked: the thread was waiting.\n"
	"Data-centric: the sample itself was in a statement that writes the variable. Output:\n"
	"the work reaches only output. Other: it reaches no variable. With several processes or\n"
	"threads, mean, deviation and max/mean are of the samples of each.\n"
	"The end of the page compares with a profile of functions, and says how exactly samples\n"
	"were placed at statements, and what of the blame is not certain. With --json, samples\n"
	"that were not placed have rows of kind 'unresolved', whose variable is the reason;\n"
	"'show --json' has what is not certain. --overhead needs no samples: it divides waits\n"
	"and transfers that were measured among the variables that were waited for or moved:\n"
	"those of MPI calls, locks and reductions. What belongs to no variable is Other, a\n"
	"line for each construct or call. The lines of outermost functions add up to the\n"
	"overhead.\n"
	"--memory lists the memory that the instructions of samples access: a line for each call\n"
	"path that allocates, for each static or thread-local variable and for each variable on\n"
	"a stack. Allocated memory has the name of the pointer that keeps it, such as p->L2, and\n"
	"the outermost variable that it is a part of. 'at most' adds up the most of each thread\n"
	"at one time; the life of memory is that from allocation to free. Variables on stacks\n"
	"have names if the program was compiled with -g.\n"
	"Example: sis-analyze blame --at 'main > solve' --fields\n"
	"         sis-analyze blame --memory --filter 'kind=heap' --top 10",
	options,
	1,
	run_blame,
};
