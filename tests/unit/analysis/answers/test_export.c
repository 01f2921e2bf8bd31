/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* The walk that all formats of call trees rest on, and the XML that comes in again: whole, or
 * damaged in any way. */
#include <unistd.h>

#include "answers/export/export.h"
#include "repository/store/exported_rows.h"
#include "repository/store/merge.h"
#include "repository/store/store.h"
#include "repository/store/json_read.h"
#include "repository/store/xml_read.h"
#include "experiment_make.h"
#include "profile_write.h"
#include "unit.h"

enum { ROUNDS = 500 };

/* Two ranks, main -> solve -> main, and a barrier; a second slot that is idle but for a while in a
 * team. */
static void make(struct repo **repo, int64_t *id, const char *name)
{
	static const char *const names[] = { "main", "solve" };
	struct experiment x = { 0 };
	struct err err = { 0 };
	for (int rank = 0; rank < 2; rank++) {
		struct profile_writer *w = writer_new(rank, 2);
		writer_times(w, 0, 100 * MS);
		writer_functions(w, names, 2);
		uint64_t root = writer_thread(w, 0),
			 node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 90 * MS);
		uint64_t solve = writer_node(w, 0, node, WRITER_FUNCTION(1), 3, 60 * MS);
		writer_node(w, 0, node, writer_mpi("MPI_Barrier"), 1, (uint64_t)(5 + rank) * MS);
		writer_node(w, 0, solve, WRITER_FUNCTION(0), 2, 20 * MS);
		uint64_t team = writer_thread(w, 1);
		writer_node_at(w, team)->total = 20 * MS;
		writer_node(w, 1, team, RT_PARALLEL, 1, 20 * MS);
		make_process(&x, w, SIS_STATE_ENDED);
	}
	make_classified(&x);
	struct store_options options = { .name = name };
	ck_assert_msg(repo_open(repo, ":memory:", REPO_WRITE, &err) == 0 &&
			      store_experiment(*repo, &x, &options, id, &err) == 0,
		      "%s", err.text);
	experiment_release(&x);
}

static void load(struct call_graph *graph, struct repo *repo, int64_t id, enum graph_fold fold)
{
	struct err err = { 0 };
	ck_assert_msg(call_graph_load(graph, repo, id, fold, -1, -1, &err) == 0, "%s", err.text);
}

START_TEST(nodes_are_in_the_order_of_drawing)
{
	struct repo *repo;
	int64_t id;
	struct call_graph g;
	make(&repo, &id, "a");
	load(&g, repo, id, GRAPH_PUS);
	ck_assert_uint_gt(g.node.n, 4);
	for (uint32_t n = 0; n < g.node.n; n++) {
		uint32_t parent = g.node.at[n].parent;
		ck_assert_uint_eq(parent == GRAPH_NONE, n == 0);
		ck_assert_uint_eq(g.node.at[n].depth, n ? g.node.at[parent].depth + 1 : 0);
		if (n == 0)
			ck_assert_uint_eq(g.node.at[n].end, g.node.n);
		else
			ck_assert(parent < n && g.node.at[n].end <= g.node.at[parent].end &&
				  g.node.at[n].end > n);
	}
	call_graph_release(&g);
	repo_close(repo);
}
END_TEST

START_TEST(parts_are_the_time_of_all_units_however_they_are_summed)
{
	struct repo *repo;
	int64_t id;
	make(&repo, &id, "a");
	static const size_t pus[] = {
		[GRAPH_PUS] = 4, [GRAPH_PROCESSES] = 2, [GRAPH_WHOLE] = 1
	};
	for (int fold = GRAPH_PUS; fold <= GRAPH_WHOLE; fold++) {
		struct call_graph g;
		struct graph_cursor cursor = { 0 };
		struct graph_row row;
		int64_t ns[4] = { 0 }, activations = 0;
		load(&g, repo, id, fold);
		ck_assert_uint_eq(g.pu.n, pus[fold]);
		while (call_graph_next(&g, &cursor, &row)) {
			activations += row.cell->calls;
			for (size_t i = 0; i < row.parts; i++)
				ns[row.pu] += row.part[i].ns;
		}
		for (size_t u = 0; u < g.pu.n; u++)
			ck_assert_int_eq(ns[u], g.t_p_ns * (int64_t)(4 / pus[fold]));
		/* ... the teams, and the roots of the threads */
		ck_assert_int_eq(activations, 2 * (1 + 3 + 1 + 2) + 2 + 4);
		call_graph_release(&g);
	}
	repo_close(repo);
}
END_TEST

