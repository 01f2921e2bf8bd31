/* SPDX-License-Identifier: BSD-3-Clause */
/* calibration_rows.c - stores a calibration in the repository, and loads it. Owns nothing; one
 * thread. Rows may be damaged or come from another program, so each value is checked when it is
 * read. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "answers/calibrate/calibration.h"

const char *const state_names[STATES] = {
	[STATE_PLAIN] = "plain", [STATE_OFF] = "off", [STATE_EXCLUDED] = "excluded",
	[STATE_PROFILE] = "profile", [STATE_INSIDE] = "inside", [STATE_BUFFERED] = "buffered",
	[STATE_WRITTEN] = "written",
};

void calibration_release(struct calibration *c)
{
	for (size_t i = 0; i < c->setting.n; i++) {
		struct cost_setting *s = &c->setting.at[i];
		free(s->name), free(s->where), free(s->writer), free(s->cpus), free(s->missing);
	}
	for (size_t i = 0; i < c->time.n; i++)
		free(c->time.at[i].setting), free(c->time.at[i].kernel);
	for (size_t i = 0; i < c->writer.n; i++)
		free(c->writer.at[i].setting);
	vec_free(&c->setting), vec_free(&c->time), vec_free(&c->writer);
	free(c->host), free(c->processor), free(c->runtime), free(c->run_id);
	*c = (struct calibration){ 0 };
}

/* -- storing ----------------------------------------------------------------------------------- */

/* Real numbers are passed as text. 17 digits make this exact. */
static int store_times(const struct calibration *c, struct repo *repo, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < c->time.n; i++) {
		const struct cost_time *t = &c->time.at[i];
		char mean[40], median[40];
		snprintf(mean, sizeof mean, "%.17g", t->mean_ns);
		snprintf(median, sizeof median, "%.17g", t->median_ns);
		rc = repo_run(repo, err,
			      "INSERT INTO calibration_time VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			      "itttiitt", c->id, t->setting, t->kernel, state_names[t->state],
			      t->depth, t->process, mean, median);
	}
	return rc;
}

static int store_writers(const struct calibration *c, struct repo *repo, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < c->writer.n; i++) {
		const struct cost_writer *w = &c->writer.at[i];
		rc = repo_run(repo, err,
			      "INSERT INTO calibration_writer VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			      "itiiiiii", c->id, w->setting, w->process, w->ns, w->events,
			      w->dropped, w->raw_bytes, w->bytes);
	}
	return rc;
}

static int store_all(struct calibration *c, struct repo *repo, struct err *err)
{
	int64_t machine;
	if (repo_run(repo, err,
		     "INSERT INTO physical_machine (host, cores, memory_bytes) "
		     "VALUES (?, ?, ?) ON CONFLICT (host) DO NOTHING",
		     "tii", c->host, c->cores, c->memory_bytes) ||
	    repo_number(repo, &machine, err, "SELECT id FROM physical_machine WHERE host = ?", "t",
			c->host) < 1 ||
	    repo_run(repo, err,
		     "INSERT INTO calibration (physical_machine, run_id, started_ns, processor, "
		     "runtime, calls, call_ns, processes) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		     "itittiii", machine, c->run_id, c->started_ns, c->processor, c->runtime,
		     c->calls, c->call_ns, c->processes))
		return ERR_FAILED;
	c->id = repo_last_id(repo);
	for (size_t i = 0; i < c->setting.n; i++) {
		const struct cost_setting *s = &c->setting.at[i];
		if (repo_run(repo, err, "INSERT INTO calibration_setting VALUES (?, ?, ?, ?, ?, ?)",
			     "ittttt", c->id, s->name, s->where, s->writer, s->cpus, s->missing))
			return ERR_FAILED;
	}
	return store_times(c, repo, err) || store_writers(c, repo, err) ? ERR_FAILED : 0;
}

int calibration_store(struct calibration *c, struct repo *repo, struct err *err)
{
	if (repo_begin(repo, err))
		return ERR_FAILED;
	int rc = store_all(c, repo, err);
	rc = rc ? rc : repo_commit(repo, err);
	if (rc) {
		repo_rollback(repo);
		c->id = 0;
	}
	return rc;
}

/* -- loading ----------------------------------------------------------------------------------- */

enum { MOST_PROCESSES = 10000, MOST_DEPTH = 1000000 };

static int damaged(const struct calibration *c, const char *what, struct err *err)
{
	return err_fail(err, "calibration %" PRId64 " was damaged, or changed by another program: "
			"%s; take it out: sis-analyze calibrate --remove %" PRId64, c->id, what,
			c->id);
}

static bool is_text(const struct cell *cell)
{
	return cell->kind == CELL_TEXT;
}

static bool is_count(const struct cell *cell, int64_t least, int64_t most)
{
	return cell->kind == CELL_INTEGER && cell->integer >= least && cell->integer <= most;
}

/* Times are limited, so that their differences, the portions, are finite. */
static bool is_time(const struct cell *cell)
{
	return cell->kind == CELL_REAL && fabs(cell->real) <= 1e18;
}

