/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.h - the .def tables as C enums and constant arrays. tables.c has the arrays, and the
 * lookups by name that directives and options need. */
#ifndef SIS_SCHEMA_TABLES_H
#define SIS_SCHEMA_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Region types: enum names are the mnemonics themselves. */
enum sis_region_type {
	CR_NONE,
#define SIS_REGION_TYPE(mnem, group, leaf, label, desc) mnem,
#include "regions.def"
#undef SIS_REGION_TYPE
	SIS_REGION_TYPES,
	RT_NONE = CR_NONE,
};

enum sis_overhead {
	O_NONE,
#define SIS_OVERHEAD(mnem, parent, desc, ...) mnem,
#include "overheads.def"
#undef SIS_OVERHEAD
	SIS_OVERHEADS,
};

/* Metrics: M_ before the mnemonic (a bare CALLS or WTIME is too common a word). */
enum sis_metric {
	M_NONE,
#define SIS_METRIC(mnem, source, unit, dflt, desc, ...) M_##mnem,
#include "metrics.def"
#undef SIS_METRIC
	SIS_METRICS,
};

/* Leaves that are events times what one costs; rows of costs.def. */
enum sis_cost {
#define SIS_COST(leaf, metric, ns, what) COST_##leaf,
#include "costs.def"
#undef SIS_COST
	SIS_COSTS,
};

enum sis_metric_source {
	SIS_SOURCE_CORE,
	SIS_SOURCE_CPU,
	SIS_SOURCE_OS,
	SIS_SOURCE_PAPI,
	SIS_SOURCE_COMM
};
enum sis_metric_unit { SIS_UNIT_NS, SIS_UNIT_COUNT, SIS_UNIT_BYTES, SIS_UNIT_KIB };

/* How an MPI wrapper records a call for the matching of participants (mpi.def). */
enum sis_mpi_match {
#define SIS_MPI_MATCH(name) SIS_MATCH_##name,
#include "mpi_match.def"
#undef SIS_MPI_MATCH
};

/* Whether the call completes nothing, or says so if it does. */
static inline bool sis_mpi_only_asks(enum sis_mpi_match match)
{
	switch (match) {
	case SIS_MATCH_NONE:
	case SIS_MATCH_IPROBE:
	case SIS_MATCH_IMPROBE:
	case SIS_MATCH_TEST:
	case SIS_MATCH_TESTALL:
	case SIS_MATCH_TESTANY:
	case SIS_MATCH_TESTSOME:
	case SIS_MATCH_ASK:
	case SIS_MATCH_PARRIVED:
	case SIS_MATCH_WINTEST:
		return true;
	default:
		return false;
	}
}

struct sis_region_info {
	const char *name, *label, *description;
	enum sis_region_type group;
	enum sis_overhead leaf;
};
struct sis_overhead_info {
	const char *name, *description;
	enum sis_overhead parent;
	const enum sis_region_type *influences; /* ends with CR_NONE */
};
struct sis_metric_info {
	const char *name, *description;
	enum sis_metric_source source;
	enum sis_metric_unit unit;
	bool is_default;
	const enum sis_region_type *influences; /* ends with CR_NONE */
};
struct sis_cost_info {
	const char *what;
	double ns;
	enum sis_overhead leaf;
	enum sis_metric metric;
};
struct sis_routine_info { /* a row of calls.def or mpi.def */
	const char *name;
	enum sis_region_type type;
	enum sis_overhead leaf; /* of its exclusive time, waits taken out */
	enum sis_overhead wait; /* of waits for other processes; O_NONE: not separated */
	enum sis_mpi_match match;
};

/* What sisc measures by default. */
#define SIS_DEFAULT_REGIONS CR_P, CR_F, CR_OMP, CR_MPI, CR_IO, CR_REDIST

/* Indexed by the enums; row 0 is empty. */
extern const struct sis_region_info sis_region_table[SIS_REGION_TYPES];
extern const struct sis_overhead_info sis_overhead_table[SIS_OVERHEADS];
extern const struct sis_metric_info sis_metric_table[SIS_METRICS];
extern const struct sis_cost_info sis_cost_table[SIS_COSTS];

/* Lookups by name: any case for mnemonics, exact for routines; 0 or NULL when unknown. */
enum sis_region_type sis_region_by_name(const char *name, size_t length);
enum sis_overhead sis_overhead_by_name(const char *name, size_t length);
enum sis_metric sis_metric_by_name(const char *name, size_t length);
const struct sis_routine_info *sis_routine_by_name(const char *name);

/* Reads the next part of SIS_LATENCY, `METRIC=NS,...`, and advances *list. False: the end, or *list
 * points to text that is no such part. */
bool sis_cost_next(const char **list, enum sis_cost *cost, double *ns);

/* The built-in region of a run-time id: a region type, or after these a routine of mpi.def. NULL:
 * the id belongs to a translation unit. */
const char *sis_builtin_name(uint32_t id);

/* The known word that is most like `name`; up to a third of its letters may be wrong. `best` begins
 * as { 0 }; one call for each known word. */
struct sis_suggestion { const char *name; size_t distance; };
void sis_suggest(struct sis_suggestion *best, const char *known, const char *name, size_t length);

/* The known mnemonic that is most like `name` (for "did you mean"); NULL: none is similar. */
const char *sis_region_suggest(const char *name, size_t length);
const char *sis_metric_suggest(const char *name, size_t length); /* metrics and overheads */
const char *sis_measured_suggest(const char *name, size_t length); /* metrics alone */
const char *sis_overhead_suggest(const char *name, size_t length);

/* Whether `type` is `group` or, through any number of groups, a member of it. */
bool sis_region_in(enum sis_region_type type, enum sis_region_type group);
/* If the source has a budget, the description of its translation unit begins with `{`, this text
 * and the percentage. */
#define SIS_IDF_BUDGET "\"budget\":"

/* Whether SIS_TIMING and the budget may leave activations of `type` untimed, or turn its regions
 * off. False for MPI, constructs and locks of OpenMP, and the types that the runtime adds: waits
 * for other processing units follow from their exact times. */
bool sis_region_sampled(enum sis_region_type type);
/* Whether `node` is `ancestor` or below it in the overhead tree. */
bool sis_overhead_in(enum sis_overhead node, enum sis_overhead ancestor);
/* Whether the leaf is counted, not timed: a row of costs.def. */
bool sis_overhead_is_counted(enum sis_overhead leaf);
/* Whether regions of `type` influence the metric or overhead (so `pmetric` alone selects them). */
bool sis_overhead_influenced(enum sis_overhead overhead, enum sis_region_type type);
bool sis_metric_influenced(enum sis_metric metric, enum sis_region_type type);

#ifdef __cplusplus
}
#endif
#endif
