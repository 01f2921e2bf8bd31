/* SPDX-License-Identifier: BSD-3-Clause */
/* table_view.c - filters, sorts and shortens a table before it is printed. Owns nothing; one
 * thread. */
#include "commands/table_view.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/sort.h"

/* -- columns ----------------------------------------------------------------------------------- */

/* Whether a title without its unit is the name: "incl [s]" is called incl. */
static bool is_called(const char *title, const char *name, size_t length)
{
	return title && strncasecmp(title, name, length) == 0 &&
		(!title[length] || title[length] == ' ');
}

/* Whether a column before `column` has the name, too. Two columns may have the same name if one is
 * for JSON and one for text. */
static bool is_listed(const struct table *table, const char *name, size_t column)
{
	for (size_t c = 0; c < column; c++)
		if (is_called(table->column[c].key, name, strlen(name)) ||
		    is_called(table->column[c].title, name, strlen(name)))
			return true;
	return false;
}

static int find_column(const struct table *table, const char *command, const char *name,
		       size_t length, size_t *column, struct err *err)
{
	struct buf known = { 0 };
	for (size_t c = 0; c < table->columns; c++) {
		const struct column *of = &table->column[c];
		*column = c;
		if (is_called(of->key, name, length) || is_called(of->title, name, length)) {
			free(known.at);
			return 0;
		}
		if (!is_listed(table, of->key ? of->key : of->title, c))
			buf_print(&known, "%s%s", c ? ", " : "", of->key ? of->key : of->title);
	}
	char *list = buf_take(&known);
	err_usage(err, "%s: no column '%.*s'; there are %s", command, (int)length, name, list);
	free(list);
	return ERR_USAGE;
}

/* Converts a cell to a number, in the unit in which the cell is printed. */
static bool number_of(const struct cell *cell, double *number)
{
	bool real = cell->kind == CELL_REAL || cell->kind == CELL_SHARE ||
		cell->kind == CELL_FACTOR;
	*number = cell->kind == CELL_SECONDS ? (double)cell->integer / 1e9
		: real			     ? cell->real
					     : (double)cell->integer;
	return cell->kind != CELL_NULL && cell->kind != CELL_TEXT && cell->kind != CELL_RAW;
}

/* -- filter ------------------------------------------------------------------------------------ */

struct condition {
	size_t column;
	char operator[3];
	const char *value;
	double number;
	bool is_number;
};

/* Reads the value of a condition as a number, or as yes or no. */
static void read_number(struct condition *c, enum cell_kind kind)
{
	static const char *const words[] = { "no", "false", "yes", "true" };
	char *end;
	c->number = strtod(c->value, &end);
	c->is_number = end != c->value && (!*end || strcmp(end, "%") == 0);
	/* such values are printed in percent, but stored as fractions */
	if (c->is_number && *end && (kind == CELL_SHARE || kind == CELL_FACTOR))
		c->number /= 100;
	for (size_t i = 0; kind == CELL_BOOL && i < sizeof words / sizeof *words; i++)
		if (strcasecmp(c->value, words[i]) == 0) {
			c->number = i > 1;
			c->is_number = true;
		}
}

/* Splits COLUMN OPERATOR VALUE. *length: the length of the column's name. */
static int split_condition(struct condition *c, const char *text, size_t *length)
{
	size_t width;
	*length = strcspn(text, "<>=!");
	width = text[*length] && text[*length + 1] == '=' ? 2 : 1;
	memcpy(c->operator, text + *length, width);
	c->value = text + *length + width;
	c->value += strspn(c->value, " ");
	while (*length && text[*length - 1] == ' ')
		--*length;
	return *length && *c->value && strcmp(c->operator, "!") != 0 ? 0 : -1;
}

/* The column to which a condition without an operator applies: the first column of text that is not
 * the set, source or directory of a line. */
