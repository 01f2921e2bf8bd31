/* SPDX-License-Identifier: BSD-3-Clause */
/* read.c DIRECTORY - reads all events of the traces in an experiment, and prints what they were.
 * An event is out of order if its time is before that of the event before it, if it enters the
 * region that was left last, or if it leaves what is not open.
 */
#include <inttypes.h>
#include <stdio.h>

#include "experiment/read/trace_files.h"

struct sums { uint64_t enters, leaves, resumes, disorder; };

static void add(struct sums *sums, const struct trace_event *event, uint64_t before,
		uint32_t *entered, int *open)
{
	bool enters = event->kind == TRACE_ENTER, leaves = event->kind == TRACE_LEAVE;
	sums->enters += enters;
	sums->leaves += leaves;
	sums->resumes += event->kind == TRACE_RESUME;
	*open = event->kind == TRACE_RESUME ? (int)event->depth : *open + enters - leaves;
	sums->disorder += event->ticks < before || *open < 0 || (enters && event->id == *entered);
	if (enters || event->kind == TRACE_RESUME)
		*entered = event->id;
}

static void read_slot(struct trace *trace, uint32_t slot, struct sums *sums)
{
	struct trace_cursor cursor;
	struct trace_event event;
	uint64_t before = 0;
	uint32_t entered = 0;
	int open = 0;
	trace_cursor_init(&cursor, trace, slot, 0, UINT64_MAX);
	for (; trace_next(&cursor, &event); before = event.ticks)
		add(sums, &event, before, &entered, &open);
	trace_cursor_release(&cursor);
}

int main(int argc, char **argv)
{
	struct traces traces;
	traces_open(&traces, argc > 1 ? argv[1] : ".");
	for (size_t i = 0; i < traces.trace.n; i++) {
		struct trace *t = &traces.trace.at[i];
		struct sums sums = { 0 };
		for (uint32_t slot = 0; t->block.n && slot <= t->block.at[t->block.n - 1].slot;
		     slot++)
			read_slot(t, slot, &sums);
		printf("%" PRIu64 " enters, %" PRIu64 " leaves, %" PRIu64 " streams, %" PRIu64
		       " out of order; %" PRIu64 " counted, %" PRIu64 " dropped, %" PRIu64
		       " lost, %" PRIu64 " damaged\n",
		       sums.enters, sums.leaves, sums.resumes, sums.disorder, t->events,
		       t->dropped, t->end.lost_events, t->damaged);
	}
	traces_release(&traces);
	return 0;
}
