/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_read.h - a profile file (schema/profile.h) as checked, index-linked arrays. */
#ifndef SIS_ANALYSIS_PROFILE_READ_H
#define SIS_ANALYSIS_PROFILE_READ_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "profile.h"

#define NONE UINT32_MAX

struct profile_node {
	uint32_t region;      /* id, as in the process */
	uint32_t slot;
	uint32_t parent;      /* index; NONE: a root, or unreachable */
	uint32_t origin;      /* index of the node that forked it, in another slot; else NONE */
	uint32_t values;      /* index into profile.values; NONE */
	bool reachable;       /* its parents lead to its slot's root */
	bool open;            /* an activation had not ended */
	bool folds;           /* its calls include folded ones (profile.h, "Recursion") */
	bool untimed;         /* the open activation is sampled: `start` means nothing */
	uint64_t start, calls, total, min, max; /* ticks */
};

/* Nodes that follow each other in the process's memory. */
struct profile_node_range { uint64_t address; size_t bytes; uint32_t first, count; };

struct profile_values { /* sums of a metric set's members, in profile.sum[first ...] */
	uint32_t set, count;
	size_t first;
};

/* id: of a `value` text */
struct profile_user_value { uint32_t node, id; uint64_t count; double sum, min, max; };

/* struct sis_unscheduled; node NONE: of the slot as a whole. */
struct profile_unscheduled {
	uint32_t slot, node, flags;
	uint64_t count, preempted_ns, blocked_ns, lost;
};
/* Waits of `slot` in `node` for PU `other`, which was in `culprit`; node NONE: more is not known of
 * these waits. */
struct profile_culprit { uint32_t slot, node, culprit, other, flags; uint64_t count, ticks; };

/* Polls in vain so far, when the process was killed. */
struct profile_polls { uint32_t node; uint64_t exit, ticks, between; };

/* What the error of a node's time follows from; struct sis_estimate. */
struct profile_estimate {
	uint32_t node;
	bool was_low;         /* it has had the rung of sampled nodes */
	bool is_brief;        /* SIS_ESTIMATE_BRIEF */
	uint64_t timed, samples, sampled;
	double ticks, ticks_squared, sampled_squared;
	uint64_t below[SIS_RUNGS - 1]; /* activations that began at these rungs */
};

struct profile_thread {
	uint32_t slot, tid;
	uint32_t root, current; /* indices of nodes; NONE */
	uint64_t stamp, mismatched, unwound, dropped_nodes, dropped_records, probes;
};

struct profile_record {
	uint64_t enter, exit, bytes, serial;
	uint32_t node;        /* index; NONE */
	uint32_t slot, comm;
	int32_t peer, tag;
	uint16_t kind, flags;
	size_t first, entries; /* PHASE: in profile.phase */
};

/* Between the ticks `enter` and `exit`, the thread in the slot was ready to run and had no
 * processor for `ns`. `node`: where the thread waited all the time; the root: not known. */
struct profile_no_processor { uint32_t slot, node; uint64_t enter, exit; int64_t ns; };

/* A thread that was in no team filled the slot for this time; or, if `blocked`, it waited in `node`
 * for another thread of its process. */
struct profile_life { uint32_t slot, node; uint64_t enter, exit; bool blocked; };

struct profile_phase { uint32_t node; uint64_t ticks; };

struct profile_tu { uint32_t first_id, count; const char *json; size_t length; };

struct profile_comm {
	struct sis_profile_comm head;
	/* its members' world ranks, head.size of them, in profile.member; unused for the world */
	size_t first;
};

struct profile_text { const char *kind, *text; };

struct profile {
	char *path;
	/* the file's contents; after reading, only the bytes that `tu` and `text` point to */
	unsigned char *bytes;
	size_t size;
	struct sis_profile_header head;
	VEC(struct profile_thread) thread;
	VEC(struct profile_node) node;
	VEC(struct profile_node_range) node_range; /* none in the file of all ranks */
	VEC(struct profile_values) values;
	VEC(uint64_t) sum;
	VEC(struct profile_user_value) user_value;
	VEC(struct profile_culprit) culprit;
	VEC(struct profile_unscheduled) unscheduled;
	VEC(struct profile_polls) polls;
	VEC(struct profile_estimate) estimate;
	VEC(struct sis_switched) switched; /* with a count; `next` means nothing */
	VEC(struct sis_sensor_sample) sensor;
	VEC(struct profile_record) record;
	VEC(struct profile_life) life;
	VEC(struct profile_no_processor) no_processor;
	VEC(struct profile_phase) phase;
	VEC(struct profile_tu) tu;
	VEC(struct profile_comm) comm;
	VEC(uint32_t) member;
	VEC(struct profile_text) text;
};

/* A process was killed while it created the file: no bytes, zeros, or a part of the header. */
enum { PROFILE_UNWRITTEN = 1 };

/* Reads and checks the whole file: 0, PROFILE_UNWRITTEN or an error. Only after 0 `profile` needs a
 * release. */
int profile_read(struct profile *profile, const char *path, struct err *err);
/* The same from memory (malloc'ed), which the profile owns from then on. */
int profile_parse(struct profile *profile, const char *path, unsigned char *bytes, size_t size,
		  struct err *err);
void profile_release(struct profile *profile);
/* The index of the node that had this address in the process; NONE. */
uint32_t profile_node_at(const struct profile *p, uint64_t address);
/* What the text line `KIND<TAB>ID<TAB>...` says of `id`; NULL if there is none. */
const char *profile_text(const struct profile *p, const char *kind, uint32_t id);
/* The first text of the kind; NULL: there is none. */
const char *profile_first_text(const struct profile *p, const char *kind);
/* The value of a SIS_* variable in the run; NULL: it was not set. */
const char *profile_setting(const struct profile *p, const char *name);
/* Whether the runtime knew how long threads had no processor. */
bool profile_counts_no_processor(const struct profile *p);

#endif
