/* SPDX-License-Identifier: BSD-3-Clause */
/* program_internal.h - functions that the files which make a struct flow_program share. */
#ifndef SIS_ANALYSIS_FLOW_PROGRAM_INTERNAL_H
#define SIS_ANALYSIS_FLOW_PROGRAM_INTERNAL_H

#include "blame/flow/program.h"

const char *flow__text(struct flow_program *program, const char *text);
uint32_t flow__file(struct flow_program *program, const char *path);
/* Makes flow_function_find and flow_function_next find the function. */
void flow__name_function(struct flow_program *program, uint32_t function);
/* Adds the unit in a blob's payload to the current module. -1: the payload is damaged, and nothing
 * was added. */
int flow__read_unit(struct flow_program *program, const void *payload, size_t size);

#endif
