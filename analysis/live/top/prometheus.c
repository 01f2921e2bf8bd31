/* SPDX-License-Identifier: BSD-3-Clause */
/* prometheus.c - a look in the text format of Prometheus (exposition format 0.0.4). Owns nothing.
 * Called by one thread.
 *
 * All values are gauges, although times grow. The reason is that the time of an open call counts as
 * a wait, and may become another overhead when the call ends. There is a series for each overhead
 * of the run and for each process. Threads and regions have no series, because a run may have
 * hundreds of thousands of them. */
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/escape.h"
#include "base/json.h"
#include "base/whole_file.h"
#include "live/top/rows.h"
#include "live/top/top_json.h"

/* -- format ------------------------------------------------------------------------------------ */

/* Writes a label. Its value is escaped like a name, so that it cannot command a terminal. Then
 * backslashes and quotes are escaped again, as the format requires. */
static void put_label(const char *name, const char *value, bool first, FILE *out)
{
	char *shown = escape_text(value, SIS_ESCAPE_NAME);
	fprintf(out, "%s%s=\"", first ? "" : ",", name);
	for (const char *at = shown; *at; at++) {
		if (*at == '"' || *at == '\\')
			fputc('\\', out);
		fputc(*at, out);
	}
	fputc('"', out);
	free(shown);
}

static void put_metric(const char *name, const char *help, FILE *out)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

/* Writes a sample of the whole run, with one additional label or none. */
static void put_sample(const struct live_run *run, const char *metric, const char *label,
		       const char *value, const char *number, FILE *out)
{
	fprintf(out, "%s{", metric);
	put_label("run", run->run_id, true, out);
	if (label)
		put_label(label, value, false, out);
	fprintf(out, "} %s\n", number);
}

static void put_seconds(const struct live_run *run, const char *metric, const char *label,
			const char *value, int64_t ns, FILE *out)
{
	char text[32];
	put_sample(run, metric, label, value, seconds_text(text, ns), out);
}

static void put_count(const struct live_run *run, const char *metric, int64_t n, FILE *out)
{
	char text[32];
	snprintf(text, sizeof text, "%lld", (long long)n);
	put_sample(run, metric, NULL, NULL, text, out);
}

/* -- the run ----------------------------------------------------------------------------------- */

static void put_run(const struct live_run *run, FILE *out)
{
	const struct live_look *look = &run->now;
	put_metric("sis_run_info", "The run that was looked at; always 1.", out);
	fputs("sis_run_info{", out);
	put_label("run", run->run_id, true, out);
	put_label("program", run->program, false, out);
	put_label("directory", run->directory, false, out);
	fputs("} 1\n", out);
	put_metric("sis_processes", "Processes of the run.", out);
	put_count(run, "sis_processes", look->processes, out);
	put_metric("sis_processes_running", "Processes that still run.", out);
	put_count(run, "sis_processes_running", look->running, out);
	put_metric("sis_processing_units", "Processing units: threads of all processes.", out);
	put_count(run, "sis_processing_units", (int64_t)look->pu.n, out);
	put_metric("sis_wall_seconds", "Wall time of the run so far.", out);
	put_seconds(run, "sis_wall_seconds", NULL, NULL, look->t_p_ns, out);
	put_metric("sis_look_timestamp_seconds", "When the run was looked at.", out);
	put_seconds(run, "sis_look_timestamp_seconds", NULL, NULL, look->realtime_ns, out);
	put_metric("sis_look_cpu_seconds", "CPU time that this look took.", out);
	put_seconds(run, "sis_look_cpu_seconds", NULL, NULL, look->cost_ns, out);
}

static bool is_leaf(enum sis_overhead overhead)
{
	for (int o = 1; o < SIS_OVERHEADS; o++)
		if (sis_overhead_table[o].parent == overhead)
			return false;
	return true;
}

