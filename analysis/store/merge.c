/* SPDX-License-Identifier: BSD-3-Clause */
/* merge.c - copies the experiments of another repository into this one. Owns nothing; one thread.
 * Rows that have a natural key (application, version, file, region, machine) are found or added by
 * it, and a temporary table maps old to new numbers. All other rows are copied with numbers after
 * the last one. */
#include "store/merge.h"

#include <inttypes.h>
#include <stdlib.h>

#include "store/store.h"
#include "repository/stored_check.h"

/* Rows of a calibration are joined with what it is here. */
#define OF_CALIBRATION(rows) \
	"JOIN of_calibration o ON o.id = " rows ".calibration " \
	"JOIN main.calibration c ON c.run_id = o.run_id"

#define OF_VARIABLE(rows) \
	"JOIN other.variable v ON v.id = " rows ".variable " \
	"JOIN other.blame_point b ON b.id = v.blame_point"

/* Statements in order. `wanted` has the experiments of the other repository that are copied, each
 * with its name here. */
static const char *const statements[] = {
	"CREATE TEMP TABLE past AS "
	"SELECT (SELECT coalesce(max(id), 0) FROM experiment) AS experiment, "
	"(SELECT coalesce(max(id), 0) FROM node) AS node, "
	"(SELECT coalesce(max(id), 0) FROM virtual_machine) AS machine, "
	"(SELECT coalesce(max(id), 0) FROM processing_unit) AS pu, "
	"(SELECT coalesce(max(id), 0) FROM drg_node) AS drg, "
	"(SELECT coalesce(max(id), 0) FROM region_summary) AS summary, "
	"(SELECT coalesce(max(id), 0) FROM communicator) AS communicator, "
	"(SELECT coalesce(max(id), 0) FROM blame_point) AS point, "
	"(SELECT coalesce(max(id), 0) FROM variable) AS variable, "
	"(SELECT coalesce(max(id), 0) FROM memory) AS memory",

	"CREATE TEMP TABLE of_version AS "
	"SELECT v.*, a.name, NULL AS new "
	"FROM other.version v "
	"JOIN other.application a ON a.id = v.application "
	"WHERE v.id IN (SELECT e.version FROM other.experiment e JOIN wanted USING (id))",
	"INSERT OR IGNORE INTO main.application (name) SELECT name FROM of_version",
	"INSERT OR IGNORE INTO main.version (application, checksum, compiler, flags, sisc) "
	"SELECT a.id, o.checksum, o.compiler, o.flags, o.sisc "
	"FROM of_version o "
	"JOIN main.application a ON a.name = o.name",
	"UPDATE of_version "
	"SET new = (SELECT v.id FROM main.version v "
	"JOIN main.application a ON a.id = v.application "
	"WHERE a.name = of_version.name AND v.checksum = of_version.checksum)",

	"INSERT OR IGNORE INTO main.source_file (version, path, directory, checksum) "
	"SELECT o.new, f.path, f.directory, f.checksum "
	"FROM other.source_file f "
	"JOIN of_version o ON o.id = f.version "
	"ORDER BY f.id",
	"CREATE TEMP TABLE of_file AS "
	"SELECT f.id, m.id AS new "
	"FROM other.source_file f "
	"JOIN of_version o ON o.id = f.version "
	"JOIN main.source_file m ON m.version = o.new AND m.path = f.path",
	"CREATE UNIQUE INDEX temp.index_of_file ON of_file(id)",
	"INSERT OR IGNORE INTO main.code_region "
	"(source_file, key, name, type, unit, line_start, column_start, line_end, column_end, "
	"metrics, tokens, build) "
	"SELECT f.new, r.key, r.name, r.type, r.unit, r.line_start, r.column_start, r.line_end, "
	"r.column_end, r.metrics, r.tokens, r.build "
	"FROM other.code_region r "
	"JOIN of_file f ON f.id = r.source_file "
	"ORDER BY r.id",
	"CREATE TEMP TABLE of_region AS "
	"SELECT r.id, m.id AS new "
	"FROM other.code_region r "
	"JOIN of_file f ON f.id = r.source_file "
	"JOIN main.code_region m ON m.source_file = f.new AND m.key = r.key",
	"CREATE UNIQUE INDEX temp.index_of_region ON of_region(id)",

	"CREATE TEMP TABLE of_vm AS "
	"SELECT v.*, w.name "
	"FROM other.virtual_machine v "
	"JOIN other.network w ON w.id = v.network "
	"WHERE v.id IN (SELECT e.virtual_machine FROM other.experiment e JOIN wanted USING (id))",
	"INSERT OR IGNORE INTO main.network (name) SELECT name FROM of_vm",
	"INSERT INTO main.virtual_machine (id, network, nodes) "
	"SELECT o.id + past.machine, w.id, o.nodes "
	"FROM of_vm o "
	"JOIN main.network w ON w.name = o.name, past",
	"INSERT OR IGNORE INTO main.physical_machine (host, cores, memory_bytes) "
	"SELECT h.host, h.cores, h.memory_bytes "
	"FROM other.physical_machine h "
	"WHERE h.id IN (SELECT n.physical_machine FROM other.node n "
	"WHERE n.virtual_machine IN (SELECT id FROM of_vm)) "
	"OR h.id IN (SELECT physical_machine FROM other.calibration) "
	"ORDER BY h.id",
	"INSERT OR IGNORE INTO main.machine_fact (physical_machine, key, value) "
	"SELECT m.id, f.key, f.value "
	"FROM other.machine_fact f "
	"JOIN other.physical_machine h ON h.id = f.physical_machine "
	"JOIN main.physical_machine m ON m.host = h.host",
	"INSERT INTO main.node (id, virtual_machine, physical_machine) "
	"SELECT n.id + past.node, n.virtual_machine + past.machine, m.id "
	"FROM other.node n "
	"JOIN other.physical_machine h ON h.id = n.physical_machine "
	"JOIN main.physical_machine m ON m.host = h.host, past "
	"WHERE n.virtual_machine IN (SELECT id FROM of_vm)",

	"INSERT INTO main.experiment "
	"(id, name, version, virtual_machine, run_id, directory, program, command, role, "
	"started_ns, p, t_p_ns, complete, identity_error_ns, runtime, imported_ns, ideal_ns, "
	"critical_estimated_ns, cause_error_ns, not_recorded_ns, clock) "
	"SELECT e.id + past.experiment, w.name, v.new, e.virtual_machine + past.machine, e.run_id, "
	"e.directory, e.program, e.command, e.role, e.started_ns, e.p, e.t_p_ns, e.complete, "
	"e.identity_error_ns, e.runtime, e.imported_ns, e.ideal_ns, e.critical_estimated_ns, "
	"e.cause_error_ns, e.not_recorded_ns, e.clock "
	"FROM other.experiment e "
	"JOIN wanted w USING (id) "
	"JOIN of_version v ON v.id = e.version, past",
	"INSERT INTO main.experiment_fact (experiment, key, value) "
	"SELECT f.experiment + past.experiment, f.key, f.value "
	"FROM other.experiment_fact f, past "
	"WHERE f.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.warning (experiment, text, kind) "
	"SELECT w.experiment + past.experiment, w.text, w.kind "
	"FROM other.warning w, past "
	"WHERE w.experiment IN (SELECT id FROM wanted) "
	"ORDER BY w.rowid",
	"INSERT INTO main.turned_down (experiment, process, number, region, rung, time_ns) "
	"SELECT d.experiment + past.experiment, d.process, d.number, r.new, d.rung, d.time_ns "
	"FROM other.turned_down d "
	"JOIN of_region r ON r.id = d.region, past "
	"WHERE d.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.switched_off (experiment, process, number, what, region, thread, cause, "
	"place, action, times, first_ns, last_ns, on_ns, off_ns) "
	"SELECT o.experiment + past.experiment, o.process, o.number, o.what, r.new, o.thread, "
	"o.cause, o.place, o.action, o.times, o.first_ns, o.last_ns, o.on_ns, o.off_ns "
	"FROM other.switched_off o "
	"LEFT JOIN of_region r ON r.id = o.region, past "
	"WHERE o.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.processing_unit "
	"(id, experiment, node, process, thread, pid, start_ns, end_ns, state, status, useful_ns, "
	"affinity) "
	"SELECT u.id + past.pu, u.experiment + past.experiment, u.node + past.node, u.process, "
	"u.thread, u.pid, u.start_ns, u.end_ns, u.state, u.status, u.useful_ns, u.affinity "
	"FROM other.processing_unit u, past "
	"WHERE u.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.drg_node "
	"(id, experiment, parent, region, source_node, depth, nested, path) "
	"SELECT n.id + past.drg, n.experiment + past.experiment, n.parent + past.drg, r.new, "
	"n.source_node + past.drg, n.depth, n.nested, n.path "
	"FROM other.drg_node n "
	"JOIN of_region r ON r.id = n.region, past "
	"WHERE n.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.region_summary "
	"(id, drg_node, pu, calls, subs, incl_ns, excl_ns, useful_ns, min_ns, max_ns, is_open) "
	"SELECT s.id + past.summary, s.drg_node + past.drg, s.pu + past.pu, s.calls, s.subs, "
	"s.incl_ns, s.excl_ns, s.useful_ns, s.min_ns, s.max_ns, s.is_open "
	"FROM other.region_summary s "
	"JOIN other.drg_node n ON n.id = s.drg_node, past "
	"WHERE n.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.metric (region_summary, name, value, nested) "
	"SELECT m.region_summary + past.summary, m.name, m.value, m.nested "
	"FROM other.metric m "
	"JOIN other.region_summary s ON s.id = m.region_summary "
	"JOIN other.drg_node n ON n.id = s.drg_node, past "
	"WHERE n.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.user_value (region_summary, name, count, sum, min, max) "
	"SELECT v.region_summary + past.summary, v.name, v.count, v.sum, v.min, v.max "
	"FROM other.user_value v "
	"JOIN other.region_summary s ON s.id = v.region_summary "
	"JOIN other.drg_node n ON n.id = s.drg_node, past "
	"WHERE n.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.sensor "
	"SELECT e.experiment + past.experiment, e.node + past.node, e.time_ns, e.cpu_busy, "
	"e.cpu_all, e.running, e.memory_used, e.faults, e.major_faults, e.switches, e.received, "
	"e.sent "
	"FROM other.sensor e, past "
	"WHERE e.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.overhead (drg_node, pu, leaf, ns) "
	"SELECT o.drg_node + past.drg, o.pu + past.pu, o.leaf, o.ns "
	"FROM other.overhead o "
	"JOIN other.drg_node n ON n.id = o.drg_node, past "
	"WHERE n.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.estimate (drg_node, pu, incl_error_ns, excl_error_ns) "
	"SELECT e.drg_node + past.drg, e.pu + past.pu, e.incl_error_ns, e.excl_error_ns "
	"FROM other.estimate e "
	"JOIN other.drg_node n ON n.id = e.drg_node, past "
	"WHERE n.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.critical_path (drg_node, pu, ns) "
	"SELECT c.drg_node + past.drg, c.pu + past.pu, c.ns "
	"FROM other.critical_path c "
	"JOIN other.drg_node n ON n.id = c.drg_node, past "
	"WHERE n.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.communicator (id, experiment, number, name, size, kind) "
	"SELECT c.id + past.communicator, c.experiment + past.experiment, c.number, c.name, "
	"c.size, c.kind "
	"FROM other.communicator c, past "
	"WHERE c.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.message "
	"SELECT m.drg_node + past.drg, m.pu + past.pu, m.communicator + past.communicator, "
	"m.target, m.calls, m.bytes, m.ns, m.receive_ns, m.estimated "
	"FROM other.message m "
	"JOIN other.drg_node n ON n.id = m.drg_node, past "
	"WHERE n.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.sampling "
	"(experiment, method, metric, rate, lost, samples, unknown, coarse, unit, least_bytes, "
	"memory_lost) "
	"SELECT s.experiment + past.experiment, s.method, s.metric, s.rate, s.lost, s.samples, "
	"s.unknown, s.coarse, s.unit, s.least_bytes, s.memory_lost "
	"FROM other.sampling s, past "
	"WHERE s.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.sample_share (experiment, is_reason, place, key, text, samples, weight) "
	"SELECT s.experiment + past.experiment, s.is_reason, s.place, s.key, s.text, s.samples, "
	"s.weight "
	"FROM other.sample_share s, past "
	"WHERE s.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.function_samples "
	"(experiment, pu, function, file, line, own, inclusive) "
	"SELECT f.experiment + past.experiment, f.pu + past.pu, f.function, f.file, f.line, f.own, "
	"f.inclusive "
	"FROM other.function_samples f, past "
	"WHERE f.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.blame_point "
	"(id, experiment, parent, function, file, line, path, samples, is_chosen, is_top, is_cut) "
	"SELECT b.id + past.point, b.experiment + past.experiment, b.parent + past.point, "
	"b.function, b.file, b.line, b.path, b.samples, b.is_chosen, b.is_top, b.is_cut "
	"FROM other.blame_point b, past "
	"WHERE b.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.variable (id, blame_point, kind, name, field, type, file, line) "
	"SELECT v.id + past.variable, v.blame_point + past.point, v.kind, v.name, v.field, "
	"v.type, v.file, v.line "
	"FROM other.variable v "
	"JOIN other.blame_point b ON b.id = v.blame_point, past "
	"WHERE b.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.blame "
	"(variable, pu, is_blocked, routine, explicit, implicit, parts, base, weight, "
	"inclusive_weight) "
	"SELECT m.variable + past.variable, m.pu + past.pu, m.is_blocked, m.routine, m.explicit, "
	"m.implicit, m.parts, m.base, m.weight, m.inclusive_weight "
	"FROM other.blame m " OF_VARIABLE("m") ", past "
	"WHERE b.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.variable_overhead (variable, pu, routine, leaf, ns, bytes, calls) "
	"SELECT m.variable + past.variable, m.pu + past.pu, m.routine, m.leaf, m.ns, m.bytes, "
	"m.calls "
	"FROM other.variable_overhead m " OF_VARIABLE("m") ", past "
	"WHERE b.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.memory "
	"(id, experiment, kind, name, function, container, container_function, type, file, line, "
	"path, module, bytes) "
	"SELECT m.id + past.memory, m.experiment + past.experiment, m.kind, m.name, m.function, "
	"m.container, m.container_function, m.type, m.file, m.line, m.path, m.module, m.bytes "
	"FROM other.memory m, past "
	"WHERE m.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.memory_use "
	"(memory, pu, allocations, freed, bytes, most_bytes, largest_bytes, life_ns, samples, "
	"weight) "
	"SELECT u.memory + past.memory, u.pu + past.pu, u.allocations, u.freed, u.bytes, "
	"u.most_bytes, u.largest_bytes, u.life_ns, u.samples, u.weight "
	"FROM other.memory_use u JOIN other.memory m ON m.id = u.memory, past "
	"WHERE m.experiment IN (SELECT id FROM wanted)",
	"CREATE TEMP TABLE of_calibration AS "
	"SELECT c.id, c.run_id "
	"FROM other.calibration c "
	"WHERE c.run_id NOT IN (SELECT run_id FROM main.calibration)",
	"INSERT INTO main.calibration "
	"(physical_machine, run_id, started_ns, processor, runtime, calls, call_ns, processes) "
	"SELECT m.id, c.run_id, c.started_ns, c.processor, c.runtime, c.calls, c.call_ns, "
	"c.processes "
	"FROM other.calibration c "
	"JOIN of_calibration o ON o.id = c.id "
	"JOIN other.physical_machine h ON h.id = c.physical_machine "
	"JOIN main.physical_machine m ON m.host = h.host "
	"ORDER BY c.id",
	"INSERT INTO main.calibration_setting "
	"SELECT c.id, s.name, s.place, s.writer, s.cpus, s.missing "
	"FROM other.calibration_setting s " OF_CALIBRATION("s"),
	"INSERT INTO main.calibration_time "
	"SELECT c.id, t.setting, t.kernel, t.state, t.depth, t.process, t.mean_ns, t.median_ns "
	"FROM other.calibration_time t " OF_CALIBRATION("t"),
	"INSERT INTO main.calibration_writer "
	"SELECT c.id, w.setting, w.process, w.ns, w.events, w.dropped, w.raw_bytes, w.bytes "
	"FROM other.calibration_writer w " OF_CALIBRATION("w"),

	"INSERT INTO main.delay "
	"SELECT d.drg_node + past.drg, d.leaf, d.culprit + past.pu, d.culprit_node + past.drg, "
	"d.ns, d.passed_ns, d.indirect_ns, d.wrong_order_ns, d.estimated_ns, "
	"d.no_processor_ns "
	"FROM other.delay d "
	"JOIN other.drg_node n ON n.id = d.drg_node, past "
	"WHERE n.experiment IN (SELECT id FROM wanted)",
	"INSERT INTO main.wait_pair (drg_node, leaf, culprit, culprit_node, victim, ns) "
	"SELECT w.drg_node + past.drg, w.leaf, w.culprit + past.pu, w.culprit_node + past.drg, "
	"CASE w.victim WHEN 0 THEN 0 ELSE w.victim + past.pu END, w.ns "
	"FROM other.wait_pair w "
	"JOIN other.drg_node n ON n.id = w.drg_node, past "
	"WHERE n.experiment IN (SELECT id FROM wanted)",
};

