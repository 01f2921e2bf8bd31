/* cmd_export.c - `sis-analyze export`: an experiment for other tools. The formats are a table; where their output goes
 * is settled here, once for all of them. One thread. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "export/export.h"
#include "select.h"

static const struct cli_option options[] = {
	{ "--format", "FORMAT", "what to write: see above" },
	{ "-o", "FILE", "where to; a directory for tau (default: standard output)" },
	{ "--pu", "P.T", "only process P, thread T; not of xml and json, which are whole" },
	{ NULL, NULL, NULL },
};

static const struct export_format formats[] = {
	{ .name = "xml", .write = export_xml },
	{ .name = "json", .write = export_json },
	{ .name = "csv", .has_graph = true, .fold = GRAPH_UNITS, .write = export_csv },
	{ .name = "folded", .has_graph = true, .fold = GRAPH_WHOLE, .write = export_folded },
	{ .name = "speedscope", .has_graph = true, .fold = GRAPH_UNITS, .write = export_speedscope },
	{ .name = "hatchet", .has_graph = true, .fold = GRAPH_WHOLE, .write = export_hatchet },
	{ .name = "caliper", .has_graph = true, .fold = GRAPH_PROCESSES, .write = export_caliper },
	{ .name = "tau", .has_graph = true, .fold = GRAPH_UNITS, .is_directory = true, .write = export_tau },
	{ .name = "chrome", .refusal = "it shows when things happened, which only a trace knows, and there are no traces yet; "
				       "speedscope shows the stacks" },
};
enum { FORMATS = sizeof formats / sizeof *formats };

static int find_format(const struct context *c, const struct export_format **format, struct err *err)
{
	const char *name = cli_get(&c->cli, "--format");
	const char *other = c->format == FORMAT_JSON ? "json" : c->format == FORMAT_CSV ? "csv" : NULL;
	if (name && other)
		return err_usage(err, "export: --format %s and --%s at once; choose one", name, other);
	name = name ? name : other;
	if (!name)
		return err_usage(err, "export: no format; say --format F: `sis-analyze help export` lists them");
	for (size_t i = 0; i < FORMATS; i++)
		if (strcmp(formats[i].name, name) == 0) {
			*format = &formats[i];
			return formats[i].refusal ? err_fail(err, "export: no format %s: %s", name, formats[i].refusal) : 0;
		}
	return err_usage(err, "export: unknown format '%s'; `sis-analyze help export` lists them", name);
}

/* -- where to ------------------------------------------------------------------------------------------------ */

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

/* Profiles of two runs in one directory would be read as one. */
static int open_directory(struct export_job *job, const char *path, struct err *err)
{
	if (!path)
		return err_usage(err, "export: this format is many files; name a directory for them with -o");
	if (mkdir(path, 0777) != 0 && errno != EEXIST)
		return err_fail(err, "cannot make directory '%s': %s; choose another with -o", path, strerror(errno));
	if (has_profiles(path))
		return err_fail(err, "there are profiles in '%s' already; choose another directory with -o", path);
	job->directory = path;
	return 0;
}

static int open_output(struct export_job *job, const struct export_format *format, const char *path, struct err *err)
{
	if (format->is_directory)
		return open_directory(job, path, err);
	job->out = path ? fopen(path, "w") : stdout;
	return job->out ? 0 : err_fail(err, "cannot write '%s': %s; choose another place with -o", path, strerror(errno));
}

/* Half a file is worse than none. */
static int close_output(struct export_job *job, const char *path, int rc, struct err *err)
{
	struct stat st;
	if (!path || !job->out)
		return rc;
	bool bad = ferror(job->out);
	bad |= fclose(job->out) != 0;
	if (bad && rc == 0)
		rc = err_fail(err, "cannot write '%s': %s; make room, or choose another place with -o", path, strerror(errno));
	if (rc && stat(path, &st) == 0 && S_ISREG(st.st_mode))
		unlink(path);
	return rc;
}

/* -- the command --------------------------------------------------------------------------------------------- */

static int run(struct context *c, struct err *err)
{
	const struct export_format *format = NULL;
	struct export_job job = { 0 };
	int64_t process, thread;
	const char *path = cli_get(&c->cli, "-o");
	int rc = find_format(c, &format, err);
	rc = rc ? rc : select_pu(&c->cli, "export", &process, &thread, err);
	if (rc == 0 && process >= 0 && !format->has_graph)
		rc = err_usage(err, "export: %s is the whole experiment; leave --pu out, or use csv", format->name);
	rc = rc ? rc : context_experiment(c, &job.experiment, err);
	job.repo = c->repo;
	if (rc == 0 && format->has_graph)
		rc = call_graph_load(&job.graph, c->repo, job.experiment, format->fold, process, thread, err);
	rc = rc ? rc : open_output(&job, format, path, err);
	rc = rc ? rc : format->write(&job, err);
	rc = close_output(&job, path, rc, err);
	call_graph_release(&job.graph);
	return rc;
}

const struct command cmd_export = {
	"export", "[EXP] --format F [-o FILE]", "Write an experiment for other tools",
	"  xml         everything, by schema/experiment.xsd; `sis-analyze import FILE.xml` takes it in again\n"
	"  json        the same, by schema/experiment.schema.json\n"
	"  csv         a line a region, stack, process and thread: for spreadsheets and data frames\n"
	"  folded      stacks with nanoseconds: for flame graphs\n"
	"  speedscope  the same, of each process and thread: for www.speedscope.app\n"
	"  hatchet     nested dictionaries: for hatchet.GraphFrame.from_literal(json.load(...))\n"
	"  caliper     split JSON, a row a stack and process: for Hatchet's from_caliper\n"
	"  tau         profile.PROCESS.0.THREAD in a directory: for paraprof, pprof and Hatchet's from_tau\n"
	"In csv, folded and speedscope what was lost is there beside the work, down to the leaves of the overhead tree:\n"
	"of each process and thread, useful work and overheads are the whole run's time.\n"
	"Example: sis-analyze export --format speedscope -o run.speedscope.json",
	options, 1, run,
};