/* Writes all leaves, even those that are zero, so that no series begins or ends during the run. */
static void put_overheads(const struct live_run *run, FILE *out)
{
	int64_t ns[SIS_OVERHEADS] = { 0 }, useful = 0;
	for (size_t i = 0; i < run->now.cell.n; i++) {
		const struct live_cell *cell = &run->now.cell.at[i];
		ns[cell->leaf] = clamp_add(ns[cell->leaf], cell->ns);
	}
	for (size_t i = 0; i < run->now.pu.n; i++)
		useful = clamp_add(useful, run->now.pu.at[i].useful_ns);
	put_metric("sis_useful_seconds", "Useful work so far, the sum over all processing units.",
		   out);
	put_seconds(run, "sis_useful_seconds", NULL, NULL, useful, out);
	put_metric("sis_unmeasured_seconds", "Time that was not measured, likewise.", out);
	put_seconds(run, "sis_unmeasured_seconds", NULL, NULL, ns[UNMEASURED], out);
	put_metric("sis_overhead_seconds", "Overhead so far by leaf of the overhead tree, likewise.",
		   out);
	for (int o = 1; o < SIS_OVERHEADS; o++)
		if (o != UNMEASURED && is_leaf((enum sis_overhead)o))
			put_seconds(run, "sis_overhead_seconds", "overhead",
				    sis_overhead_table[o].name, ns[o], out);
}

/* -- processes --------------------------------------------------------------------------------- */

struct of_process { /* sums over the processing units of a process */
	const struct live_pu_state *first;
	int64_t useful_ns, leaves_ns, age_ns; /* age_ns is the largest age */
};

static void put_process(const struct live_run *run, const char *metric,
			const struct of_process *process, int64_t ns, FILE *out)
{
	const struct live_pu *pu = &run->names.pu.at[process->first->pu];
	char number[32];
	fprintf(out, "%s{", metric);
	put_label("run", run->run_id, true, out);
	snprintf(number, sizeof number, "%u", process->first->process);
	put_label("process", number, false, out);
	put_label("host", pu->host, false, out);
	snprintf(number, sizeof number, "%u", pu->pid);
	put_label("pid", number, false, out);
	fprintf(out, "} %s\n", seconds_text(number, ns));
}

static void put_processes(const struct live_run *run, FILE *out)
{
	VEC(struct of_process) list = { 0 };
	for (size_t i = 0; i < run->now.pu.n; i++) {
		const struct live_pu_state *pu = &run->now.pu.at[i];
		if (list.n == 0 || list.at[list.n - 1].first->process != pu->process)
			*vec_push(&list) = (struct of_process){ .first = pu, .age_ns = -1 };
		struct of_process *p = &list.at[list.n - 1];
		p->useful_ns = clamp_add(p->useful_ns, pu->useful_ns);
		p->leaves_ns = clamp_add(p->leaves_ns, pu->leaves_ns);
		if (!pu->idle && pu->age_ns > p->age_ns)
			p->age_ns = pu->age_ns;
	}
	put_metric("sis_process_useful_seconds",
		   "Useful work of a process, the sum over its threads.", out);
	for (size_t i = 0; i < list.n; i++)
		put_process(run, "sis_process_useful_seconds", &list.at[i], list.at[i].useful_ns,
			    out);
	put_metric("sis_process_overhead_seconds",
		   "Overhead of a process with what was not measured, likewise.", out);
	for (size_t i = 0; i < list.n; i++)
		put_process(run, "sis_process_overhead_seconds", &list.at[i], list.at[i].leaves_ns,
			    out);
	put_metric("sis_process_probe_age_seconds",
		   "Time since the last probe of the thread that is in one region for longest.", out);
	for (size_t i = 0; i < list.n; i++)
		if (list.at[i].first->runs && list.at[i].age_ns >= 0)
			put_process(run, "sis_process_probe_age_seconds", &list.at[i],
				    list.at[i].age_ns, out);
	vec_free(&list);
}

void top_prometheus(const struct live_run *run, FILE *out)
{
	put_run(run, out);
	put_overheads(run, out);
	put_processes(run, out);
}

/* -- the file ---------------------------------------------------------------------------------- */

/* The name of the new file does not end with .prom, so the collector ignores it. */
int top_prometheus_write(const struct live_run *run, const char *path, struct err *err)
{
	struct whole_file file;
	if (whole_file_open(&file, path, "--prometheus", err))
		return ERR_FAILED;
	top_prometheus(run, file.out);
	return whole_file_close(&file, "--prometheus", 0, err);
}
