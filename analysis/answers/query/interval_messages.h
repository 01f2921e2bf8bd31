/* SPDX-License-Identifier: BSD-3-Clause */
/* interval_messages.h - makes a table of what was sent in an interval of the run, for SQL
 * statements. */
#ifndef SIS_ANALYSIS_INTERVAL_MESSAGES_H
#define SIS_ANALYSIS_INTERVAL_MESSAGES_H

#include "repository/database/repository.h"

/* Which of the interval's values are not sums over its single calls. */
struct interval_messages {
	/* bytes of collective operations, estimated from the bytes in the whole run */
	int64_t divided_bytes;
	int64_t grown_calls;   /* calls of processes whose logs were full */
};

/* Reads the profiles and traces of an experiment, and makes temp.message of the interval from
 * `from_ns` to `to_ns` after the begin of the run; to_ns < 0: to its end. From now on, statements
 * that name no schema read temp.message instead of the stored table. `command` is named in
 * errors. */
int interval_messages_load(struct repo *repo, int64_t experiment, int64_t from_ns, int64_t to_ns,
			   const char *command, struct interval_messages *m, struct err *err);

#endif
