/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_messages.h - messages, as the calls in a trace that sent and received them. */
#ifndef SIS_ANALYSIS_TRACE_MESSAGES_H
#define SIS_ANALYSIS_TRACE_MESSAGES_H

#include "model/experiment.h"

struct trace_message { /* one end of a message, or an access to another process's memory */
	uint32_t process, slot;
	bool receives;
	/* when the call began that sends or accesses, or the call ended that receives */
	int64_t ns;
	uint64_t bytes;
	uint32_t peer;  /* process; NONE: it left no profile */
	int32_t tag;    /* -1: an access to memory */
	uint32_t other; /* the other end, by its place in the list; NONE: unknown */
	uint32_t operation; /* of sync events, if the other end is known */
};
/* Sends and accesses, then receives; each by process, slot, time and peer. */
typedef VEC(struct trace_message) trace_messages;

/* Lists the messages of an experiment that has been matched. */
void trace_messages_list(trace_messages *list, const struct experiment *x);
/* The place of the first that a slot receives, or sends, at this time or later. */
size_t trace_messages_first(const trace_messages *list, uint32_t process, uint32_t slot,
			    bool receives, int64_t ns);

#endif
