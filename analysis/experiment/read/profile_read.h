/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_read.h - reads a profile file (schema/profile.h) into arrays that are checked, and linked
 * by indices. */
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
	uint32_t parent;      /* index; NONE: the node is a root, or unreachable */
	uint32_t origin;      /* index of the node in another slot that forked it; else NONE */
	uint32_t values;      /* index into profile.values; NONE: no values */
	bool reachable;       /* its parents lead to the root of its slot */
	bool open;            /* an activation had not ended */
	bool folds;           /* its calls include folded activations (profile.h, "Recursion") */
	bool untimed;         /* the open activation is sampled: `start` means nothing */
	uint64_t start, calls, total, min, max; /* ticks */
};

/* Nodes that are contiguous in the memory of the process. */
struct profile_node_range { uint64_t address; size_t bytes; uint32_t first, count; };

struct profile_values { /* sums of the metrics of a set: profile.sum[first ...] */
	uint32_t set, count;
	size_t first;
};

/* id: of a `value` text */
struct profile_user_value { uint32_t node, id; uint64_t count; double sum, min, max; };

/* The kernel's counts of a node (struct sis_unscheduled). node NONE: the counts of the whole
 * slot. */
struct profile_unscheduled {
	uint32_t slot, node, flags;
	uint64_t count, preempted_ns, blocked_ns, lost;
};
/* Waits of `slot` in `node` for slot `other`, which was in node `culprit`. node NONE: only the sum
 * of these waits is known. */
struct profile_culprit { uint32_t slot, node, culprit, other, flags; uint64_t count, ticks; };

/* Polls in vain that had not succeeded yet when the process was killed. */
struct profile_polls { uint32_t node; uint64_t exit, ticks, between; };

/* The numbers from which the error of a node's time is computed; see struct sis_estimate. */
struct profile_estimate {
	uint32_t node;
	bool was_low;         /* the node had rung SIS_RUNG_SAMPLED at some time */
	bool is_brief;        /* SIS_ESTIMATE_BRIEF */
	uint64_t timed, samples, sampled;
	double ticks, ticks_squared, sampled_squared;
	uint64_t below[SIS_RUNGS - 1]; /* activations that began at these rungs */
	/* the node is that of a function in sampled stacks (experiment/sampled/). Then: the
	 * variance of `sampled`, and of the part of it that is not in nodes below; in square
	 * ticks */
	bool of_stacks;
	double variance, own_variance;
};

struct profile_thread {
	uint32_t slot, tid;
	uint32_t root, current; /* indices of nodes; NONE: none */
	uint64_t stamp, mismatched, unwound, dropped_nodes, dropped_records, probes;
};

struct profile_record {
	uint64_t enter, exit, bytes, serial;
	uint32_t node;        /* index; NONE: none */
	uint32_t slot, comm;
	int32_t peer, tag;
	uint16_t kind, flags;
	size_t first, entries; /* of a PHASE: its part of profile.phase */
};

/* From `enter` to `exit`, the thread in the slot was ready to run and had no processor for `ns`.
 * `node`: the node in which the thread waited all this time; the root if it is not known. */
struct profile_no_processor { uint32_t slot, node; uint64_t enter, exit; int64_t ns; };

/* If not `blocked`: the time in which a thread that was in no team filled the slot. If `blocked`: a
 * time in which such a thread waited in `node` for another thread of its process. */
struct profile_life { uint32_t slot, node; uint64_t enter, exit; bool blocked; };

struct profile_phase { uint32_t node; uint64_t ticks; };

struct profile_tu { uint32_t first_id, count; const char *json; size_t length; };

struct profile_comm {
	struct sis_profile_comm head;
	/* the world ranks of its members are profile.member[first ...]; unused for the world */
	size_t first;
};

struct profile_text { const char *kind, *text; };

/* A region of calls of a built-in region that return to `address`, and execute the function at
 * `body` (0: none); see rtlib/blame/stacks/callers.h. place: index of the call in sampled.call
 * (experiment/sampled/); NONE: not known. */
struct profile_call { uint32_t id, builtin, place; uint64_t address, body; };

struct profile {
	char *path;
	/* the file's contents while it is read; afterwards only the texts to which `text` points */
	unsigned char *bytes;
	char *descriptions; /* the texts to which `tu` points; NULL: they are in another profile */
	size_t size;
	struct sis_profile_header head;
	VEC(struct profile_thread) thread;
	VEC(struct profile_node) node;
	VEC(struct profile_node_range) node_range;
	VEC(struct profile_values) values;
	VEC(uint64_t) sum;
	VEC(struct profile_user_value) user_value;
	VEC(struct profile_culprit) culprit;
	VEC(struct profile_unscheduled) unscheduled;
	VEC(struct profile_polls) polls;
	VEC(struct profile_estimate) estimate;
	VEC(struct sis_switched) switched; /* those with a count; `next` is unused */
	VEC(struct sis_sensor_sample) sensor;
	VEC(struct profile_record) record;
	VEC(struct profile_life) life;
	VEC(struct profile_no_processor) no_processor;
	VEC(struct profile_phase) phase;
	VEC(struct profile_tu) tu;
	VEC(struct profile_comm) comm;
	VEC(uint32_t) member;
	VEC(struct profile_text) text;
	VEC(struct profile_call) call;  /* sorted by id */
};

/* A result of profile_read: the process was killed while it created the file. The file is empty, or
 * has only zeros or a part of the header. */
enum { PROFILE_UNWRITTEN = 1 };

/* Reads and checks the whole file. Returns 0, PROFILE_UNWRITTEN or an error. `profile` needs a
 * release only if the result is 0. */
int profile_read(struct profile *profile, const char *path, struct err *err);
/* Reads and checks a profile in malloc'ed memory, which then belongs to the profile. */
int profile_parse(struct profile *profile, const char *path, unsigned char *bytes, size_t size,
		  struct err *err);
void profile_release(struct profile *profile);
/* Saves memory if both profiles have the same descriptions, as most processes of a run have. `p`
 * then uses the copy of `other`, so `other` must be released after `p`. */
void profile_share_descriptions(struct profile *p, const struct profile *other);
/* The index of the node that had this address in the process; NONE if there is none. */
uint32_t profile_node_at(const struct profile *p, uint64_t address);
/* The part after `ID<TAB>` of the text `KIND<TAB>ID<TAB>...`; NULL if there is no such text. */
const char *profile_text(const struct profile *p, const char *kind, uint32_t id);
/* The region of calls that has the id; NULL: there is none. */
const struct profile_call *profile_call(const struct profile *p, uint32_t id);
/* The name of a region that is built into the runtime, or of whose calls the region is, by its id.
 * False if no such region has the id. */
bool profile_builtin(const struct profile *p, uint32_t id, char *name, size_t size);
/* The first text of the kind; NULL if there is none. */
const char *profile_first_text(const struct profile *p, const char *kind);
/* The value of a SIS_* variable in the run; NULL if it was not set. */
const char *profile_setting(const struct profile *p, const char *name);
/* Whether the kernel told the runtime how long threads had no processor. */
bool profile_counts_no_processor(const struct profile *p);

#endif
