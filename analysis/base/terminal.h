/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.h - what only a terminal gets: a pager, lines that fit its width, a progress bar. If
 * standard output (for the bar: standard error) is a file or a pipe, there is none of them. */
#ifndef SIS_ANALYSIS_TERMINAL_H
#define SIS_ANALYSIS_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Whether standard output is a terminal that understands control sequences. */
bool terminal_is_capable(void);
/* Columns of standard output; 0 if it is no terminal, and lines may have any length. */
size_t terminal_width(void);

/* From here to terminal_page_end, standard output goes through $PAGER, or less. False: it does
 * not. */
bool terminal_page_begin(void);
void terminal_page_end(void);

/* How far a long task is. The bar appears after a second; progress_end removes it. */
struct progress { const char *what; size_t all; long long began_ms, shown_ms; bool shown; };
void progress_begin(struct progress *progress, const char *what, size_t all);
void progress_at(struct progress *progress, size_t done);
void progress_end(struct progress *progress);

#endif
