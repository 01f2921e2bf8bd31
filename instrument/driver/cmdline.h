/* SPDX-License-Identifier: BSD-3-Clause */
/* cmdline.h - the words of a compiler's command line, classified. */
#ifndef SISC_CMDLINE_H
#define SISC_CMDLINE_H

#include "common/base.h"
#include "driver/language.h"

enum role {
	ROLE_FLAG, /* for the compilation, or unknown: stays in its position */
	ROLE_INPUT,
	ROLE_OUTPUT,	 /* -o and its value */
	ROLE_STAGE,	 /* -c -S */
	ROLE_LANGUAGE,	 /* -x and its value */
	ROLE_DEPENDENCY, /* -MD -MF ... */
	ROLE_LIBRARY, /* -l, shared libraries, archives by name: their order matters to the link */
	ROLE_LINKER,  /* -L -Wl, -Xlinker: for the link only */
};

enum stage { STAGE_LINK, STAGE_OBJECT, STAGE_ASSEMBLY, STAGE_NONE /* -E, --version ... */ };

struct argument {
	const char *word;
	enum role role;
	const struct language *language; /* inputs; NULL: sisc does not know it */
	bool is_read;          /* inputs: sisc adds probes to it */
	bool is_preprocessed;  /* inputs: sisc reads it, and it is preprocessed already */
	bool is_c_family;      /* inputs: C or C++ that is not preprocessed yet */
	/* inputs: a header to be precompiled, or standard input without -x */
	bool is_header;
};

struct cmdline {
	struct argument *argument;
	size_t count;
	enum stage stage;
	const char *output;    /* NULL: the compiler's default */
	size_t inputs, sources, read_inputs; /* all; all but libraries; those that sisc reads */
	bool cplusplus;        /* set before parsing: the compiler treats .c files as C++ */
	size_t stdin_inputs;   /* inputs named `-` */
	bool preprocesses;     /* -E */
	bool unfinished;       /* the last option lacks its value; the compiler reports it */
	/* -shared, -static, -r, -nostdlib and the like */
	bool shared, is_static, relocatable, bare;
	bool openmp;           /* -fopenmp */
	/* code for a device is compiled, too: clang reads its input twice */
	bool offloads;
	/* the option with which gcov or llvm-cov counts the lines of the source; NULL: none */
	const char *coverage;
	/* the compiler writes more files, named after the output: coverage, -save-temps ... */
	bool auxiliary;
	const char *dump_prefix; /* -dumpdir; NULL: not given */
	const char *save_temps; /* -save-temps[=WHERE]: "", "cwd" or "obj"; NULL: not given */
	bool dependencies;     /* -MD or -MMD, or -Wp, with one of them */
	/* -Wp,-MD: GCC names the target of its rule after the input, not after -o */
	bool names_by_input;
	const char *dependency_file, *dependency_target; /* -MF; -MT or -MQ; NULL: default */
};

void sis_cmdline_parse(struct cmdline *line, const struct words *words);

/* The words whose role is in the set `roles` (bits 1 << ROLE_*), in order. */
void sis_cmdline_words(const struct cmdline *line, unsigned roles, struct words *out);

#define SIS_CMDLINE_MARK "-D__SISC__=1"

/* Adds the definition of __SISC__ if C or C++ is compiled. The definition must precede the user's
 * words, which may undefine it. The definition is not added if nothing is compiled, because clang
 * warns about unused options. `done` says for each argument whether the input is compiled already.
 * `done` is NULL if no input is compiled. */
void sis_cmdline_mark(const struct cmdline *line, const bool *done, struct words *out);

/* Adds a directory that has <sis/sis.h> and nothing else, to be searched after all others. So the
 * search in the user's directories does not change. It is a directory that no user names. */
void sis_cmdline_add_headers(struct words *out);
/* Adds this directory only if an input may include headers. `done` is as above. */
void sis_cmdline_headers(const struct cmdline *line, const bool *done, struct words *out);

/* Whether an input is a test program of a build system that examines the compiler. Such sources are
 * compiled untouched. */
bool sis_cmdline_is_probe(const struct cmdline *line);

#endif
