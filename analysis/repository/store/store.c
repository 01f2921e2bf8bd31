/* SPDX-License-Identifier: BSD-3-Clause */
/* store.c - writes the rows of an experiment, in one transaction. Owns nothing. Called by one
 * thread. Arrays map the indices of the model (regions, nodes, PUs) to row ids. */
#include "repository/store/store_internal.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/path.h"
#include "experiment/classify/classify.h"
#include "repository/database/pu_leaves.h"
#include "repository/store/store_lines.h"

/* -- rows that may exist already --------------------------------------------------------------- */

/* Gets the id of a row. `insert` is an INSERT OR IGNORE that adds the row if it is not there, and
 * `select` then finds it. Both get the same two arguments. */
static int find_or_add(struct store *s, int64_t *id, const char *insert, const char *select,
		       const char *format, int64_t number, const char *text)
{
	bool with_number = format[0] == 'i';
	int rc = with_number ? repo_run(s->repo, s->err, insert, format, number, text) :
		repo_run(s->repo, s->err, insert, format, text);
	if (rc)
		return rc;
	rc = with_number ? repo_number(s->repo, id, s->err, select, format, number, text) :
		repo_number(s->repo, id, s->err, select, format, text);
	return rc == 1 ? 0 : ERR_FAILED;
}

/* A checksum of the places and tokens of regions. They can change although the text of the
 * translation unit stays the same: regions in headers may move, and macros of headers may change
 * the tokens of a region. Regions that are built in, named by the program or sampled are left out,
 * because they appear only if they were executed. */
static uint64_t places_of(const struct experiment *x)
{
	uint64_t sum = 0; /* does not depend on the order of regions */
	for (size_t i = 0; i < x->model.region.n; i++) {
		const struct region *r = &x->model.region.at[i];
		if (!r->line_start || r->by_hand || r->type == CR_SAMPLED)
			continue;
		uint64_t key = sis_checksum(r->key, strlen(r->key));
		sum += key * (2 * ((uint64_t)r->line_start << 20 ^ r->line_end) + 1);
		if (r->tokens)
			sum += (2 * key + 1) * (sis_checksum(r->tokens, strlen(r->tokens)) +
						3 * sis_checksum(r->build, strlen(r->build)));
	}
	return sum;
}

/* Finds this build, if it is stored. It may be stored under the user's name of the application
 * (--set application=NAME) instead of the program's name. */
static int find_version(struct store *s, const char *checksum)
{
	return repo_number(
		s->repo, &s->version, s->err,
		"SELECT v.id "
		"FROM version v "
		"WHERE v.checksum = ?1 "
		"AND "
		"(v.application = ?2 "
		"OR "
		"(?3 AND EXISTS (SELECT 1 FROM experiment e "
		"JOIN experiment_fact f ON f.experiment = e.id "
		"WHERE e.version = v.id AND f.key = 'application'))) "
		"ORDER BY v.application = ?2 DESC LIMIT 1",
		"tii", checksum, s->application, (int64_t)(s->x->model.tu.n > 0));
}

/* Finds or adds the application and its version. */
static int store_version(struct store *s)
{
	const struct experiment *x = s->x;
	struct buf buf = { 0 };
	const char *name = path_base(x->run.program);
	if (find_or_add(s, &s->application, "INSERT OR IGNORE INTO application (name) VALUES (?)",
			"SELECT id FROM application WHERE name = ?", "t", 0,
			*name ? name : "program"))
		return ERR_FAILED;
	for (size_t i = 0; i < x->model.tu.n; i++)
		buf_print(&buf, "%s|%s|%s|%s\n", x->model.tu.at[i].source,
			  x->model.tu.at[i].checksum, x->model.tu.at[i].compiler,
			  x->model.tu.at[i].flags);
	for (size_t i = 0; i < x->model.file.n; i++)
		buf_print(&buf, "%s\n", x->model.file.at[i].checksum);
	if (x->model.tu.n == 0 && x->run.sampled.build)
		buf_print(&buf, "%s\n", x->run.sampled.build);
	char *checksum = mem_print("%016" PRIx64,
				   sis_checksum(buf.at, buf.length) + places_of(x));
	free(buf_take(&buf));
	const struct tu none = { .compiler = "", .flags = "", .sisc = "" };
	const struct tu *first = x->model.tu.n ? x->model.tu.at : &none;
	int found = find_version(s, checksum);
	if (found == 0 &&
	    repo_run(s->repo, s->err,
		     "INSERT INTO version (application, checksum, compiler, flags, sisc) "
		     "VALUES (?, ?, ?, ?, ?)",
		     "itttt", s->application, checksum, first->compiler, first->flags,
		     first->sisc) == 0)
		found = find_version(s, checksum);
	free(checksum);
	return found == 1 ? 0 : ERR_FAILED;
}

