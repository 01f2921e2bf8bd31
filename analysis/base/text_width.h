/* SPDX-License-Identifier: BSD-3-Clause */
/* text_width.h - the width of UTF-8 text on a terminal. */
#ifndef SIS_ANALYSIS_TEXT_WIDTH_H
#define SIS_ANALYSIS_TEXT_WIDTH_H

#include <stddef.h>

/* The columns that `text` takes: 2 for a wide character of Chinese, Japanese or Korean, 0 for a
 * combining character. */
size_t text_width(const char *text);

/* The end of the longest prefix of `text` that takes at most `columns` columns. */
const char *text_prefix(const char *text, size_t columns);
/* The begin of the longest suffix of `text` that takes at most `columns` columns. */
const char *text_suffix(const char *text, size_t columns);

#endif
