/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_messages.h - the messages of a run, with the times and threads of the calls that sent and
 * received them. */
#ifndef SIS_ANALYSIS_TRACE_MESSAGES_H
#define SIS_ANALYSIS_TRACE_MESSAGES_H

#include "experiment/model/experiment.h"

struct trace_message { /* one end of a message, or an access to another process's memory */
	uint32_t process, slot;
	bool receives;
	/* the begin of the call that sends or accesses, or the end of the call that receives */
	int64_t ns;
	uint64_t bytes;
	uint32_t peer;  /* process; NONE: it left no profile */
	int32_t tag;    /* -1: an access to memory */
	uint32_t other; /* index in the list of the other end; NONE: unknown */
	uint32_t operation; /* as in sync events, if the other end is known */
};
/* Sends and accesses come first, then receives. Both are sorted by process, slot, time and peer. */
typedef VEC(struct trace_message) trace_messages;

/* Lists the messages of an experiment that has been matched. */
void trace_messages_list(trace_messages *list, const struct experiment *x);
/* The index of the first message that a slot receives or, if not `receives`, sends at `ns` or
 * later. */
size_t trace_messages_first(const trace_messages *list, uint32_t process, uint32_t slot,
			    bool receives, int64_t ns);

#endif