/* The checksum of the text of the region's file. It was recorded by the translation unit whose main
 * file this is, or by one that includes the file. */
static const char *checksum_of(const struct store *s, const struct region *r)
{
	uint32_t tu = r->path ? strmap_get(&s->tu_by_path, r->path) : MAP_NONE;
	if (tu != MAP_NONE && s->x->model.tu.at[tu].checksum)
		return s->x->model.tu.at[tu].checksum;
	uint32_t file = r->path ? strmap_get(&s->x->model.file_by_path, r->path) : MAP_NONE;
	return file == MAP_NONE ? "" : s->x->model.file.at[file].checksum;
}

static int store_region(struct store *s, const struct region *r, int64_t *id)
{
	int64_t file;
	if (find_or_add(s, &file,
			"INSERT OR IGNORE INTO source_file (version, path, directory) "
			"VALUES (?, ?, '')",
			"SELECT id FROM source_file WHERE version = ? AND path = ?", "it",
			s->version, r->file) ||
	    repo_run(s->repo, s->err,
		     "UPDATE source_file SET directory = ? WHERE id = ? AND directory = ''", "ti",
		     r->path && r->file[0] != '/' && s->x->model.base ? s->x->model.base : "",
		     file) ||
	    repo_run(s->repo, s->err,
		     "UPDATE source_file SET checksum = ? WHERE id = ? AND checksum = ''", "ti",
		     checksum_of(s, r), file) ||
	    repo_run(s->repo, s->err,
		     "UPDATE source_file SET language = ? WHERE id = ? AND language = ''", "ti",
		     r->language ? r->language : "", file) ||
	    repo_run(s->repo, s->err,
		     "INSERT OR IGNORE INTO code_region "
		     "(source_file, key, name, type, unit, line_start, column_start, line_end, "
		     "column_end, metrics, tokens, build) "
		     "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		     "ittttiiiittt", file, r->key, r->name,
		     sis_region_table[r->type].name ? sis_region_table[r->type].name : "CR_NONE",
		     r->function, (int64_t)r->line_start, (int64_t)r->column_start,
		     (int64_t)r->line_end, (int64_t)r->column_end, r->metrics, r->tokens, r->build))
		return ERR_FAILED;
	return repo_number(s->repo, id, s->err,
			   "SELECT id FROM code_region WHERE source_file = ? AND key = ?", "it",
			   file, r->key) == 1 ?
		0 :
		ERR_FAILED;
}

static int store_regions(struct store *s)
{
	s->region = mem_alloc(s->x->model.region.n, sizeof *s->region);
	for (size_t i = 0; i < s->x->model.tu.n; i++) {
		char *path = path_absolute(s->x->model.tu.at[i].directory,
					   s->x->model.tu.at[i].source);
		if (path)
			strmap_put(&s->tu_by_path, path, i, NULL);
		free(path);
	}
	for (size_t i = 0; i < s->x->model.region.n; i++)
		if (store_region(s, &s->x->model.region.at[i], &s->region[i]))
			return ERR_FAILED;
	return 0;
}

/* -- the machine ------------------------------------------------------------------------------- */

