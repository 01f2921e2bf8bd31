/* SPDX-License-Identifier: BSD-3-Clause */
/* perfetto_tracks.c - writes clocks, processes, threads and counters in Perfetto's format. One
 * thread.
 *
 * All times are those of the first process's monotonic clock, as everywhere in an experiment. So
 * Perfetto can show the traces beside a trace of the system, and knows the time of day of each
 * event. */
#include <inttypes.h>
#include <stdlib.h>

#include "answers/export/perfetto.h"

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

void perfetto_put_clocks(struct perfetto *p)
{
	const struct process *first = &p->part->x->model.process.at[0];
	int64_t time_of_day = (int64_t)first->profile.head.start.realtime_ns + p->part->start_ns -
		first->start_ns;
	size_t packet = perfetto_open(p, SEQUENCE_STARTS);
	size_t snapshot = proto_open(&p->packets, PACKET_CLOCK_SNAPSHOT);
	put_clock(&p->packets, MONOTONIC, p->part->start_ns, false);
	put_clock(&p->packets, REALTIME, time_of_day, false);
	proto_uint(&p->packets, SNAPSHOT_PRIMARY, MONOTONIC);
	proto_close(&p->packets, snapshot);
	perfetto_close(p, packet);
}

/* Sets the defaults of the sequence: events that name no clock have the sequence's clock, and
 * events that name no track have the thread's track. */
void perfetto_put_sequence(struct perfetto *p)
{
	size_t packet = perfetto_open(p, SEQUENCE_STARTS);
	size_t defaults = proto_open(&p->packets, PACKET_DEFAULTS);
	proto_uint(&p->packets, DEFAULT_TIMESTAMP_CLOCK, SEQUENCE_CLOCK);
	size_t event = proto_open(&p->packets, DEFAULT_TRACK_EVENT);
	proto_uint(&p->packets, DEFAULT_EVENT_TRACK, p->track);
	proto_close(&p->packets, event);
	proto_close(&p->packets, defaults);
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

/* Describes the root track, so that processes and threads are shown in the order of their
 * numbers. */
void perfetto_put_root(struct perfetto *p)
{
	struct track track = open_track(p, 0);
	proto_uint(&p->packets, TRACK_PROCESS_ORDER, ORDER_EXPLICIT);
	proto_uint(&p->packets, TRACK_THREAD_ORDER, ORDER_EXPLICIT);
	close_track(p, track);
}

/* The number of a process is that of its first thread, because Perfetto then shows this thread as
 * the main thread. */
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
