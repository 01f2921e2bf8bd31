/* SPDX-License-Identifier: BSD-3-Clause */
/* request.h - one request for measurement: code regions, metrics, and the reach in the source. It
 * comes from a directive or from the command line, or is the default. */
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
/* The names in the order of the tables, comma-separated; "": the set is empty. To be freed. */
char *sis_metric_set_names(const struct metric_set *set);

enum reach { REACH_FILE, REACH_FUNCTION, REACH_SCOPE };

struct request {
	const struct reporter *reporter;  /* gets errors in the words */
	const char *origin;               /* "--sis-cr", "directive", "default": for explanations */
	const struct sis_ast_directive *directive; /* NULL: not from a directive */
	size_t directive_index;
	enum reach reach;
	bool type[SIS_REGION_TYPES];      /* mnemonics listed */
	bool has_types, has_metrics;
	bool warned;                      /* an error in the condition was reported */
	struct metric_set metrics;
};

/* Adds the mnemonics of a list (NULL-ended; NULL: empty). Unknown ones are reported; -1 if there
 * were any. `where`: the position of each; NULL: they are on a command line. */
int sis_request_add_types(struct request *request, const char *const *items,
			  const struct sis_ast_position *where);
int sis_request_add_metrics(struct request *request, const char *const *items,
			    const struct sis_ast_position *where);
/* The same for lists as they stand on a command line, comma-separated; NULL: not given. */
int sis_request_add_lists(struct request *request, const char *types, const char *metrics);

/* Adds the default regions. */
void sis_request_add_defaults(struct request *request);

/* Whether the request's types select the region; or its metrics, if it has no types. The reach is
 * not tested. */
bool sis_request_wants(const struct request *request, const struct sis_ast_region *region);
/* Whether a region is of the type or in the group. CR_S: it is any call. CR_OUTERLOOP,
 * CR_INNERLOOP: it is such a loop. */
bool sis_request_type_matches(enum sis_region_type type, const struct sis_ast_region *region);
/* Whether a region has an influence on a metric or overhead. */
bool sis_request_influences(const struct sis_ast_region *region, enum sis_overhead overhead);

#endif
