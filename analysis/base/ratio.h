/* SPDX-License-Identifier: BSD-3-Clause */
/* ratio.h - writes ratios for people, in the same form in all commands. The functions write to
 * `text`, which has RATIO_ROOM bytes, and return `text`. */
#ifndef SIS_ANALYSIS_RATIO_H
#define SIS_ANALYSIS_RATIO_H

enum { RATIO_ROOM = 64 };

/* A part of a whole, or a relative change: 0.3947 is "39.5 %". */
const char *ratio_share(char *text, double value);
/* The quotient of two values: 1.8349 is "1.83". */
const char *ratio_factor(char *text, double value);

#endif
