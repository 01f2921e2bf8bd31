/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_calibrate.c - `sis-analyze calibrate`: measures what measuring costs on this machine, as in
 * the experiments of Waller and Hasselbring (2012). */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/whole_file.h"
#include "answers/calibrate/measure.h"
#include "answers/calibrate/portions_svg.h"
#include "commands/calibration_view.h"

static const struct cli_option options[] = {
	{
		"--quick", NULL,
		"takes less than 20 s: 3 processes, 40000 calls of 500 ns, depths 1,4,16,64"
	},
	{ "--calls", "N", "calls of each process; the first half is left out (100000)" },
	{ "--call-time", "TIME", "time of a call, such as 500us or 2ms (2us)" },
	{ "--processes", "N", "fresh processes of each kind (10)" },
	{ "--depths", "LIST", "depths of the recursion (1,2,4,8,16,32,64)" },
	{ "--settings", "LIST", "settings, such as S1,A5 (all)" },
	{ "--regions-only", NULL, "not the calls of MPI, OpenMP and pthreads" },
	{ "--svg", "FILE", "also draw the portions" },
	{ "--compare", NULL, "put calibrations side by side (the newest of each machine)" },
	{ "--list", NULL, "list the calibrations of the repository" },
	{ "--remove", "NUMBER", "take this one out of the repository" },
	{ NULL, NULL, NULL },
};

/* -- options ----------------------------------------------------------------------------------- */

static int number_option(const struct cli *cli, const char *name, int64_t least, int64_t most,
			 int64_t *value, struct err *err)
{
	const char *text = cli_get(cli, name);
	char *end;
	if (!text)
		return 0;
	errno = 0;
	long long number = strtoll(text, &end, 10);
	if (end == text || *end || errno || number < least || number > most)
		return err_usage(err, "calibrate: %s '%s' is no number from %" PRId64 " to "
				 "%" PRId64, name, text, least, most);
	*value = number;
	return 0;
}

static int time_option(const struct cli *cli, int64_t *ns, struct err *err)
{
	static const struct { const char *unit; double ns; } units[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	const char *text = cli_get(cli, "--call-time");
	char *end;
	if (!text)
		return 0;
	double value = strtod(text, &end);
	for (size_t i = 0; end != text && i < sizeof units / sizeof *units; i++) {
		double all = value * units[i].ns;
		if (strcmp(end, units[i].unit) != 0 || !(all >= 0 && all <= 1e9))
			continue;
		*ns = llround(all);
		return 0;
	}
	return err_usage(err, "calibrate: --call-time '%s' is no time to 1s; write it as 500us or "
			 "2ms", text);
}

static bool has_depth(const struct measure_options *o, int64_t depth)
{
	for (size_t i = 0; i < o->depth.n; i++)
		if (o->depth.at[i] == depth)
			return true;
	return false;
}

/* Depth 1 is always in the list, because all settings are measured with one region. */
static int depths_option(const char *list, struct measure_options *o, struct err *err)
{
	enum { DEEPEST = 10000 };
	*vec_push(&o->depth) = 1;
	for (const char *at = list;; at++) {
		char *end;
		long depth = strtol(at, &end, 10);
		if (end == at || (*end && *end != ',') || depth < 1 || depth > DEEPEST)
			return err_usage(err, "calibrate: --depths '%s' is no list of numbers from "
					 "1 to %d, such as 1,2,4", list, DEEPEST);
		if (!has_depth(o, depth))
			*vec_push(&o->depth) = depth;
		if (!*end)
			return 0;
		at = end;
	}
}

static int settings_option(const char *list, struct measure_options *o, struct err *err)
{
	bool chosen[SETTINGS] = { false };
	for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		size_t length = strcspn(at, ",");
		const struct setting *s = setting_by_name(at, length);
		if (!s)
			return err_usage(err, "calibrate: no setting '%.*s'; there are S1, S2, A1, "
					 "A2, A3, A4 and A5", (int)length, at);
		chosen[s - setting_table] = true;
	}
	for (size_t i = 0; i < SETTINGS; i++)
		if (chosen[i])
			*vec_push(&o->setting) = &setting_table[i];
	return 0;
}

