/* SPDX-License-Identifier: BSD-3-Clause */
/* run_directory.h - the directory that a run has written: what it holds, and its model. */
#ifndef SIS_ANALYSIS_RUN_DIRECTORY_H
#define SIS_ANALYSIS_RUN_DIRECTORY_H

#include "model/experiment.h"

/* Reads every profile of a directory and builds the model; the other stages have not run. On
 * failure there is nothing to release. */
int experiment_read(struct experiment *x, const char *directory, struct err *err);
/* The two parts of it: reading the profiles, and building the model. */
int experiment_read_profiles(struct experiment *x, const char *directory, struct err *err);
int experiment_model(struct experiment *x, struct err *err);
void experiment_release(struct experiment *x);

struct run_header { char run_id[64]; uint64_t started_ns; };
/* Which run a directory holds, from the header of one of its profiles. False: it has no readable
 * one. */
bool run_directory_peek(const char *directory, struct run_header *run);
/* The directory, in the working directory, of the run that began last; NULL if there is none. The
 * caller frees it. */
char *run_directory_newest(struct run_header *newest);

#endif
