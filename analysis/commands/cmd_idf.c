/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_idf.c - `sis-analyze idf`: shows a program's description, in a table or beside its source. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/path.h"
#include "base/sort.h"
#include "answers/source/idf_draw.h"
#include "answers/source/idf_find.h"
#include "commands/option_values.h"
#include "commands/table_view.h"

static const struct cli_option options[] = {
	{ "--source", NULL, "show the source with its regions in the margin" },
	{ "--type", "TYPE", "only regions of a type, or of a group of types: CR_MPI" },
	{ "--unit", "FUNCTION", "only regions in a function" },
	SHAPE_OPTIONS,
	{ NULL, NULL, NULL },
};

struct row {
	const struct idf_tu *tu;
	const struct region *region;
	char *path; /* path of its file; absolute if the directory is known */
	const char *checksum; /* checksum of that file in the description; "": none */
	enum source_state state;
};
typedef VEC(struct row) row_list;

/* -- rows: the regions and their files --------------------------------------------------------- */

static char *path_of(const struct idf_tu *tu, const char *file)
{
	char *path = path_absolute(tu->directory, file);
	return path ? path : mem_string(file);
}

/* The path of a region's file. A region that the program named while it ran has no directory, so it
 * gets the directory of the translation unit that has this file. LIMIT: if several translation
 * units have files of this name, the first one is used. */
static char *path_of_region(const struct idf *idf, const struct idf_tu *tu, const char *file)
{
	for (size_t u = 0; u < idf->tu.n && !tu->directory[0]; u++)
		if (strcmp(idf->tu.at[u].source, file) == 0)
			tu = &idf->tu.at[u];
	return path_of(tu, file);
}

static bool is_path(const struct idf_tu *tu, const char *file, const char *path)
{
	char *other = path_of(tu, file);
	bool same = strcmp(other, path) == 0;
	free(other);
	return same;
}

/* The checksum that the translation unit recorded for a path; "": none. */
static const char *checksum_in(const struct idf_tu *tu, const char *path)
{
	if (is_path(tu, tu->source, path))
		return tu->checksum;
	for (size_t i = 0; i < tu->file.n; i++)
		if (is_path(tu, tu->file.at[i].file, path))
			return tu->file.at[i].checksum;
	return "";
}

static void add_rows(row_list *rows, const struct idf *idf, enum sis_region_type type,
		     const char *function)
{
	for (size_t u = 0; u < idf->tu.n; u++) {
		const struct idf_tu *tu = &idf->tu.at[u];
		for (size_t i = 0; i < tu->region.n; i++) {
			const struct region *r = &tu->region.at[i];
			if ((type && !sis_region_in(r->type, type)) ||
			    (function && strcmp(r->function, function) != 0))
				continue;
			char *path = path_of_region(idf, tu, r->file);
			*vec_push(rows) = (struct row){ .tu = tu, .region = r, .path = path };
		}
	}
}

/* Finds the state of each row's file. A file is opened once for consecutive rows; most rows of a
 * translation unit have the same file. */
static void find_states(const struct idf *idf, row_list *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		struct row *row = &rows->at[i], *before = i ? row - 1 : NULL;
		if (before && before->tu == row->tu && strcmp(before->path, row->path) == 0) {
			row->checksum = before->checksum;
			row->state = before->state;
			continue;
		}
		struct source source;
		/* Regions that the program named while it ran are translation units of their own,
		 * without checksums. So the checksum is searched for in all other translation
		 * units. */
		row->checksum = checksum_in(row->tu, row->path);
		for (size_t u = 0; u < idf->tu.n && !row->checksum[0]; u++)
			row->checksum = checksum_in(&idf->tu.at[u], row->path);
		source_open(&source, row->path, row->checksum);
		row->state = source.state;
		source_release(&source);
	}
}

/* -- as a table -------------------------------------------------------------------------------- */

static const struct column columns[] = {
	{ "source", NULL, CELL_TEXT },
	{ "directory", NULL, CELL_TEXT },
	{ "id", "id", CELL_INTEGER },
	{ "name", "name", CELL_TEXT },
	{ "type", "type", CELL_TEXT },
	{ NULL, "place", CELL_TEXT },
	{ "file", NULL, CELL_TEXT },
	{ "unit", "unit", CELL_TEXT },
	{ "line_start", NULL, CELL_INTEGER },
	{ "column_start", NULL, CELL_INTEGER },
	{ "line_end", NULL, CELL_INTEGER },
	{ "column_end", NULL, CELL_INTEGER },
	{ "metrics", "metrics", CELL_RAW },
	{ "parent", "parent", CELL_INTEGER },
	{ "key", "key", CELL_TEXT },
	{ "callee", NULL, CELL_TEXT },
	{ "entries", "entries", CELL_INTEGER },
	{ "exits", "exits", CELL_INTEGER },
	{ "outer_loop", NULL, CELL_BOOL },
	{ "inner_loop", NULL, CELL_BOOL },
	{ "state", "source", CELL_TEXT },
};

