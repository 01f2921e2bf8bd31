/* SPDX-License-Identifier: BSD-3-Clause */
/* perfetto.h - the state of an export in Perfetto's format, and its packets: shared by the files of
 * that export. */
#ifndef SIS_ANALYSIS_PERFETTO_H
#define SIS_ANALYSIS_PERFETTO_H

#include "base/compress.h"
#include "export/perfetto_fields.h"
#include "export/protobuf.h"
#include "timeline/trace_walk.h"

struct message_range { size_t first, end; }; /* places in the list */

struct perfetto {
	FILE *out;
	struct compressor *gzip;               /* to `out` */
	struct proto packets;            /* that are not compressed yet */
	const struct trace_part *part;
	const struct process *process;   /* that is written, and its thread */
	const struct trace_names *names;
	uint32_t slot;
	uint32_t sequences, tracks;      /* as many have a number, from 1 on */
	uint32_t sequence;               /* that is written */
	/* of the thread's sequence */
	uint32_t track;                  /* of the thread */
	int64_t last_ns;                 /* time of the last event */
	struct map name;                 /* region id -> number of its name and location */
	struct map counter;              /* value id -> its track */
	bool category[SIS_REGION_TYPES]; /* by type: its name was written */
	struct message_range left[2];    /* [receives]: those of later events */
};

/* -- packets (perfetto_packets.c) -------------------------------------------------------------- */

/* Begins a packet of the sequence; flags: SEQUENCE_STARTS or SEQUENCE_CONTINUES. The value is for
 * perfetto_close. */
size_t perfetto_open(struct perfetto *p, unsigned flags);
/* The same with the time of an event. */
size_t perfetto_open_timed(struct perfetto *p, int64_t ns);
void perfetto_close(struct perfetto *p, size_t packet);

/* A name of the program, without control characters. */
void perfetto_put_name(struct proto *out, uint32_t field, const char *name);
/* The name that a number of INTERNED_DATA stands for. */
void perfetto_put_interned(struct proto *out, uint32_t field, uint64_t number, const char *name);

/* -- clocks and tracks (perfetto_tracks.c) ----------------------------------------------------- */

void perfetto_put_clocks(struct perfetto *p);
void perfetto_put_root(struct perfetto *p);
void perfetto_put_process(struct perfetto *p);
/* Begins the sequence of the thread. */
void perfetto_put_sequence(struct perfetto *p);
void perfetto_put_thread(struct perfetto *p);
/* `number`: of the track; id: of the value. */
void perfetto_put_counter(struct perfetto *p, uint32_t number, uint32_t id);

/* -- messages (perfetto_messages.c) ------------------------------------------------------------ */

void perfetto_put_annotation_names(struct perfetto *p);
/* At the begin of a thread. */
void perfetto_find_messages(struct perfetto *p);
/* Adds those of the call that begins or ends now to its event. */
void perfetto_put_messages(struct perfetto *p, bool receives, int64_t ns);

#endif
