/* SPDX-License-Identifier: BSD-3-Clause */
/* perfetto.h - what the files of the export in Perfetto's format share: its state, and functions
 * that write packets. */
#ifndef SIS_ANALYSIS_PERFETTO_H
#define SIS_ANALYSIS_PERFETTO_H

#include "base/compress.h"
#include "answers/export/perfetto_fields.h"
#include "answers/export/protobuf.h"
#include "experiment/timeline/trace_walk.h"

struct message_range { size_t first, end; }; /* indexes in the list of messages */

struct perfetto {
	FILE *out;
	struct compressor *gzip;               /* to `out` */
	struct proto packets;            /* not compressed yet */
	const struct trace_part *part;
	const struct process *process;   /* process of the thread being written */
	const struct trace_names *names;
	uint32_t slot;
	uint32_t sequences, tracks;      /* how many have a number; the first is 1 */
	uint32_t sequence;               /* number for the thread being written */
	/* state of the sequence */
	uint32_t track;                  /* of the thread */
	int64_t last_ns;                 /* time of the last event */
	struct map name;                 /* region id -> number of its name and location */
	struct map counter;              /* value id -> its track */
	bool category[SIS_REGION_TYPES]; /* by region type: its name was written */
	struct message_range left[2];    /* by `receives`: messages not written yet */
};

/* -- packets (perfetto_packets.c) -------------------------------------------------------------- */

/* Begins a packet of the sequence; flags: SEQUENCE_STARTS or SEQUENCE_CONTINUES. The result is for
 * perfetto_close. */
size_t perfetto_open(struct perfetto *p, unsigned flags);
/* Begins a packet that has the time of an event. */
size_t perfetto_open_timed(struct perfetto *p, int64_t ns);
void perfetto_close(struct perfetto *p, size_t packet);

/* Writes a name that the program chose, without its control characters. */
void perfetto_put_name(struct proto *out, uint32_t field, const char *name);
/* Writes the name that a number stands for from now on, as an entry of INTERNED_DATA. */
void perfetto_put_interned(struct proto *out, uint32_t field, uint64_t number, const char *name);

/* -- clocks and tracks (perfetto_tracks.c) ----------------------------------------------------- */

void perfetto_put_clocks(struct perfetto *p);
void perfetto_put_root(struct perfetto *p);
void perfetto_put_process(struct perfetto *p);
/* Begins the sequence of the thread. */
void perfetto_put_sequence(struct perfetto *p);
void perfetto_put_thread(struct perfetto *p);
/* Describes the track of a value. `number` is the number of the track, `id` the id of the value. */
void perfetto_put_counter(struct perfetto *p, uint32_t number, uint32_t id);

/* -- messages (perfetto_messages.c) ------------------------------------------------------------ */

void perfetto_put_annotation_names(struct perfetto *p);
/* Finds the messages of the thread whose sequence begins. */
void perfetto_find_messages(struct perfetto *p);
/* Adds the messages of the call that begins or ends at `ns` to the event that is open. */
void perfetto_put_messages(struct perfetto *p, bool receives, int64_t ns);

#endif
