/* SPDX-License-Identifier: BSD-3-Clause */
/* export_chrome.c - traces as Trace Event JSON, for ui.perfetto.dev and chrome://tracing. Owns what
 * is open in one stream at a time; one thread. The idea: a stream after the other, an event written
 * as it is read, so that memory does not grow with the trace; what begins also ends, whatever is
 * missing between.
 *
 *   M    names of processes and threads
 *   B E  a region begins, ends
 *   i    events were dropped here
 *   C    a number that the program gave
 *   s f  a message (chrome_arrows.c)
 *
 * Times are microseconds since the run's start, on the clock that the profiles of all processes
 * were brought to. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "export/chrome.h"
#include "import/run_directory.h"
#include "timeline/trace_nodes.h"

struct stream { /* a PU that is being written */
	struct chrome *chrome;
	const struct process *process;
	const struct chrome_names *names;
	uint32_t slot;
	VEC(uint32_t) open;  /* ids of open regions, outermost first ... */
	size_t shown;        /* ... the first `shown` have begun in the output */
	int64_t now_ns;      /* time of the last event: times do not decrease */
};

/* -- regions ----------------------------------------------------------------------------------- */

/* Ends have names, too, because some viewers pair events by name only. */
static void put_region(struct stream *s, char phase, uint32_t id, int64_t ns)
{
	const strings *names = &s->names->region;
	chrome_event(s->chrome, phase, s->process->index, s->slot, ns);
	if (id < names->n && names->at[id])
		fprintf(s->chrome->out, ",\"name\":%s}", names->at[id]);
	else
		fprintf(s->chrome->out, ",\"name\":\"region %" PRIu32 "\"}", id);
}

/* Begins all open regions in the output, also those that began before the window. */
static void show(struct stream *s, int64_t ns)
{
	for (; s->shown < s->open.n; s->shown++)
		put_region(s, 'B', s->open.at[s->shown], ns);
}

static void close_to(struct stream *s, size_t left, int64_t ns)
{
	for (; s->open.n > left; s->open.n--)
		if (s->shown == s->open.n) {
			put_region(s, 'E', s->open.at[s->open.n - 1], ns);
			s->shown--;
		}
}

static void leave(struct stream *s, int64_t ns)
{
	if (s->open.n) /* else it ends a region that no block names because it was too deep */
		close_to(s, s->open.n - 1, ns);
}

/* After a gap: regions that were open before it and are open after it are taken to have been open
 * all the time. */
static void resume(struct stream *s, const struct trace_event *event, int64_t ns)
{
	size_t same = 0;
	while (event->depth == event->paths && same < s->open.n && same < event->paths &&
	       s->open.at[same] == event->path[same])
		same++;
	close_to(s, same, ns);
	for (size_t i = same; i < event->paths; i++)
		*vec_push(&s->open) = event->path[i];
}

/* -- streams ----------------------------------------------------------------------------------- */

static void put_dropped(struct stream *s, uint64_t dropped)
{
	chrome_event(s->chrome, 'i', s->process->index, s->slot, s->now_ns);
	fprintf(s->chrome->out, ",\"s\":\"t\",\"name\":\"%" PRIu64 " events dropped\"}", dropped);
}

static void put_value(struct stream *s, const struct trace_event *event)
{
	const strings *names = &s->names->value;
	char text[32];
	snprintf(text, sizeof text, "%.17g", event->value);
	if (strpbrk(text, "ni")) /* "nan" and "inf" have an n or i; JSON has no such numbers */
		return;
	chrome_event(s->chrome, 'C', s->process->index, s->slot, s->now_ns);
	fprintf(s->chrome->out, ",\"id\":%" PRIu32 ",\"name\":", s->slot);
	if (event->id < names->n && names->at[event->id])
		fputs(names->at[event->id], s->chrome->out);
	else
		fprintf(s->chrome->out, "\"value %" PRIu32 "\"", event->id);
	fprintf(s->chrome->out, ",\"args\":{\"value\":%s}}", text);
}

