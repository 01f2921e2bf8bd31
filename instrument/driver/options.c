/* SPDX-License-Identifier: BSD-3-Clause */
/* options.c - takes sisc's own options out of the command line. Called once, by main.
 * The idea: one table is used for parsing, --sis-help, the manual page and the suggestion for a
 * misspelt option. Every word that does not begin with --sis- is for the compiler, and does not
 * change. */
#include "driver/options.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum value { NO_VALUE, VALUE, MAY_HAVE_VALUE };

struct option {
	const char *name;      /* after --sis- */
	enum value value;
	/* offsets in struct options; 0: none (`help` is set by name). `filters`, `profiles` and
	 * `plugins` are struct words */
	size_t flag, string;
	const char *syntax, *description;
};

#define AT(field) offsetof(struct options, field)
static const struct option table[] = {
	{ "cr", VALUE, 0, AT(regions), "=LIST",
	  "code regions to measure in the whole application" },
	{ "pmetric", VALUE, 0, AT(metrics), "=LIST",
	  "metrics and overheads to measure for them, and for directives that list none" },
	{ "filter", VALUE, 0, AT(filters), "=FILE",
	  "regions to leave out, by name, file, function or type" },
	{ "exclude", VALUE, 0, AT(exclude), "=NAMES",
	  "leave out regions of these names; shell wildcards" },
	{ "include", VALUE, 0, AT(include), "=NAMES", "do not leave out regions of these names" },
	{ "profile", VALUE, 0, AT(profiles), "=FILE|EXP",
	  "choose functions by what an earlier run measured (sis-analyze suggest-regions)" },
	{ "plugin", VALUE, 0, AT(plugins), "=FILE[,ARGS]",
	  "let a plugin choose among the code regions" },
	{ "list", NO_VALUE, AT(list), 0, "", "list code regions, metrics and overheads" },
	{ "explain", NO_VALUE, AT(explain), 0, "",
	  "say for each code region why it is measured or not" },
	{ "emit", NO_VALUE, AT(emit), 0, "", "print the instrumented source, compile nothing" },
	{ "keep", MAY_HAVE_VALUE, AT(keep), AT(keep_dir), "[=DIR]",
	  "keep instrumented sources as DIR/NAME.sis.c" },
	{ "verify", NO_VALUE, AT(verify), 0, "",
	  "check that instrumented sources differ by probes alone" },
	{ "blame", NO_VALUE, AT(blame), 0, "",
	  "add what sis-analyze blame needs: a section, lines, frame pointers, wrappers of malloc" },
	{ "idf", VALUE, 0, AT(idf), "=FILE",
	  "file for the program's instrumentation description" },
	{ "cc", VALUE, 0, AT(compiler), "=COMPILER",
	  "underlying compiler (else $SISC_CC, mpicc, cc)" },
	{ "off", NO_VALUE, AT(off), 0, "", "instrument nothing" },
	{ "verbose", NO_VALUE, AT(verbose), 0, "", "show the commands that are run" },
	{ "help", NO_VALUE, 0, 0, "", "this text" },
};
enum { OPTIONS = sizeof table / sizeof *table };

void sis_options_help(void)
{
	puts("usage: sisc [--sis-OPTION...] COMPILER-ARGUMENT...\n"
	     "Compiles and links C and C++ as the underlying compiler does, with measurement probes.\n");
	for (size_t i = 0; i < OPTIONS; i++) {
		char head[40];
		snprintf(head, sizeof head, "--sis-%s%s", table[i].name, table[i].syntax);
		printf("  %-24s %s\n", head, table[i].description);
	}
	puts("\nLISTs are comma-separated mnemonics of --sis-list. Environment: SISC_CC names the "
	     "compiler; SISC_VERIFY=1 is --sis-verify.");
}

/* -- response files ---------------------------------------------------------------------------- */

/* The next word of `*at` in the syntax of GCC's @file: blanks separate words, quotes may enclose
 * blanks, and a backslash removes the special meaning of the next character. */
