/* SPDX-License-Identifier: BSD-3-Clause */
/* debug_variables.h - the variables of one file in DWARF: static and thread-local ones by address,
 * and those of a function by their place in its frame. */
#ifndef SIS_ANALYSIS_DEBUG_VARIABLES_H
#define SIS_ANALYSIS_DEBUG_VARIABLES_H

#include <elfutils/libdw.h>

#include "place/code_places.h"

struct debug_variable {
	uint64_t low, high;        /* addresses as in the file, or bytes of its thread-local data */
	Dwarf_Off die;
	const char *function;      /* that it is local to; NULL: none */
};

struct debug_variables {
	bool read;                 /* what follows is */
	VEC(struct debug_variable) fixed, per_thread; /* by address */
};

/* How frames are unwound: sections .eh_frame and .debug_frame; NULL: it is not there. */
struct debug_unwinding { Dwarf_CFI *of_code, *of_debug; };

/* The variable at a static address, or at an offset in the file's thread-local data. False: none.
 * What `variable` points to lives as long as `dwarf`, and its type as long as the process. */
bool debug_variables_find(struct debug_variables *v, Dwarf *dwarf, bool is_thread_local,
			  uint64_t at, struct code_variable *variable);
/* The variable `offset` bytes from the canonical frame address of the function that has `pc`. */
bool debug_variables_in_frame(const struct debug_unwinding *unwinding, Dwarf_Die *function,
			      uint64_t pc, int64_t offset, struct code_variable *variable);
void debug_variables_release(struct debug_variables *v);

#endif