static void take_event(struct stream *s, const struct trace_event *event)
{
	bool inside = s->now_ns >= s->chrome->from_ns;
	if (inside)
		show(s, s->chrome->from_ns > s->chrome->zero_ns ? s->chrome->from_ns : s->now_ns);
	switch (event->kind) {
	case TRACE_RESUME:
		resume(s, event, s->now_ns);
		if (inside && event->dropped)
			put_dropped(s, event->dropped);
		break;
	case TRACE_ENTER:
		*vec_push(&s->open) = event->id;
		break;
	case TRACE_LEAVE:
		leave(s, s->now_ns);
		break;
	case TRACE_VALUE:
		if (inside)
			put_value(s, event);
		break;
	case TRACE_STOP:
		close_to(s, 0, s->now_ns);
		break;
	}
	if (inside)
		show(s, s->now_ns);
}

static void put_stream(struct stream *s, struct trace *trace)
{
	struct trace_cursor cursor;
	struct trace_event event;
	const struct chrome *c = s->chrome;
	const struct clock *clock = &s->process->clock;
	uint64_t from = 0, to = UINT64_MAX;
	/* blocks have their times, so blocks outside of the window are not read */
	for (size_t i = 0; i < trace->block.n; i++) {
		const struct trace_block_position *b = &trace->block.at[i];
		if (b->slot == s->slot && clock_ns(clock, b->first) <= c->from_ns &&
		    b->first > from)
			from = b->first;
		if (b->slot == s->slot && clock_ns(clock, b->first) > c->to_ns && b->first < to)
			to = b->first;
	}
	trace_cursor_init(&cursor, trace, s->slot, from, to);
	bool over = false;
	while (!over && trace_next(&cursor, &event)) {
		int64_t ns = clock_ns(clock, event.ticks);
		over = ns > c->to_ns;
		s->now_ns = over ? c->to_ns : ns > s->now_ns ? ns : s->now_ns;
		if (!over)
			take_event(s, &event);
	}
	trace_cursor_release(&cursor);
	int64_t end = s->process->end_ns < c->to_ns ? s->process->end_ns : c->to_ns;
	/* no event was in the window, but regions were open */
	if (s->now_ns < c->from_ns && end >= c->from_ns)
		show(s, c->from_ns);
	close_to(s, 0, end > s->now_ns && end >= c->from_ns ? end : s->now_ns);
	vec_free(&s->open);
}

/* -- processes --------------------------------------------------------------------------------- */

static void put_name(struct chrome *c, const char *what, uint32_t process, uint32_t thread,
		     const char *format, ...) __attribute__((format(printf, 5, 6)));
static void put_name(struct chrome *c, const char *what, uint32_t process, uint32_t thread,
		     const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	chrome_event(c, 'M', process, thread, c->zero_ns);
	fprintf(c->out, ",\"name\":\"%s\",\"args\":{", what);
	vfprintf(c->out, format, arguments);
	fputs("}}", c->out);
	va_end(arguments);
}

static void put_process(struct chrome *c, struct trace *trace, const struct process *process)
{
	struct chrome_names names;
	const struct sis_profile_header *h = &process->profile.head;
	uint32_t slot = UINT32_MAX;
	put_name(c, "process_name", process->index, 0,
		 "\"name\":\"%s %" PRIu32 " (pid %" PRIu32 ")\"",
		 h->mpi_rank >= 0 ? "rank" : "process", process->index, h->pid);
	put_name(c, "process_sort_index", process->index, 0, "\"sort_index\":%" PRIu32,
		 process->index);
	chrome_names_read(&names, trace);
	for (size_t i = 0; i < trace->block.n; i++) {
		if (trace->block.at[i].slot == slot)
			continue;
		slot = trace->block.at[i].slot;
		if (c->thread >= 0 && c->thread != slot)
			continue;
		put_name(c, "thread_name", process->index, slot, "\"name\":\"thread %" PRIu32 "\"",
			 slot);
		put_name(c, "thread_sort_index", process->index, slot, "\"sort_index\":%" PRIu32,
			 slot);
		struct stream stream = { .chrome = c,
					 .process = process,
					 .names = &names,
					 .slot = slot,
					 .now_ns = INT64_MIN };
		put_stream(&stream, trace);
	}
	chrome_names_release(&names);
}

