/* SPDX-License-Identifier: BSD-3-Clause */
/* call_text.c - finds the expressions of arguments in the source. In libsis-instrument; idf.c calls
 * it.
 * The idea: the region begins with the name of the routine, so the text behind this name has the
 * arguments. Commas inside of brackets, strings and comments do not separate arguments. */
#include "plan/call_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/json.h"
#include "source_checksum.h"
#include "tables.h"

enum { MOST_ARGUMENTS = 32, LONGEST = 160 };

/* -- the source -------------------------------------------------------------------------------- */

void sis_call_text_release(struct call_text *source)
{
	free(source->file);
	buf_release(&source->text);
	*source = (struct call_text){ 0 };
}

/* Reads the file, unless it is the last one that was read. Returns false if it cannot be read. */
static bool load(struct call_text *source, const char *directory, const char *file)
{
	if (source->file && strcmp(source->file, file) == 0)
		return source->text.length > 0;
	sis_call_text_release(source);
	source->file = mem_print("%s", file);
	bool beside = directory[0] && file[0] != '/';
	char *path = mem_print("%s%s%s", beside ? directory : "", beside ? "/" : "", file);
	struct err ignored = { 0 };
	struct stat st; /* #line may name any file, so only regular files are read */
	bool read = stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		    st.st_size <= SIS_SOURCE_MOST_BYTES &&
		    sis_file_read(path, &source->text, &ignored) == 0;
	free(path);
	source->line = 1;
	return read && source->text.length > 0;
}

/* The text at a position; NULL if there is none. The search continues from the last position,
 * because regions mostly come in the order of their lines. */
static const char *text_at(struct call_text *source, uint32_t line, uint32_t column)
{
	const char *end = source->text.at + source->text.length;
	if (line < source->line)
		source->line = 1, source->offset = 0;
	const char *at = source->text.at + source->offset;
	for (; source->line < line; source->line++) {
		const char *next = memchr(at, '\n', (size_t)(end - at));
		if (!next)
			return NULL;
		at = next + 1;
		source->offset = (size_t)(at - source->text.at);
	}
	return column > 0 && column <= (size_t)(end - at) ? at + column - 1 : NULL;
}

/* -- expressions ------------------------------------------------------------------------------- */

/* The end of the comment or literal that begins at `at`; `at` itself if none begins there. */
static const char *skip_opaque(const char *at, const char *end)
{
	if (end - at >= 2 && at[0] == '/' && at[1] == '*') {
		for (at += 2; at < end && !(at[0] == '*' && at + 1 < end && at[1] == '/'); at++)
			;
		return end - at >= 2 ? at + 2 : end;
	}
	if (end - at >= 2 && at[0] == '/' && at[1] == '/') {
		while (at < end && *at != '\n')
			at++;
		return at;
	}
	if (*at != '"' && *at != '\'')
		return at;
	char quote = *at++;
	while (at < end && *at != quote && *at != '\n')
		at += *at == '\\' && at + 1 < end ? 2 : 1;
	return at < end ? at + 1 : end;
}

/* The text of an expression, without comments, and with single blanks. */
struct expression { char text[LONGEST + 1]; size_t length; bool blank; };

static void add_bytes(struct expression *e, const char *from, const char *to)
{
	bool comment = to - from >= 2 && from[0] == '/' && (from[1] == '*' || from[1] == '/');
	if (comment || isspace((unsigned char)*from)) {
		e->blank = e->length > 0;
		return;
	}
	if (e->blank && e->length < LONGEST)
		e->text[e->length++] = ' ';
	e->blank = false;
	for (; from < to && e->length < LONGEST; from++)
		e->text[e->length++] = *from;
}

/* Writes the list of expressions from `at`, which follows the opening parenthesis, to the closing
 * one. Returns false if there is no closing parenthesis. */