/* -- XML and JSON ------------------------------------------------------------------------------ */

static const struct rows_format {
	int (*write)(const struct export_job *job, struct err *err);
	int (*read)(struct repo *repo, const char *path, struct err *err);
	const char *name, *written; /* of an experiment, and in this format */
	const char *bytes;          /* of damage */
} formats[] = {
	{ export_xml, xml_read, "n<&>\"\n\t\x01\xff",
	  "n&#60;&#38;&#62;&#34;&#10;&#9;\xef\xbf\xbd\xef\xbf\xbd",
	  "<>\"'&;/ =0123456789azAZ-\n\x80\x01" },
	{ export_json, json_read, "n<&>\"\n\t\x01\xc3\xbf\xf0\x9f\x98\x80",
	  "n<&>\\\"\\u000a\\u0009\\u0001\xc3\xbf\xf0\x9f\x98\x80",
	  "{}[]:,\"\\u/ 0123456789.+-enul\n\x80\x01" },
};
enum { FORMATS = sizeof formats / sizeof *formats };

static char *text_of(struct repo *repo, int64_t id, const struct rows_format *format,
		     size_t *length)
{
	struct err err = { 0 };
	char *text = NULL;
	struct export_job job = { .repo = repo,
				  .experiment = id,
				  .out = open_memstream(&text, length) };
	ck_assert_msg(format->write(&job, &err) == 0, "%s", err.text);
	fclose(job.out);
	return text;
}

static int read_text(struct repo *repo, const char *path, const struct rows_format *format,
		     const char *text, size_t length, struct err *err)
{
	struct table taken;
	FILE *file = fopen(path, "w");
	ck_assert(file && fwrite(text, 1, length, file) == length && fclose(file) == 0);
	table_init(&taken, merge_columns, MERGE_COLUMNS);
	int rc = repo_attach_empty(repo, err);
	rc = rc ? rc : format->read(repo, path, err);
	rc = rc ? rc : merge_other(repo, &taken, err);
	repo_rollback(repo);
	struct err ignored = { 0 };
	ck_assert_msg(repo_detach(repo, &ignored) == 0, "%s", ignored.text);
	table_release(&taken);
	return rc;
}

static void check_whole(const struct rows_format *format)
{
	struct repo *repo, *other;
	struct err err = { 0 };
	int64_t id, count = 0;
	size_t length, again;
	char path[UNIT_PATH];
	close(mkstemp(unit_template(path)));
	make(&repo, &id, format->name);
	char *text = text_of(repo, id, format, &length);
	ck_assert_msg(strstr(text, format->written) != NULL, "no %s", format->written);
	ck_assert_int_eq(repo_open(&other, ":memory:", REPO_WRITE, &err), 0);
	ck_assert_msg(read_text(other, path, format, text, length, &err) == 0, "%s", err.text);
	char *copy = text_of(other, 1, format, &again);
	ck_assert_str_eq(text, copy);
	ck_assert_int_eq(repo_number(other, &count, &err,
				     "SELECT count(*) FROM pragma_foreign_key_check", ""),
			 1);
	ck_assert_int_eq(count, 0);
	free(text), free(copy);
	repo_close(repo), repo_close(other);
	unlink(path);
}

START_TEST(what_is_read_is_what_was_written)
{
	for (size_t i = 0; i < FORMATS; i++)
		check_whole(&formats[i]);
}
END_TEST

/* A column, as SQLite has read it in repository.sql. */
static int take_column(void *arg, const struct cell *row, struct err *err)
{
	static const char *const type[] = { "TEXT", "INTEGER", "REAL" };
	const struct row_column **column = arg;
	(void)err;
	ck_assert_str_eq(row[0].text, (*column)->name);
	ck_assert_str_eq(row[1].text, type[(*column)->type]);
	ck_assert_int_eq(row[2].integer, !(*column)->may_be_null);
	ck_assert_str_eq(row[3].text, (*column)->refers < 0 || (*column)->is_unchecked ||
			 strcmp((*column)->name, "id") == 0 ? "" :
			 row_kind[(*column)->refers].table);
	++*column;
	return 0;
}

