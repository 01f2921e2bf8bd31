/* SPDX-License-Identifier: BSD-3-Clause */
/* request.h - one request for measurement: code regions, metrics, and the reach in the source. A
 * request comes from a directive or from the command line, or is the default. */
#ifndef SISC_REQUEST_H
#define SISC_REQUEST_H

#include "common/base.h"
#include "common/report.h"

struct metric_set {
	bool metric[SIS_METRICS];
	bool overhead[SIS_OVERHEADS];
	struct words native;              /* PAPI(event), as written */
};
void sis_metric_set_unite(struct metric_set *into, const struct metric_set *more);
/* The names in the order of the tables, comma-separated; "" if the set is empty. To be freed. */
char *sis_metric_set_names(const struct metric_set *set);

enum reach { REACH_FILE, REACH_FUNCTION, REACH_SCOPE };

struct request {
	const struct reporter *reporter;  /* gets errors in the words */
	const char *origin;               /* "--sis-cr", "directive", "default": for explanations */
	const struct sis_ast_directive *directive; /* NULL: not from a directive */
	size_t directive_index;
	enum reach reach;
	bool type[SIS_REGION_TYPES];      /* the types that are listed */
	bool has_types, has_metrics;
	bool warned;                      /* an error in the condition was reported */
	struct metric_set metrics;
};

/* Adds the mnemonics of a list that ends with NULL; `items` is NULL if the list is empty. If some
 * mnemonics are unknown, reports them and returns -1. `where` has the position of each mnemonic, or
 * is NULL for a command line. */
int sis_request_add_types(struct request *request, const char *const *items,
			  const struct sis_ast_position *where);
int sis_request_add_metrics(struct request *request, const char *const *items,
			    const struct sis_ast_position *where);
/* Adds the mnemonics of comma-separated lists of a command line. A list is NULL if it was not
 * given. */
int sis_request_add_lists(struct request *request, const char *types, const char *metrics);

/* Adds the default regions. */
void sis_request_add_defaults(struct request *request);

/* Whether the request selects the region: by its types or, if the request has no types, by its
 * metrics. The reach is not tested. */
bool sis_request_wants(const struct request *request, const struct sis_ast_region *region);
/* Whether a region has the type, or is in the group that `type` names. CR_S is the group of all
 * calls, CR_OUTERLOOP that of outer loops, CR_INNERLOOP that of inner loops. */
bool sis_request_type_matches(enum sis_region_type type, const struct sis_ast_region *region);
/* Whether a region has an influence on a metric or overhead. */
bool sis_request_influences(const struct sis_ast_region *region, enum sis_overhead overhead);

#endif
