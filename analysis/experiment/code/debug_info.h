/* SPDX-License-Identifier: BSD-3-Clause */
/* debug_info.h - DWARF of one file: finds function, inlined calls and positions of an address, and
 * variables. */
#ifndef SIS_ANALYSIS_DEBUG_INFO_H
#define SIS_ANALYSIS_DEBUG_INFO_H

#include <libelf.h>

#include "experiment/code/code_places.h"

struct debug_info;

enum { DEBUG_INFO_DEPTH = 256 }; /* most nested inlined calls that are followed */

/* Opens the debug information of a file. NULL: the file has none that can be read. The caller
 * closes `file`. */
struct debug_info *debug_info_new(int file);
void debug_info_free(struct debug_info *info);
/* Fills site[0 ...] with at most DEBUG_INFO_DEPTH sites, innermost first. Returns their number; 0:
 * the address has no debug information. The names are valid until `info` is freed. */
uint32_t debug_info_sites(struct debug_info *info, uint64_t address, struct code_site *site);

/* The variable at an address of the file, or at an offset in its thread-local data. False: no
 * variable is known. */
bool debug_info_variable(struct debug_info *info, bool is_thread_local, uint64_t at,
			 struct code_variable *variable);
/* The variable in a frame, by its distance from the canonical frame address. `elf` is the file that
 * has the code. False: no variable is known; then `variable` has only the function, if that is
 * known. */
bool debug_info_frame(struct debug_info *info, Elf *elf, uint64_t pc, int64_t offset,
		      struct code_variable *variable);

#endif
