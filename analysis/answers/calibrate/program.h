/* SPDX-License-Identifier: BSD-3-Clause */
/* program.h - runs a program and reads its results, which are lines of KEY, tab, number. */
#ifndef SIS_ANALYSIS_PROGRAM_H
#define SIS_ANALYSIS_PROGRAM_H

#include <sched.h>

#include "base/err.h"
#include "base/mem.h"

struct program {
	const char *argv[8];         /* ended by NULL; argv[0] is a path */
	/* NAME=VALUE, ended by NULL. They are added to the caller's environment, without its
	 * variables of SIS and of OpenMP. */
	const char *variables[12];
	const cpu_set_t *cpus;       /* the processors on which it runs */
	const char *directory;       /* working directory; stderr goes to its file `messages` */
	unsigned most_seconds;       /* the program is killed after this time */
};

struct answer { char *key; double value; };
typedef VEC(struct answer) answer_list;

/* Fails if the program does not end with status 0, or prints no result. */
int program_run(const struct program *program, answer_list *answers, struct err *err);
/* The value of a key; NaN if the program did not print the key. */
double answer_of(const answer_list *answers, const char *key);
void answers_release(answer_list *answers);

#endif
