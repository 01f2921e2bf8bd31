/* SPDX-License-Identifier: BSD-3-Clause */
/* perfetto_tracks.c - clocks, processes, threads and counters of Perfetto's format. One thread.
 *
 * Times are those of the first process's monotonic clock, like all of the experiment. So Perfetto
 * can show them together with a trace of the system, and knows the time of day. */
#include <inttypes.h>
#include <stdlib.h>

#include "export/perfetto.h"

/* -- clocks ------------------------------------------------------------------------------------ */

static void put_clock(struct proto *out, uint64_t id, int64_t ns, bool incremental)
{
	size_t clock = proto_open(out, SNAPSHOT_CLOCK);
	proto_uint(out, CLOCK_ID, id);
	proto_int(out, CLOCK_TIMESTAMP, ns);
	if (incremental)
		proto_uint(out, CLOCK_INCREMENTAL, true);
	proto_close(out, clock);
}

static int64_t time_of_day_at_start(const struct trace_part *part)
{
	const struct process *first = &part->x->model.process.at[0];
	return (int64_t)first->profile.head.start.realtime_ns + part->start_ns - first->start_ns;
}

void perfetto_put_clocks(struct perfetto *p)
{
	size_t packet = perfetto_open(p, SEQUENCE_STARTS);
	size_t snapshot = proto_open(&p->packets, PACKET_CLOCK_SNAPSHOT);
	put_clock(&p->packets, MONOTONIC, p->part->start_ns, false);
	put_clock(&p->packets, REALTIME, time_of_day_at_start(p->part), false);
	proto_uint(&p->packets, SNAPSHOT_PRIMARY, MONOTONIC);
	proto_close(&p->packets, snapshot);
	perfetto_close(p, packet);
}

/* Events of the sequence have its clock, and are on the track, if they do not say otherwise. */
static void put_defaults(struct perfetto *p)
{
	size_t defaults = proto_open(&p->packets, PACKET_DEFAULTS);
	proto_uint(&p->packets, DEFAULT_TIMESTAMP_CLOCK, SEQUENCE_CLOCK);
	size_t event = proto_open(&p->packets, DEFAULT_TRACK_EVENT);
	proto_uint(&p->packets, DEFAULT_EVENT_TRACK, p->track);
	proto_close(&p->packets, event);
	proto_close(&p->packets, defaults);
}

void perfetto_put_sequence(struct perfetto *p)
{
	size_t packet = perfetto_open(p, SEQUENCE_STARTS);
	put_defaults(p);
	perfetto_put_annotation_names(p);
	size_t snapshot = proto_open(&p->packets, PACKET_CLOCK_SNAPSHOT);
	put_clock(&p->packets, MONOTONIC, p->part->start_ns, false);
	put_clock(&p->packets, SEQUENCE_CLOCK, p->part->start_ns, true);
	proto_close(&p->packets, snapshot);
	perfetto_close(p, packet);
}

/* -- tracks ------------------------------------------------------------------------------------ */

struct track { size_t packet, descriptor; };

static struct track open_track(struct perfetto *p, uint32_t number)
{
	struct track track = { .packet = perfetto_open(p, SEQUENCE_CONTINUES) };
	proto_int(&p->packets, PACKET_TIMESTAMP, p->part->start_ns);
	proto_uint(&p->packets, PACKET_TIMESTAMP_CLOCK, MONOTONIC);
	track.descriptor = proto_open(&p->packets, PACKET_TRACK_DESCRIPTOR);
	proto_uint(&p->packets, TRACK_UUID, number);
	return track;
}

static void close_track(struct perfetto *p, struct track track)
{
	proto_close(&p->packets, track.descriptor);
	perfetto_close(p, track.packet);
}

/* Processes and threads are shown in the order of their numbers. */
void perfetto_put_root(struct perfetto *p)
{
	struct track track = open_track(p, 0);
	proto_uint(&p->packets, TRACK_PROCESS_ORDER, ORDER_EXPLICIT);
	proto_uint(&p->packets, TRACK_THREAD_ORDER, ORDER_EXPLICIT);
	close_track(p, track);
}

/* A process has the number of its first thread, because for Perfetto that is its main thread. */
static uint64_t process_number(const struct process *process)
{
	return trace_thread_number(process, 0);
}

void perfetto_put_process(struct perfetto *p)
{
	struct track track = open_track(p, ++p->tracks);
	char *name = trace_process_name(p->process);
	size_t process = proto_open(&p->packets, TRACK_PROCESS);
	proto_uint(&p->packets, PROCESS_PID, process_number(p->process));
	proto_string(&p->packets, PROCESS_NAME, name);
	proto_close(&p->packets, process);
	proto_uint(&p->packets, TRACK_RANK, p->process->index);
	close_track(p, track);
	free(name);
}

void perfetto_put_thread(struct perfetto *p)
{
	struct track track = open_track(p, p->track);
	char *name = mem_print("thread %" PRIu32, p->slot);
	size_t thread = proto_open(&p->packets, TRACK_THREAD);
	proto_uint(&p->packets, THREAD_PID, process_number(p->process));
	proto_uint(&p->packets, THREAD_TID, trace_thread_number(p->process, p->slot));
	proto_string(&p->packets, THREAD_NAME, name);
	proto_close(&p->packets, thread);
	proto_uint(&p->packets, TRACK_RANK, p->slot);
	close_track(p, track);
	free(name);
}

void perfetto_put_counter(struct perfetto *p, uint32_t number, uint32_t id)
{
	struct track track = open_track(p, number);
	char *name = trace_names_value(p->names, id);
	proto_uint(&p->packets, TRACK_PARENT, p->track);
	perfetto_put_name(&p->packets, TRACK_NAME, name);
	proto_close(&p->packets, proto_open(&p->packets, TRACK_COUNTER));
	close_track(p, track);
	free(name);
}