static size_t name_column(const struct table *table)
{
	static const char *const groups[] = { "set", "source", "directory" };
	for (size_t c = 0; c < table->columns; c++) {
		bool group = false;
		for (size_t i = 0; table->column[c].key && i < sizeof groups / sizeof *groups; i++)
			group |= strcmp(table->column[c].key, groups[i]) == 0;
		if (table->column[c].kind == CELL_TEXT && !group)
			return c;
	}
	return 0;
}

static int parse_condition(struct condition *c, const struct table *table, const char *command,
			   const char *text, struct err *err)
{
	size_t length;
	*c = (struct condition){ .operator = "=", .value = text };
	if (text[0] && !strpbrk(text, "<>=!")) {
		c->column = name_column(table);
		return 0;
	}
	*c = (struct condition){ 0 };
	if (!text[0] || split_condition(c, text, &length))
		return err_usage(err, "%s: '%s' is no condition; write COLUMN>VALUE, or one of < "
				 "<= >= = !=", command, text);
	if (find_column(table, command, text, length, &c->column, err))
		return ERR_USAGE;
	const struct column *column = &table->column[c->column];
	bool is_text = column->kind == CELL_TEXT || column->kind == CELL_RAW;
	const char *name = column->key ? column->key : column->title;
	read_number(c, column->kind);
	if (is_text && strchr("<>", c->operator[0]))
		return err_usage(err, "%s: '%s' has text, which %s cannot compare; use = or !=",
				 command, name, c->operator);
	if (!is_text && !c->is_number)
		return err_usage(err, "%s: '%s' is no number, but '%s' has numbers", command,
				 c->value, name);
	return 0;
}

static bool holds(const struct condition *c, const struct cell *cell)
{
	double number;
	bool equal = c->operator[0] == '=', unequal = c->operator[0] == '!';
	if (!number_of(cell, &number)) {
		bool same = cell->kind != CELL_NULL && fnmatch(c->value, cell->text, 0) == 0;
		return equal ? same : unequal && !same;
	}
	if (!c->is_number)
		return unequal;
	if (equal || unequal)
		return (number == c->number) == equal;
	return (c->operator[1] && number == c->number) ||
		(c->operator[0] == '<' ? number < c->number : number> c->number);
}

/* Keeps only the rows in the list, in the order of the list. */
static void keep_rows(struct table *table, const size_t *row, size_t rows)
{
	struct table old = *table;
	size_t all = table_rows(table);
	bool *kept = mem_alloc(all + 1, 1);
	memset(&table->cell, 0, sizeof table->cell);
	for (size_t i = 0; i < rows; i++) {
		kept[row[i]] = true;
		for (size_t c = 0; c < old.columns; c++)
			*vec_push(&table->cell) = *table_cell(&old, row[i], c);
	}
	for (size_t r = 0; r < all; r++)
		for (size_t c = 0; c < old.columns && !kept[r]; c++)
			cell_release(table_cell(&old, r, c));
	vec_free(&old.cell);
	free(kept);
}

static int filter(struct table *table, const char *command, const char *text, struct err *err)
{
	struct condition condition;
	size_t rows = table_rows(table), n = 0, *row;
	if (parse_condition(&condition, table, command, text, err))
		return ERR_USAGE;
	row = mem_alloc(rows + 1, sizeof *row);
	for (size_t r = 0; r < rows; r++)
		if (holds(&condition, table_cell(table, r, condition.column)))
			row[n++] = r;
	keep_rows(table, row, n);
	free(row);
	return 0;
}

/* -- sort -------------------------------------------------------------------------------------- */

struct order { const struct cell *cell; size_t row; };

/* Cells without a value come last; equal cells keep their order. */
static int compare(const void *va, const void *vb)
{
	const struct order *a = va, *b = vb;
	double x, y;
	bool has_x = number_of(a->cell, &x), has_y = number_of(b->cell, &y);
	int order = 0;
	if (has_x && has_y)
		order = ORDER(y, x);
	else if (a->cell->kind != CELL_NULL && b->cell->kind != CELL_NULL)
		order = strcmp(a->cell->text, b->cell->text);
	else
		order = (a->cell->kind == CELL_NULL) - (b->cell->kind == CELL_NULL);
	return order ?: ORDER(a->row, b->row);
}