static void put_traces(struct chrome *c, struct traces *traces)
{
	for (size_t i = 0; i < traces->trace.n; i++) {
		const struct process *process = trace_process(c->x, &traces->trace.at[i]);
		c->unknown += !process;
		if (process && (c->process < 0 || c->process == process->index))
			put_process(c, &traces->trace.at[i], process);
	}
}

/* -- the export -------------------------------------------------------------------------------- */

static int take_directory(void *arg, const struct cell *row, struct err *err)
{
	(void)err;
	*(char **)arg = mem_string(row[0].kind == CELL_TEXT ? row[0].text : "");
	return 0;
}

static void tell_losses(const struct chrome *c, const struct traces *traces)
{
	uint64_t dropped = 0, damaged = 0;
	for (size_t i = 0; i < traces->trace.n; i++) {
		dropped += traces->trace.at[i].dropped + traces->trace.at[i].end.lost_events;
		damaged += traces->trace.at[i].damaged;
	}
	if (dropped)
		fprintf(stderr, "sis-analyze: warning: %" PRIu64 " events of the trace were not "
			"kept: see `sis-analyze show`\n", dropped);
	if (damaged)
		fprintf(stderr, "sis-analyze: warning: %" PRIu64 " places of the trace are damaged "
			"and left out\n", damaged);
	if (traces->unwritten)
		fprintf(stderr, "sis-analyze: warning: %zu traces are empty and left out: their "
			"processes were killed while they started\n", traces->unwritten);
	for (size_t i = 0; i < traces->unreadable.n; i++)
		escape_line(stderr, "sis-analyze: warning: %s; its process is left out",
			    traces->unreadable.at[i]);
	if (c->unknown)
		fprintf(stderr, "sis-analyze: warning: %" PRIu64 " traces have no profile beside "
			"them and are left out\n", c->unknown);
}

static void put_all(const struct export_job *job, struct experiment *x, struct traces *traces)
{
	struct chrome c = {
		.out = job->out,
		.x = x,
		.zero_ns = x->model.start_ns,
		.process = job->process,
		.thread = job->thread,
		.from_ns = x->model.start_ns + job->from_ns,
		.to_ns = job->to_ns < 0 ? INT64_MAX : x->model.start_ns + job->to_ns,
	};
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", c.out);
	put_traces(&c, traces);
	chrome_arrows(&c);
	fputs("\n]}\n", c.out);
	tell_losses(&c, traces);
}

static int fail_without_traces(const struct traces *traces, const char *directory, struct err *err)
{
	if (traces->unreadable.n)
		return err_fail(err, "%s", traces->unreadable.at[0]);
	if (traces->unwritten)
		return err_fail(err, "export: the traces in '%s' are empty: their processes were "
				"killed while they started; run the program again", directory);
	return err_fail(err, "export: no trace in '%s', and only a trace knows when things "
			"happened; run the program with SIS_TRACE=1, or use speedscope, "
			"which shows the stacks", directory);
}

int export_chrome(const struct export_job *job, struct err *err)
{
	char *directory = NULL;
	struct traces traces = { 0 };
	struct experiment x;
	int rc = repo_each(job->repo, take_directory, &directory, err,
			   "SELECT directory FROM experiment WHERE id = ?", "i", job->experiment);
	if (rc == 0)
		traces_open(&traces, directory ? directory : "");
	if (rc == 0 && traces.trace.n == 0)
		rc = fail_without_traces(&traces, directory ? directory : "", err);
	if (rc == 0 && (rc = experiment_read(&x, directory, err)) == 0) {
		put_all(job, &x, &traces);
		experiment_release(&x);
	}
	traces_release(&traces);
	free(directory);
	return rc;
}
