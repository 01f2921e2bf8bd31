/* json.c - JSON strings. In sisc (link.c) and in libsis-instrument (idf.c).
 * The idea: whatever bytes file names and flags have, what is written can be read by any JSON parser. */
#include "json.h"

/* Length of the UTF-8 sequence at `p`, 0 if there is none; the string's end is no continuation byte. */
static size_t sequence_length(const unsigned char *p)
{
	size_t length = *p < 0x80 ? 1 : *p >= 0xc2 && *p < 0xe0 ? 2 : *p >= 0xe0 && *p < 0xf0 ? 3
		      : *p >= 0xf0 && *p < 0xf5 ? 4 : 0;
	for (size_t i = 1; i < length; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	bool overlong = (*p == 0xe0 && p[1] < 0xa0) || (*p == 0xf0 && p[1] < 0x90);
	bool beyond = (*p == 0xed && p[1] > 0x9f) || (*p == 0xf4 && p[1] > 0x8f); /* surrogates, above U+10FFFF */
	return overlong || beyond ? 0 : length;
}

void sis_json_add_string(struct text *out, const char *string)
{
	sis_text_add(out, "\"");
	for (const unsigned char *p = (const unsigned char *)string; *p;) {
		size_t length = sequence_length(p);
		if (*p == '"' || *p == '\\')
			sis_text_addf(out, "\\%c", *p);
		else if (*p < ' ')
			sis_text_addf(out, "\\u%04x", *p);
		else if (length)
			sis_text_put(out, (const char *)p, length);
		else
			sis_text_add(out, "\\ufffd");
		p += length ? length : 1;
	}
	sis_text_add(out, "\"");
}
