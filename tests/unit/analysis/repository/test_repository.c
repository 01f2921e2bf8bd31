/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* The repository: what goes in comes out; nothing half; no database but its own. */
#include "unit.h"
#include <math.h>
#include <sqlite3.h>
#include <unistd.h>
#include "experiment_make.h"
#include "base/clamp.h"
#include "answers/query/overhead.h"
#include "repository/database/repository.h"
#include "repository/store/store.h"
#include "repository/database/pu_leaves.h"
#include "repository_version.h"

static char path[UNIT_PATH];

/* A path where nothing is. */
static const char *fresh_path(void)
{
	int fd = mkstemp(unit_template(path));
	ck_assert_int_ge(fd, 0);
	close(fd);
	unlink(path);
	return path;
}

static struct repo *open_repo(const char *name)
{
	struct repo *repo;
	struct err err = { 0 };
	ck_assert_msg(repo_open(&repo, name, REPO_WRITE, &err) == 0, "%s", err.text);
	return repo;
}

static void refuses_to_open(const char *name, const char *why)
{
	struct repo *repo;
	struct err err = { 0 };
	ck_assert_int_ne(repo_open(&repo, name, REPO_WRITE, &err), 0);
	ck_assert_msg(strstr(err.text, why) && strstr(err.text, ";"), "'%s' instead of '%s'",
		      err.text, why);
}

static int64_t number(struct repo *repo, const char *sql)
{
	int64_t n = -1;
	struct err err = { 0 };
	ck_assert_msg(repo_number(repo, &n, &err, sql, "") >= 0, "%s", err.text);
	return n;
}

/* main 1 s, in it MPI_Barrier 0.3 s, read 0.1 s. */
static void make(struct experiment *x, enum sis_state state, const char *run_id)
{
	static const char *const names[] = { "main" };
	struct profile_writer *w = writer_new(0, 1);
	writer_functions(w, names, 1);
	strcpy(writer_header(w)->run_id, run_id);
	uint64_t root = writer_thread(w, 0),
		 node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 1000 * MS);
	writer_node(w, 0, node, writer_mpi("MPI_Barrier"), 1, 300 * MS);
	writer_node(w, 0, node, CR_READ, 1, 100 * MS);
	writer_thread_at(w, 0)->stamp = WRITER_START + 1000 * MS;
	*x = (struct experiment){ 0 };
	make_process(x, w, state);
	make_classified(x);
	free(x->run.run_id);
	x->run.run_id = mem_string(run_id);
}

static int64_t store(struct repo *repo, enum sis_state state, const char *run_id, const char *name,
		     int expected)
{
	int64_t id = 0;
	struct experiment x;
	struct err err = { 0 };
	const struct store_options options = { .name = name, .role = "par" };
	make(&x, state, run_id);
	int rc = store_experiment(repo, &x, &options, &id, &err);
	ck_assert_msg(rc == expected, "%d: %s", rc, err.text);
	experiment_release(&x);
	return id;
}

START_TEST(what_goes_in_comes_out)
{
	struct err err = { 0 };
	struct overheads o;
	struct repo *repo = open_repo(fresh_path());
	int64_t id = store(repo, SIS_STATE_ENDED, "a", NULL, 0);
	ck_assert_int_eq(overheads_load(&o, repo, id, 0, 0, &err), 0);
	ck_assert_str_eq(o.name, "made");
	ck_assert_int_eq(o.p, 1);
	ck_assert_int_eq(o.t_p, 1000 * MS);
	ck_assert_int_eq(o.useful, 600 * MS);
	ck_assert_int_eq(o.ns[ODATA_MBAR], 300 * MS);
	ck_assert_int_eq(o.ns[ODATA_READ], 100 * MS);
	ck_assert_int_eq(o.ns[ODATA], 400 * MS);
	ck_assert_int_eq(o.ns[OTOTAL], 400 * MS);
	ck_assert(!o.has_t_s);
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM summary"), 4);
	ck_assert_int_eq(number(repo, "SELECT line_start FROM region WHERE name = 'main'"), 10);
	overheads_release(&o);
	repo_close(repo);
	unlink(path);
}
END_TEST