static const char *const temporary[] = { "wanted",    "past",  "of_version",	"of_file",
					 "of_region", "of_vm", "of_calibration" };

/* -- which ------------------------------------------------------------------------------------- */

static const struct column there_columns[] = {
	{ "id", "", CELL_INTEGER },
	{ "name", "", CELL_TEXT },
	{ "here", "", CELL_INTEGER },
	{ "its_name", "", CELL_TEXT },
};

/* Experiments that are not complete here: one that is incomplete here and complete there is
 * replaced. */
static const char there[] =
	"SELECT o.id, o.name, e.id, e.name "
	"FROM other.experiment o "
	"LEFT JOIN main.experiment e ON e.run_id = o.run_id "
	"WHERE e.id IS NULL OR (o.complete AND NOT e.complete) "
	"ORDER BY o.id";

/* A name that is not used here and not given yet: NAME, NAME-2, NAME-3 ... */
static int add_wanted(struct repo *repo, int64_t id, const char *name, struct err *err)
{
	for (int k = 1;; k++) {
		int64_t taken;
		char *candidate = k == 1 ? mem_string(name) : mem_print("%s-%d", name, k);
		int found = repo_number(repo, &taken, err,
					"SELECT 1 "
					"FROM main.experiment "
					"WHERE name = ?1 "
					"UNION SELECT 1 "
					"FROM wanted "
					"WHERE name = ?1",
					"t", candidate);
		int rc = found == 0 ? repo_run(repo, err, "INSERT INTO wanted VALUES (?, ?)", "it",
					       id, candidate) :
				      found;
		free(candidate);
		if (found <= 0)
			return rc;
	}
}

