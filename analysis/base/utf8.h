/* utf8.h - what bytes are one character. */
#ifndef SIS_ANALYSIS_UTF8_H
#define SIS_ANALYSIS_UTF8_H

/* Bytes of the character that begins here; 0: none does. */
static inline int utf8_length(const unsigned char *p)
{
	int n = *p < 0x80 ? 1 : *p >= 0xc2 && *p < 0xe0 ? 2 : (*p & 0xf0) == 0xe0 ? 3 : *p >= 0xf0 && *p < 0xf5 ? 4 : 0;
	for (int i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) || (*p == 0xf0 && p[1] < 0x90) ||
	    (*p == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

#endif
