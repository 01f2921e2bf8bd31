/* SPDX-License-Identifier: BSD-3-Clause */
/* debug_info.h - DWARF of one file: an address -> function, inlined calls, positions. */
#ifndef SIS_ANALYSIS_DEBUG_INFO_H
#define SIS_ANALYSIS_DEBUG_INFO_H

#include "place/code_places.h"

struct debug_info;

enum { DEBUG_INFO_DEPTH = 256 }; /* inlined calls in each other that are followed */

/* NULL: the file has none that can be read. The file stays the caller's. */
struct debug_info *debug_info_new(int file);
void debug_info_free(struct debug_info *info);
/* Fills site[0 ...] with at most DEBUG_INFO_DEPTH sites, innermost first. Returns their number; 0:
 * no debug information for this address. The names live as long as `info`. */
uint32_t debug_info_sites(struct debug_info *info, uint64_t address, struct code_site *site);

#endif