static int store_machine(struct store *s, const struct process *process, int64_t *id)
{
	const struct sis_profile_header *h = &process->profile.head;
	if (repo_run(s->repo, s->err,
		     "INSERT INTO physical_machine (host, cores, memory_bytes) "
		     "VALUES (?1, ?2, ?3) ON CONFLICT (host) DO UPDATE "
		     "SET cores = ?2, memory_bytes = ?3",
		     "tii", h->host, (int64_t)h->cores, (int64_t)h->memory_bytes) ||
	    repo_number(s->repo, id, s->err, "SELECT id FROM physical_machine WHERE host = ?", "t",
			h->host) != 1)
		return ERR_FAILED;
	for (size_t i = 0; i < process->profile.text.n; i++) {
		const struct profile_text *t = &process->profile.text.at[i];
		const char *tab = strchr(t->text, '\t');
		if (strcmp(t->kind, "machine") != 0 || !tab)
			continue;
		char *key = mem_print("%.*s", (int)(tab - t->text), t->text);
		int rc = repo_run(s->repo, s->err,
				  "INSERT OR REPLACE INTO machine_fact VALUES (?, ?, ?)", "itt",
				  *id, key, tab + 1);
		free(key);
		if (rc)
			return rc;
	}
	return 0;
}

static int find_network(struct store *s, const char *name, int64_t *id)
{
	return find_or_add(s, id, "INSERT OR IGNORE INTO network (name) VALUES (?)",
			   "SELECT id FROM network WHERE name = ?", "t", 0, name);
}

static int store_host(struct store *s, const struct process *process, int64_t *id)
{
	int64_t machine;
	if (store_machine(s, process, &machine) ||
	    repo_run(s->repo, s->err,
		     "INSERT INTO node (virtual_machine, physical_machine) VALUES (?, ?)", "ii",
		     s->virtual_machine, machine))
		return ERR_FAILED;
	*id = repo_last_id(s->repo);
	return 0;
}

static int store_hosts(struct store *s)
{
	const struct experiment *x = s->x;
	struct strmap by_host = { 0 };
	int64_t network;
	s->host = mem_alloc(x->model.process.n, sizeof *s->host);
	if (find_network(s, "shared memory", &network) ||
	    repo_run(s->repo, s->err, "INSERT INTO virtual_machine (network, nodes) VALUES (?, 1)",
		     "i", network))
		return ERR_FAILED;
	s->virtual_machine = repo_last_id(s->repo);
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < x->model.process.n; i++) {
		const struct process *p = &x->model.process.at[i];
		bool fresh;
		uint32_t first = strmap_put(&by_host, p->profile.head.host, i, &fresh);
		rc = fresh ? store_host(s, p, &s->host[i]) : 0;
		s->host[i] = s->host[first];
	}
	if (rc == 0 && by_host.n > 1)
		rc = find_network(s, "network of unknown kind", &network) ?:
			repo_run(s->repo, s->err,
				 "UPDATE virtual_machine SET nodes = ?, network = ? WHERE id = ?",
				 "iii", (int64_t)by_host.n, network, s->virtual_machine);
	strmap_free(&by_host);
	return rc;
}

/* -- the experiment ---------------------------------------------------------------------------- */

/* The k-th name to try for the experiment. If the user gave a name, or chose that of the directory
 * (SIS_OUTPUT), it is NAME, NAME-2, NAME-3 ... Otherwise it is PROGRAM-1, PROGRAM-2 ... A
 * directory's default name, sis-PROGRAM-DATE-TIME-PID, is not used. Neither is a directory's name
 * that is a number, because commands would read it as an id. */
static char *name_to_try(const struct store *s, int64_t k)
{
#define DIGITS_2 "[0-9][0-9]"
#define DIGITS_6 DIGITS_2 DIGITS_2 DIGITS_2
	static const char usual[] = "sis-*-" DIGITS_6 DIGITS_2 "-" DIGITS_6 "-[0-9]*";
	const char *directory = s->x->run.directory ? path_base(s->x->run.directory) : "",
		   *chosen = s->options->name;
	if (!chosen && directory[strspn(directory, "0123456789")] &&
	    fnmatch(usual, directory, 0) != 0)
		chosen = directory;
	if (chosen && k == 1)
		return mem_string(chosen);
	return mem_print("%s-%" PRId64, chosen ? chosen : path_base(s->x->run.program), k);
}

