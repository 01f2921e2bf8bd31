/* SPDX-License-Identifier: BSD-3-Clause */
/* cmdline.c - classifies the words of a compiler's command line (GCC's and clang's). Called by
 * main.
 * The idea: sisc must understand only words that change what is compiled, or where the result goes.
 * Of the other options, sisc needs to know only whether they take the next word as their value. */
#include "driver/cmdline.h"
#include "driver/install_paths.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Options with a value. The value is attached to the option, or is the next word. Option and value
 * have the same role. */
static const struct { const char *name; enum role role;
} with_value[] = {
	{ "-o", ROLE_OUTPUT },
	{ "-x", ROLE_LANGUAGE },
	{ "-MF", ROLE_DEPENDENCY },
	{ "-MT", ROLE_DEPENDENCY },
	{ "-MQ", ROLE_DEPENDENCY },
	{ "-l", ROLE_LIBRARY },
	{ "-L", ROLE_LINKER },
	{ "-Xlinker", ROLE_LINKER },
	{ "-T", ROLE_LINKER },
	{ "-u", ROLE_LINKER },
	{ "-z", ROLE_LINKER },
	{ "-e", ROLE_LINKER },
	{ "-F", ROLE_LINKER },
	{ "-framework", ROLE_LINKER },
	{ "-I", ROLE_FLAG },
	{ "-D", ROLE_FLAG },
	{ "-U", ROLE_FLAG },
	{ "-A", ROLE_FLAG },
	{ "-B", ROLE_FLAG },
	{ "-include", ROLE_FLAG },
	{ "-imacros", ROLE_FLAG },
	{ "-isystem", ROLE_FLAG },
	{ "-iquote", ROLE_FLAG },
	{ "-idirafter", ROLE_FLAG },
	{ "-iprefix", ROLE_FLAG },
	{ "-iwithprefix", ROLE_FLAG },
	{ "-iwithprefixbefore", ROLE_FLAG },
	{ "-isysroot", ROLE_FLAG },
	{ "-imultilib", ROLE_FLAG },
	{ "-Xassembler", ROLE_FLAG },
	{ "-Xpreprocessor", ROLE_FLAG },
	{ "-Xclang", ROLE_FLAG },
	{ "-mllvm", ROLE_FLAG },
	{ "--param", ROLE_FLAG },
	{ "-aux-info", ROLE_FLAG },
	{ "-wrapper", ROLE_FLAG },
	{ "-dumpbase", ROLE_FLAG },
	{ "-dumpbase-ext", ROLE_FLAG },
	{ "-dumpdir", ROLE_FLAG },
	{ "-target", ROLE_FLAG },
	{ "-arch", ROLE_FLAG },
	{ "--sysroot", ROLE_FLAG },
	{ "-specs", ROLE_FLAG },
};

static void add_argument(struct cmdline *line, const char *word, enum role role)
{
	line->argument = mem_resize(line->argument, line->count + 1, sizeof *line->argument);
	line->argument[line->count++] = (struct argument){ .word = word, .role = role };
}

/* -- inputs ------------------------------------------------------------------------------------ */

static void add_input(struct cmdline *line, const char *word, const char *language)
{
	add_argument(line, word, ROLE_INPUT);
	struct argument *input = &line->argument[line->count - 1];
	line->stdin_inputs += sis_is_stdin(word);
	bool library = sis_ends(word, ".a") || sis_ends(word, ".so") ||
		       strstr(sis_basename(word), ".so.");
	if (!language && library)
		input->role = ROLE_LIBRARY;
	enum form form;
	input->language = sis_language_of(word, language, line->cplusplus, &form);
	/* LIMIT: a .c file that a compiler of C++ takes for C++ has no probes. clang++ warns about
	 * it, and does not warn about the text with probes, which is named C++. */
	bool by_name = language || !line->cplusplus || !sis_ends(word, ".c");
	input->is_read = input->language && input->language->is_read && form != FORM_HEADER &&
			 by_name;
	input->is_preprocessed = input->is_read && form == FORM_PREPROCESSED;
	input->is_c_family = input->language && form == FORM_SOURCE;
	input->is_header = input->language ? form == FORM_HEADER : !language && sis_is_stdin(word);
	line->inputs++;
	line->sources += input->role == ROLE_INPUT;
	line->read_inputs += input->is_read;
}

