/* SPDX-License-Identifier: BSD-3-Clause */
/* debug_scopes.h - the functions and inlined calls of one translation unit in DWARF, by address. */
#ifndef SIS_ANALYSIS_DEBUG_SCOPES_H
#define SIS_ANALYSIS_DEBUG_SCOPES_H

#include <elfutils/libdw.h>

#include "base/mem.h"
#include "experiment/read/profile_read.h"

struct debug_scope {
	uint32_t parent;           /* the scope around this one; NONE: none */
	Dwarf_Off die;
	uint32_t depth;
	bool inlined;
	uint32_t call_file, call_line, call_column; /* of an inlined call; 0: not given */
	const char *function;      /* linkage name, else name; NULL: none */
	Dwarf_Off unit;            /* DIE of the unit that has the function's source */
	const char *declared;      /* the file that declares the function; NULL: not known */
	uint32_t declared_line;    /* 0: not known */
};

/* The code from `low` up to the next segment belongs to `scope`; NONE: to no scope. */
struct debug_segment { uint64_t low; uint32_t scope; };

struct debug_scopes {
	VEC(struct debug_scope) scope;
	VEC(struct debug_segment) segment; /* sorted by address */
};

/* The file that declares a function or variable; NULL: not known. */
const char *debug_declared_file(Dwarf_Die *die);
void debug_scopes_read(struct debug_scopes *scopes, Dwarf_Die *unit);
/* The innermost scope at the address; NONE: there is none. */
uint32_t debug_scopes_find(const struct debug_scopes *scopes, uint64_t address);
void debug_scopes_release(struct debug_scopes *scopes);

#endif
