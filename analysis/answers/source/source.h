/* SPDX-License-Identifier: BSD-3-Clause */
/* source.h - reads a source file of the program, if it has not changed since it was compiled. */
#ifndef SIS_ANALYSIS_SOURCE_H
#define SIS_ANALYSIS_SOURCE_H

#include <stdint.h>

#include "base/mem.h"

enum source_state {
	SOURCE_UNCHANGED, /* has the recorded checksum; only such files are shown */
	SOURCE_CHANGED,
	SOURCE_ABSENT,    /* not there, or not readable */
	SOURCE_UNCHECKED, /* there, but no checksum was recorded */
	SOURCE_IRREGULAR, /* a directory, a device, a pipe */
	SOURCE_OVERSIZE,  /* too large for a source */
};

struct source {
	enum source_state state;
	char *text;        /* NULs in place of line ends; NULL unless SOURCE_UNCHANGED */
	VEC(char *) line;  /* pointers into `text` */
};

/* `checksum`: as in the description; "": none was recorded. Symbolic links are followed. */
void source_open(struct source *source, const char *path, const char *checksum);
void source_release(struct source *source);
/* "unchanged", "changed", "absent", "unchecked", "irregular", "oversize" */
const char *source_state_name(enum source_state state);
/* Why the source is not shown: "changed since it was compiled" ... */
const char *source_state_reason(enum source_state state);

#endif