static int read_options(const struct cli *cli, struct measure_options *o, struct err *err)
{
	bool quick = cli_get(cli, "--quick") != NULL;
	const char *depths = cli_get(cli, "--depths"), *settings = cli_get(cli, "--settings");
	o->calls = quick ? 40000 : 100000;
	o->call_ns = quick ? 500 : 2000;
	o->processes = quick ? 3 : 10;
	o->only_regions = cli_get(cli, "--regions-only") != NULL;
	depths = depths ? depths : quick ? "1,4,16,64" : "1,2,4,8,16,32,64";
	int rc = number_option(cli, "--calls", 4, 100000000, &o->calls, err);
	rc = rc ? rc : number_option(cli, "--processes", 1, 1000, &o->processes, err);
	rc = rc ? rc : time_option(cli, &o->call_ns, err);
	rc = rc ? rc : depths_option(depths, o, err);
	return rc ? rc : settings_option(settings ? settings : "S1,S2,A1,A2,A3,A4,A5", o, err);
}

/* -- measuring, showing, listing, removing ----------------------------------------------------- */

static int show(const struct context *context, const struct calibration *c, struct err *err)
{
	portion_list portions = { 0 };
	const char *svg = cli_get(&context->cli, "--svg");
	portions_find(&portions, c);
	calibration_print(c, &portions, context->format);
	struct whole_file file;
	int rc = svg ? whole_file_open(&file, svg, "--svg", err) : 0;
	if (svg && rc == 0) {
		portions_svg(c, &portions, file.out);
		rc = whole_file_close(&file, "--svg", 0, err);
	}
	vec_free(&portions);
	return rc;
}

static int measure(struct context *context, struct err *err)
{
	struct measure_options o = { 0 };
	struct calibration c = { 0 };
	char *notes = NULL;
	int rc = read_options(&context->cli, &o, err);
	rc = rc ? rc : context_open(context, REPO_WRITE, err);
	if (rc == 0) {
		double load;
		c.cores = sysconf(_SC_NPROCESSORS_ONLN);
		/* Warns if other programs run, because they falsify the results, and the user may
		 * not know of them. */
		if (getloadavg(&load, 1) == 1 && load > 0.3 + 0.1 * (double)c.cores)
			fprintf(stderr, "sis-analyze: warning: other programs use this machine "
				"(load %.1f); for exact figures, repeat on an idle one\n", load);
		rc = calibration_measure(&c, &o, &notes, err);
	}
	for (char *rest = notes, *line; rc == 0 && (line = strsep(&rest, "\n"));)
		if (*line)
			escape_line(stderr, "sis-analyze: note: %s", line);
	rc = rc ? rc : calibration_store(&c, context->repo, err);
	rc = rc ? rc : show(context, &c, err);
	free(notes);
	vec_free(&o.depth), vec_free(&o.setting);
	calibration_release(&c);
	return rc;
}

static int number_of(const char *text, int64_t *number, struct err *err)
{
	char *end;
	errno = 0;
	*number = strtoll(text, &end, 10);
	return end != text && !*end && !errno && *number > 0 ? 0 :
		err_usage(err, "calibrate: '%s' is no number of a calibration; `sis-analyze "
			  "calibrate --list` lists them", text);
}

static int show_stored(struct context *context, struct err *err)
{
	struct calibration c;
	int64_t id;
	if (context->cli.argument.n > 1)
		return err_usage(err, "calibrate: '%s' is one too many; to put calibrations side "
				 "by side, add --compare", context->cli.argument.at[1]);
	int rc = number_of(context->cli.argument.at[0], &id, err);
	rc = rc ? rc : context_open(context, REPO_READ, err);
	if (rc || calibration_load(&c, context->repo, id, err))
		return rc ? rc : ERR_FAILED;
	rc = show(context, &c, err);
	calibration_release(&c);
	return rc;
}

static const struct column list_columns[] = {
	{ "id", "", CELL_INTEGER },		{ "host", "host", CELL_TEXT },
	{ "processor", "processor", CELL_TEXT }, { "cores", "cores", CELL_INTEGER },
	{ "started", "started", CELL_TEXT },	{ "runtime", "SIS", CELL_TEXT },
	{ "calls", "calls", CELL_INTEGER },	{ "call_ns", "of [ns]", CELL_INTEGER },
	{ "processes", "processes", CELL_INTEGER },
};
static const char list_sql[] =
	"SELECT c.id, m.host, c.processor, m.cores, "
	"strftime('%Y-%m-%dT%H:%M:%SZ', c.started_ns / 1000000000, 'unixepoch'), "
	"c.runtime, c.calls, c.call_ns, c.processes "
	"FROM calibration c JOIN physical_machine m ON m.id = c.physical_machine ORDER BY c.id";