/* -- options ----------------------------------------------------------------------------------- */

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(word, *list) == 0)
			return true;
	return false;
}

/* Options of the compiler and of the linker that make a shared library. */
static const char *const shared_links[] = { "-shared", "--shared", "-Bshareable", "--Bshareable",
					    NULL };

/* Records what an option with a value means for the whole command. */
static void note_value(struct cmdline *line, const char *name, const char *value,
		       const char **language)
{
	if (strcmp(name, "-o") == 0)
		line->output = value;
	else if (strcmp(name, "-x") == 0)
		*language = strcmp(value, "none") == 0 ? NULL : value;
	else if (strcmp(name, "-MF") == 0)
		line->dependency_file = value;
	else if (strcmp(name, "-MT") == 0 || strcmp(name, "-MQ") == 0)
		line->dependency_target = value;
	else if (strcmp(name, "-dumpdir") == 0)
		line->dump_prefix = value;
	else if (strcmp(name, "-Xlinker") == 0)
		line->shared |= is_one_of(value, shared_links);
}

/* Adds the option at words[*i] with its value, which may be attached. Returns false if the option
 * takes no value. */
static bool take_with_value(struct cmdline *line, const struct words *words, size_t *i,
			    const char **language)
{
	const char *word = words->at[*i];
	for (size_t k = 0; k < sizeof with_value / sizeof *with_value; k++) {
		const char *name = with_value[k].name;
		if (strcmp(word, name) == 0) {
			add_argument(line, word, with_value[k].role);
			if (*i + 1 < words->count) {
				add_argument(line, words->at[++*i], with_value[k].role);
				note_value(line, name, words->at[*i], language);
			} else {
				line->unfinished = true;
			}
			return true;
		}
		bool attached = strchr("oxMlL", name[1]) && strlen(name) <= 3 &&
			sis_starts(word, name) &&
			!(name[1] == 'x' && isupper((unsigned char)word[2]));
		if (attached) {
			add_argument(line, word, with_value[k].role);
			note_value(line, name, word + strlen(name), language);
			return true;
		}
	}
	return false;
}

/* -Wp,-MMD,FILE writes a dependency file; the Linux kernel uses it. */
static bool take_preprocessor(struct cmdline *line, const char *word)
{
	if (!sis_starts(word, "-Wp,"))
		return false;
	bool found = false;
	char *copy = mem_print("%s", word + 4);
	for (char *save, *part = strtok_r(copy, ",", &save); part;
	     part = strtok_r(NULL, ",", &save)) {
		bool named = strcmp(part, "-MT") == 0 || strcmp(part, "-MQ") == 0;
		bool asked = strcmp(part, "-MD") == 0 || strcmp(part, "-MMD") == 0;
		found |= named || asked;
		line->dependencies |= asked;
		line->names_by_input |= asked;
		if ((named || asked) && (part = strtok_r(NULL, ",", &save)))
			*(named ? &line->dependency_target :
				&line->dependency_file) = mem_print("%s", part);
		if (!part)
			break;
	}
	free(copy);
	add_argument(line, word, found ? ROLE_DEPENDENCY : ROLE_FLAG);
	return true;
}

static bool begins_with_one_of(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (sis_starts(word, *list))
			return true;
	return false;
}

static const char *const query_options[] = { "-E",
					 "-M",
					 "-MM",
					 "-###",
					 "--version",
					 "-dumpversion",
					 "-dumpmachine",
					 "-dumpspecs",
					 "-dumpfullversion",
					 "--help",
					 "-fsyntax-only",
					 "-show",
					 "-compile_info",
					 "-link_info",
					 NULL };
