/* SPDX-License-Identifier: BSD-3-Clause */
/* export_trace.c - opens the traces of an experiment for the formats of time lines. One thread. */
#include "answers/export/export_trace.h"

#include "experiment/match/match.h"
#include "answers/query/traced_run.h"

int export_trace(const struct export_job *job, const struct trace_writer *writer, void *self,
		 struct err *err)
{
	struct traced_run run;
	trace_messages messages;
	if (traced_run_open(&run, job->repo, job->experiment, "export", err))
		return ERR_FAILED;
	match_waits(&run.x, &run.x.match, &run.x.warning);
	trace_messages_list(&messages, &run.x);
	struct trace_part part = trace_part_of(&run.x, job->from_ns, job->to_ns, job->process,
					       job->thread);
	part.message = &messages;
	traced_run_warn(&run, trace_walk(&part, &run.traces, writer, self));
	vec_free(&messages);
	traced_run_release(&run);
	return 0;
}
