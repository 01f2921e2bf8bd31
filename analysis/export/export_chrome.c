/* SPDX-License-Identifier: BSD-3-Clause */
/* export_chrome.c - traces as Trace Event JSON, for chrome://tracing and ui.perfetto.dev. Owns the
 * names of one process at a time; one thread. An event is some 60 bytes, so it is for small traces:
 * export_perfetto.c is for all.
 *
 *   M    names of processes and threads
 *   B E  a region begins, ends
 *   i    events were dropped here
 *   C    a number that the program gave
 *   s f  a message
 *
 * Times are microseconds since the run's start, on the clock that the profiles of all processes
 * were brought to. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "export/export_trace.h"

typedef VEC(char *) quoted_names; /* by id, with quotation marks; NULL: unknown */

struct chrome {
	FILE *out;
	bool some;                 /* whether events were written */
	const struct trace_part *part;
	const struct process *process;
	uint32_t slot;             /* of the thread that is written */
	quoted_names region, value; /* of the process */
};

/* -- events ------------------------------------------------------------------------------------ */

/* Writes the begin of an event of this phase, up to "ts". The caller adds members, each after a
 * comma, and closes the event. */
static void put_event(struct chrome *c, char phase, const struct process *process, uint32_t slot,
		      int64_t ns)
{
	int64_t since = ns > c->part->start_ns ? ns - c->part->start_ns : 0;
	fprintf(c->out, "%s{\"ph\":\"%c\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64 ",\"ts\":%" PRId64
		".%03d", c->some ? ",\n" : "", phase, (uint64_t)process->index + 1,
		trace_thread_number(process, slot), since / 1000, (int)(since % 1000));
	c->some = true;
}

static void put_here(struct chrome *c, char phase, int64_t ns)
{
	put_event(c, phase, c->process, c->slot, ns);
}

/* -- names ------------------------------------------------------------------------------------- */

static char *quoted(const char *name)
{
	char *text = NULL;
	size_t length = 0;
	struct json json;
	FILE *out = open_memstream(&text, &length);
	if (!out)
		return mem_string("\"?\"");
	json_init(&json, out);
	json.depth = 1; /* the value is inside of a larger one, so no line end follows it */
	json_string(&json, name);
	fclose(out);
	return text;
}

static void release_names(quoted_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->at[i]);
	vec_free(names);
}

/* Names are quoted once, and not for each event. */
static void quote_names(struct chrome *c, const struct trace_names *names)
{
	release_names(&c->region);
	release_names(&c->value);
	for (size_t i = 0; i < names->region.n; i++)
		*vec_push(&c->region) = names->region.at[i].name ?
			quoted(names->region.at[i].name) :
			NULL;
	for (size_t i = 0; i < names->value.n; i++)
		*vec_push(&c->value) = names->value.at[i] ? quoted(names->value.at[i]) : NULL;
}

static void put_name(struct chrome *c, const quoted_names *names, const char *what, uint32_t id)
{
	if (id < names->n && names->at[id])
		fprintf(c->out, ",\"name\":%s", names->at[id]);
	else
		fprintf(c->out, ",\"name\":\"%s %" PRIu32 "\"", what, id);
}

/* -- the writer -------------------------------------------------------------------------------- */

enum { EVENT_BYTES = 60, MANY_BYTES = 200000000 };

/* Viewers read the whole file into memory as a tree, which takes many times its size. */
static void warn_size(uint64_t events)
{
	if (events > MANY_BYTES / EVENT_BYTES)
		fprintf(stderr, "sis-analyze: warning: this makes about %.1f GB of JSON, more than "
			"most viewers can read; use --format perfetto, or export a part: --window, "
			"--process, --thread\n", (double)events * EVENT_BYTES / 1e9);
}

static void start(void *self, const struct trace_part *part)
{
	struct chrome *c = self;
	c->part = part;
	warn_size(part->events);
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", c->out);
}

