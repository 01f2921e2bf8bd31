/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c - prints tables; the kind of a cell decides how it looks in each format. A table owns its
 * cells; one thread uses it. */
#include "base/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/ratio.h"
#include "base/terminal.h"
#include "base/text_width.h"

void table_init(struct table *table, const struct column *column, size_t columns)
{
	*table = (struct table){ .column = column, .columns = columns };
}

void cell_release(struct cell *cell)
{
	if (cell->kind == CELL_TEXT || cell->kind == CELL_RAW)
		free((char *)cell->text);
	*cell = (struct cell){ .text = "" };
}

void table_release(struct table *table)
{
	for (size_t i = 0; i < table->cell.n; i++)
		cell_release(&table->cell.at[i]);
	vec_free(&table->cell);
}

size_t table_rows(const struct table *table)
{
	return table->columns ? table->cell.n / table->columns : 0;
}

struct cell *table_cell(const struct table *table, size_t row, size_t column)
{
	return &table->cell.at[row * table->columns + column];
}

bool table_has_value(const struct table *table, size_t column)
{
	for (size_t r = 0; r < table_rows(table); r++) {
		const struct cell *cell = table_cell(table, r, column);
		if (cell->kind != CELL_NULL && (cell->integer || cell->real != 0 || cell->text[0]))
			return true;
	}
	return false;
}

static struct cell *add_cell(struct table *table, enum cell_kind kind)
{
	struct cell *cell = vec_push(&table->cell);
	*cell = (struct cell){ .kind = kind, .text = "" };
	return cell;
}

void table_text(struct table *table, const char *text)
{
	enum cell_kind kind = table->column[table->cell.n % table->columns].kind;
	struct cell *cell =
		add_cell(table, !text ? CELL_NULL : kind == CELL_RAW ? CELL_RAW : CELL_TEXT);
	cell->text = text ? mem_string(text) : "";
}

void table_integer(struct table *table, int64_t value)
{
	enum cell_kind kind = table->column[table->cell.n % table->columns].kind;
	add_cell(table, kind == CELL_BOOL || kind == CELL_SECONDS ? kind : CELL_INTEGER)->integer =
		value;
}

void table_seconds(struct table *table, int64_t ns)
{
	add_cell(table, CELL_SECONDS)->integer = ns;
}

void table_real(struct table *table, double value)
{
	add_cell(table, CELL_REAL)->real = value;
}

void table_share(struct table *table, double value)
{
	add_cell(table, CELL_SHARE)->real = value;
}

void table_factor(struct table *table, double value)
{
	add_cell(table, CELL_FACTOR)->real = value;
}

void table_real_or_null(struct table *table, double value)
{
	if (isfinite(value))
		table_real(table, value);
	else
		table_null(table);
}

void table_null(struct table *table)
{
	add_cell(table, CELL_NULL);
}

void table_copy(struct table *table, const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_NULL: table_null(table); break;
	case CELL_INTEGER: table_integer(table, cell->integer); break;
	case CELL_REAL: table_real(table, cell->real); break;
	default: table_text(table, cell->text); break;
	}
}

/* The text of a cell, in `buffer` (64 bytes) or in the cell's own memory. Seconds have six digits
 * for people, and nine in CSV and JSON. */
static const char *cell_text(const struct cell *cell, bool human, char *buffer)
{
	bool is_nothing;
	switch (cell->kind) {
	case CELL_NULL:
		return human ? "-" : "";
	case CELL_TEXT:
	case CELL_RAW:
		return cell->text;
	case CELL_INTEGER:
		snprintf(buffer, 64, "%" PRId64, cell->integer);
		return buffer;
	case CELL_SECONDS:
		if (!human)
			return seconds_text(buffer, cell->integer);
		is_nothing = cell->integer > -500 && cell->integer < 500; /* rounds to 0, and must
		                                                           * not be printed as -0 */
		snprintf(buffer, 64, "%.6f", is_nothing ? 0 : (double)cell->integer / 1e9);
		return buffer;
	case CELL_REAL:
	case CELL_SHARE:
	case CELL_FACTOR:
		snprintf(buffer, 64, human ? "%.4g" : "%.9g", cell->real);
		return buffer;
	case CELL_BOOL:
		return cell->integer ? (human ? "yes" : "true") : human ? "no" : "false";
	}
	return "";
}

