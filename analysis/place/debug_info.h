/* SPDX-License-Identifier: BSD-3-Clause */
/* debug_info.h - DWARF of one file: an address -> function, inlined calls, positions; variables. */
#ifndef SIS_ANALYSIS_DEBUG_INFO_H
#define SIS_ANALYSIS_DEBUG_INFO_H

#include <libelf.h>

#include "place/code_places.h"

struct debug_info;

enum { DEBUG_INFO_DEPTH = 256 }; /* inlined calls in each other that are followed */

/* NULL: the file has none that can be read. The file stays the caller's. */
struct debug_info *debug_info_new(int file);
void debug_info_free(struct debug_info *info);
/* Fills site[0 ...] with at most DEBUG_INFO_DEPTH sites, innermost first. Returns their number; 0:
 * no debug information for this address. The names live as long as `info`. */
uint32_t debug_info_sites(struct debug_info *info, uint64_t address, struct code_site *site);

/* The variable at an address of the file, or of its thread-local data. False: none is known. */
bool debug_info_variable(struct debug_info *info, bool is_thread_local, uint64_t at,
			 struct code_variable *variable);
/* The variable in a frame, by its distance from the canonical frame address. `elf`: the file that
 * has the code. False: none is known; then `variable` has the function if that is known. */
bool debug_info_frame(struct debug_info *info, Elf *elf, uint64_t pc, int64_t offset,
		      struct code_variable *variable);

#endif
