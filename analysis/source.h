/* source.h - a file of the program's source, if it is still there and still the one that was compiled. */
#ifndef SIS_ANALYSIS_SOURCE_H
#define SIS_ANALYSIS_SOURCE_H

#include <stdint.h>

#include "base/mem.h"

enum source_state {
	SOURCE_UNCHANGED, /* its checksum is the description's */
	SOURCE_CHANGED,
	SOURCE_ABSENT,    /* not there, or not to be read */
	SOURCE_UNCHECKED, /* there, but nobody wrote a checksum down: a header */
};

struct source {
	enum source_state state;
	int64_t modified_ns;
	char *text;        /* its line ends are NULs */
	VEC(char *) line;  /* without line ends; into text */
};

/* `checksum` as in the description; "": none. */
void source_open(struct source *source, const char *path, const char *checksum);
void source_release(struct source *source);
/* "unchanged", "changed", "absent", "unchecked" */
const char *source_state_name(enum source_state state);

#endif