static void put_metadata(struct chrome *c, const char *what, uint32_t slot, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
static void put_metadata(struct chrome *c, const char *what, uint32_t slot, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	put_event(c, 'M', c->process, slot, c->part->start_ns);
	fprintf(c->out, ",\"name\":\"%s\",\"args\":{", what);
	vfprintf(c->out, format, arguments);
	fputs("}}", c->out);
	va_end(arguments);
}

static void begin_process(void *self, const struct process *process, const struct trace *trace,
			  const struct trace_names *names)
{
	(void)trace;
	struct chrome *c = self;
	char *name = trace_process_name(process);
	c->process = process;
	put_metadata(c, "process_name", 0, "\"name\":\"%s\"", name);
	put_metadata(c, "process_sort_index", 0, "\"sort_index\":%" PRIu32, process->index);
	quote_names(c, names);
	free(name);
}

static void begin_stream(void *self, uint32_t slot)
{
	struct chrome *c = self;
	c->slot = slot;
	put_metadata(c, "thread_name", slot, "\"name\":\"thread %" PRIu32 "\"", slot);
	put_metadata(c, "thread_sort_index", slot, "\"sort_index\":%" PRIu32, slot);
}

static void put_region(struct chrome *c, char phase, uint32_t id, int64_t ns)
{
	put_here(c, phase, ns);
	put_name(c, &c->region, "region", id);
	putc('}', c->out);
}

static void enter(void *self, uint32_t id, int64_t ns) { put_region(self, 'B', id, ns); }

/* Ends have names, too, because some viewers pair events by name only. */
static void leave(void *self, uint32_t id, int64_t ns) { put_region(self, 'E', id, ns); }

static void dropped(void *self, uint64_t events, int64_t ns)
{
	struct chrome *c = self;
	put_here(c, 'i', ns);
	fprintf(c->out, ",\"s\":\"t\",\"name\":\"%" PRIu64 " events dropped\"}", events);
}

static void value(void *self, uint32_t id, double value, int64_t ns)
{
	struct chrome *c = self;
	put_here(c, 'C', ns);
	fprintf(c->out, ",\"id\":%" PRIu32, c->slot);
	put_name(c, &c->value, "value", id);
	fprintf(c->out, ",\"args\":{\"value\":%.17g}}", value);
}

/* -- messages ---------------------------------------------------------------------------------- */

static void put_end(struct chrome *c, char phase, const struct trace_message *m, size_t id,
		    int64_t ns)
{
	put_event(c, phase, &c->part->x->model.process.at[m->process], m->slot, ns);
	fprintf(c->out, ",\"name\":\"message\",\"cat\":\"message\",\"id\":%zu%s}", id,
		phase == 'f' ? ",\"bp\":\"e\"" : "");
}

static bool is_shown(const struct chrome *c, const struct trace_message *m)
{
	return trace_part_has(c->part, m->process, m->slot, m->ns);
}

/* An arrow for each message. Viewers bind its end to the slice around its time, so it ends just
 * before the receiving call is left. */
static void end(void *self)
{
	struct chrome *c = self;
	const trace_messages *list = c->part->message;
	for (size_t i = 0; i < list->n && !list->at[i].receives; i++) {
		const struct trace_message *from = &list->at[i],
					   *to = from->other == NONE ? NULL :
								       &list->at[from->other];
		if (!to || !is_shown(c, from) || !is_shown(c, to))
			continue;
		put_end(c, 's', from, i, from->ns);
		put_end(c, 'f', to, i, to->ns - 1);
	}
	fputs("\n]}\n", c->out);
	release_names(&c->region);
	release_names(&c->value);
}

int export_chrome(const struct export_job *job, struct err *err)
{
	static const struct trace_writer writer = {
		.start = start,
		.process = begin_process,
		.stream = begin_stream,
		.enter = enter,
		.leave = leave,
		.dropped = dropped,
		.value = value,
		.end = end,
	};
	struct chrome chrome = { .out = job->out };
	return export_trace(job, &writer, &chrome, err);
}
