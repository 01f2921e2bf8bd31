/* SPDX-License-Identifier: BSD-3-Clause */
/* prefix_map.h - the user's -f*-prefix-map options, which also apply to paths in descriptions. */
#ifndef SIS_INSTRUMENT_PREFIX_MAP_H
#define SIS_INSTRUMENT_PREFIX_MAP_H

#include "common/base.h"

struct prefix_map {
	struct words debug; /* OLD=NEW, in their order: for the paths of debug information */
	char *flags;        /* the other words of the flags */
};

/* If `word` is such an option, adds its map. Returns whether `word` is such an option. */
bool sis_prefix_map_add(struct prefix_map *map, const char *word);
/* Splits flags, separated by blanks, into maps and other words. */
void sis_prefix_map_read(struct prefix_map *map, const char *flags);
/* The path after mapping; malloc'ed. As in GCC, the last map that matches wins. */
char *sis_prefix_map_apply(const struct words *maps, const char *path);
void sis_prefix_map_release(struct prefix_map *map);

#endif