/* Damaged experiments are not copied. */
static int check_other(struct repo *repo, int64_t id, struct err *err)
{
	const char *problem;
	if (stored_problem(repo, "other", id, &problem, err))
		return ERR_FAILED;
	if (!problem)
		return 0;
	return err_fail(err, "experiment %" PRId64 " of the other repository was damaged, or "
			"changed by another program: %s; take it out there, and import its "
			"directory", id, problem);
}

static int choose(struct repo *repo, struct err *err)
{
	struct table t;
	table_init(&t, there_columns, 4);
	int rc = repo_run(repo, err,
			  "CREATE TEMP TABLE wanted (id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
			  "");
	rc = rc ? rc : repo_fill(repo, &t, err, there, "");
	for (size_t i = 0; rc == 0 && i < table_rows(&t); i++) {
		const struct cell *row = table_cell(&t, i, 0);
		bool replaces = row[2].kind != CELL_NULL;
		rc = check_other(repo, row[0].integer, err);
		const char *name = replaces ? row[3].text : row[1].text;
		if (rc == 0 && replaces)
			rc = store_remove(repo, row[2].integer, err);
		rc = rc ? rc : add_wanted(repo, row[0].integer, name, err);
	}
	table_release(&t);
	return rc;
}

/* -- all of it --------------------------------------------------------------------------------- */

