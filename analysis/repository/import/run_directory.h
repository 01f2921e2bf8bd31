/* SPDX-License-Identifier: BSD-3-Clause */
/* run_directory.h - reads the directory that a run has written, and builds the model of the run. */
#ifndef SIS_ANALYSIS_RUN_DIRECTORY_H
#define SIS_ANALYSIS_RUN_DIRECTORY_H

#include "experiment/model/experiment.h"

/* Reads all files of a directory but traces, and builds the model, without the stages after it. On
 * failure there is nothing to release. */
int experiment_read(struct experiment *x, const char *directory, struct err *err);
/* Parts of experiment_read: reading the profiles, and building the model. */
int experiment_read_profiles(struct experiment *x, const char *directory, struct err *err);
int experiment_model(struct experiment *x, struct err *err);
void experiment_release(struct experiment *x);

struct run_header { char run_id[64]; uint64_t started_ns; };
/* Reads which run a directory has from the header of one of its profiles. Returns false if no
 * profile can be read. */
bool run_directory_peek(const char *directory, struct run_header *run);
/* The directory of the run that began last, among those in the working directory; NULL if there is
 * none. The caller frees it. */
char *run_directory_newest(struct run_header *newest);

#endif
