/* SPDX-License-Identifier: BSD-3-Clause */
/* option_values.h - reads the values of options that several commands have: types, processing
 * units, overheads. */
#ifndef SIS_ANALYSIS_OPTION_VALUES_H
#define SIS_ANALYSIS_OPTION_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cli.h"
#include "answers/query/metric_values.h"
#include "answers/query/pu_choice.h"
#include "tables.h"

/* --type: a region type or group; CR_NONE if not given. */
int select_type(const struct cli *cli, const char *command, enum sis_region_type *type,
		struct err *err);
/* --type for SQL, as ",CR_A,CR_B," with all members of a group; NULL if not given. The caller frees
 * the list. */
int select_types(const struct cli *cli, const char *command, char **list, struct err *err);
/* --pu P.T; -1 and -1 if not given. */
int select_pu(const struct cli *cli, const char *command, int64_t *process, int64_t *thread,
	      struct err *err);
/* Reads a percentage, "5%" or "5", into *part as 0.05. *part is unchanged if the option is not
 * given. */
int select_percent(const struct cli *cli, const char *command, const char *option, double *part,
		   struct err *err);
/* --pu: P, P.T or *.T; several with commas or repeated. There are no patterns if the option is not
 * given. */
int select_pus(const struct cli *cli, const char *command, pu_patterns *patterns, struct err *err);
/* --metric: metrics and overheads, several with commas or repeated. They are added to the variables
 * of `m`. */
int select_metrics(const struct cli *cli, const char *command, struct measures *m,
		   struct err *err);
/* --from and --to: seconds after the begin of the run, returned as nanoseconds. *given: at least
 * one of the two is there; *to_ns < 0: to the end of the run. */
#define INTERVAL_OPTIONS \
	{ "--from", "SECONDS", \
	  "only from this time of the run on; needs a trace (SIS_TRACE=1)" }, \
		{ "--to", "SECONDS", "only before this time of the run; likewise" }
int select_interval(const struct cli *cli, const char *command, bool *given, int64_t *from_ns,
		    int64_t *to_ns, struct err *err);
/* Finds a node of the overhead tree by its name. */
int select_overhead(const char *name, const char *command, enum sis_overhead *overhead,
		    struct err *err);
/* --interval: seconds between two looks at a run, returned as nanoseconds; one second if not
 * given. */
int select_pause(const struct cli *cli, const char *command, int64_t *ns, struct err *err);

#endif
