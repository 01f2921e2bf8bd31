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

/* Types of regions. The names of the enum are the mnemonics. */
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
#define SIS_OVERHEAD(mnem, parent, desc, is, ...) mnem,
#include "overheads.def"
#undef SIS_OVERHEAD
	SIS_OVERHEADS,
};

/* Properties of nodes of the overhead tree; overheads.def explains them. */
enum sis_property {
	IS_WAIT = 1 << 0,
	IS_THREAD_WAIT = 1 << 1,
	IS_UNEVEN = 1 << 2,
	IS_IDLE = 1 << 3,
	IS_SHARED = 1 << 4,
	IS_OPERATION = 1 << 5,
	IS_INSTRUCTION = 1 << 6,
	IS_PURPOSE = 1 << 7,
	IS_MOVING = 1 << 8,
	IS_LOCAL = 1 << 9,
	IS_SCHEDULING = 1 << 10,
	IS_COMPARED = 1 << 11,
	IS_OF_RUN = 1 << 12,
	IS_OF_ENDS = 1 << 13,
	IS_NOT_IN_T_S = 1 << 14,
};

/* Metrics. The names of the enum are M_ and the mnemonic, because CALLS or WTIME alone would be too
 * common a name. */
enum sis_metric {
	M_NONE,
#define SIS_METRIC(mnem, source, unit, dflt, desc, ...) M_##mnem,
#include "metrics.def"
#undef SIS_METRIC
	SIS_METRICS,
};

/* The rows of costs.def: leaves whose time is a number of events times the cost of one. */
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

/* How an MPI wrapper records a call, so that the participants can be matched (mpi.def). */
enum sis_mpi_match {
#define SIS_MPI_MATCH(name) SIS_MATCH_##name,
#include "mpi_match.def"
#undef SIS_MPI_MATCH
};

/* Whether the call only asks: it completes nothing, or its result says whether it completed
 * something. */
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
	unsigned properties;     /* enum sis_property */
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
	enum sis_overhead leaf; /* leaf of the call's exclusive time, without waits */
	enum sis_overhead wait; /* leaf of waits for other processes; O_NONE: waits are not
	                         * separated */
	enum sis_mpi_match match;
};

/* The types that sisc measures by default. */
#define SIS_DEFAULT_REGIONS CR_P, CR_F, CR_OMP, CR_MPI, CR_IO, CR_REDIST

/* The tables. Their indices are the enums; row 0 is empty. */
extern const struct sis_region_info sis_region_table[SIS_REGION_TYPES];
extern const struct sis_overhead_info sis_overhead_table[SIS_OVERHEADS];
extern const struct sis_metric_info sis_metric_table[SIS_METRICS];
extern const struct sis_cost_info sis_cost_table[SIS_COSTS];

/* These look up a name. For mnemonics, upper and lower case are the same; for routines, they
 * differ. 0 or NULL: the name is not known. */
enum sis_region_type sis_region_by_name(const char *name, size_t length);
enum sis_overhead sis_overhead_by_name(const char *name, size_t length);
enum sis_metric sis_metric_by_name(const char *name, size_t length);
const struct sis_routine_info *sis_routine_by_name(const char *name);

/* Reads the next part of SIS_LATENCY, `METRIC=NS,...`, and advances *list. False: at the end, or if
 * the text at *list is no such part. */
bool sis_cost_next(const char **list, enum sis_cost *cost, double *ns);

/* The name of the built-in region with a run-time id. The first ids are region types, the next are
 * routines of mpi.def. NULL: the id belongs to a translation unit. */
const char *sis_builtin_name(uint32_t id);

/* Finds the known word that is most similar to `name`, for "did you mean". Up to a third of its
 * letters may be wrong. `best` begins as { 0 }. sis_suggest is called for each known word. */
struct sis_suggestion { const char *name; size_t distance; };
void sis_suggest(struct sis_suggestion *best, const char *known, const char *name, size_t length);

/* These return the known mnemonic that is most similar to `name`; NULL: none is similar. */
const char *sis_region_suggest(const char *name, size_t length);
const char *sis_metric_suggest(const char *name, size_t length); /* metrics and overheads */
const char *sis_overhead_suggest(const char *name, size_t length);

/* Whether `type` is `group` or, through any number of groups, a member of it. */
bool sis_region_in(enum sis_region_type type, enum sis_region_type group);
/* If the source has a budget, the description of its translation unit begins with `{`, this text
 * and the percentage. */
#define SIS_IDF_BUDGET "\"budget\":"
/* In the key of an instance of a template, between the template's key and the instance's name. */
#define SIS_KEY_INSTANCE ":#"

/* Whether regions of the type can be selected: all CR_* but CR_SAMPLED. The runtime adds RT_*. */
bool sis_region_selectable(enum sis_region_type type);
/* Whether SIS_TIMING and the budget may leave activations of `type` untimed, or turn its regions
 * off. False for MPI, constructs and locks of OpenMP, and types that the runtime adds, because
 * waits for other processing units are computed from their exact times. */
bool sis_region_sampled(enum sis_region_type type);
/* Whether `node` is `ancestor` or below it in the overhead tree. */
bool sis_overhead_in(enum sis_overhead node, enum sis_overhead ancestor);
/* Whether `node`, or a node above it in the tree, has the property. */
bool sis_overhead_is(enum sis_overhead node, enum sis_property property);
/* Whether the leaf is counted and not timed: it has a row in costs.def. */
bool sis_overhead_is_counted(enum sis_overhead leaf);
/* Whether regions of `type` influence the overhead or metric. If so, `pmetric` alone selects
 * them. */
bool sis_overhead_influenced(enum sis_overhead overhead, enum sis_region_type type);
bool sis_metric_influenced(enum sis_metric metric, enum sis_region_type type);

#ifdef __cplusplus
}
#endif
#endif