/* Another merge on this connection needs these names. */
static int drop_temporary(struct repo *repo, struct err *err)
{
	for (size_t i = 0; i < sizeof temporary / sizeof *temporary; i++) {
		char *sql = mem_print("DROP TABLE IF EXISTS temp.%s", temporary[i]);
		int rc = repo_run(repo, err, sql, "");
		free(sql);
		if (rc)
			return rc;
	}
	return 0;
}

const struct column merge_columns[MERGE_COLUMNS] = {
	{ "id", "id", CELL_INTEGER },
	{ "name", "name", CELL_TEXT },
	{ "dir", "directory", CELL_TEXT },
	{ "complete", "complete", CELL_BOOL },
};

int merge_other(struct repo *repo, struct table *taken, struct err *err)
{
	if (repo_begin(repo, err) || choose(repo, err))
		return ERR_FAILED;
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
		if (repo_run(repo, err, statements[i], ""))
			return ERR_FAILED;
	if (repo_fill(repo, taken, err,
		      "SELECT e.id, e.name, e.directory, e.complete "
		      "FROM main.experiment e "
		      "JOIN wanted w ON w.name = e.name "
		      "ORDER BY e.id",
		      "") ||
	    drop_temporary(repo, err))
		return ERR_FAILED;
	return repo_commit(repo, err);
}
