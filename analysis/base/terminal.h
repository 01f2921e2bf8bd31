/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.h - output to a terminal has a pager, lines that fit the width, and a progress bar. If
 * standard output (for the bar: standard error) is a file or a pipe, it has none of these. */
#ifndef SIS_ANALYSIS_TERMINAL_H
#define SIS_ANALYSIS_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Whether standard output is a terminal that understands control sequences. */
bool terminal_is_capable(void);
/* The number of columns of standard output; 0: it is no terminal, and lines may have any length. */
size_t terminal_width(void);

/* Sends standard output to $PAGER or, if that is not set, to less, until terminal_page_end is
 * called. False: there is no pager. */
bool terminal_page_begin(void);
void terminal_page_end(void);

/* A progress bar for a long task. The bar appears after a second; progress_end removes it. */
struct progress { const char *what; size_t all; long long began_ms, shown_ms; bool shown; };
void progress_begin(struct progress *progress, const char *what, size_t all);
void progress_at(struct progress *progress, size_t done);
void progress_end(struct progress *progress);

#endif