static const char *const query_prefixes[] = { "-print-", "--print-", "--help=", "-dump-",
						 "-showme", "--showme", NULL };
static const char *const bare_links[] = { "-nostdlib",
					  "-nodefaultlibs",
					  "-nolibc",
					  "-nostartfiles",
					  "-ffreestanding",
					  "-m32",
					  "-mx32",
					  "-m16" /* there is no runtime for these */,
					  NULL };
/* Options of a link, about which clang warns if there is no link. */
static const char *const link_words[] = { "-shared", "-static", "-static-pie", "-static-libgcc",
					  "-pie",    "-no-pie", "-nopie",      "-rdynamic",
					  "-s",	     NULL };
static const char *const link_prefixes[] = { "-Wl,", "-fuse-ld=", "--ld-path=", NULL };
static const char *const offloads[] = { "-fopenmp-targets=", "--offload-arch=", "--offload=",
					NULL };
static const char *const auxiliaries[] = { "--coverage",
					   "-ftest-coverage",
					   "-save-temps",
					   "--save-temps",
					   "-fdump-",
					   "-gsplit-dwarf",
					   "-fstack-usage",
					   "-fcallgraph-info",
					   "-fprofile-",
					   "-aux-info",
					   "-fopt-info",
					   "-ftime-trace",
					   "-fdiagnostics-format=json-file",
					   "-fdiagnostics-format=sarif-file",
					   "-Wa,-a",
					   NULL };
/* With -fprofile-arcs alone, no lines are counted. */
static const char *const counts_lines[] = { "--coverage", "-coverage", "-ftest-coverage",
					    "-fcoverage-mapping", NULL };
static const char *const counts_no_lines[] = { "-fno-test-coverage", "-fno-coverage-mapping",
					       NULL };

/* Whether `word` is -Wl,X,Y, and X or Y is in the list. */
static bool asks_linker(const char *word, const char *const *list)
{
	bool asks = false;
	char *words = sis_starts(word, "-Wl,") ? mem_print("%s", word + 4) : NULL;
	for (char *rest = words, *one; rest && !asks && (one = strsep(&rest, ","));)
		asks = is_one_of(one, list);
	free(words);
	return asks;
}

/* Records what an option without a value means for the whole command. */
static void note_flag(struct cmdline *line, const char *word)
{
	static const char save_temps[] = "-save-temps";
	const char *after = sis_starts(word, save_temps) ? word + strlen(save_temps) :
		sis_starts(word, "--save-temps")	 ? word + strlen(save_temps) + 1 :
							   NULL;
	if (is_one_of(word, query_options) || begins_with_one_of(word, query_prefixes))
		line->stage = STAGE_NONE;
	line->preprocesses |= strcmp(word, "-E") == 0;
	line->shared |= is_one_of(word, shared_links) || asks_linker(word, shared_links);
	line->is_static |= strcmp(word, "-static") == 0 || strcmp(word, "-static-pie") == 0;
	line->relocatable |= strcmp(word, "-r") == 0 || strcmp(word, "-Wl,-r") == 0;
	line->bare |= is_one_of(word, bare_links);
	line->openmp |= sis_starts(word, "-fopenmp") && !sis_starts(word, "-fopenmp-simd");
	line->offloads |= begins_with_one_of(word, offloads) ||
		(sis_starts(word, "-foffload=") && strcmp(word, "-foffload=disable") != 0);
	if (is_one_of(word, counts_lines))
		line->coverage = word;
	else if (is_one_of(word, counts_no_lines)) /* the last of these options wins */
		line->coverage = NULL;
	if (after)
		line->save_temps = *after == '=' ? after + 1 : after;
	line->auxiliary |= begins_with_one_of(word, auxiliaries);
}