static bool add_list(struct buf *out, const char *at, const char *end)
{
	unsigned depth = 0, n = 0;
	struct expression e = { .length = 0 };
	while (at < end) {
		bool closes = *at == ')' || *at == ']' || *at == '}';
		if (depth == 0 && (*at == ',' || *at == ')')) {
			e.text[e.length] = '\0';
			if (n < MOST_ARGUMENTS && (n > 0 || e.length > 0 || *at == ',')) {
				buf_add(out, n++ ? "," : "");
				sis_json_add_string(out, e.text);
			}
			if (*at == ')')
				return true;
			e = (struct expression){ .length = 0 };
			at++;
			continue;
		}
		if (closes && depth == 0)
			return false;
		depth += *at == '(' || *at == '[' || *at == '{';
		depth -= closes;
		const char *next = skip_opaque(at, end);
		next = next == at ? at + 1 : next;
		add_bytes(&e, at, next);
		at = next;
	}
	return false;
}

static const char *skip_blanks(const char *at, const char *end)
{
	for (const char *next; at < end; at = next) {
		next = isspace((unsigned char)*at) ? at + 1 : skip_opaque(at, end);
		if (next == at || *at == '"' || *at == '\'')
			break;
	}
	return at;
}

/* -- calls and constructs ---------------------------------------------------------------------- */

static void add_arguments(struct buf *out, const char *at, const char *end, const char *callee)
{
	size_t length = strlen(callee);
	if ((size_t)(end - at) < length || memcmp(at, callee, length) != 0)
		return;
	at = skip_blanks(at + length, end);
	if (at == end || *at != '(')
		return;
	struct buf list = { 0 };
	if (add_list(&list, at + 1, end)) {
		buf_add(out, ",\"arguments\":[");
		buf_put(out, list.at ? list.at : "", list.length);
		buf_add(out, "]");
	}
	buf_release(&list);
}

/* Adds the clauses reduction(OPERATOR: VARIABLE, ...) of a directive. The lines of the directive
 * may end with backslashes. */
static void add_reductions(struct buf *out, const char *at, const char *end)
{
	static const char word[] = "reduction";
	struct buf list = { 0 };
	const char *line_end = at;
	for (; line_end < end && *line_end != '\n'; line_end++)
		if (*line_end == '\\' && line_end + 1 < end && line_end[1] == '\n')
			line_end++;
	end = line_end;
	for (; end - at > (ptrdiff_t)sizeof word; at++) {
		if (memcmp(at, word, sizeof word - 1) != 0)
			continue;
		const char *open = skip_blanks(at + sizeof word - 1, end);
		const char *colon = open < end && *open == '(' ?
			memchr(open, ':', (size_t)(end - open)) : NULL;
		struct buf part = { 0 };
		if (colon && add_list(&part, colon + 1, end)) {
			buf_add(&list, list.length ? "," : "");
			buf_put(&list, part.at ? part.at : "", part.length);
		}
		buf_release(&part);
		at += sizeof word - 2;
	}
	if (list.length) {
		buf_add(out, ",\"reductions\":[");
		buf_put(out, list.at, list.length);
		buf_add(out, "]");
	}
	buf_release(&list);
}

void sis_call_text_add(struct call_text *source, struct buf *out, const char *directory,
		       const struct sis_ast_region *region)
{
	static const enum sis_region_type group[] = { CR_MPI, CR_OMP, CR_PTMUTEX, CR_PTCOND,
						      CR_PTJOIN };
	bool waits = false;
	for (size_t i = 0; i < sizeof group / sizeof *group; i++)
		waits |= sis_region_in(region->type, group[i]);
	if (!waits || !load(source, directory, region->begin.file))
		return;
	const char *end = source->text.at + source->text.length;
	const char *at = text_at(source, region->begin.line, region->begin.column);
	if (at && region->callee[0])
		add_arguments(out, at, end, region->callee);
	else if (at)
		add_reductions(out, at, end);
}