static int sort(struct table *table, const char *command, const char *name, struct err *err)
{
	size_t column, rows = table_rows(table);
	if (find_column(table, command, name, strlen(name), &column, err))
		return ERR_USAGE;
	struct order *order = mem_alloc(rows + 1, sizeof *order);
	size_t *row = mem_alloc(rows + 1, sizeof *row);
	for (size_t r = 0; r < rows; r++)
		order[r] = (struct order){ table_cell(table, r, column), r };
	if (rows)
		qsort(order, rows, sizeof *order, compare);
	for (size_t r = 0; r < rows; r++)
		row[r] = order[r].row;
	keep_rows(table, row, rows);
	free(order);
	free(row);
	return 0;
}

static int cut(struct table *table, const char *command, const char *count, struct err *err)
{
	size_t rows = table_rows(table);
	if (!count[0] || count[strspn(count, "0123456789")] || strlen(count) > 9)
		return err_usage(err, "%s: --top '%s' is no number of lines; write --top 20",
				 command, count);
	size_t n = strtoul(count, NULL, 10), *row = mem_alloc(rows + 1, sizeof *row);
	for (size_t r = 0; r < rows; r++)
		row[r] = r;
	keep_rows(table, row, n < rows ? n : rows);
	free(row);
	return 0;
}

int shape_table(struct table *table, const struct cli *cli, const char *command, struct err *err)
{
	const char *condition, *name = cli_get(cli, "--sort"), *count = cli_get(cli, "--top");
	for (size_t k = 0; (condition = cli_nth(cli, "--filter", k)); k++)
		if (filter(table, command, condition, err))
			return ERR_USAGE;
	if ((name && sort(table, command, name, err)) || (count && cut(table, command, count, err)))
		return ERR_USAGE;
	return 0;
}

/* -- print ------------------------------------------------------------------------------------- */

static bool is_all_zero(const struct table *table, size_t column)
{
	double number;
	for (size_t r = 0; r < table_rows(table); r++)
		if (number_of(table_cell(table, r, column), &number) && number != 0)
			return false;
	return true;
}

void view_print(const struct context *c, const struct table *table)
{
	struct table shown = *table;
	struct column *column = mem_alloc(table->columns, sizeof *column);
	for (size_t i = 0; i < table->columns; i++) {
		column[i] = table->column[i];
		const char *key = column[i].key;
		bool is_estimate = key && (strncmp(key, "estimated", strlen("estimated")) == 0 ||
					   strcmp(key, "error") == 0);
		if (is_estimate && is_all_zero(table, i))
			column[i].title = NULL;
	}
	shown.column = column;
	table_print(&shown, c->format, stdout);
	free(column);
}

bool shape_is_given(const struct cli *cli)
{
	return cli_get(cli, "--filter") || cli_get(cli, "--sort") || cli_get(cli, "--top");
}

int shape_print(struct context *c, struct table *table, const char *command, struct err *err)
{
	if (shape_table(table, &c->cli, command, err))
		return ERR_USAGE;
	view_print(c, table);
	return 0;
}

int view_print_warnings(struct context *c, int64_t experiment, enum warning_kind kind,
			struct err *err)
{
	static const struct column text[] = { { "text", "", CELL_TEXT } };
	struct table table;
	if (c->format != FORMAT_TEXT)
		return 0;
	table_init(&table, text, 1);
	int rc = repo_fill(c->repo, &table, err,
			   "SELECT text FROM warning WHERE experiment = ? AND kind = ? "
			   "ORDER BY rowid", "it", experiment, warning_kind_names[kind]);
	for (size_t i = 0; rc == 0 && i < table_rows(&table); i++)
		putchar('\n'), escape_line(stdout, "%s", table_cell(&table, i, 0)->text);
	table_release(&table);
	return rc;
}