/* Damage that the database does not see; what failed to load may be released once more. */
START_TEST(an_experiment_that_cannot_be_is_an_error)
{
	struct err err = { 0 };
	struct overheads o;
	struct repo *repo = open_repo(fresh_path());
	int64_t id = store(repo, SIS_STATE_ENDED, "a", NULL, 0);
	ck_assert_int_eq(repo_run(repo, &err, "PRAGMA ignore_check_constraints = ON", ""), 0);
	ck_assert_int_eq(repo_run(repo, &err, "UPDATE experiment SET p = 0 WHERE id = ?", "i", id),
			 0);
	ck_assert_int_ne(overheads_load(&o, repo, id, 0, 0, &err), 0);
	ck_assert_msg(strstr(err.text, "no processing units") != NULL, "%s", err.text);
	overheads_release(&o);
	repo_close(repo);
	unlink(path);
}
END_TEST

START_TEST(with_a_sequential_run_the_rest_is_unidentified)
{
	struct err err = { 0 };
	struct overheads o;
	struct repo *repo = open_repo(fresh_path());
	int64_t id = store(repo, SIS_STATE_ENDED, "a", NULL, 0),
		seq = store(repo, SIS_STATE_ENDED, "b", "seq", 0);
	ck_assert_int_eq(
		repo_run(repo, &err,
			 "UPDATE experiment SET role = 'seq', t_p_ns = 550000000 WHERE id = ?", "i",
			 seq),
		0);
	ck_assert_int_eq(overheads_load(&o, repo, id, 0, 0, &err), 0);
	ck_assert(o.has_t_s);
	ck_assert_int_eq(o.ns[OTOTAL], 450 * MS);
	ck_assert_int_eq(o.t_i, 400 * MS);
	ck_assert_int_eq(o.ns[OUNID], 50 * MS);
	overheads_release(&o);
	repo_close(repo);
	unlink(path);
}
END_TEST

START_TEST(a_run_is_stored_once)
{
	struct repo *repo = open_repo(fresh_path());
	int64_t id = store(repo, SIS_STATE_ENDED, "a", NULL, 0);
	ck_assert_int_eq(store(repo, SIS_STATE_ENDED, "a", NULL, 0), id);
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM experiment"), 1);
	repo_close(repo);
	unlink(path);
}
END_TEST

/* The same program with its regions elsewhere is another version; the same again is not. */
START_TEST(versions_are_told_apart)
{
	struct repo *repo = open_repo(fresh_path());
	const struct store_options options = { .role = "par" };
	for (int k = 0; k < 3; k++) {
		static const char *const run[] = { "a", "b", "c" };
		struct experiment x;
		struct err err = { 0 };
		int64_t id;
		make(&x, SIS_STATE_ENDED, run[k]);
		for (size_t i = 0; i < x.model.region.n; i++)
			x.model.region.fill.at[i].line_start += k == 2 &&
					x.model.region.at[i].line_start ?
				5 :
				0;
		ck_assert_int_eq(store_experiment(repo, &x, &options, &id, &err), 0);
		experiment_release(&x);
	}
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM version"), 2);
	ck_assert_int_eq(number(repo, "SELECT max(line_start) FROM region WHERE name = 'main'"),
			 15);
	repo_close(repo);
	unlink(path);
}
END_TEST

/* The table that is made beside the view is like it. */
static void is_as_in_view(struct repo *repo, int64_t id)
{
	struct err err = { 0 };
	ck_assert_msg(pu_leaves_load(repo, id, &err) == 0, "%s", err.text);
	ck_assert_int_gt(number(repo, "SELECT count(*) FROM temp.pu_leaf"), 0);
	ck_assert_int_eq(
		number(repo,
		       "SELECT count(*) FROM (SELECT experiment, pu, leaf, ns "
		       "FROM temp.pu_leaf EXCEPT "
		       "SELECT experiment, pu, leaf, ns FROM overhead_leaf_by_pu)"),
		0);
	ck_assert_int_eq(
		number(repo,
		       "SELECT (SELECT count(*) FROM temp.pu_leaf) - (SELECT count(*) "
		       "FROM overhead_leaf_by_pu)"),
		0);
}

