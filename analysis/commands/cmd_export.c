/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_export.c - `sis-analyze export`: writes an experiment in a format of another tool. A table
 * lists the formats; this file opens the output for all of them. One thread. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/terminal.h"
#include "base/whole_file.h"
#include "commands/command.h"
#include "commands/option_values.h"
#include "answers/export/export.h"

static const struct cli_option options[] = {
	{ "--format", "FORMAT", "what to write: see above" },
	{ "-o", "FILE", "output file; a directory for tau (default: standard output)" },
	{ "--pu", "P.T", "only process P, thread T; not for xml and json, which are always whole" },
	{ "--window", "A:B",
	  "time line from A to B only, in seconds since the run began; either may be left out" },
	{ "--process", "N", "time line of process N only" },
	{ "--thread", "N", "time line of thread N of each process only" },
	{ NULL, NULL, NULL },
};

static const struct export_format formats[] = {
	{ .name = "xml", .write = export_xml },
	{ .name = "json", .write = export_json },
	{ .name = "csv", .has_graph = true, .fold = GRAPH_PUS, .write = export_csv },
	{ .name = "folded", .has_graph = true, .fold = GRAPH_WHOLE, .write = export_folded },
	{ .name = "speedscope",
	  .has_graph = true,
	  .fold = GRAPH_PUS,
	  .write = export_speedscope },
	{ .name = "hatchet", .has_graph = true, .fold = GRAPH_WHOLE, .write = export_hatchet },
	{ .name = "caliper", .has_graph = true, .fold = GRAPH_PROCESSES, .write = export_caliper },
	{ .name = "tau",
	  .has_graph = true,
	  .fold = GRAPH_PUS,
	  .is_directory = true,
	  .write = export_tau },
	{ .name = "perfetto", .is_trace = true, .is_binary = true, .write = export_perfetto },
};
enum { FORMATS = sizeof formats / sizeof *formats };

static int find_format(const struct context *c, const struct export_format **format,
		       struct err *err)
{
	const char *name = cli_get(&c->cli, "--format");
	const char *other = c->format == FORMAT_JSON ? "json" :
		c->format == FORMAT_CSV		     ? "csv" :
						       NULL;
	if (name && other)
		return err_usage(err, "export: --format %s and --%s at once; choose one", name,
				 other);
	name = name ? name : other;
	if (!name)
		return err_usage(err, "export: no format; write --format F: `sis-analyze help "
				 "export` lists them");
	for (size_t i = 0; i < FORMATS; i++)
		if (strcmp(formats[i].name, name) == 0) {
			*format = &formats[i];
			return 0;
		}
	return err_usage(err, "export: unknown format '%s'; `sis-analyze help export` lists them",
			 name);
}

/* -- the part to export ------------------------------------------------------------------------ */

/* Reads the text up to `end` as seconds; *ns is `otherwise` if there is no text. Returns false if
 * the text is no number of seconds. */
static bool read_seconds(const char *text, const char *end, int64_t *ns, int64_t otherwise)
{
	char *at;
	*ns = otherwise;
	if (text == end)
		return true;
	double seconds = strtod(text, &at);
	*ns = (int64_t)(seconds * 1e9);
	return at == end && seconds >= 0 && seconds < 1e9;
}

static int read_number(const struct context *c, const char *option, int64_t *number,
		       struct err *err)
{
	const char *text = cli_get(&c->cli, option);
	char *end;
	if (!text)
		return 0;
	*number = strtoll(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && *number <= UINT32_MAX)
		return 0;
	return err_usage(err, "export: bad %s '%s'; write a number from 0 on", option, text);
}

/* Chooses the part of a trace. The caller has set `process` and `thread` of the job to the values
 * of --pu. */
static int choose_part(const struct context *c, const struct export_format *format,
		       struct export_job *job, struct err *err)
{
	static const char *const only[] = { "--window", "--process", "--thread" };
	for (size_t i = 0; !format->is_trace && i < sizeof only / sizeof *only; i++)
		if (cli_get(&c->cli, only[i]))
			return err_usage(err, "export: %s is for format perfetto only; leave it "
					 "out, or choose perfetto", only[i]);
	const char *window = cli_get(&c->cli, "--window"),
		   *colon = window ? strchr(window, ':') : NULL;
	job->to_ns = -1;
	if (window && !(colon && read_seconds(window, colon, &job->from_ns, 0) &&
			read_seconds(colon + 1, colon + strlen(colon), &job->to_ns, -1) &&
			(job->to_ns < 0 || job->to_ns >= job->from_ns)))
		return err_usage(err, "export: bad window '%s'; write FROM:TO in seconds, for "
				 "example 1.5:2", window);
	int rc = read_number(c, "--process", &job->process, err);
	return rc ? rc : read_number(c, "--thread", &job->thread, err);
}

