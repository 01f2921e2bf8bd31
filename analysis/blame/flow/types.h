/* SPDX-License-Identifier: BSD-3-Clause */
/* types.h - finds the members and elements of a type by their offset. A type is a number;
 * FLOW_NONE: not known. */
#ifndef SIS_ANALYSIS_FLOW_TYPES_H
#define SIS_ANALYSIS_FLOW_TYPES_H

#include "blame/flow/program.h"

const struct flow_type *flow_type_of(const struct flow_program *program, uint32_t type);
/* The largest field that contains this offset; NULL: no field contains it. */
const struct flow_field *flow_field_at(const struct flow_program *program,
				       const struct flow_type *type, uint64_t offset);
/* The type of the scalar at *offset, inside of all arrays and fields. *offset becomes the offset of
 * the same member in the first element of each array. *around becomes the innermost struct or union
 * around the scalar, or FLOW_NONE, and *inside the scalar's offset in *around. `around` and
 * `inside` may be NULL. */
uint32_t flow_type_descend(const struct flow_program *program, uint32_t type, uint64_t *offset,
			   uint32_t *around, uint64_t *inside);
/* The type at an offset of a type. At an array, this is the type of the array's elements. */
uint32_t flow_type_at(const struct flow_program *program, uint32_t type, uint64_t offset);
/* The type of an array's elements, through all its dimensions; for any other type, the type
 * itself. */
uint32_t flow_element(const struct flow_program *program, uint32_t type);
/* Whether two types, which may be in different units, are the same. */
bool flow_same_type(const struct flow_program *program, uint32_t a, uint32_t b);
/* Whether a type is a reference of C++, which counts as a pointer. */
bool flow_is_reference(const struct flow_program *program, uint32_t type);
/* The type to which a pointer points. */
uint32_t flow_pointee(const struct flow_program *program, uint32_t type);

#endif
