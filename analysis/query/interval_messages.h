/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_messages.h - what was sent in an interval of the run, as rows for statements. */
#ifndef SIS_ANALYSIS_INTERVAL_MESSAGES_H
#define SIS_ANALYSIS_INTERVAL_MESSAGES_H

#include "repository/repository.h"

/* What of the interval's values is no sum over single calls. */
struct interval_messages {
	int64_t divided_bytes; /* of collective operations: their calls share those of the run */
	int64_t grown_calls;   /* of processes whose logs were full */
};

/* Reads the profiles and traces of an experiment, and makes temp.message of the interval from
 * `from_ns` to `to_ns` after the begin of the run; to_ns < 0: to its end. Statements that name no
 * schema read it instead of the stored table from now on. `command` is named in errors. */
int interval_messages_load(struct repo *repo, int64_t experiment, int64_t from_ns, int64_t to_ns,
			   const char *command, struct interval_messages *m, struct err *err);

#endif