START_TEST(an_incomplete_run_is_stored_again_in_its_place)
{
	struct err err = { 0 };
	struct repo *repo = open_repo(fresh_path());
	int64_t id = store(repo, SIS_STATE_RUNNING, "a", "mine", 0);
	ck_assert_int_eq(number(repo, "SELECT complete FROM experiment"), 0);
	is_as_in_view(repo, id);
	/* not what the whole run has */
	ck_assert_int_eq(repo_run(repo, &err, "UPDATE overhead SET ns = 3 * ns", ""), 0);
	ck_assert_int_eq(pu_leaves_forget(repo, &err), 0);
	is_as_in_view(repo, id);
	ck_assert_int_eq(store(repo, SIS_STATE_ENDED, "a", NULL, 0), id);
	is_as_in_view(repo, id);
	ck_assert_int_eq(number(repo, "SELECT complete FROM experiment WHERE name = 'mine'"), 1);
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM processing_unit"), 1);
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM drg_node"), 4);
	repo_close(repo);
	unlink(path);
}
END_TEST

/* A stack of 3000 regions: deeper than the database follows references by itself. */
START_TEST(deep_graphs_go_away_too)
{
	struct repo *repo = open_repo(fresh_path());
	struct experiment x;
	struct err err = { 0 };
	int64_t id, rows = 0;
	const struct store_options options = { .role = "par" };
	make(&x, SIS_STATE_ENDED, "a");
	while (x.model.node.n < 3001) {
		uint32_t last = x.model.node.n - 1;
		*vec_push(&x.model.node.fill) = (struct drg_node){
			.region = x.model.node.at[last].region, .parent = last, .source = last
		};
	}
	ck_assert_msg(store_experiment(repo, &x, &options, &id, &err) == 0, "%s", err.text);
	experiment_release(&x);
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM drg_node"), 3001);
	ck_assert_msg(store_remove(repo, id, &err) == 0, "%s", err.text);
	ck_assert_int_eq(store_sweep(repo, &rows, &err), 0);
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM drg_node"), 0);
	ck_assert_int_eq(
		number(repo,
		       "SELECT (SELECT count(*) FROM code_region) + (SELECT count(*) "
		       "FROM version) + "
		       "(SELECT count(*) FROM node) + (SELECT count(*) "
		       "FROM network) + (SELECT count(*) FROM machine_fact)"),
		0);
	ck_assert_int_ge(rows, 4);
	repo_close(repo);
	unlink(path);
}
END_TEST

START_TEST(a_failed_import_leaves_nothing)
{
	struct repo *repo = open_repo(fresh_path());
	store(repo, SIS_STATE_ENDED, "a", "mine", 0);
	int64_t nodes = number(repo, "SELECT count(*) FROM drg_node");
	store(repo, SIS_STATE_ENDED, "b", "mine", ERR_FAILED);
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM drg_node"), nodes);
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM experiment"), 1);
	repo_close(repo);
	unlink(path);
}
END_TEST

