/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the --sis-* options, and all other words, which are for the compiler. */
#ifndef SISC_OPTIONS_H
#define SISC_OPTIONS_H

#include "common/base.h"

struct options {
	const char *called;    /* argv[0] */
	bool help, list;       /* print, and do nothing else */
	bool off;              /* only run the compiler */
	bool emit;             /* print the instrumented source, compile nothing */
	bool keep;             /* write NAME.sis.c, in keep_dir or the working directory */
	bool explain, verbose;
	bool blame;            /* write what each function computes, for `sis-analyze blame` */
	/* check each instrumented text, not only those with expanded macros */
	bool verify;
	const char *keep_dir;  /* NULL: working directory */
	const char *idf;       /* where the program's description goes; NULL: PROGRAM.idf */
	const char *compiler;  /* --sis-cc, NULL: not given */
	const char *regions;   /* --sis-cr, NULL: not given */
	const char *metrics;   /* --sis-pmetric, NULL: not given */
	const char *exclude, *include; /* --sis-exclude, --sis-include, NULL: not given */
	struct words filters;  /* --sis-filter, in order */
	struct words profiles; /* --sis-profile, in order */
	struct words plugins;  /* --sis-plugin, in order */
	struct words command;  /* the compiler's words as they were given */
	struct words expanded; /* the same, with the words of each @file in its place */
};

int sis_options_parse(struct options *options, int argc, char **argv, struct err *err);
void sis_options_help(void);

#endif