/* A name that no experiment has. NULL on failure, or if the name that the user gave is not free. */
static char *free_name(struct store *s)
{
	const char *wanted = s->options->name;
	for (int64_t k = 1;; k++) {
		int64_t taken = 0;
		char *name = name_to_try(s, k);
		int found = repo_number(s->repo, &taken, s->err,
					"SELECT id FROM experiment WHERE name = ?", "t", name);
		if (found == 0)
			return name;
		if (found > 0 && wanted)
			err_fail(s->err, "there is an experiment named '%s' already; choose "
				 "another --name", wanted);
		free(name);
		if (found < 0 || wanted)
			return NULL;
	}
}

static char *command_line(const struct sis_profile_header *h)
{
	struct buf buf = { 0 };
	for (size_t at = 0; at < sizeof h->command && h->command[at];
	     at += strlen(h->command + at) + 1)
		buf_print(&buf, "%s%s", at ? " " : "", h->command + at);
	return buf_take(&buf);
}

static int store_row(struct store *s, const char *name)
{
	const struct experiment *x = s->x;
	const struct sis_profile_header *h = &x->model.process.at[0].profile.head;
	int64_t worst_identity = 0;
	for (uint32_t i = 0; i < x->model.pu.n; i++) {
		int64_t error = classify_identity_error(x, i);
		worst_identity = error > worst_identity ? error : worst_identity;
	}
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	char *command = x->run.command ? mem_string(x->run.command) : command_line(h);
	int rc = repo_run(
		s->repo, s->err,
		"INSERT INTO experiment "
		"(id, name, version, virtual_machine, run_id, directory, program, command, role, "
		"started_ns, p, t_p_ns, complete, identity_error_ns, runtime, imported_ns, "
		"ideal_ns, critical_estimated_ns, cause_error_ns, not_recorded_ns, clock) "
		"VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, -1), "
		"?, ?, ?, ?)",
		"itiitttttiiiiitiiiiit", s->experiment, name, s->version, s->virtual_machine,
		x->run.run_id, x->run.directory, x->run.program, command,
		s->options->role ? s->options->role : "par", (int64_t)h->start.realtime_ns,
		(int64_t)x->model.pu.n, experiment_t_p(x), (int64_t)x->model.complete,
		worst_identity, h->writer, (int64_t)now.tv_sec * 1000000000 + now.tv_nsec,
		x->causes.ideal_ns, x->causes.critical_estimated_ns, x->causes.error_ns,
		x->causes.not_recorded_ns,
		profile_first_text(&x->model.process.at[0].profile, "clock"));
	free(command);
	if (rc == 0 && !s->experiment)
		s->experiment = repo_last_id(s->repo);
	return rc;
}

static int store_facts(struct store *s)
{
	for (const char *const *fact = s->options->fact; fact && *fact; fact++) {
		const char *equals = strchr(*fact, '=');
		char *key = mem_print("%.*s", equals ? (int)(equals - *fact) : (int)strlen(*fact),
				      *fact);
		int rc = repo_run(s->repo, s->err,
				  "INSERT OR REPLACE INTO experiment_fact VALUES (?, ?, ?)", "itt",
				  s->experiment, key, equals ? equals + 1 : "");
		free(key);
		if (rc)
			return rc;
	}
	for (size_t i = 0; i < s->x->warning.n; i++) {
		const struct warning *w = &s->x->warning.at[i];
		if (repo_run(s->repo, s->err, "INSERT INTO warning VALUES (?, ?, ?)", "itt",
			     s->experiment, w->text, warning_kind_names[w->kind]))
			return ERR_FAILED;
	}
	return 0;
}

static const char *const state_name[] = {
	[SIS_STATE_RUNNING] = "running", [SIS_STATE_ENDED] = "ended",
	[SIS_STATE_SIGNAL] = "signal",	 [SIS_STATE_ABORTED] = "aborted",
	[SIS_STATE_EXEC] = "exec",	 [SIS_STATE_SANDBOX] = "sandbox",
};