/* Any database with some SQL run in it. */
static const char *database(const char *sql)
{
	sqlite3 *db;
	ck_assert_int_eq(sqlite3_open(fresh_path(), &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	return path;
}

START_TEST(other_databases_are_left_alone)
{
	refuses_to_open(database("CREATE TABLE t(x)"), "database of another program");
	unlink(path);
	FILE *file = fopen(fresh_path(), "w");
	for (int i = 0; i < 1000; i++)
		fputs("not a database at all\n", file);
	fclose(file);
	refuses_to_open(path, "not a database");
	unlink(path);
	refuses_to_open("/nonexistent/sis.db", "unable to open");
}
END_TEST

START_TEST(another_version_is_refused)
{
	static const int other[] = { 0, SIS_REPOSITORY_VERSION - 1, 999 };
	for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
		struct err err = { 0 };
		char set[64], why[64];
		snprintf(set, sizeof set, "PRAGMA user_version = %d", other[i]);
		snprintf(why, sizeof why, "version %d, not %d", other[i], SIS_REPOSITORY_VERSION);
		struct repo *repo = open_repo(fresh_path());
		ck_assert_int_eq(number(repo, "PRAGMA user_version"), SIS_REPOSITORY_VERSION);
		ck_assert_int_eq(repo_run(repo, &err, set, ""), 0);
		repo_close(repo);
		refuses_to_open(path, why);
		unlink(path);
	}
}
END_TEST

static int take_any(void *arg, const struct cell *row, struct err *err)
{
	(void)err;
	for (int i = 0; i < 5; i++) {
		ck_assert_ptr_nonnull(row[i].text);
		*(int64_t *)arg = clamp_add(*(int64_t *)arg, row[i].integer);
	}
	return 0;
}

/* A damaged database may have any type in a column: NULL, an empty blob, one with a NUL in it. */
START_TEST(a_cell_always_has_a_text_and_a_number)
{
	static const char sql[] = "SELECT NULL, x'', x'610062', '12abc', 9e999";
	static const struct column columns[] = { { "a", "", CELL_TEXT }, { "b", "", CELL_TEXT } };
	struct repo *repo = open_repo(fresh_path());
	struct table table;
	struct err err = { 0 };
	int64_t sum = 0;
	ck_assert_int_eq(repo_each(repo, take_any, &sum, &err, sql, ""), 0);
	ck_assert_int_eq(sum, INT64_MAX); /* the last one's number */
	table_init(&table, columns, 2);
	ck_assert_int_eq(repo_fill(repo, &table, &err, "SELECT NULL, x''", ""), 0);
	ck_assert_str_eq(table_cell(&table, 0, 0)->text, "");
	ck_assert_str_eq(table_cell(&table, 0, 1)->text, "");
	table_release(&table);
	repo_close(repo);
	unlink(path);
}
END_TEST

START_TEST(sums_of_any_numbers_stay_numbers)
{
	ck_assert_int_eq(clamp_add(INT64_MAX, 1), INT64_MAX);
	ck_assert_int_eq(clamp_add(INT64_MIN, -1), INT64_MIN);
	ck_assert_int_eq(clamp_add(INT64_MAX, INT64_MIN), -1);
	ck_assert_int_eq(clamp_subtract(0, INT64_MIN), INT64_MAX);
	ck_assert_int_eq(clamp_subtract(INT64_MIN, 1), INT64_MIN);
	ck_assert_int_eq(clamp_subtract(-1, INT64_MAX), INT64_MIN);
	ck_assert_int_eq(clamp_round(2.5), 3);
	ck_assert_int_eq(clamp_round(-2.4), -2);
	ck_assert_int_eq(clamp_round(1e300), INT64_MAX);
	ck_assert_int_eq(clamp_round(-1e300), INT64_MIN);
	ck_assert_int_eq(clamp_round(NAN), 0);
}
END_TEST

START_TEST(questions_only_read)
{
	static const char *const refused[] = { "DELETE FROM experiment",
					       "SELECT 1; SELECT 2",
					       "PRAGMA user_version = 5",
					       "ATTACH '/tmp/x' AS y",
					       "",
					       "SELECT nonsense" };
	struct repo *repo = open_repo(fresh_path());
	struct table table;
	struct column *columns;
	struct err err = { 0 };
	store(repo, SIS_STATE_ENDED, "a", NULL, 0);
	ck_assert_int_eq(
		repo_ask(repo, &table, &columns, "SELECT name, p, 0.5, NULL FROM experiment", &err),
		0);
	ck_assert_uint_eq(table_rows(&table), 1);
	ck_assert_str_eq(table_cell(&table, 0, 0)->text, "made");
	ck_assert_int_eq(table_cell(&table, 0, 1)->integer, 1);
	table_release(&table);
	repo_free_columns(columns, 4);
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct err why = { 0 };
		ck_assert_msg(repo_ask(repo, &table, &columns, refused[i], &why) != 0,
			      "'%s' was not refused", refused[i]);
		repo_free_columns(columns, table.columns);
		table_release(&table);
	}
	ck_assert_int_eq(number(repo, "SELECT count(*) FROM experiment"), 1);
	repo_close(repo);
	unlink(path);
}
END_TEST

