/* SPDX-License-Identifier: BSD-3-Clause */
/* config.h - the settings of this process (SIS_* variables). output/run/settings.c fills them at
 * the start. Later, only two events change settings: measurement is switched off, or a translation
 * unit sets the budget (measure/core/region_registry.c).
 */
#ifndef SIS_RT_CONFIG_H
#define SIS_RT_CONFIG_H

#include "base/runtime.h"

#pragma GCC visibility push(hidden)

enum sis_trace_mode {
	SIS_TRACE_MODE_OFF,
	SIS_TRACE_MODE_ON,
	SIS_TRACE_MODE_WAIT /* off until a rule, a command or the like switches it on */
};
enum sis_trace_by { SIS_BY_AUTO, SIS_BY_ASYNC, SIS_BY_SYNC };
enum sis_trace_policy { SIS_POLICY_BLOCK, SIS_POLICY_DROP, SIS_POLICY_OVERWRITE };
struct sis_trace_config {
	enum sis_trace_mode mode;     /* SIS_TRACE */
	enum sis_trace_policy policy; /* SIS_TRACE_POLICY */
	uint64_t buffer;              /* bytes of a thread's ring: SIS_TRACE_BUFFER */
	uint64_t most_bytes;          /* largest size of the file: SIS_TRACE_SIZE */
	enum sis_trace_by writer;     /* SIS_WRITER */
	int writer_cpu;               /* SIS_WRITER_CPU; -1: any */
	int signal;                   /* SIS_TRACE_SIGNAL; 0: none */
	uint64_t window_from_ns, window_ns; /* SIS_TRACE_WINDOW; window_ns 0: no interval */
	char region[256];             /* SIS_TRACE_REGION; "": none */
	uint64_t region_first, region_last; /* numbers of activations, from 1 */
};

struct sis_blame_config { /* SIS_BLAME */
	uint64_t rate;        /* samples a second, if `event` is ""; 0: no samples */
	char event[64];       /* name of the event of PAPI; "": samples are by CPU time */
	uint64_t period;      /* events between two samples */
	uint64_t least_bytes; /* smallest allocation that is recorded: SIS_BLAME_BYTES */
};

struct sis_config { /* the SIS_* variables of the environment */
	bool enabled;         /* SIS_ENABLE */
	bool quiet;           /* SIS_LOG=quiet */
	const char *output;   /* SIS_OUTPUT; NULL: default name */
	const char *run;      /* SIS_RUN: name of the run; NULL: not set */
	const char *tmpdir;   /* SIS_TMPDIR: absolute; NULL: not set */
	const char *metrics;  /* SIS_PMETRIC; NULL: as compiled */
	const char *rules;    /* SIS_RULES; NULL: no rules */
	uint64_t record_bytes;/* most bytes of records per thread: SIS_RECORDS */
	uint64_t nodes;       /* most nodes per thread: SIS_NODES */
	unsigned recursion;   /* most nodes of a region on a path: SIS_RECURSION; 0: any number */
	uint64_t sensor_ns;   /* between two samples of the host's load: SIS_SENSORS; 0: none */
	struct sis_trace_config trace;
	enum {
		SIS_UNIFY_AUTO,
		SIS_UNIFY_NEVER,
		SIS_UNIFY_ALWAYS,
		SIS_UNIFY_KEEP
	} unify;              /* SIS_UNIFY */
	uint64_t unify_ns;    /* most time for unifying at MPI_Finalize: SIS_UNIFY_TIMEOUT */
	enum sis_rung rung;   /* SIS_TIMING: rung of new nodes */
	unsigned sampling;    /* SIS_TIMING=1/N: N; 0: all activations are timed */
	/* SIS_TIMING=sample/RATE: readings of the sampler per second; 0: the runtime chooses */
	unsigned sample_hz;
	/* SIS_OVERHEAD: largest part of a thread's CPU time that probes may take; 0: no limit */
	double overhead;
	enum {
		SIS_CLOCK_IS_AUTO,
		SIS_CLOCK_IS_TSC,
		SIS_CLOCK_IS_MONOTONIC
	} clock;              /* SIS_CLOCK */
	bool patch;           /* SIS_PATCH: the gates of regions that are off become NOPs */
	enum { SIS_OVERHEAD_DEFAULT, SIS_OVERHEAD_OF_SOURCE, SIS_OVERHEAD_SET } overhead_by;
	struct sis_blame_config blame;
	bool asleep;          /* SIS_ASLEEP: time asleep is not counted as work */
	bool multiplex;       /* SIS_MULTIPLEX: events take turns; counts are estimates */
};
extern SIS_EXPORT struct sis_config sis__config;

#pragma GCC visibility pop
#endif