START_TEST(no_table_or_column_is_forgotten)
{
	static const char columns[] =
		"SELECT c.name, c.type, c.[notnull] OR c.pk, f.[table] "
		"FROM pragma_table_info(?1) c "
		"LEFT JOIN pragma_foreign_key_list(?1) f ON f.[from] = c.name AND f.[to] = 'id' "
		"ORDER BY c.cid";
	struct repo *repo;
	struct err err = { 0 };
	int64_t id, there = 0;
	make(&repo, &id, "a");
	for (const struct row_kind *kind = row_kind; kind < row_kind + ROW_KINDS; kind++) {
		const struct row_column *column = kind->column;
		ck_assert_int_eq(repo_each(repo, take_column, &column, &err, columns, "t",
					   kind->table), 0);
		ck_assert_int_eq(column - kind->column, kind->columns);
	}
	ck_assert_int_eq(repo_number(repo, &there, &err,
				     "SELECT count(*) FROM sqlite_master WHERE type = 'table'", ""),
			 1);
	/* `derived` is no experiment's */
	ck_assert_int_eq(there, ROW_KINDS + 1);
	repo_close(repo);
}
END_TEST

static void check_numbers(const struct rows_format *format)
{
	struct repo *repo, *other;
	struct err err = { 0 };
	int64_t id, same = 0;
	size_t length;
	char path[UNIT_PATH];
	close(mkstemp(unit_template(path)));
	make(&repo, &id, "a");
	ck_assert_msg(
		repo_run(repo, &err,
			 "INSERT INTO user_value VALUES (1, 'x', 3, 0.1 + 0.2, -9e999, 1e-300)",
			 "") == 0,
		"%s", err.text);
	char *text = text_of(repo, id, format, &length);
	ck_assert_int_eq(repo_open(&other, ":memory:", REPO_WRITE, &err), 0);
	ck_assert_msg(read_text(other, path, format, text, length, &err) == 0, "%s", err.text);
	ck_assert_int_eq(
		repo_number(
			other, &same, &err,
			"SELECT sum = 0.1 + 0.2 AND min = -9e999 AND max = 1e-300 FROM user_value",
			""),
		1);
	ck_assert_int_eq(same, 1);
	free(text);
	repo_close(repo), repo_close(other);
	unlink(path);
}

START_TEST(numbers_come_back_as_they_were)
{
	for (size_t i = 0; i < FORMATS; i++)
		check_numbers(&formats[i]);
}
END_TEST

static unsigned long random_state = 20261121;

static unsigned long next_random(unsigned long n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (random_state >> 33) % n;
}

/* Bytes changed, taken out, or the rest cut off. */
static size_t damage(char *text, size_t length, const char *bytes)
{
	for (unsigned long changes = next_random(4); changes; changes--)
		text[next_random(length)] = bytes[next_random(strlen(bytes))];
	size_t at = next_random(length), rest = length - at,
	       some = next_random(8) == 0 ? next_random(rest) : next_random(rest < 3 ? rest : 3);
	memmove(text + at, text + at + some, length - at - some);
	return next_random(10) == 0 ? next_random(length) : length - some;
}

static void check_damage(const struct rows_format *format)
{
	struct repo *repo, *other;
	struct err err = { 0 };
	int64_t id, count;
	size_t length, refused = 0;
	char path[UNIT_PATH];
	close(mkstemp(unit_template(path)));
	make(&repo, &id, "a");
	char *text = text_of(repo, id, format, &length), *bad = malloc(length + 1);
	ck_assert_int_eq(repo_open(&other, ":memory:", REPO_WRITE, &err), 0);
	for (int i = 0; i < ROUNDS; i++) {
		struct err reason = { 0 };
		memcpy(bad, text, length + 1);
		size_t n = damage(bad, length, format->bytes);
		int rc = read_text(other, path, format, bad, n, &reason);
		ck_assert(rc == 0 || reason.text[0]);
		refused += rc != 0;
		ck_assert_int_eq(
			repo_number(other, &count, &err, "SELECT count(*) FROM experiment", ""), 1);
		ck_assert_msg(repo_run(other, &err, "DELETE FROM experiment", "") == 0, "%s",
			      err.text);
		ck_assert_int_le(count, 1);
		ck_assert_int_eq(count, rc == 0);
	}
	ck_assert_uint_gt(refused, ROUNDS / 2);
	free(text), free(bad);
	repo_close(repo), repo_close(other);
	unlink(path);
}

