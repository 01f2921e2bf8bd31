/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.h - what a person at a terminal gets beside the text: a page at a time, a width that is
 * kept, a bar while it lasts. None of it when standard output (the bar: standard error) is a file
 * or a pipe. */
#ifndef SIS_ANALYSIS_TERMINAL_H
#define SIS_ANALYSIS_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Whether standard output is a terminal that can do more than print. */
bool terminal_is_capable(void);
/* Characters in a line of standard output; 0: it is no terminal, and lines may be of any length. */
size_t terminal_width(void);

/* From here to the end standard output goes through $PAGER, or less. False: it stays as it is. */
bool terminal_page_begin(void);
void terminal_page_end(void);

/* How far a long piece of work is. Shown after a second; progress_end takes it away again. */
struct progress { const char *what; size_t all; long long began_ms, shown_ms; bool shown; };
void progress_begin(struct progress *progress, const char *what, size_t all);
void progress_at(struct progress *progress, size_t done);
void progress_end(struct progress *progress);

#endif