/* -- the output -------------------------------------------------------------------------------- */

static bool has_profiles(const char *directory)
{
	bool found = false;
	DIR *dir = opendir(directory);
	for (struct dirent *entry; dir && !found && (entry = readdir(dir));)
		found = strncmp(entry->d_name, "profile.", 8) == 0;
	if (dir)
		closedir(dir);
	return found;
}

static int open_output(struct export_job *job, const struct export_format *format, const char *path,
		       struct whole_file *file, struct err *err)
{
	if (!format->is_directory) {
		if (format->is_binary && !path && terminal_width() > 0)
			return err_usage(err, "export: %s is not for terminals; name a file for it "
					 "with -o", format->name);
		int rc = whole_file_open(file, path, "-o", err);
		job->out = file->out;
		return rc;
	}
	if (!path)
		return err_usage(err, "export: this format is many files; name a directory for "
				 "them with -o");
	if (mkdir(path, 0777) != 0 && errno != EEXIST)
		return err_fail(err, "cannot make directory '%s': %s; choose another with -o", path,
				strerror(errno));
	/* Readers would treat the profiles of two runs in one directory as one run. */
	if (has_profiles(path))
		return err_fail(err, "there are profiles in '%s' already; choose another directory "
				"with -o", path);
	job->directory = path;
	return 0;
}

/* -- the command ------------------------------------------------------------------------------- */

static int run_export(struct context *c, struct err *err)
{
	const struct export_format *format = NULL;
	struct export_job job = { 0 };
	struct whole_file file;
	const char *path = cli_get(&c->cli, "-o");
	int rc = find_format(c, &format, err);
	rc = rc ? rc : select_pu(&c->cli, "export", &job.process, &job.thread, err);
	rc = rc ? rc : choose_part(c, format, &job, err);
	if (rc == 0 && job.process >= 0 && !format->has_graph && !format->is_trace)
		rc = err_usage(err, "export: %s is the whole experiment; leave --pu out, or use "
			       "csv", format->name);
	rc = rc ? rc : context_experiment(c, &job.experiment, err);
	job.repo = c->repo;
	if (rc == 0 && format->has_graph)
		rc = call_graph_load(&job.graph, c->repo, job.experiment, format->fold, job.process,
				     job.thread, err);
	if (rc == 0 && (rc = open_output(&job, format, path, &file, err)) == 0) {
		rc = format->write(&job, err);
		rc = job.out ? whole_file_close(&file, "-o", rc, err) : rc;
	}
	call_graph_release(&job.graph);
	return rc;
}

const struct command cmd_export = {
	"export",
	"[EXP] --format F [-o FILE]",
	"Write an experiment for other tools",
	"  xml         everything, by share/sis/experiment.xsd; sis-analyze import reads it again\n"
	"  json        the same, by share/sis/experiment.schema.json; import reads it, too\n"
	"  csv         one line per region, stack, process and thread: for spreadsheets\n"
	"  folded      stacks with nanoseconds: for flame graphs\n"
	"  speedscope  the same for each process and thread: for www.speedscope.app\n"
	"  hatchet     nested dictionaries: for hatchet.GraphFrame.from_literal(json.load(...))\n"
	"  caliper     split JSON, a row per stack and process: for Hatchet's from_caliper\n"
	"  tau         profile.PROCESS.0.THREAD in a directory: for paraprof, pprof and Hatchet\n"
	"  perfetto    a time line, of a run with SIS_TRACE=1, for ui.perfetto.dev and Perfetto's\n"
	"              trace processor: regions, places in the source, messages; compressed\n"
	"csv, folded and speedscope hold useful work and the leaves of the overhead tree. For\n"
	"each process and thread they add up to the wall time of the whole run.\n"
	"Example: sis-analyze export --format perfetto -o run.pftrace.gz",
	options,
	1,
	run_export,
};
