/* SPDX-License-Identifier: BSD-3-Clause */
/* user_api.h - functions that the files behind sis/sis.h share. */
#ifndef SIS_USER_API_H
#define SIS_USER_API_H

/* sis.h has declarations only if sisc compiles the file. */
#define __SISC__ 1
#include "sis/sis.h"

#pragma GCC visibility push(hidden)

/* Makes a permanent copy, because names may be in libraries that are closed later. Returns NULL if
 * there is no memory. Signal handlers must not call this. */
void *sis__keep(const void *data, size_t size);

struct sis_thread;
struct sis_node;
struct sis_user_value;
/* Adds numbers that were given before, of which only count, sum, min and max matter, to those of a
 * node. The calling thread fills the slot. */
void sis__value_add(struct sis_thread *thread, struct sis_node *node, struct sis_counted *counted,
		    const struct sis_user_value *sum);

/* The same as SIS_PAUSE, with a cause (enum sis_cause). */
__attribute__((__visibility__("default"))) void sis__pause_for(unsigned cause);

#pragma GCC visibility pop
#endif
