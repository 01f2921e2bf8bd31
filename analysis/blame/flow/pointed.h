/* SPDX-License-Identifier: BSD-3-Clause */
/* pointed.h - computes from declared types what the pointers of a program point to. */
#ifndef SIS_ANALYSIS_FLOW_POINTED_H
#define SIS_ANALYSIS_FLOW_POINTED_H

#include "blame/flow/program.h"

/* A type, and an offset in it. */
struct flow_pointed { uint32_t type, offset; };

/* What each value of the program points to; the caller frees the array. A type that is not known is
 * FLOW_NONE. */
struct flow_pointed *flow__pointed(const struct flow_program *program);

#endif
