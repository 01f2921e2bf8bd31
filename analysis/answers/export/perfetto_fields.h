/* SPDX-License-Identifier: BSD-3-Clause */
/* perfetto_fields.h - the fields of Perfetto's messages that the export writes, with their numbers
 * from Perfetto's protos/perfetto/trace/. */
#ifndef SIS_ANALYSIS_PERFETTO_FIELDS_H
#define SIS_ANALYSIS_PERFETTO_FIELDS_H

enum { /* Trace: a file */
	TRACE_PACKET = 1,
};

enum { /* TracePacket */
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,  /* trusted_packet_sequence_id */
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_TIMESTAMP_CLOCK = 58,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK_DESCRIPTOR = 60,
};
enum { /* PACKET_SEQUENCE_FLAGS */
	SEQUENCE_STARTS = 1,   /* SEQ_INCREMENTAL_STATE_CLEARED */
	SEQUENCE_CONTINUES = 2,/* SEQ_NEEDS_INCREMENTAL_STATE */
};

enum { /* ClockSnapshot, ClockSnapshot.Clock */
	SNAPSHOT_CLOCK = 1,
	SNAPSHOT_PRIMARY = 2,
	CLOCK_ID = 1,
	CLOCK_TIMESTAMP = 2,
	CLOCK_INCREMENTAL = 3,
};
enum { /* ids of clocks; ids from 64 on belong to one sequence */
	REALTIME = 1,
	MONOTONIC = 3,
	SEQUENCE_CLOCK = 64,
};

enum { /* TracePacketDefaults, TrackEventDefaults */
	DEFAULT_TRACK_EVENT = 11,
	DEFAULT_TIMESTAMP_CLOCK = 58,
	DEFAULT_EVENT_TRACK = 11,
};

enum { /* TrackDescriptor */
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	TRACK_RANK = 12,       /* sibling_order_rank */
	TRACK_PROCESS_ORDER = 19,
	TRACK_THREAD_ORDER = 20,
};
enum { ORDER_EXPLICIT = 1 }; /* by TRACK_RANK */
enum { /* ProcessDescriptor, ThreadDescriptor */
	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5,
};

enum { /* TrackEvent */
	EVENT_CATEGORY_ID = 3,
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_ID = 10,
	EVENT_TRACK = 11,
	EVENT_NAME = 23,
	EVENT_SOURCE_LOCATION_ID = 34,
	EVENT_DOUBLE_COUNTER = 44,
	EVENT_FLOW = 47,
	EVENT_LAST_FLOW = 48,  /* terminating_flow_ids */
};
enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3, COUNTER = 4 }; /* EVENT_TYPE */

enum { /* InternedData */
	INTERNED_CATEGORY = 1,
	INTERNED_NAME = 2,
	INTERNED_ANNOTATION_NAME = 3,
	INTERNED_SOURCE_LOCATION = 4,
	/* fields of an entry in any of these four lists */
	INTERNED_ID = 1,
	INTERNED_TEXT = 2,     /* the name; of a source location: its file */
	LOCATION_FUNCTION = 3,
	LOCATION_LINE = 4,
};

enum { /* DebugAnnotation */
	ANNOTATION_NAME_ID = 1,
	ANNOTATION_INT = 4,
	ANNOTATION_DICTIONARY = 11, /* an entry */
	ANNOTATION_ARRAY = 12,      /* an item */
};

#endif