static enum sis_escape escape_form(const struct cell *cell)
{
	return cell->kind == CELL_RAW ? SIS_ESCAPE_JSON : SIS_ESCAPE_NAME;
}

static bool is_ratio(enum cell_kind kind)
{
	return kind == CELL_SHARE || kind == CELL_FACTOR;
}

/* The text of a cell for people, by the kind of the cell or of its column. The caller frees it. */
static char *shown_text(const struct table *table, size_t row, size_t column)
{
	char buffer[64];
	const struct cell *cell = table_cell(table, row, column);
	enum cell_kind kind = is_ratio(cell->kind) ? cell->kind : table->column[column].kind;
	if (!is_ratio(kind) || cell->kind == CELL_NULL || cell->kind == CELL_TEXT)
		return escape_text(cell_text(cell, true, buffer), escape_form(cell));
	double value = cell->kind == CELL_INTEGER ? (double)cell->integer : cell->real;
	return mem_string(kind == CELL_SHARE ? ratio_share(buffer, value) :
					       ratio_factor(buffer, value));
}

static bool is_number(enum cell_kind kind)
{
	return kind == CELL_INTEGER || kind == CELL_SECONDS || kind == CELL_REAL || is_ratio(kind);
}

static void pad(FILE *out, size_t n)
{
	fprintf(out, "%*s", (int)n, "");
}

static void print_cell(const char *text, bool right, size_t width, bool last, FILE *out)
{
	size_t fill = width - text_width(text);
	if (right)
		pad(out, fill);
	fputs(text, out);
	if (!right && !last)
		pad(out, fill);
	fputs(last ? "\n" : "  ", out);
}

static void widen(size_t *width, char *shown)
{
	size_t w = text_width(shown);
	*width = w > *width ? w : *width;
	free(shown);
}

static char *shown_title(const struct table *table, size_t column)
{
	return escape_text(table->column[column].title, SIS_ESCAPE_NAME);
}

static size_t *find_widths(const struct table *table)
{
	size_t *width = mem_alloc(table->columns, sizeof *width);
	for (size_t c = 0; c < table->columns; c++) {
		if (!table->column[c].title)
			continue;
		widen(&width[c], shown_title(table, c));
		for (size_t r = 0; r < table_rows(table); r++)
			widen(&width[c], shown_text(table, r, c));
	}
	return width;
}

/* Makes the widest columns of text narrower, one character at a time. Columns of numbers keep their
 * width. */
static void fit(const struct table *table, size_t *width, size_t line)
{
	enum { LEAST = 12 };
	size_t all = 0;
	for (size_t c = 0; c < table->columns; c++)
		all += table->column[c].title ? width[c] + 2 : 0;
	while (line && all > line + 2) {
		size_t widest = table->columns;
		for (size_t c = 0; c < table->columns; c++)
			if (table->column[c].title && table->column[c].kind == CELL_TEXT &&
			    width[c] > LEAST &&
			    (widest == table->columns || width[c] > width[widest]))
				widest = c;
		if (widest == table->columns)
			return;
		width[widest]--;
		all--;
	}
}

/* Removes the middle of a text that is too long. The begin stays because names differ most there,
 * and the end because positions and paths differ most there. */
static char *cut(const char *text, size_t width)
{
	size_t head = (width - 2) / 2, tail = width - 2 - head;
	return mem_print("%.*s..%s", (int)(text_prefix(text, head) - text), text,
			 text_suffix(text, tail));
}

static void print_text(const struct table *table, FILE *out)
{
	size_t last = 0, *width = find_widths(table);
	for (size_t c = 0; c < table->columns; c++)
		if (table->column[c].title)
			last = c;
	fit(table, width, out == stdout ? terminal_width() : 0);
	for (size_t c = 0; c < table->columns; c++)
		if (table->column[c].title) {
			char *title = shown_title(table, c);
			print_cell(title, is_number(table->column[c].kind), width[c], c == last,
				   out);
			free(title);
		}
	for (size_t r = 0; r < table_rows(table); r++)
		for (size_t c = 0; c < table->columns; c++) {
			if (!table->column[c].title)
				continue;
			char *text = shown_text(table, r, c);
			char *shorter = text_width(text) > width[c] ? cut(text, width[c]) : NULL;
			print_cell(shorter ? shorter : text, is_number(table->column[c].kind),
				   width[c], c == last, out);
			free(shorter);
			free(text);
		}
	free(width);
}

