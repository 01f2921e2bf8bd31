/* SPDX-License-Identifier: BSD-3-Clause */
/* sampled.h - functions and lines from samples, for code in which no regions were measured.
 *
 * The stage adds nodes to the profiles of a run, as if the runtime had measured the functions that
 * the samples show. The stages after it treat these nodes as others:
 *
 *      measured        samples in it                      with sampled functions
 *      run             solve < main          180          run
 *      |-- parallel    body < ... < main      40          `-- main
 *      `-- MPI_Recv    recv < swap < main     20              |-- solve
 *                                                             |-- parallel
 *                                                             |   `-- body
 *                                                             `-- swap
 *                                                                 `-- MPI_Recv
 *
 * A measured node keeps its times. It moves below the longest path of functions that all samples in
 * it have in common. If it is a call whose place is known, it is below the function that has the
 * place. The time of a function is that of its samples, and of the measured nodes below it. */
#ifndef SIS_ANALYSIS_SAMPLED_H
#define SIS_ANALYSIS_SAMPLED_H

#include "experiment/code/run_modules.h"

/* A region with an id from this one on is sampled.function[id - SAMPLED_ID]. The runtime numbers
 * regions from 1. */
#define SAMPLED_ID 0x80000000u

struct sampled_function {
	char *name;              /* as in the source; MODULE+0xADDRESS: not known */
	char *module;            /* path of the program or library */
	char *file, *directory;  /* file as debug information or a perf map names it, and where a
	                          * relative name begins; NULL: not known */
	uint32_t line;           /* where the function is declared; 0: not known */
	bool in_program;         /* it is in the program's own file */
	bool is_python;          /* it is written in Python, and its perf map names it */
};

/* A place that calls a routine of MPI, or in which threads wait (profile.call). */
struct sampled_call {
	char *builtin;           /* name of the built-in region */
	uint32_t function;       /* the function that has the place */
	char *file, *directory;  /* as in struct sampled_function, of the place; NULL: not known */
	uint32_t line;
};

/* Samples of a thread at a line: that of the innermost function with lines, outside of libc. */
struct sampled_line {
	char *file;              /* absolute path, or as debug information names it; NULL: none of
	                          * the functions has lines */
	uint32_t line;           /* 0 without a file */
	const struct stacks *stacks; /* of the process */
	uint32_t slot;           /* SIS_NO_SLOT: the thread has none */
	uint32_t process;        /* index into model.process, or NONE; set when the model is
	                          * built */
	uint64_t samples, weight;
};

struct sampled {
	VEC(struct sampled_function) function; /* of all processes */
	VEC(struct sampled_call) call; /* likewise */
	char *build;             /* identifies the program's file; NULL: there are no samples */
	uint64_t samples;        /* that are in nodes of the profiles */
	VEC(struct sampled_line) line;
	VEC(char *) warning;
};

/* A process and its samples. number: of the process in the modules. */
struct sampled_process { struct profile *profile; const struct stacks *stacks; uint32_t number; };

/* Adds the nodes. The places in the modules have been found. The caller releases `sampled`, also
 * after a failure. */
int sampled_find(struct sampled *sampled, const struct run_modules *modules,
		 const struct sampled_process *process, size_t processes, struct err *err);
void sampled_release(struct sampled *sampled);

#endif
