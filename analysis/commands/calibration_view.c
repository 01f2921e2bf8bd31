/* SPDX-License-Identifier: BSD-3-Clause */
/* calibration_view.c - prints the tables of a calibration. Owns nothing; one thread. Text leaves
 * out the portions of deeper recursions, because the fit over the depth summarizes them. CSV is the
 * table of all portions. */
#include "commands/calibration_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/escape.h"

/* Rounds nanoseconds to hundredths, because smaller differences are noise. */
static void add_ns(struct table *table, double ns)
{
	table_real_or_null(table, round(ns * 100) / 100);
}

/* -- settings ---------------------------------------------------------------------------------- */

static const struct column setting_columns[] = {
	{ "setting", "setting", CELL_TEXT }, { "place", "place", CELL_TEXT },
	{ "writer", "writer", CELL_TEXT },   { "cpus", "processors", CELL_TEXT },
	{ "missing", "not measured because", CELL_TEXT },
};

static void fill_settings(struct table *table, const struct calibration *c)
{
	table_init(table, setting_columns, sizeof setting_columns / sizeof *setting_columns);
	for (size_t i = 0; i < c->setting.n; i++) {
		const struct cost_setting *s = &c->setting.at[i];
		table_text(table, s->name);
		table_text(table, s->where);
		table_text(table, s->writer);
		table_text(table, s->cpus);
		table_text(table, s->missing);
	}
}

/* -- portions ---------------------------------------------------------------------------------- */

static const struct column portion_columns[] = {
	{ "kernel", "kernel", CELL_TEXT },	{ "setting", "setting", CELL_TEXT },
	{ "depth", "depth", CELL_INTEGER },	{ "portion", "portion", CELL_TEXT },
	{ "processes", "n", CELL_INTEGER },	{ "median_ns", "median [ns]", CELL_REAL },
	{ "lower_quartile_ns", "quartiles", CELL_REAL },
	{ "upper_quartile_ns", "", CELL_REAL }, { "mean_ns", "mean", CELL_REAL },
	{ "low_ns", "95 %: from", CELL_REAL },	{ "high_ns", "to", CELL_REAL },
};

static void fill_portions(struct table *table, const portion_list *list, int64_t deepest)
{
	table_init(table, portion_columns, sizeof portion_columns / sizeof *portion_columns);
	for (size_t i = 0; i < list->n; i++) {
		const struct portion *p = &list->at[i];
		if (p->depth > deepest)
			continue;
		table_text(table, p->kernel);
		table_text(table, p->setting);
		table_integer(table, p->depth);
		table_text(table, portion_names[p->kind]);
		table_integer(table, (int64_t)p->ns.n);
		add_ns(table, p->ns.median);
		add_ns(table, p->ns.lower_quartile);
		add_ns(table, p->ns.upper_quartile);
		add_ns(table, p->ns.mean);
		add_ns(table, p->ns.low);
		add_ns(table, p->ns.high);
	}
}

/* -- lines over the depth, and writers --------------------------------------------------------- */

static const struct column fit_columns[] = {
	{ "setting", "setting", CELL_TEXT },  { "portion", "portion", CELL_TEXT },
	{ "depths", "depths", CELL_INTEGER }, { "intercept_ns", "each call [ns]", CELL_REAL },
	{ "slope_ns", "and each region [ns]", CELL_REAL }, { "r2", "R2", CELL_REAL },
};

static void fill_fits(struct table *table, const portion_list *list)
{
	portion_fits fits = { 0 };
	portions_fit(&fits, list);
	table_init(table, fit_columns, sizeof fit_columns / sizeof *fit_columns);
	for (size_t i = 0; i < fits.n; i++) {
		const struct portion_fit *f = &fits.at[i];
		table_text(table, f->setting);
		table_text(table, portion_names[f->kind]);
		table_integer(table, (int64_t)f->depths);
		add_ns(table, f->line.intercept);
		add_ns(table, f->line.slope);
		table_real_or_null(table, round(f->line.r2 * 1e4) / 1e4);
	}
	vec_free(&fits);
}

static const struct column writer_columns[] = {
	{ "setting", "setting", CELL_TEXT },
	{ "made_per_second", "events/s made", CELL_REAL },
	{ "written_per_second", "written", CELL_REAL },
	{ "lower_quartile", "quartiles", CELL_REAL },
	{ "upper_quartile", "", CELL_REAL },
	{ "saturated", "saturated", CELL_BOOL },
	{ "raw_bytes_per_event", "bytes/event", CELL_REAL },
	{ "raw_mb_per_second", "MB/s", CELL_REAL },
	{ "bytes_per_event", "in the file", CELL_REAL },
	{ "mb_per_second", "MB/s", CELL_REAL },
};

static void fill_writers(struct table *table, const struct calibration *c)
{
	writer_speeds speeds = { 0 };
	writers_find(&speeds, c);
	table_init(table, writer_columns, sizeof writer_columns / sizeof *writer_columns);
	for (size_t i = 0; i < speeds.n; i++) {
		const struct writer_speed *s = &speeds.at[i];
		double rate = s->written.median;
		table_text(table, s->setting);
		table_real_or_null(table, round(s->made.median));
		table_real_or_null(table, round(rate));
		table_real_or_null(table, round(s->written.lower_quartile));
		table_real_or_null(table, round(s->written.upper_quartile));
		table_integer(table, s->saturated);
		add_ns(table, s->raw_bytes);
		add_ns(table, s->raw_bytes * rate / 1e6);
		add_ns(table, s->bytes);
		add_ns(table, s->bytes * rate / 1e6);
	}
	vec_free(&speeds);
}

