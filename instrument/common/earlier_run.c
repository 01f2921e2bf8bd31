/* SPDX-License-Identifier: BSD-3-Clause */
/* earlier_run.c - see earlier_run.h. Called by select.c in libsis-instrument, and by sisc's
 * options_check.c. One thread.
 * The idea: decisions and the figures behind them are lines of text, so neither sisc
 * nor a build needs the analyzer or its database. */
#include "common/earlier_run.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The size of the largest file that is read. For a generated program with 100000 functions, the
 * file has 8 MiB. */
enum { LARGEST = 64 << 20 };

static const char *const words[EARLIER_VERDICTS] = {
	[EARLIER_LEAVE] = "leave", [EARLIER_MEASURE] = "measure", [EARLIER_INSIDE] = "inside",
};

struct reading {
	struct earlier_run *earlier;
	const struct reporter *reporter;
	const char *name, *origin; /* of the file: its name, and the same in earlier->origins */
	unsigned line;
};

/* -- one line ---------------------------------------------------------------------------------- */

static int wrong(const struct reading *reading, const char *line, const char *at, const char *what)
{
	const struct sis_ast_position where = { reading->name, reading->line,
						(uint32_t)(at - line) + 1 };
	sis_report_to(reading->reporter, SIS_AST_ERROR, &where,
		      "%s; a line is 'leave|measure|inside CALLS NS FUNCTION FILE'", what);
	return -1;
}

static char *skip_blanks(char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

/* Ends the word at *at with a zero, and moves *at to the next one. */
static char *take_word(char **at)
{
	char *word = *at, *end = word + strcspn(word, " \t");
	*at = *end ? skip_blanks(end + 1) : end;
	*end = '\0';
	return word;
}

/* Like take_word, for a function: its name in C++ may have blanks, and then a tab ends it. */
static char *take_function(char **at)
{
	char *name = *at, *tab = strchr(name, '\t');
	if (!tab)
		return take_word(at);
	*at = skip_blanks(tab + 1);
	while (tab > name && tab[-1] == ' ')
		tab--;
	*tab = '\0';
	return name;
}

/* Reads a number that is not negative. strtod alone would also accept inf, nan and a sign. */
static bool read_number(const char *word, double *number)
{
	char *end;
	if (!isdigit((unsigned char)*word))
		return false;
	*number = strtod(word, &end);
	return !*end && *number < 1e18;
}

/* Parses a line. Its text is changed. */
static int read_line(const struct reading *reading, char *line)
{
	struct earlier_line found = { .origin = reading->origin, .line = reading->line };
	struct earlier_run *earlier = reading->earlier;
	char *at = skip_blanks(line), *word;
	if (!*at || *at == '#')
		return 0;
	word = take_word(&at);
	while (found.verdict < EARLIER_VERDICTS && strcmp(word, words[found.verdict]) != 0)
		found.verdict++;
	if (found.verdict == EARLIER_VERDICTS)
		return wrong(reading, line, word, "unknown first word");
	if (!read_number(word = take_word(&at), &found.calls))
		return wrong(reading, line, word, "the number of calls is no number");
	if (!read_number(word = take_word(&at), &found.ns))
		return wrong(reading, line, word, "the time of a call is no number");
	char *function = take_function(&at);
	if (!*function || !*at)
		return wrong(reading, line, at, "the function or its file is missing");
	found.function = mem_print("%s", function);
	found.file = sis_plain_path(at);
	found.order = earlier->count;
	if ((earlier->count & (earlier->count + 1)) == 0) /* room doubles at 0, 1, 3, 7, ... */
		earlier->line = mem_resize(earlier->line, 2 * earlier->count + 1,
					    sizeof *earlier->line);
	earlier->line[earlier->count++] = found;
	return 0;
}

/* -- files ------------------------------------------------------------------------------------- */

static int unreadable(const struct reporter *reporter, const char *name, const char *reason)
{
	sis_report_to(reporter, SIS_AST_ERROR, NULL,
		      "cannot read '%s' for --sis-profile: %s; 'sis-analyze suggest-regions EXP "
		      "--output FILE' writes such a file", name, reason);
	return -1;
}

static int read_text(const char *name, struct buf *text, const struct reporter *reporter)
{
	struct stat status;
	struct err err = { "" };
	if (stat(name, &status) == 0 && !S_ISREG(status.st_mode))
		return unreadable(reporter, name, "it is no regular file");
	if (stat(name, &status) == 0 && status.st_size > LARGEST)
		return unreadable(reporter, name, "it is larger than 64 MiB");
	if (sis_file_read(name, text, &err) < 0) {
		sis_report_to(reporter, SIS_AST_ERROR, NULL,
			      "%s; for --sis-profile, 'sis-analyze suggest-regions EXP --output "
			      "FILE' writes such a file", err.text);
		return -1;
	}
	if (text->length && memchr(text->at, '\0', text->length)) {
		buf_release(text);
		return unreadable(reporter, name, "it is no text");
	}
	return 0;
}

static int by_function(const void *a, const void *b)
{
	const struct earlier_line *x = a, *y = b;
	int order = strcmp(x->function, y->function);
	return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

int sis_earlier_read(struct earlier_run *earlier, const char *name, const struct reporter *reporter)
{
	struct stat status;
	struct buf text = { 0 };
	bool directory = stat(name, &status) == 0 && S_ISDIR(status.st_mode);
	char *file = mem_print(directory ? "%s/regions" : "%s", name);
	int failed = read_text(file, &text, reporter);
	sis_words_add(&earlier->origins, file);
	struct reading reading = { earlier, reporter, file,
				   earlier->origins.at[earlier->origins.count - 1], 0 };
	for (char *line = failed || !text.length ? NULL : text.at, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		line[strcspn(line, "\r")] = '\0';
		reading.line++;
		failed |= read_line(&reading, line);
	}
	if (earlier->count)
		qsort(earlier->line, earlier->count, sizeof *earlier->line, by_function);
	buf_release(&text);
	free(file);
	return failed;
}

/* -- search ------------------------------------------------------------------------------------ */

/* Whether the names are equal, or the longer one ends in a `/` and the shorter one. */
static bool same_file(const char *a, const char *b)
{
	size_t m = strlen(a), n = strlen(b);
	if (m < n)
		return same_file(b, a);
	return strcmp(a + m - n, b) == 0 && (m == n || a[m - n - 1] == '/');
}

const struct earlier_line *sis_earlier_find(const struct earlier_run *earlier, const char *function,
					    const char *file, bool about_inside)
{
	const struct earlier_line *found = NULL;
	char *plain = sis_plain_path(file);
	size_t first = 0, high = earlier->count; /* first: the first line about the function */
	while (first < high) {
		size_t middle = first + (high - first) / 2;
		if (strcmp(earlier->line[middle].function, function) < 0)
			first = middle + 1;
		else
			high = middle;
	}
	for (size_t i = first;
	     i < earlier->count && strcmp(earlier->line[i].function, function) == 0; i++)
		if ((earlier->line[i].verdict == EARLIER_INSIDE) == about_inside &&
		    same_file(earlier->line[i].file, plain))
			found = &earlier->line[i];
	free(plain);
	return found;
}

void sis_earlier_release(struct earlier_run *earlier)
{
	for (size_t i = 0; i < earlier->count; i++) {
		free(earlier->line[i].function);
		free(earlier->line[i].file);
	}
	free(earlier->line);
	sis_words_release(&earlier->origins);
	*earlier = (struct earlier_run){ 0 };
}