/* Metrics as a JSON array or, if `human`, as a list of names, which are mnemonics or
 * PAPI(event). */
static char *metrics_text(const char *metrics, bool human)
{
	struct buf buf = { 0 };
	if (human)
		return mem_string(metrics[0] ? metrics : "default");
	buf_print(&buf, "[");
	for (const char *p = metrics; *p; p += strcspn(p, ","), p += *p == ',') {
		buf_print(&buf, "%s\"", p == metrics ? "" : ",");
		for (size_t i = 0; i < strcspn(p, ","); i++) {
			bool escaped = p[i] == '"' || p[i] == '\\';
			bool control = (unsigned char)p[i] < ' ';
			buf_print(&buf, "%s%c", escaped ? "\\" : "", control ? '?' : p[i]);
		}
		buf_print(&buf, "\"");
	}
	buf_print(&buf, "]");
	return buf_take(&buf);
}

static void add_row(struct table *table, const struct row *row, bool human)
{
	const struct region *r = row->region;
	char *metrics = metrics_text(r->metrics, human);
	char *position = mem_print("%s:%u:%u-%u:%u", r->file, r->line_start, r->column_start,
				   r->line_end, r->column_end);
	table_text(table, row->tu->source), table_text(table, row->tu->directory);
	table_integer(table, r - row->tu->region.at);
	table_text(table, r->name), table_text(table, sis_region_table[r->type].name);
	table_text(table, position), table_text(table, r->file), table_text(table, r->function);
	table_integer(table, r->line_start), table_integer(table, r->column_start);
	table_integer(table, r->line_end), table_integer(table, r->column_end);
	table_text(table, metrics);
	if (human && r->parent < 0)
		table_null(table);
	else
		table_integer(table, r->parent);
	table_text(table, r->key), table_text(table, r->callee);
	table_integer(table, r->entries), table_integer(table, r->exits);
	table_integer(table, r->outer_loop), table_integer(table, r->inner_loop);
	table_text(table, source_state_name(row->state));
	free(metrics);
	free(position);
}

/* Prints a table for each translation unit, under its name. */
static void print_tus(const row_list *rows)
{
	struct table table;
	for (size_t i = 0; i < rows->n;) {
		const struct idf_tu *tu = rows->at[i].tu;
		if (i)
			putchar('\n');
		escape_line(stdout, "%s in %s: %s %s", tu->source, tu->directory, tu->compiler,
			    tu->flags);
		table_init(&table, columns, sizeof columns / sizeof *columns);
		for (; i < rows->n && rows->at[i].tu == tu; i++)
			add_row(&table, &rows->at[i], true);
		table_print(&table, FORMAT_TEXT, stdout);
		table_release(&table);
	}
}

/* Prints one table for all translation units. */
static int print_rows(struct context *c, const row_list *rows, struct err *err)
{
	struct table table;
	table_init(&table, columns, sizeof columns / sizeof *columns);
	for (size_t i = 0; i < rows->n; i++)
		add_row(&table, &rows->at[i], c->format == FORMAT_TEXT);
	int rc = shape_print(c, &table, "idf", err);
	table_release(&table);
	return rc;
}

/* -- beside the source ------------------------------------------------------------------------- */

static int by_position(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;
	const struct region *r = a->region, *s = b->region;
	return strcmp(a->path, b->path) ?:
		ORDER(r->line_start, s->line_start) ?: ORDER(r->column_start, s->column_start) ?:
		ORDER(s->line_end, r->line_end) ?: ORDER(s->column_end, r->column_end) ?:
		strcmp(sis_region_table[r->type].name, sis_region_table[s->type].name) ?:
		strcmp(r->name, s->name);
}

/* Opens the file again, which also checks its text again. So exactly the checked text is drawn. */
static void print_file(const struct row *row, const struct region *const *region, size_t regions,
		       bool color)
{
	struct source source;
	source_open(&source, row->path, row->checksum);
	const char *advice = source.state == SOURCE_CHANGED ? ", build again" :
		source.state == SOURCE_UNCHECKED ? ", build again with this version of sisc" : "";
	escape_print(stdout, "%s: %s", row->path, source_state_reason(source.state));
	if (source.state == SOURCE_UNCHANGED) {
		putchar('\n');
		idf_draw(&source, region, regions, color, stdout);
	} else {
		printf("; %zu regions not shown%s\n", regions, advice);
	}
	source_release(&source);
}

