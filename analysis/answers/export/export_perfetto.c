/* SPDX-License-Identifier: BSD-3-Clause */
/* export_perfetto.c - traces in Perfetto's own format, compressed with gzip, for ui.perfetto.dev
 * and Perfetto's trace processor. Owns the state of one sequence; one thread.
 *
 * A file is a list of packets. Each thread is a sequence of packets:
 *
 *     sequence 1          clocks; the processes
 *     sequence 2          its clock and its track; the thread
 *       |                 begin, with the names of what comes for the first time
 *       |                 end ...
 *     sequence 3 ...
 *
 * Two things keep the file small. Names, categories and source locations are written once in a
 * sequence, and are numbers from then on. Times are the nanoseconds since the event before. So most
 * packets have 10 to 20 bytes, one or two of which differ from an earlier packet. After gzip, an
 * event takes less than a byte.
 *
 * A region is a slice. A message is a flow: it begins where the call that sends begins, and ends
 * where the call that receives ends. Both slices have bytes, peers and tags of their messages as
 * annotations. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "answers/export/export_trace.h"
#include "answers/export/perfetto.h"

/* -- regions ----------------------------------------------------------------------------------- */

static const struct trace_region *region_at(const struct perfetto *p, uint32_t id)
{
	static const struct trace_region unknown;
	return id < p->names->region.n ? &p->names->region.at[id] : &unknown;
}

static bool has_location(const struct trace_region *region)
{
	return region->file && region->file[0];
}

/* Writes, once in a sequence, what the number of a region stands for. */
static void put_region(struct perfetto *p, uint32_t id, uint32_t number)
{
	const struct trace_region *region = region_at(p, id);
	char *name = trace_names_region(p->names, id);
	size_t data = proto_open(&p->packets, PACKET_INTERNED_DATA);
	perfetto_put_interned(&p->packets, INTERNED_NAME, number, name);
	if (has_location(region)) {
		size_t location = proto_open(&p->packets, INTERNED_SOURCE_LOCATION);
		proto_uint(&p->packets, INTERNED_ID, number);
		perfetto_put_name(&p->packets, INTERNED_TEXT, region->file);
		perfetto_put_name(&p->packets, LOCATION_FUNCTION, region->function);
		proto_uint(&p->packets, LOCATION_LINE, region->line);
		proto_close(&p->packets, location);
	}
	if (region->type && !p->category[region->type])
		perfetto_put_interned(&p->packets, INTERNED_CATEGORY, region->type,
				      sis_region_table[region->type].name);
	p->category[region->type] = true;
	proto_close(&p->packets, data);
	free(name);
}

/* -- the writer -------------------------------------------------------------------------------- */

static size_t open_event(struct perfetto *p, unsigned type)
{
	size_t event = proto_open(&p->packets, PACKET_TRACK_EVENT);
	proto_uint(&p->packets, EVENT_TYPE, type);
	return event;
}

static void close_event(struct perfetto *p, size_t packet, size_t event)
{
	proto_close(&p->packets, event);
	perfetto_close(p, packet);
}

static void start(void *self, const struct trace_part *part)
{
	struct perfetto *p = self;
	p->part = part;
	p->gzip = compress_new(p->out, COMPRESS_GZIP);
	p->sequence = ++p->sequences;
	perfetto_put_clocks(p);
	perfetto_put_root(p);
}

static void begin_process(void *self, const struct process *process, const struct trace *trace,
			  const struct trace_names *names)
{
	(void)trace;
	struct perfetto *p = self;
	p->process = process;
	p->names = names;
	p->sequence = 1;
	perfetto_put_process(p);
}

static void end_sequence(struct perfetto *p)
{
	map_free(&p->name);
	map_free(&p->counter);
}

static void begin_stream(void *self, uint32_t slot)
{
	struct perfetto *p = self;
	end_sequence(p);
	p->slot = slot;
	p->sequence = ++p->sequences;
	p->track = ++p->tracks;
	p->last_ns = p->part->start_ns;
	memset(p->category, 0, sizeof p->category);
	perfetto_find_messages(p);
	perfetto_put_sequence(p);
	perfetto_put_thread(p);
}

static void enter(void *self, uint32_t id, int64_t ns)
{
	struct perfetto *p = self;
	const struct trace_region *region = region_at(p, id);
	size_t packet = perfetto_open_timed(p, ns);
	bool fresh;
	uint32_t number = map_put(&p->name, id, 0, (uint32_t)p->name.n + 1, &fresh);
	if (fresh)
		put_region(p, id, number);
	size_t event = open_event(p, SLICE_BEGIN);
	proto_uint(&p->packets, EVENT_NAME_ID, number);
	if (region->type)
		proto_uint(&p->packets, EVENT_CATEGORY_ID, region->type);
	if (has_location(region))
		proto_uint(&p->packets, EVENT_SOURCE_LOCATION_ID, number);
	perfetto_put_messages(p, false, ns);
	close_event(p, packet, event);
}

static void leave(void *self, uint32_t id, int64_t ns)
{
	struct perfetto *p = self;
	(void)id; /* Perfetto ends the innermost slice of the track */
	size_t packet = perfetto_open_timed(p, ns), event = open_event(p, SLICE_END);
	perfetto_put_messages(p, true, ns);
	close_event(p, packet, event);
}

static void dropped(void *self, uint64_t events, int64_t ns)
{
	struct perfetto *p = self;
	char *name = mem_print("%" PRIu64 " events dropped", events);
	size_t packet = perfetto_open_timed(p, ns), event = open_event(p, INSTANT);
	proto_string(&p->packets, EVENT_NAME, name);
	close_event(p, packet, event);
	free(name);
}

static void value(void *self, uint32_t id, double value, int64_t ns)
{
	struct perfetto *p = self;
	bool fresh;
	uint32_t track = map_put(&p->counter, id, 0, p->tracks + 1, &fresh);
	if (fresh)
		perfetto_put_counter(p, ++p->tracks, id);
	size_t packet = perfetto_open_timed(p, ns), event = open_event(p, COUNTER);
	proto_uint(&p->packets, EVENT_TRACK, track);
	proto_double(&p->packets, EVENT_DOUBLE_COUNTER, value);
	close_event(p, packet, event);
}

static void end(void *self)
{
	struct perfetto *p = self;
	end_sequence(p);
	compress_write(p->gzip, p->packets.byte.at, p->packets.byte.n);
	compress_finish(p->gzip);
	vec_free(&p->packets.byte);
}

int export_perfetto(const struct export_job *job, struct err *err)
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
	struct perfetto perfetto = { .out = job->out };
	return export_trace(job, &writer, &perfetto, err);
}