/* -- printing CSV -------------------------------------------------------------------------- */

/* Whether a spreadsheet would evaluate the text. A lone "-" stands for an unknown value. */
static bool is_formula(const char *text)
{
	char *end;
	strtod(text, &end);
	bool is_decimal = end > text && !*end && !text[strspn(text, "+-.0123456789eE")];
	return *text && strchr("=+-@\t\r\n", *text) && strcmp(text, "-") != 0 && !is_decimal;
}

static void csv_put(const char *text, enum sis_escape form, bool first, FILE *out)
{
	char next[SIS_ESCAPE_ROOM];
	if (!first)
		putc(',', out);
	if (!text[strcspn(text, ",\"")]) {
		escape_put(text, form, out);
		return;
	}
	putc('"', out);
	while (*text) {
		if (*text == '"')
			putc('"', out);
		fwrite(next, 1, sis_escape_next(next, &text, form), out);
	}
	putc('"', out);
}

void csv_number(const char *number, bool first, FILE *out)
{
	csv_put(number, SIS_ESCAPE_NAME, first, out);
}

static void csv_put_safe(const char *text, enum sis_escape form, bool first, FILE *out)
{
	char *safe = is_formula(text) ? mem_print("'%s", text) : NULL;
	csv_put(safe ? safe : text, form, first, out);
	free(safe);
}

void csv_text(const char *text, bool first, FILE *out)
{
	csv_put_safe(text, SIS_ESCAPE_NAME, first, out);
}

static void print_csv(const struct table *table, FILE *out)
{
	char buffer[64];
	bool first = true;
	for (size_t c = 0; c < table->columns; c++)
		if (table->column[c].key) {
			csv_text(table->column[c].key, first, out);
			first = false;
		}
	putc('\n', out);
	for (size_t r = 0; r < table_rows(table); r++) {
		first = true;
		for (size_t c = 0; c < table->columns; c++) {
			const struct cell *cell = table_cell(table, r, c);
			if (!table->column[c].key)
				continue;
			if (cell->kind == CELL_TEXT || cell->kind == CELL_RAW)
				csv_put_safe(cell->text, escape_form(cell), first, out);
			else
				csv_number(cell_text(cell, false, buffer), first, out);
			first = false;
		}
		putc('\n', out);
	}
}

/* -- printing JSON ------------------------------------------------------------------------- */

void cell_json(struct json *json, const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_NULL: json_null(json); break;
	case CELL_TEXT: json_string(json, cell->text); break;
	case CELL_RAW: json_raw(json, cell->text); break;
	case CELL_INTEGER: json_integer(json, cell->integer); break;
	case CELL_SECONDS: json_seconds(json, cell->integer); break;
	case CELL_REAL:
	case CELL_SHARE:
	case CELL_FACTOR: json_real(json, cell->real); break;
	case CELL_BOOL: json_bool(json, cell->integer != 0); break;
	}
}

void table_json(const struct table *table, struct json *json)
{
	json_open(json, '[');
	for (size_t r = 0; r < table_rows(table); r++) {
		json_open(json, '{');
		for (size_t c = 0; c < table->columns; c++)
			if (table->column[c].key) {
				json_key(json, table->column[c].key);
				cell_json(json, table_cell(table, r, c));
			}
		json_close(json, '}');
	}
	json_close(json, ']');
}

void table_print(const struct table *table, enum format format, FILE *out)
{
	struct json json;
	switch (format) {
	case FORMAT_TEXT: print_text(table, out); break;
	case FORMAT_CSV: print_csv(table, out); break;
	case FORMAT_JSON:
		json_init(&json, out);
		table_json(table, &json);
		break;
	}
}
