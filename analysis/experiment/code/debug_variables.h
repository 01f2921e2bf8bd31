/* SPDX-License-Identifier: BSD-3-Clause */
/* debug_variables.h - the variables of one file in DWARF: static and thread-local variables by
 * address, local variables by their offset in the function's frame. */
#ifndef SIS_ANALYSIS_DEBUG_VARIABLES_H
#define SIS_ANALYSIS_DEBUG_VARIABLES_H

#include <elfutils/libdw.h>

#include "experiment/code/code_places.h"

struct debug_variable {
	uint64_t low, high;        /* addresses as in the file, or offsets in its thread-local
	                            * data */
	Dwarf_Off die;
	const char *function;      /* the function to which the variable is local; NULL: none */
};

struct debug_variables {
	bool read;                 /* the lists below are filled */
	VEC(struct debug_variable) fixed, per_thread; /* sorted by address */
};

/* The sections that say how frames are unwound: .eh_frame and .debug_frame. NULL: the file does not
 * have the section. */
struct debug_unwinding { Dwarf_CFI *of_code, *of_debug; };

/* The variable at a static address, or at an offset in the file's thread-local data. False: there
 * is no variable. The texts of `variable` are valid as long as `dwarf` is open. Its type is never
 * freed. */
bool debug_variables_find(struct debug_variables *v, Dwarf *dwarf, bool is_thread_local,
			  uint64_t at, struct code_variable *variable);
/* The variable `offset` bytes from the canonical frame address of the function that has `pc`. */
bool debug_variables_in_frame(const struct debug_unwinding *unwinding, Dwarf_Die *function,
			      uint64_t pc, int64_t offset, struct code_variable *variable);
void debug_variables_release(struct debug_variables *v);

#endif
