/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - JSON strings. In sisc (link.c) and in libsis-instrument (idf.c).
 * The idea: the output is valid JSON, whatever bytes file names and flags have. */
#include "common/json.h"

#include "escape_char.h"

void sis_json_add_string(struct text *out, const char *string)
{
	char next[SIS_ESCAPE_ROOM];
	sis_text_add(out, "\"");
	while (*string) {
		if (*string == '"' || *string == '\\')
			sis_text_add(out, "\\");
		sis_text_put(out, next, sis_escape_next(next, &string, SIS_ESCAPE_JSON));
	}
	sis_text_add(out, "\"");
}
