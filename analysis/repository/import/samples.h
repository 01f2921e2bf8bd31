/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.h - the samples of a run (SIS_BLAME): their files, and the functions that they show. */
#ifndef SIS_ANALYSIS_SAMPLES_H
#define SIS_ANALYSIS_SAMPLES_H

#include "experiment/model/experiment.h"

/* Reads the files, and adds the functions to the profiles (experiment/sampled/). The profiles have
 * been read, and the model is not built yet. Each failure is only a warning in x->warning. */
void samples_read(struct experiment *x);
/* The process that wrote the samples: an index into model.process, or NONE. */
uint32_t samples_process(const struct experiment *x, const struct stacks *stacks);
/* Sets the processes of lines, when the model is built. */
void samples_settle(struct experiment *x);
void samples_release(struct experiment_run *run);

#endif