/* Each translation unit has the regions of the headers that it includes. These are drawn only once.
 * Regions without lines are not drawn. */
static void print_sources(const struct context *c, row_list *rows)
{
	const struct region **region = mem_alloc(rows->n + 1, sizeof *region);
	vec_sort(rows, by_position);
	for (size_t i = 0, next; i < rows->n; i = next) {
		const struct row *first = &rows->at[i], *row;
		size_t regions = 0;
		if (i)
			putchar('\n');
		for (next = i; next < rows->n; next++) {
			row = &rows->at[next];
			if (strcmp(row->path, first->path) != 0)
				break;
			if (row->region->line_start &&
			    (row == first || by_position(row - 1, row) != 0))
				region[regions++] = row->region;
		}
		print_file(first, region, regions, c->color);
	}
	free(region);
}

/* -- the command ------------------------------------------------------------------------------- */

/* Finds the descriptions in the directory of a stored experiment, which may have been removed. */
static int find_by_id(struct context *c, struct idf *idf, struct err *err)
{
	static const struct column column = { "directory", "", CELL_TEXT };
	struct table table;
	int64_t id;
	if (context_experiment(c, &id, err))
		return ERR_FAILED;
	table_init(&table, &column, 1);
	int rc = repo_fill(c->repo, &table, err, "SELECT directory FROM experiment WHERE id = ?",
			   "i", id);
	if (rc == 0)
		rc = idf_find_in_experiment(idf, table_cell(&table, 0, 0)->text, err);
	table_release(&table);
	return rc;
}

static int find_description(struct context *c, struct idf *idf, struct err *err)
{
	struct stat st;
	const char *name = c->cli.argument.n ? c->cli.argument.at[0] : NULL;
	bool there = name && stat(name, &st) == 0;
	if (name && !there && strchr(name, '/'))
		/* the error of this call says why the name was not found */
		return idf_find_in_file(idf, name, err);
	if (!there)
		return find_by_id(c, idf, err);
	return S_ISDIR(st.st_mode) ? idf_find_in_experiment(idf, name, err) :
				     idf_find_in_file(idf, name, err);
}

static int run_idf(struct context *c, struct err *err)
{
	struct idf idf = { 0 };
	row_list rows = { 0 };
	enum sis_region_type type;
	if (cli_get(&c->cli, "--source") && c->format != FORMAT_TEXT)
		return err_usage(err, "idf: --source prints text; leave it out, or --json and "
				 "--csv");
	if (cli_get(&c->cli, "--source") && shape_is_given(&c->cli))
		return err_usage(err, "idf: --source shows whole files; leave out --sort, --top "
				 "and --filter");
	if (select_type(&c->cli, "idf", &type, err))
		return ERR_USAGE;
	int rc = find_description(c, &idf, err);
	if (rc == 0) {
		add_rows(&rows, &idf, type, cli_get(&c->cli, "--unit"));
		find_states(&idf, &rows);
		if (c->format != FORMAT_TEXT || (rows.n && shape_is_given(&c->cli)))
			rc = print_rows(c, &rows, err);
		else if (!rows.n)
			puts("no region of that kind");
		else if (cli_get(&c->cli, "--source"))
			print_sources(c, &rows);
		else
			print_tus(&rows);
	}
	for (size_t i = 0; i < rows.n; i++)
		free(rows.at[i].path);
	vec_free(&rows);
	idf_find_release(&idf);
	return rc;
}

const struct command cmd_idf = {
	"idf",
	"PROG|PROG.idf|OBJECT|EXP [--source] [--type T] [--unit U]",
	"Show what was instrumented, beside the source",
	"Reads the instrumentation description of a program, an object, an archive or an\n"
	"experiment: every region with its type, place, metrics and key. \"source\" says whether\n"
	"the file is the one that was compiled: unchanged, changed, absent, irregular (no\n"
	"regular file), oversize (more than 64 MiB), or unchecked (an older sisc or another\n"
	"compiler recorded no checksum). --source shows only files that are unchanged, because\n"
	"the description of another user may name any file. For the others it says why they are\n"
	"not shown.\n"
	"Example: sis-analyze idf ./prog --source --type CR_L",
	options,
	1,
	run_idf,
};
