/* SPDX-License-Identifier: BSD-3-Clause */
/* pointed.h - what the pointers of a program point to, by declared types. */
#ifndef SIS_ANALYSIS_FLOW_POINTED_H
#define SIS_ANALYSIS_FLOW_POINTED_H

#include "flow/program.h"

/* A type, and the offset in it. */
struct flow_pointed { uint32_t type, offset; };

/* Of each value of the program; the caller frees it. The type is FLOW_NONE if it is not known. */
struct flow_pointed *flow__pointed(const struct flow_program *program);

#endif
