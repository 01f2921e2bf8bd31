/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis tests/unit/analysis/profile_write.c tests/unit/analysis/experiment_make.c */
/* The rows of `regions`: a column belongs to its row of the table, wherever that row is. */
#include "unit.h"
#include <unistd.h>
#include "base/buf.h"
#include "experiment_make.h"
#include "answers/query/pu_choice.h"
#include "answers/query/region_rows.h"
#include "repository/store/store.h"

static char path[UNIT_PATH];
static struct repo *repo;
static int64_t id, units;
static struct err err;

/* main calls a 1000 times, and that main again */
static void set_up(void)
{
	static const char *const names[] = { "main", "a" };
	static const pu_patterns all = { 0 };
	const struct store_options options = { .name = "made", .role = "par" };
	struct experiment x = { .run = { 0 } };
	struct profile_writer *w = writer_new(0, 1);
	writer_functions(w, names, 2);
	writer_header(w)->probe_inner_ns = 1000;
	writer_header(w)->probe_outer_ns = 2000;
	uint64_t root = writer_thread(w, 0),
		 node = writer_node(w, 0, root, WRITER_FUNCTION(0), 1, 900 * MS);
	node = writer_node(w, 0, node, WRITER_FUNCTION(1), 1000, 500 * MS);
	writer_node(w, 0, node, WRITER_FUNCTION(0), 100, 200 * MS);
	writer_thread_at(w, 0)->stamp = WRITER_START + 1000 * MS;
	make_process(&x, w, SIS_STATE_ENDED);
	make_classified(&x);
	close(mkstemp(unit_template(path))), unlink(path);
	ck_assert_msg(repo_open(&repo, path, REPO_WRITE, &err) == 0, "%s", err.text);
	ck_assert_msg(store_experiment(repo, &x, &options, &id, &err) == 0, "%s", err.text);
	ck_assert_int_eq(pu_choice_load(repo, id, &all, &units, &err), 0);
	experiment_release(&x);
}

static void tear_down(void)
{
	repo_close(repo);
	unlink(path);
}

static struct region_rows load(bool is_text, bool is_tree, const struct region_column *from,
			       size_t n)
{
	struct region_rows rows = { .is_text = is_text, .is_tree = is_tree };
	measure_variable(&rows.measures, "OPROBE", &err);
	ck_assert_msg(region_rows_load(&rows, repo, id, from, n, &err) == 0, "%s", err.text);
	return rows;
}

/* The cells of a column, as --json has them. */
static char *cells(const struct region_rows *rows, const char *key)
{
	struct buf text = { 0 };
	for (size_t i = 0; i < rows->table.cell.n; i++) {
		const struct cell *cell = &rows->table.cell.at[i];
		const char *of = rows->column[i % rows->table.columns].key;
		if (strcmp(of ?: "place", key) == 0)
			buf_print(&text, "%d %lld %s;", cell->kind, (long long)cell->integer,
				  cell->text);
	}
	return buf_take(&text);
}

static void assert_same(const struct region_rows *a, const struct region_rows *b,
			const char *key_a, const char *key_b)
{
	char *of_a = cells(a, key_a), *of_b = cells(b, key_b);
	ck_assert_str_eq(of_a, of_b);
	ck_assert_int_gt(strlen(of_a), 0);
	free(of_a), free(of_b);
}

START_TEST(a_column_in_front_moves_no_other)
{
	static const struct region_column added = {
		{ "added", "added", CELL_INTEGER }, .each = "s.calls", .line = "sum(t.added)",
		.node = "sum(s.calls)"
	};
	struct region_column *from = mem_alloc(region_column_count + 1, sizeof *from);
	from[0] = added;
	for (size_t i = 0; i < region_column_count; i++)
		from[region_column_count - i] = region_columns[i];
	set_up();
	for (int form = 0; form < 3; form++) {
		bool is_text = form > 0, is_tree = form == 2;
		struct region_rows as_is = load(is_text, is_tree, region_columns,
						region_column_count),
				   changed = load(is_text, is_tree, from, region_column_count + 1);
		ck_assert_int_eq(changed.table.columns, as_is.table.columns + 1);
		ck_assert_str_eq(changed.column[0].key, "added");
		ck_assert_int_gt(table_rows(&as_is.table), is_tree ? 3 : 2);
		for (size_t c = 0; c < as_is.table.columns; c++) {
			const char *key = as_is.column[c].key ?: "place";
			assert_same(&as_is, &changed, key, key);
		}
		assert_same(&as_is, &changed, "calls", "added");
		region_rows_release(&as_is), region_rows_release(&changed);
	}
	tear_down();
	free(from);
}
END_TEST

START_TEST(computed_cells_are_in_their_columns)
{
	set_up();
	struct region_rows rows = load(false, false, region_columns, region_column_count);
	char *metrics = cells(&rows, "metrics"), *bare = cells(&rows, "wtime_excl_without_probes"),
	     *excl = cells(&rows, "wtime_excl");
	ck_assert_ptr_nonnull(strstr(metrics, "{\"OPROBE\":0.0"));
	ck_assert_str_ne(bare, excl);
	free(metrics), free(bare), free(excl);
	region_rows_release(&rows);
	tear_down();
}
END_TEST

UNIT_MAIN("region rows", a_column_in_front_moves_no_other, computed_cells_are_in_their_columns)