static int store_pus(struct store *s)
{
	const struct experiment *x = s->x;
	s->pu = mem_alloc(x->model.pu.n, sizeof *s->pu);
	for (size_t i = 0; i < x->model.pu.n; i++) {
		const struct pu *pu = &x->model.pu.at[i];
		const struct process *p = &x->model.process.at[pu->process];
		if (repo_run(s->repo, s->err,
			     "INSERT INTO processing_unit "
			     "(experiment, node, process, thread, pid, start_ns, end_ns, state, "
			     "status, useful_ns, affinity) "
			     "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			     "iiiiiiitiit", s->experiment, s->host[pu->process], (int64_t)p->index,
			     (int64_t)pu->slot, (int64_t)p->profile.head.pid,
			     p->start_ns - x->model.start_ns, p->end_ns - x->model.start_ns,
			     state_name[p->profile.head.state], (int64_t)p->profile.head.status,
			     x->classify.pu.at[i].useful_ns,
			     profile_first_text(&p->profile, "affinity")))
			return ERR_FAILED;
		s->pu[i] = repo_last_id(s->repo);
	}
	return 0;
}

/* -- the whole experiment ---------------------------------------------------------------------- */

static int store_all(struct store *s, const char *name)
{
	if (store_version(s) || store_regions(s) || store_hosts(s) || store_row(s, name) ||
	    store_facts(s) || store_pus(s) || store_measured(s) ||
	    store_lines(s->repo, s->experiment, s->x, s->err))
		return ERR_FAILED;
	return s->options->further ? s->options->further(s->repo, s->experiment, s->options->rows,
							 s->err) : 0;
}

/* Looks for an earlier import of the run. Returns 1 if it is complete. Otherwise returns 0. An
 * incomplete import is then removed, but its number is kept, and also its name unless the user
 * gives another one. */
static int find_earlier(struct store *s, char **name)
{
	int64_t complete = 0;
	static const struct column column = { "name", "name", CELL_TEXT };
	int found = repo_number(s->repo, &s->experiment, s->err,
				"SELECT id FROM experiment WHERE run_id = ?", "t",
				s->x->run.run_id);
	if (found <= 0)
		return found;
	if (repo_number(s->repo, &complete, s->err, "SELECT complete FROM experiment WHERE id = ?",
			"i", s->experiment) < 0)
		return ERR_FAILED;
	if (complete)
		return 1;
	struct table table;
	table_init(&table, &column, 1);
	int rc = repo_fill(s->repo, &table, s->err, "SELECT name FROM experiment WHERE id = ?", "i",
			   s->experiment);
	if (rc == 0 && !s->options->name)
		*name = mem_string(table_cell(&table, 0, 0)->text);
	table_release(&table);
	return rc ? rc : store_remove(s->repo, s->experiment, s->err);
}

/* Begins the transaction, with checks of references switched off. Rows refer only to rows that were
 * written just before, and looking these up takes a fifth of the time. The checks are needed only
 * if an earlier, incomplete import of the run has to be removed. */
static int begin(struct store *s)
{
	int64_t id;
	int found = 0, checked;
	do {
		checked = found;
		repo_rollback(s->repo);
		if (repo_check_references(s->repo, checked > 0, s->err) ||
		    repo_begin(s->repo, s->err))
			return ERR_FAILED;
		found = repo_number(s->repo, &id, s->err,
				    "SELECT id FROM experiment WHERE run_id = ? AND NOT complete",
				    "t", s->x->run.run_id);
	} while (found > 0 && !checked);
	return found < 0 ? ERR_FAILED : 0;
}

int store_experiment(struct repo *repo, const struct experiment *x,
		     const struct store_options *options, int64_t *id, struct err *err)
{
	struct store s = { .repo = repo, .x = x, .options = options, .err = err };
	char *name = NULL;
	int rc = pu_leaves_forget(repo, err);
	rc = rc ? rc : begin(&s);
	rc = rc ? rc : find_earlier(&s, &name);
	if (rc == 0) {
		name = name ? name : free_name(&s);
		rc = name ? store_all(&s, name) : ERR_FAILED;
	}
	rc = rc >= 0 ? repo_commit(repo, err) : rc;
	repo_rollback(repo);
	struct err ignored = { 0 };
	repo_check_references(repo, true, &ignored);
	*id = s.experiment;
	free(name);
	strmap_free(&s.tu_by_path);
	free(s.region), free(s.node), free(s.host), free(s.pu), free(s.summary),
		free(s.communicator);
	return rc;
}
