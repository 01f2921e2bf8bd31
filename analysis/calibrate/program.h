/* SPDX-License-Identifier: BSD-3-Clause */
/* program.h - runs a program and takes its results: lines of KEY, tab, number. */
#ifndef SIS_ANALYSIS_PROGRAM_H
#define SIS_ANALYSIS_PROGRAM_H

#include <sched.h>

#include "base/err.h"
#include "base/mem.h"

struct program {
	const char *argv[8];         /* ended by NULL; argv[0] is a path */
	/* NAME=VALUE, ended by NULL. From the caller's environment the program gets no SIS_*
	 * variable, and none of OpenMP. */
	const char *variables[12];
	const cpu_set_t *cpus;       /* on which it runs */
	const char *directory;       /* where; what it says to stderr goes into a file `messages` */
	unsigned most_seconds;       /* after which it is killed */
};

struct answer { char *key; double value; };
typedef VEC(struct answer) answer_list;

/* Fails if the program does not end with status 0, or says nothing. */
int program_run(const struct program *program, answer_list *answers, struct err *err);
/* NaN: it is not there. */
double answer_of(const answer_list *answers, const char *key);
void answers_release(answer_list *answers);

#endif
