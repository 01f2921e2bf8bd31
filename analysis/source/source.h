/* SPDX-License-Identifier: BSD-3-Clause */
/* source.h - a file of the program's source, if it is still the one that was compiled. */
#ifndef SIS_ANALYSIS_SOURCE_H
#define SIS_ANALYSIS_SOURCE_H

#include <stdint.h>

#include "base/mem.h"

enum source_state {
	SOURCE_UNCHANGED, /* it has the recorded checksum; in all other states it is not shown */
	SOURCE_CHANGED,
	SOURCE_ABSENT,    /* not there, or not readable */
	SOURCE_UNCHECKED, /* there, but no checksum was recorded */
	SOURCE_IRREGULAR, /* a directory, a device, a pipe */
	SOURCE_OVERSIZE,  /* larger than any source */
};

struct source {
	enum source_state state;
	char *text;        /* its line ends are NULs; NULL unless SOURCE_UNCHANGED */
	VEC(char *) line;  /* without line ends; into text */
};

/* `checksum` as in the description; "": none. Symbolic links are followed. */
void source_open(struct source *source, const char *path, const char *checksum);
void source_release(struct source *source);
/* "unchanged", "changed", "absent", "unchecked", "irregular", "oversize" */
const char *source_state_name(enum source_state state);
/* Why it is not shown: "changed since it was compiled" */
const char *source_state_reason(enum source_state state);

#endif