static int take_head(void *arg, const struct cell *row, struct err *err)
{
	struct calibration *c = arg;
	for (int i = 0; i < 4; i++)
		if (!is_text(&row[i]))
			return damaged(c, "a text is missing", err);
	if (!is_count(&row[4], 0, INT64_MAX) || !is_count(&row[5], 0, INT64_MAX) ||
	    !is_count(&row[6], INT64_MIN, INT64_MAX) || !is_count(&row[7], 1, INT64_MAX) ||
	    !is_count(&row[8], 0, INT64_MAX) || !is_count(&row[9], 1, MOST_PROCESSES))
		return damaged(c, "its own row has an impossible value", err);
	c->host = mem_string(row[0].text), c->processor = mem_string(row[1].text);
	c->runtime = mem_string(row[2].text), c->run_id = mem_string(row[3].text);
	c->cores = row[4].integer, c->memory_bytes = row[5].integer;
	c->started_ns = row[6].integer, c->calls = row[7].integer;
	c->call_ns = row[8].integer, c->processes = row[9].integer;
	return 0;
}

static char *text_or_null(const struct cell *cell)
{
	return is_text(cell) ? mem_string(cell->text) : NULL;
}

static int take_setting(void *arg, const struct cell *row, struct err *err)
{
	struct calibration *c = arg;
	if (!is_text(&row[0]) || !is_text(&row[1]) || !is_text(&row[2]) ||
	    is_text(&row[3]) == is_text(&row[4]))
		return damaged(c, "a setting has an impossible value", err);
	*vec_push(&c->setting) = (struct cost_setting){
		.name = mem_string(row[0].text), .where = mem_string(row[1].text),
		.writer = mem_string(row[2].text), .cpus = text_or_null(&row[3]),
		.missing = text_or_null(&row[4]),
	};
	return 0;
}

static int take_time(void *arg, const struct cell *row, struct err *err)
{
	struct calibration *c = arg;
	enum state state = 0;
	bool sound = is_text(&row[0]) && is_text(&row[1]) && is_text(&row[2]) &&
		is_count(&row[3], 1, MOST_DEPTH) && is_count(&row[4], 0, c->processes - 1) &&
		is_time(&row[5]) && is_time(&row[6]);
	while (sound && state < STATES && strcmp(state_names[state], row[2].text) != 0)
		state++;
	if (!sound || state == STATES)
		return damaged(c, "a time has an impossible value", err);
	*vec_push(&c->time) = (struct cost_time){
		.setting = mem_string(row[0].text), .kernel = mem_string(row[1].text),
		.state = state, .depth = row[3].integer, .process = row[4].integer,
		.mean_ns = row[5].real, .median_ns = row[6].real,
	};
	return 0;
}

static int take_writer(void *arg, const struct cell *row, struct err *err)
{
	struct calibration *c = arg;
	bool sound = is_text(&row[0]) && is_count(&row[1], 0, c->processes - 1);
	for (int i = 2; i < 7; i++)
		sound &= is_count(&row[i], 0, INT64_MAX);
	if (!sound)
		return damaged(c, "a row of its writer has an impossible value", err);
	*vec_push(&c->writer) = (struct cost_writer){
		mem_string(row[0].text), row[1].integer, row[2].integer, row[3].integer,
		row[4].integer, row[5].integer, row[6].integer,
	};
	return 0;
}

static const struct { const char *sql; repo_take *take; } parts[] = {
	{ "SELECT m.host, c.processor, c.runtime, c.run_id, m.cores, m.memory_bytes, c.started_ns, "
	  "c.calls, c.call_ns, c.processes "
	  "FROM calibration c JOIN physical_machine m ON m.id = c.physical_machine "
	  "WHERE c.id = ?", take_head },
	/* S1, S2, A1 ...: the order of the table in places.c */
	{ "SELECT name, place, writer, cpus, missing FROM calibration_setting "
	  "WHERE calibration = ? ORDER BY writer DESC, name", take_setting },
	{ "SELECT t.setting, t.kernel, t.state, t.depth, t.process, t.mean_ns, t.median_ns "
	  "FROM calibration_time t JOIN calibration_setting s "
	  "ON s.calibration = t.calibration AND s.name = t.setting WHERE t.calibration = ? "
	  "ORDER BY t.kernel <> 'region', s.writer DESC, t.setting, t.depth, t.kernel, t.process",
	  take_time },
	{ "SELECT setting, process, ns, events, dropped, raw_bytes, bytes FROM calibration_writer "
	  "WHERE calibration = ? ORDER BY setting, process", take_writer },
};

int calibration_load(struct calibration *c, struct repo *repo, int64_t id, struct err *err)
{
	*c = (struct calibration){ .id = id };
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < sizeof parts / sizeof *parts; i++)
		rc = repo_each(repo, parts[i].take, c, err, parts[i].sql, "i", id);
	if (rc == 0 && !c->host)
		rc = err_fail(err, "no calibration %" PRId64 "; `sis-analyze calibrate --list` "
			      "lists them", id);
	if (rc)
		calibration_release(c);
	return rc ? ERR_FAILED : 0;
}
