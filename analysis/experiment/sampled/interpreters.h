/* SPDX-License-Identifier: BSD-3-Clause */
/* interpreters.h - programs that execute programs of other languages. */
#ifndef SIS_ANALYSIS_INTERPRETERS_H
#define SIS_ANALYSIS_INTERPRETERS_H

#include "experiment/sampled/sampled.h"

/* Whether the program is an interpreter, by the name of its file. */
bool interpreters_have(const char *program);
/* Says which interpreters did not name the functions that they executed. */
void interpreters_warn(struct sampled *sampled, const struct sampled_process *process,
		       size_t processes);

#endif
