/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_check.h - checks the contents of a profile, and adds them to struct profile. */
#ifndef SIS_ANALYSIS_PROFILE_CHECK_H
#define SIS_ANALYSIS_PROFILE_CHECK_H

#include <inttypes.h>

#include "experiment/read/profile_read.h"

#define DAMAGED "; copy the experiment again, or remove this file to analyze the rest"
/* Arguments: the version of the file, and the version that can be read. */
#define OTHER_FORMAT "format %" PRIu32 ", and only %u is known here; build and run the program " \
	"again with this version of SIS, or use the sis-analyze of the other one"
#define profile_fail(p, err, format, ...) err_fail(err, "%s: " format, (p)->path, ##__VA_ARGS__)

/* Terminates the texts of the header with 0. Fails if the header has impossible values. */
int profile_check_header(struct profile *p, struct err *err);

/* The index of the node that a record refers to by `name`; NONE if there is none. */
typedef uint32_t profile_node_fn(const void *nodes, const void *name);
/* Adds the records of a slot. They are in the first `used` bytes of `bytes` (record.h). */
int profile_add_records(struct profile *p, uint32_t slot, const unsigned char *bytes, size_t used,
			profile_node_fn *node, const void *nodes, struct err *err);
/* Each of these functions adds an entry, unless the entry is empty or damaged. */
void profile_add_user_value(struct profile *p, const struct sis_user_value *value, uint32_t node);
void profile_add_switched(struct profile *p, const struct sis_switched *s);
void profile_add_estimate(struct profile *p, const struct sis_estimate *e, uint32_t node);
void profile_add_unscheduled(struct profile *p, const struct profile_unscheduled *switches);
void profile_add_culprit(struct profile *p, const struct profile_culprit *culprit);

/* Sorts the threads by slot, and marks reachable nodes and open activations. Called after all
 * chunks of the profile were read. */
int profile_complete(struct profile *p, struct err *err);

#endif
