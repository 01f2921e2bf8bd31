/* SPDX-License-Identifier: BSD-3-Clause */
/* debug_types.h - the types of variables in DWARF: their names and sizes. */
#ifndef SIS_ANALYSIS_DEBUG_TYPES_H
#define SIS_ANALYSIS_DEBUG_TYPES_H

#include <elfutils/libdw.h>
#include <stdint.h>

/* The name of a variable's type as C writes it, without qualifiers: "double[100]",
 * "struct panel *". The caller frees it. */
char *debug_type_name(Dwarf_Die *variable);
/* The size of a variable's type in bytes; 0: not known. */
uint64_t debug_type_bytes(Dwarf_Die *variable);

#endif