static void take_flag(struct cmdline *line, const char *word)
{
	enum role role = ROLE_FLAG;
	if (strcmp(word, "-c") == 0 || strcmp(word, "-S") == 0) {
		role = ROLE_STAGE;
		if (line->stage == STAGE_LINK || (line->stage == STAGE_OBJECT && word[1] == 'S'))
			line->stage = word[1] == 'c' ? STAGE_OBJECT : STAGE_ASSEMBLY;
	} else if (strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0) {
		role = ROLE_DEPENDENCY;
		line->dependencies = true;
	} else if (strcmp(word, "-MP") == 0 || strcmp(word, "-MG") == 0) {
		role = ROLE_DEPENDENCY;
	} else if (begins_with_one_of(word, link_prefixes) || is_one_of(word, link_words)) {
		role = ROLE_LINKER;
	}
	note_flag(line, word);
	add_argument(line, word, role);
}

void sis_cmdline_parse(struct cmdline *line, const struct words *words)
{
	const char *language = NULL;
	for (size_t i = 0; i < words->count; i++) {
		const char *word = words->at[i];
		if (word[0] != '-' || word[1] == '\0')
			add_input(line, word, language);
		else if (!take_preprocessor(line, word) &&
			 !take_with_value(line, words, &i, &language))
			take_flag(line, word);
	}
	if (line->inputs == 0)
		line->stage = STAGE_NONE;
}

void sis_cmdline_words(const struct cmdline *line, unsigned roles, struct words *out)
{
	for (size_t i = 0; i < line->count; i++)
		if (roles >> line->argument[i].role & 1)
			sis_words_add(out, line->argument[i].word);
}

void sis_cmdline_mark(const struct cmdline *line, const bool *done, struct words *out)
{
	bool any = false;
	for (size_t i = 0; i < line->count; i++)
		any |= line->argument[i].is_c_family && !(done && done[i]);
	if (any)
		sis_words_add(out, SIS_CMDLINE_MARK);
}

void sis_cmdline_add_headers(struct words *out)
{
	const char *headers = sis_install_headers();
	if (headers) { /* GCC can warn about a directory that does not exist */
		sis_words_add(out, "-idirafter");
		sis_words_add(out, headers);
	}
}

/* Whether the source is one by which CMake identifies the compiler and its directories. Such a
 * source is compiled without sisc's directories. Other test sources of build systems check what is
 * installed, so they need these directories. */
static bool asks_about_compiler(const char *input)
{
	const char *base = sis_basename(input);
	return sis_starts(base, "CMakeCCompiler") || sis_starts(base, "CMakeCXXCompiler");
}

void sis_cmdline_headers(const struct cmdline *line, const bool *done, struct words *out)
{
	bool any = false;
	for (size_t i = 0; i < line->count; i++) {
		const struct argument *argument = &line->argument[i];
		any |= (argument->is_c_family || argument->is_header) && !(done && done[i]) &&
			!asks_about_compiler(argument->word);
	}
	if (any)
		sis_cmdline_add_headers(out);
}

/* -- build systems ----------------------------------------------------------------------------- */

/* Whether the source is one by which autoconf, CMake or meson examines the compiler. */
static bool is_probe(const char *input)
{
	static const char *const directories[] = { "/CMakeTmp/",     "/CMakeScratch/",
						   "/CompilerIdC/",  "/CompilerIdCXX/",
						   "/meson-private/", NULL };
	bool found = sis_starts(sis_basename(input), "conftest.") || asks_about_compiler(input);
	char *absolute = realpath(input, NULL);
	for (size_t i = 0; absolute && directories[i]; i++)
		found |= strstr(absolute, directories[i]) != NULL;
	free(absolute);
	return found;
}

bool sis_cmdline_is_probe(const struct cmdline *line)
{
	for (size_t i = 0; i < line->count; i++)
		if (line->argument[i].role == ROLE_INPUT && is_probe(line->argument[i].word))
			return true;
	return false;
}
