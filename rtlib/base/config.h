/* SPDX-License-Identifier: BSD-3-Clause */
/* config.h - the settings of this process (SIS_* variables). run/settings.c fills them at the
 * start. After that they change only to switch the measurement off, or if a translation unit sets
 * the budget (core/region_registry.c).
 */
#ifndef SIS_RT_CONFIG_H
#define SIS_RT_CONFIG_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

enum sis_trace_mode {
	SIS_TRACE_MODE_OFF,
	SIS_TRACE_MODE_ON,
	SIS_TRACE_MODE_WAIT /* off until something switches it on */
};
enum sis_trace_by { SIS_BY_AUTO, SIS_BY_ASYNC, SIS_BY_SYNC };
enum sis_trace_policy { SIS_POLICY_BLOCK, SIS_POLICY_DROP, SIS_POLICY_OVERWRITE };
struct sis_trace_config {
	enum sis_trace_mode mode;     /* SIS_TRACE */
	enum sis_trace_policy policy; /* SIS_TRACE_POLICY */
	uint64_t buffer;              /* bytes of a thread's ring: SIS_TRACE_BUFFER */
	uint64_t most_bytes;          /* that the file may have: SIS_TRACE_SIZE */
	enum sis_trace_by writer;     /* SIS_WRITER */
	int writer_cpu;               /* SIS_WRITER_CPU; -1: any */
	int signal;                   /* SIS_TRACE_SIGNAL; 0: none */
	uint64_t window_from_ns, window_ns; /* SIS_TRACE_WINDOW; window_ns 0: none */
	char region[256];             /* SIS_TRACE_REGION; "": none */
	uint64_t region_first, region_last; /* activations, from 1 */
};

struct sis_blame_config { /* SIS_BLAME */
	uint64_t rate;        /* samples a second, if not by `event`; 0: none are taken */
	char event[64];       /* of PAPI; "": the CPU time */
	uint64_t period;      /* events between two samples */
	uint64_t least_bytes; /* of allocations that are recorded: SIS_BLAME_BYTES */
};

struct sis_config { /* SIS_* environment, read once */
	bool enabled;         /* SIS_ENABLE */
	bool quiet;           /* SIS_LOG=quiet */
	const char *output;   /* SIS_OUTPUT, NULL: default name */
	const char *metrics;  /* SIS_PMETRIC, NULL: as compiled */
	const char *rules;    /* SIS_RULES, NULL: none */
	uint64_t record_bytes;/* most bytes of records per thread: SIS_RECORDS */
	uint64_t nodes;       /* most nodes per thread: SIS_NODES */
	unsigned recursion;   /* most nodes of a region on a path: SIS_RECURSION; 0: any number */
	uint64_t sensor_ns;   /* between samples of the host's load: SIS_SENSORS; 0: none */
	struct sis_trace_config trace;
	enum {
		SIS_UNIFY_AUTO,
		SIS_UNIFY_NEVER,
		SIS_UNIFY_ALWAYS,
		SIS_UNIFY_KEEP
	} unify;              /* SIS_UNIFY */
	uint64_t unify_ns;    /* most time that it may take at MPI_Finalize: SIS_UNIFY_TIMEOUT */
	enum sis_rung rung;   /* SIS_TIMING: of new nodes */
	unsigned sampling;    /* SIS_TIMING: one in so many short activations is timed; 0: all */
	/* SIS_TIMING=sample/RATE: looks of the sampler in a second; 0: auto */
	unsigned sample_hz;
	/* SIS_OVERHEAD: most part of a thread's CPU time that probes may take; 0: no limit */
	double overhead;
	enum {
		SIS_CLOCK_IS_AUTO,
		SIS_CLOCK_IS_TSC,
		SIS_CLOCK_IS_MONOTONIC
	} clock;              /* SIS_CLOCK */
	bool patch;           /* SIS_PATCH: gates of regions that are off are patched */
	enum { SIS_OVERHEAD_DEFAULT, SIS_OVERHEAD_OF_SOURCE, SIS_OVERHEAD_SET } overhead_by;
	struct sis_blame_config blame;
	bool asleep;          /* SIS_ASLEEP: time asleep is no work */
	bool multiplex;       /* SIS_MULTIPLEX: counters take turns; their values are estimates */
};
extern SIS_EXPORT struct sis_config sis__config;

#pragma GCC visibility pop
#endif
