/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - JSON strings. In sisc (link.c) and in libsis-instrument (idf.c).
 * The idea: the output is valid JSON, even if names of files and flags are not UTF-8. */
#include "common/json.h"

#include "escape_char.h"

void sis_json_add_string(struct text *out, const char *string)
{
	char next[SIS_ESCAPE_ROOM];
	sis_text_add(out, "\"");
	while (*string)
		sis_text_put(out, next, sis_escape_json(next, &string));
	sis_text_add(out, "\"");
}