/* -- one calibration --------------------------------------------------------------------------- */

static const char *date_text(char *text, size_t size, int64_t started_ns)
{
	time_t seconds = (time_t)(started_ns / 1000000000);
	struct tm t;
	if (!gmtime_r(&seconds, &t) || !strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &t))
		snprintf(text, size, "unknown time");
	return text;
}

static void print_json(const struct calibration *c, const struct table *tables)
{
	static const char *const keys[] = { "settings", "portions", "fits", "writers" };
	struct json json;
	char date[64];
	json_init(&json, stdout);
	json_open(&json, '{');
	json_field_integer(&json, "id", c->id);
	json_field_string(&json, "host", c->host);
	json_field_string(&json, "processor", c->processor);
	json_field_integer(&json, "cores", c->cores);
	json_field_integer(&json, "memory_bytes", c->memory_bytes);
	json_field_string(&json, "started", date_text(date, sizeof date, c->started_ns));
	json_field_string(&json, "runtime", c->runtime);
	json_field_integer(&json, "calls", c->calls);
	json_field_integer(&json, "discarded", c->calls / 2);
	json_field_integer(&json, "call_ns", c->call_ns);
	json_field_integer(&json, "processes", c->processes);
	for (size_t i = 0; i < 4; i++) {
		json_key(&json, keys[i]);
		table_json(&tables[i], &json);
	}
	json_close(&json, '}');
	putchar('\n');
}

static void print_text(const struct calibration *c, const struct table *tables)
{
	static const char *const titles[] = {
		"settings",
		"portions of a call: T is not measured; I: region off, C: profile, C trace: events "
		"not\nwritten, W: written; floor: everything off (SIS_ENABLE=0)",
		"lines over the depth of a recursion",
		"how fast traces are written, by a program that does nothing else",
	};
	char date[64];
	escape_line(stdout, "calibration %lld of %s, %s: %s, %lld processors, SIS %s",
		    (long long)c->id, c->host, date_text(date, sizeof date, c->started_ns),
		    c->processor, (long long)c->cores, c->runtime);
	escape_line(stdout, "%lld processes of each kind, %lld calls of %g us, the first half left "
		    "out", (long long)c->processes, (long long)c->calls, (double)c->call_ns / 1e3);
	for (size_t i = 0; i < 4; i++) {
		if (!table_rows(&tables[i]))
			continue;
		printf("\n%s\n", titles[i]);
		table_print(&tables[i], FORMAT_TEXT, stdout);
	}
}

void calibration_print(const struct calibration *c, const portion_list *portions,
		       enum format format)
{
	struct table tables[4];
	fill_settings(&tables[0], c);
	fill_portions(&tables[1], portions, format == FORMAT_TEXT ? 1 : INT64_MAX);
	fill_fits(&tables[2], portions);
	fill_writers(&tables[3], c);
	if (format == FORMAT_CSV)
		table_print(&tables[1], format, stdout);
	else if (format == FORMAT_JSON)
		print_json(c, tables);
	else
		print_text(c, tables);
	for (size_t i = 0; i < 4; i++)
		table_release(&tables[i]);
}

/* -- several calibrations side by side --------------------------------------------------------- */

enum { COMPARED = 6 };
static const enum portion_kind compared[COMPARED] = { PORTION_T, PORTION_FLOOR,	  PORTION_I,
						      PORTION_C, PORTION_C_TRACE, PORTION_W };
static const struct column compare_columns[] = {
	{ "calibration", "", CELL_INTEGER },  { "host", "host", CELL_TEXT },
	{ "processor", "processor", CELL_TEXT }, { "runtime", "SIS", CELL_TEXT },
	{ "setting", "setting", CELL_TEXT },  { "writer", "writer", CELL_TEXT },
	{ "t_ns", "T [ns]", CELL_REAL },      { "floor_ns", "floor", CELL_REAL },
	{ "i_ns", "I", CELL_REAL },	      { "c_ns", "C", CELL_REAL },
	{ "c_trace_ns", "C trace", CELL_REAL }, { "w_ns", "W", CELL_REAL },
	{ "sum_ns", "I+C+C trace+W", CELL_REAL },
};

static void compare_setting(struct table *table, const struct calibration *c,
			    const struct cost_setting *s, const portion_list *portions)
{
	double sum = 0;
	table_integer(table, c->id);
	table_text(table, c->host);
	table_text(table, c->processor);
	table_text(table, c->runtime);
	table_text(table, s->name);
	table_text(table, s->writer);
	for (size_t i = 0; i < COMPARED; i++) {
		const struct portion *p = portion_of(portions, s->name, "region", 1, compared[i]);
		double ns = p ? p->ns.median : NAN;
		add_ns(table, ns);
		if (compared[i] != PORTION_T && compared[i] != PORTION_FLOOR)
			sum += ns;
	}
	add_ns(table, sum);
}

void calibrations_compare(const struct calibration *c, size_t n, enum format format)
{
	struct table table;
	table_init(&table, compare_columns, sizeof compare_columns / sizeof *compare_columns);
	for (size_t i = 0; i < n; i++) {
		portion_list portions = { 0 };
		portions_find(&portions, &c[i]);
		for (size_t s = 0; s < c[i].setting.n; s++)
			if (c[i].setting.at[s].cpus)
				compare_setting(&table, &c[i], &c[i].setting.at[s], &portions);
		vec_free(&portions);
	}
	table_print(&table, format, stdout);
	table_release(&table);
}
