/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - JSON strings. Called by link.c in sisc, and by idf.c in libsis-instrument.
 * The idea: the output is valid JSON, even if names of files and flags are not UTF-8. */
#include "common/json.h"

#include "escape_char.h"

void sis_json_add_string(struct buf *out, const char *string)
{
	char next[SIS_ESCAPE_ROOM];
	buf_add(out, "\"");
	while (*string)
		buf_put(out, next, sis_escape_json(next, &string));
	buf_add(out, "\"");
}