static int list(struct context *context, struct err *err)
{
	struct table table;
	table_init(&table, list_columns, sizeof list_columns / sizeof *list_columns);
	int rc = context_open(context, REPO_READ, err);
	rc = rc ? rc : repo_fill(context->repo, &table, err, list_sql, "");
	if (rc == 0)
		table_print(&table, context->format, stdout);
	table_release(&table);
	return rc;
}

static int remove_stored(struct context *context, struct err *err)
{
	int64_t id, there;
	int rc = number_of(cli_get(&context->cli, "--remove"), &id, err);
	rc = rc ? rc : context_open(context, REPO_WRITE, err);
	if (rc || repo_begin(context->repo, err))
		return rc ? rc : ERR_FAILED;
	int found = repo_number(context->repo, &there, err,
				"SELECT 1 FROM calibration WHERE id = ?", "i", id);
	if (found == 0)
		err_fail(err, "no calibration %" PRId64 "; `sis-analyze calibrate --list` lists "
			 "them", id);
	if (found < 1 ||
	    repo_run(context->repo, err, "DELETE FROM calibration WHERE id = ?", "i", id))
		return ERR_FAILED;
	return repo_commit(context->repo, err);
}

/* -- comparing --------------------------------------------------------------------------------- */

typedef VEC(int64_t) id_list;

static int take_id(void *arg, const struct cell *row, struct err *err)
{
	(void)err;
	*vec_push((id_list *)arg) = row[0].integer;
	return 0;
}

static int choose(struct context *context, id_list *ids, struct err *err)
{
	const struct cli *cli = &context->cli;
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < cli->argument.n; i++)
		rc = number_of(cli->argument.at[i], vec_push(ids), err);
	rc = rc ? rc : context_open(context, REPO_READ, err);
	if (rc || cli->argument.n)
		return rc;
	rc = repo_each(context->repo, take_id, ids, err,
		       "SELECT max(id) FROM calibration GROUP BY physical_machine ORDER BY 1", "");
	if (rc == 0 && !ids->n)
		rc = err_fail(err, "no calibration in '%s'; measure one: sis-analyze calibrate "
			      "--quick", repo_path(context->repo));
	return rc;
}

static int compare(struct context *context, struct err *err)
{
	id_list ids = { 0 };
	int rc = choose(context, &ids, err);
	struct calibration *c = mem_alloc(ids.n + 1, sizeof *c);
	size_t n = 0;
	while (rc == 0 && n < ids.n) {
		rc = calibration_load(&c[n], context->repo, ids.at[n], err);
		n += rc == 0;
	}
	if (rc == 0)
		calibrations_compare(c, n, context->format);
	while (n-- > 0)
		calibration_release(&c[n]);
	free(c);
	vec_free(&ids);
	return rc;
}

static int run_calibrate(struct context *c, struct err *err)
{
	if (cli_get(&c->cli, "--list"))
		return list(c, err);
	if (cli_get(&c->cli, "--remove"))
		return remove_stored(c, err);
	if (cli_get(&c->cli, "--compare"))
		return compare(c, err);
	return c->cli.argument.n ? show_stored(c, err) : measure(c, err);
}

const struct command cmd_calibrate = {
	"calibrate",
	"[NUMBER | --compare [NUMBER...]]",
	"Measure what measuring costs on this machine, or show it",
	"Runs small programs with and without SIS, and divides the difference into portions. A\n"
	"region that is turned off (SIS_FILTER) costs I. The profile adds C; of this, C inside\n"
	"is in the region's own time, and C outside in that of the region around it. Events of\n"
	"a trace add C trace, and writing them adds W. The floor is what remains if everything\n"
	"is off (SIS_ENABLE=0). These states are measured in turn, each in fresh processes.\n"
	"Settings: S1 one core, S2 the two hardware threads of a core, with SIS_WRITER=sync; A1\n"
	"and A2 the same with async; A3 two cores of a processor; A4 two processors; A5 all.\n"
	"The result is kept in the repository and has a number, which shows it again. Traces\n"
	"are written in the working directory. The experiments of Waller and Hasselbring (2012)\n"
	"had --calls 2000000 --call-time 500us, which takes 17 minutes for each process.\n"
	"Example: sis-analyze calibrate --quick --svg cost.svg",
	options,
	64,
	run_calibrate,
};