START_TEST(a_damaged_text_is_an_error_or_an_experiment)
{
	for (size_t i = 0; i < FORMATS; i++)
		check_damage(&formats[i]);
}
END_TEST

/* What the reader of JSON says about a text. */
static const char *complaint(struct repo *repo, const char *path, const char *text)
{
	static struct err err;
	err = (struct err){ 0 };
	ck_assert_int_ne(read_text(repo, path, &formats[1], text, strlen(text), &err), 0);
	const char *after = strstr(err.text, "exports it: ");
	return after ? after + strlen("exports it: ") : err.text;
}

START_TEST(wrong_json_has_a_line_and_a_reason)
{
	static const struct { const char *text, *said; } cases[] = {
		{ "", "it ends too early" },
		{ "[]", "'{' is missing" },
		{ "{\"a\": 1}", "unknown 'a'" },
		{ "{\"writer\": \"\\ud800x\"}", "half a character in a string" },
		{ "{\"writer\": \"\\u0000\"}", "a NUL in a string" },
		{ "{\"writer\": \"\\x\"}", "an unknown escape in a string" },
		{ "{\"writer\": \"\xff\"}", "text that is not UTF-8" },
		{ "{\"writer\": \"\n\"}", "a control character in a string" },
		{ "{\"writer\": nil}", "a word that is neither null nor true nor false" },
		{ "{\"sis_experiment\": -}", "a number that is none" },
		{ "{\"writer\": \"a\" \"b\"}", "',' or '}' is missing" },
		{ "{\"writer\" \"a\"}", "':' is missing" },
		{ "{\"application\": [1]}", "'{' is missing" },
		{ "{\"application\": [{\"id\": 1}]}", "a row of application has no 'name'" },
		{ "{\"application\": [{\"id\": 1, \"id\": 1}]}", "application has 'id' twice" },
		{ "{\"application\": [{\"id\": \"1\"}]}", "'id' of application cannot have" },
		{ "{\"application\": [{\"id\": 0}]}", "'id' of application cannot have" },
		{ "{\"application\": [{\"id\": 1e3}]}", "'id' of application cannot have" },
		{ "{\"application\": [{\"id\": 99999999999999999999}]}", "'id' of application" },
		{ "{\"application\": [{\"name\": 1}]}", "'name' of application cannot have" },
		{ "{\"application\": [{\"more\": 1}]}", "application has no 'more'" },
		{ "{\"application\": [], \"application\": []}", "'application' is there twice" },
		{ "{}", "no 'sis_experiment'" },
		{ "{} {}", "text after its end" },
	};
	struct repo *repo;
	struct err err = { 0 };
	char path[UNIT_PATH];
	close(mkstemp(unit_template(path)));
	ck_assert_int_eq(repo_open(&repo, ":memory:", REPO_WRITE, &err), 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		ck_assert_msg(strncmp(complaint(repo, path, cases[i].text), cases[i].said,
				      strlen(cases[i].said)) == 0,
			      "%s: '%s', not '%s'", cases[i].text,
			      complaint(repo, path, cases[i].text), cases[i].said);
	repo_close(repo);
	unlink(path);
}
END_TEST

UNIT_MAIN("export", nodes_are_in_the_order_of_drawing,
	  parts_are_the_time_of_all_units_however_they_are_summed, what_is_read_is_what_was_written,
	  no_table_or_column_is_forgotten, numbers_come_back_as_they_were,
	  a_damaged_text_is_an_error_or_an_experiment, wrong_json_has_a_line_and_a_reason)
