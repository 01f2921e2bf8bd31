/* depend.c - corrects dependency files. Called by translate.c after a compilation with -MD.
 * The idea: a dependency file is words; two of them are ours, one to rename and one to take out with the
 * blanks before it, and some are missing: files whose text the compiler read as part of the source. */
#include "depend.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file name as make wants it. */
static char *quote(const char *name)
{
	struct text out = { 0 };
	sis_text_add(&out, "");
	for (; *name; name++) {
		if (*name == ' ' || *name == '#')
			sis_text_add(&out, "\\");
		if (*name == '$')
			sis_text_add(&out, "$");
		sis_text_put(&out, name, 1);
	}
	return out.at;
}

/* `at` without the blanks and continuations that end it, down to `start`. */
static size_t trim(const char *start, size_t length)
{
	while (length && strchr(" \t", start[length - 1]))
		length--;
	if (length >= 2 && start[length - 1] == '\n' && start[length - 2] == '\\')
		return trim(start, length - 2);
	return length;
}

static bool is_word(const char *text, const char *at, size_t length)
{
	bool begins = at == text || strchr(" \t\n", at[-1]);
	return begins && (at[length] == '\0' || strchr(" \t\r\n:", at[length]));
}

/* Copies `text` to `out` with the word `old` replaced, or taken out together with a rule of its own (-MP). */
static void replace(struct text *out, const char *text, const char *old, const char *new)
{
	size_t length = strlen(old);
	const char *rest = text;
	for (const char *at = text; (at = strstr(at, old)); at += length) {
		if (!is_word(text, at, length))
			continue;
		sis_text_put(out, rest, at - rest);
		rest = at + length;
		if (new) {
			sis_text_add(out, new);
		} else if (*rest == ':') {
			rest += strcspn(rest, "\n");
			rest += *rest == '\n';
		} else {
			out->length = trim(out->at, out->length);
		}
	}
	sis_text_add(out, rest);
}

/* The compiler names no main file when it read standard input: ours goes first, as it would have. */
static void insert_source(struct text *out, const char *text, const char *source)
{
	const char *colon = text;
	while (*colon && !(*colon == ':' && (colon[1] == ' ' || colon[1] == '\n' || colon[1] == '\0')))
		colon++;
	sis_text_put(out, text, colon - text);
	sis_text_addf(out, ": %s%s", source, *colon ? colon + 1 : "\n");
}

static bool is_named(const char *text, const char *word)
{
	for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
		if (is_word(text, at, strlen(word)))
			return true;
	return false;
}

/* More prerequisites: they end the first rule, and -MP's empty rules end the file. */
static void add_more(struct text *out, const char *text, const struct dependencies *what)
{
	struct text rules = { 0 };
	size_t end = 0;
	while (text[end] && !(text[end] == '\n' && (end == 0 || text[end - 1] != '\\')))
		end++;
	sis_text_put(out, text, end);
	for (size_t i = 0; i < what->more->count; i++) {
		char *name = quote(what->more->at[i]);
		if (!is_named(text, name)) {
			sis_text_addf(out, " \\\n %s", name);
			if (what->phony)
				sis_text_addf(&rules, "%s:\n", name);
		}
		free(name);
	}
	sis_text_add(out, text[end] ? text + end : "\n");
	sis_text_put(out, rules.at, rules.length);
	sis_text_release(&rules);
}

/* In one pass for each of its parts: what names the source, what is ours, what is missing. */
static void correct(struct text *out, const char *text, const struct dependencies *what)
{
	struct text renamed = { 0 }, bare = { 0 };
	char *compiled = quote(what->compiled ? what->compiled : ""), *source = quote(what->source);
	char *header = quote(what->header);
	if (what->compiled)
		replace(&renamed, text, compiled, source);
	else
		insert_source(&renamed, text, source);
	replace(&bare, renamed.at, header, NULL);
	add_more(out, bare.at, what);
	sis_text_release(&renamed);
	sis_text_release(&bare);
	free(compiled);
	free(source);
	free(header);
}

int sis_depend_correct(const char *name, const struct dependencies *what, struct err *err)
{
	struct stat status;
	struct text old = { 0 }, out = { 0 };
	if (stat(name, &status) < 0 || !S_ISREG(status.st_mode))
		return 0; /* /dev/null; LIMIT: on standard output (`-`) they name our files */
	int failed = sis_file_read(name, &old, err);
	if (!failed) {
		correct(&out, old.at ? old.at : "", what);
		failed = sis_file_write(name, out.at, out.length, err);
	}
	sis_text_release(&old);
	sis_text_release(&out);
	return failed;
}
