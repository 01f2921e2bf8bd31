/* SPDX-License-Identifier: BSD-3-Clause */
/* program_internal.h - between the files that make a struct flow_program. */
#ifndef SIS_ANALYSIS_FLOW_PROGRAM_INTERNAL_H
#define SIS_ANALYSIS_FLOW_PROGRAM_INTERNAL_H

#include "flow/program.h"

const char *flow__text(struct flow_program *program, const char *text);
uint32_t flow__file(struct flow_program *program, const char *path);
/* Makes the last function of the list known by its linkage name. */
void flow__name_function(struct flow_program *program, uint32_t function);
/* Adds a unit of the current module out of a payload; -1: damaged, and then nothing was added. */
int flow__read_unit(struct flow_program *program, const void *payload, size_t size,
		    uint32_t version);

#endif
