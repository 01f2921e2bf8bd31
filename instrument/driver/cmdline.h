/* SPDX-License-Identifier: BSD-3-Clause */
/* cmdline.h - what each word of a compiler's command line is. */
#ifndef SISC_CMDLINE_H
#define SISC_CMDLINE_H

#include "common/base.h"

enum role {
	ROLE_FLAG,      /* of the compilation, or unknown: kept wherever it stands */
	ROLE_INPUT,
	ROLE_OUTPUT,    /* -o and its value */
	ROLE_STAGE,     /* -c -S */
	ROLE_LANGUAGE,  /* -x and its value */
	ROLE_DEPENDENCY,/* -MD -MF ... */
	ROLE_LIBRARY,   /* -l, shared libraries, archives by name: places in the link line */
	ROLE_LINKER,    /* -L -Wl, -Xlinker: of the link only */
};

enum stage { STAGE_LINK, STAGE_OBJECT, STAGE_ASSEMBLY, STAGE_NONE /* preprocessing, questions */ };

struct argument {
	const char *word;
	enum role role;
	bool is_c;             /* inputs: C source, in a file or from standard input */
	bool is_preprocessed;  /* inputs: C that is preprocessed already */
	bool is_c_family;      /* inputs: C or C++ that is yet to be preprocessed */
	/* inputs: likewise, to be precompiled; or standard input that is only preprocessed */
	bool is_header;
};

struct cmdline {
	struct argument *argument;
	size_t count;
	enum stage stage;
	const char *output;    /* NULL: the compiler's default */
	size_t inputs, sources, c_inputs; /* all; those that are no libraries; C among them */
	bool cplusplus;        /* set before parsing: the compiler takes a .c file for C++ */
	size_t stdin_inputs;   /* inputs named `-` */
	bool preprocesses;     /* -E */
	/* -shared, -static, -r, -nostdlib and the like */
	bool shared, is_static, relocatable, bare;
	bool openmp;           /* -fopenmp */
	/* the option that has gcov or llvm-cov count the lines of the source; NULL: none */
	const char *coverage;
	/* asks for files named after the output: coverage, -save-temps, ... */
	bool auxiliary;
	bool dependencies;     /* -MD or -MMD, or -Wp, with one of them */
	bool names_by_input;    /* -Wp,-MD: GCC names its rule after the input, whatever -o says */
	const char *dependency_file, *dependency_target; /* -MF; -MT or -MQ; NULL: default */
};

void sis_cmdline_parse(struct cmdline *line, const struct words *words);

/* The words whose role is in the set `roles` (bits 1 << ROLE_*), in order. */
void sis_cmdline_words(const struct cmdline *line, unsigned roles, struct words *out);

#define SIS_CMDLINE_MARK "-D__SISC__=1"

/* Defines __SISC__ if C or C++ is compiled, before the user's words, which may undefine it. Else it
 * is not defined, because clang warns about unused options. `done`: by argument, whether the input
 * is compiled already; or NULL. */
void sis_cmdline_mark(const struct cmdline *line, const bool *done, struct words *out);

/* Lets the compiler find <sis/sis.h>, after all other directories, in a directory that holds
 * nothing else. So the user's directories are searched as before, and none of them is the same
 * directory. */
void sis_cmdline_add_headers(struct words *out);
/* The same if there is such an input; `done` as above. */
void sis_cmdline_headers(const struct cmdline *line, const bool *done, struct words *out);

/* Whether it is a test program of the build system that examines the compiler: such sources are
 * compiled untouched. */
bool sis_cmdline_is_probe(const struct cmdline *line);

#endif