/* Rows 0 ... n - 1 of a table; row `bad` has no text, which the table refuses. */
static int add_rows(struct repo *repo, int64_t n, int64_t bad, struct err *err)
{
	static const struct rows_form form = {
		"INSERT INTO line (key, text, other)",
		"ON CONFLICT (key) DO UPDATE SET other = other + excluded.other", "itn"
	};
	struct rows *rows;
	char text[300][8];
	int rc = rows_open(repo, &rows, &form, err);
	for (int64_t i = 0; rc == 0 && i < n; i++) {
		snprintf(text[i], sizeof text[i], "%u", (unsigned)i % 1000);
		rc = rows_add(rows, err, i, i == bad ? NULL : text[i], i % 2 ? i : REPO_NULL);
	}
	rc = rc ? rc : rows_end(rows, err);
	rows_close(rows);
	return rc;
}

START_TEST(rows_are_all_there)
{
	static const int many[] = { 0, 1, 63, 64, 65, 128, 300 };
	struct repo *repo = open_repo(":memory:");
	for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
		struct err err = { 0 };
		int64_t n = many[i];
		ck_assert_int_eq(
			repo_run(
				repo, &err,
				"CREATE TEMP TABLE line (key INTEGER PRIMARY KEY, text TEXT NOT "
				"NULL, "
				"other INTEGER)",
				""),
			0);
		ck_assert_msg(add_rows(repo, n, -1, &err) == 0, "%s", err.text);
		ck_assert_int_eq(number(repo, "SELECT count(*) FROM line WHERE text = key"), n);
		ck_assert_int_eq(number(repo, "SELECT count(*) FROM line WHERE other = key"),
				 n / 2);
		ck_assert_int_eq(number(repo, "SELECT count(*) FROM line WHERE other IS NULL"),
				 n - n / 2);
		ck_assert_msg(add_rows(repo, n, -1, &err) == 0, "%s", err.text);
		ck_assert_int_eq(number(repo, "SELECT count(*) FROM line WHERE other = 2 * key"),
				 n / 2);
		ck_assert_int_eq(add_rows(repo, 300, 299 - (int64_t)i, &err) != 0, 1);
		ck_assert_msg(strstr(err.text, "line.text"), "%s", err.text);
		ck_assert_int_eq(repo_run(repo, &err, "DROP TABLE line", ""), 0);
	}
	repo_close(repo);
}
END_TEST

/* In C and in SQL a property is that of the same leaves. */
START_TEST(leaves_are_listed_by_property)
{
	static const struct { const char *sql; enum sis_property property; } list[] = {
		{ LEAVES("IS_WAIT"), IS_WAIT },
		{ LEAVES("IS_OF_RUN"), IS_OF_RUN },
		{ LEAVES("IS_OF_ENDS"), IS_OF_ENDS },
		{ LEAVES("IS_NOT_IN_T_S"), IS_NOT_IN_T_S },
	};
	struct repo *repo = open_repo(fresh_path());
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		for (int o = 1; o < SIS_OVERHEADS; o++) {
			const char *name = sis_overhead_table[o].name;
			char *sql = mem_print("SELECT count(*) FROM overhead_kind WHERE is_leaf "
					      "AND name = '%s' AND name IN %s", name, list[i].sql);
			bool is_leaf = true, listed = number(repo, sql);
			free(sql);
			for (int below = 1; below < SIS_OVERHEADS; below++)
				is_leaf &= sis_overhead_table[below].parent != (enum sis_overhead)o;
			ck_assert_msg(listed == (is_leaf && sis_overhead_is(o, list[i].property)),
				      "%s", name);
		}
	repo_close(repo);
	unlink(path);
}
END_TEST

UNIT_MAIN("repository", what_goes_in_comes_out, rows_are_all_there,
	  an_experiment_that_cannot_be_is_an_error, with_a_sequential_run_the_rest_is_unidentified,
	  a_run_is_stored_once, versions_are_told_apart,
	  an_incomplete_run_is_stored_again_in_its_place, deep_graphs_go_away_too,
	  a_failed_import_leaves_nothing, other_databases_are_left_alone,
	  another_version_is_refused, questions_only_read,
	  a_cell_always_has_a_text_and_a_number, sums_of_any_numbers_stay_numbers,
	  leaves_are_listed_by_property)
