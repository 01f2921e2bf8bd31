/* SPDX-License-Identifier: BSD-3-Clause */
/* types.h - what lies where in a type. Types are numbers; FLOW_NONE: not known. */
#ifndef SIS_ANALYSIS_FLOW_TYPES_H
#define SIS_ANALYSIS_FLOW_TYPES_H

#include "flow/program.h"

const struct flow_type *flow_type_of(const struct flow_program *program, uint32_t type);
/* The largest field at an offset; NULL: none. */
const struct flow_field *flow_field_at(const struct flow_program *program,
				       const struct flow_type *type, uint64_t offset);
/* Goes down through arrays and fields to the scalar at *offset, which becomes that of the first
 * elements. *around is the innermost struct or union around it, or FLOW_NONE, and *inside the
 * offset in there; both may be NULL. */
uint32_t flow_type_descend(const struct flow_program *program, uint32_t type, uint64_t *offset,
			   uint32_t *around, uint64_t *inside);
/* The type of what lies at an offset of a type, without arrays. */
uint32_t flow_type_at(const struct flow_program *program, uint32_t type, uint64_t offset);
/* The type of the elements of an array, also of one with several dimensions; else the type. */
uint32_t flow_element(const struct flow_program *program, uint32_t type);
/* Whether two types are the same, perhaps in different units. */
bool flow_same_type(const struct flow_program *program, uint32_t a, uint32_t b);
/* What a pointer points to. */
uint32_t flow_pointee(const struct flow_program *program, uint32_t type);

#endif
