/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_check.h - checks that all readers of profiles share. */
#ifndef SIS_ANALYSIS_PROFILE_CHECK_H
#define SIS_ANALYSIS_PROFILE_CHECK_H

#include "read/profile_read.h"

#define DAMAGED "; copy the experiment again, or remove this file to analyze the rest"
#define profile_fail(p, err, format, ...) err_fail(err, "%s: " format, (p)->path, ##__VA_ARGS__)

/* Terminates the texts of the header, and refuses impossible values. */
int profile_check_header(struct profile *p, struct err *err);

/* The index of the node that a record refers to by `name`; NONE. */
typedef uint32_t profile_node_fn(const void *nodes, const void *name);
/* Adds the records of a slot from `used` bytes (record.h). */
int profile_add_records(struct profile *p, uint32_t slot, const unsigned char *bytes, size_t used,
			profile_node_fn *node, const void *nodes, struct err *err);
void profile_add_user_value(struct profile *p, const struct sis_user_value *value, uint32_t node);
/* Unless it is damage, or means nothing. */
void profile_add_switched(struct profile *p, const struct sis_switched *s);
void profile_add_estimate(struct profile *p, const struct sis_estimate *e, uint32_t node);
void profile_add_unscheduled(struct profile *p, const struct profile_unscheduled *switches);
void profile_add_culprit(struct profile *p, const struct profile_culprit *culprit);

/* Called after everything was read: orders the slots, marks nodes that can be reached and
 * activations that are open. */
int profile_complete(struct profile *p, struct err *err);

#endif