static bool next_word(const char **at, struct buf *word)
{
	char quote = 0;
	const char *p = *at;
	while (isspace((unsigned char)*p))
		p++;
	if (!*p)
		return false;
	buf_add(word, "");
	for (; *p && (quote || !isspace((unsigned char)*p)); p++) {
		if (*p == '\\' && p[1])
			buf_put(word, ++p, 1);
		else if (*p == quote)
			quote = 0;
		else if (!quote && (*p == '\'' || *p == '"'))
			quote = *p;
		else
			buf_put(word, p, 1);
	}
	*at = p;
	return true;
}

/* Adds `word` or, if it is @FILE, the words in the file. If the file cannot be read, @FILE itself
 * is added. */
static void expand(struct words *out, const char *word, int depth)
{
	enum { DEEPEST = 20 };
	struct buf content = { 0 };
	struct err ignored = { "" };
	if (word[0] != '@' || depth == DEEPEST || sis_file_read(word + 1, &content, &ignored) < 0) {
		sis_words_add(out, word);
		return;
	}
	struct buf one = { 0 };
	for (const char *at = content.at ? content.at : ""; next_word(&at, &one);
	     buf_release(&one))
		expand(out, one.at, depth + 1);
	buf_release(&content);
}

/* -- our own options --------------------------------------------------------------------------- */

static const struct option *find_option(const char *name, size_t length)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0)
			return &table[i];
	return NULL;
}

/* Suggests the option that has the longest begin in common with `name`. */
static int unknown(const char *word, const char *name, struct err *err)
{
	const char *near = NULL;
	size_t most = 0;
	for (size_t i = 0; i < OPTIONS; i++) {
		size_t same = 0;
		while (name[same] && name[same] == table[i].name[same])
			same++;
		if (same > most) {
			most = same;
			near = table[i].name;
		}
	}
	if (near)
		return err_fail(err, "unknown option '%s'; did you mean '--sis-%s'?", word,
				   near);
	return err_fail(err, "unknown option '%s'; --sis-help lists them", word);
}

/* Lists that are given twice are concatenated. Of other values, the last one wins. */
static const char *join_value(const struct option *option, const char *old, const char *value)
{
	const size_t lists[] = { AT(regions), AT(metrics), AT(exclude), AT(include) };
	for (size_t i = 0; old && i < sizeof lists / sizeof *lists; i++)
		if (option->string == lists[i])
			return mem_print("%s,%s", old, value);
	return mem_print("%s", value);
}

static int take_option(struct options *options, const char *word, struct err *err)
{
	const char *name = word + strlen("--sis-");
	const char *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct option *option = find_option(name, length);
	if (!option)
		return unknown(word, name, err);
	if (option->value == VALUE && (!equals || !equals[1]))
		return err_fail(err, "option '%s' needs a value: --sis-%s%s", word, option->name,
				   option->syntax);
	if (option->value == NO_VALUE && equals)
		return err_fail(err, "option '%s' takes no value; write --sis-%s", word,
				   option->name);
	if (strcmp(option->name, "help") == 0)
		options->help = true;
	if (option->flag)
		*(bool *)((char *)options + option->flag) = true;
	void *field = (char *)options + option->string;
	const char **string = field;
	if (equals && (option->string == AT(filters) || option->string == AT(profiles) ||
		       option->string == AT(plugins)))
		sis_words_add(field, equals + 1);
	else if (equals)
		*string = join_value(option, *string, equals + 1);
	return 0;
}

int sis_options_parse(struct options *options, int argc, char **argv, struct err *err)
{
	struct words expanded = { 0 };
	size_t visible = 0, ours = 0;
	const char *verify = getenv("SISC_VERIFY");
	options->called = argc > 0 ? argv[0] : "";
	options->verify = verify && *verify && strcmp(verify, "0") != 0;
	for (int i = 1; i < argc; i++) {
		expand(&expanded, argv[i], 0);
		if (sis_starts(argv[i], "--sis-"))
			visible++;
		else
			sis_words_add(&options->command, argv[i]);
	}
	int failed = 0;
	for (size_t i = 0; i < expanded.count && !failed; i++)
		if (sis_starts(expanded.at[i], "--sis-")) {
			ours++;
			failed = take_option(options, expanded.at[i], err);
		} else {
			sis_words_add(&options->expanded, expanded.at[i]);
		}
	if (ours > visible) { /* some are in an @file, which the compiler must not get */
		sis_words_release(&options->command);
		sis_words_join(&options->command, &options->expanded);
	}
	sis_words_release(&expanded);
	return failed;
}
