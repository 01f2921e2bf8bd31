/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.h - a terminal as a whole: shows a page, and reads keys. Only this folder uses ncurses. */
#ifndef SIS_ANALYSIS_SCREEN_H
#define SIS_ANALYSIS_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "top/top_page.h"

/* Takes the terminal of standard input and output. False: it is none, or cannot show pages; nothing
 * has changed. */
bool screen_begin(void);
/* Gives the terminal back as it was. It may be called more than once. */
void screen_end(void);

bool screen_is_utf8(void);
void screen_size(size_t *height, size_t *width);
void screen_draw(const struct top_page *page);

enum { SCREEN_TIMEOUT = -1, SCREEN_HANGUP = -2 /* the terminal is gone */ };
/* The next key: a byte of text or a key of top.h. Waits for `timeout_ms`; negative: forever. A
 * signal ends the wait. */
int screen_key(int timeout_ms);
/* The signal that asked the program to end since screen_begin; 0: none. */
int screen_signal(void);

#endif
