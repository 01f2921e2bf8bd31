/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.h - a terminal that shows a page and reads keys. Only this folder uses ncurses. */
#ifndef SIS_ANALYSIS_SCREEN_H
#define SIS_ANALYSIS_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "live/top/top_page.h"

/* Takes over the terminal of standard input and output. Returns false, and changes nothing, if
 * there is no terminal, or if it cannot show pages. */
bool screen_begin(void);
/* Restores the terminal. May be called more than once. */
void screen_end(void);

bool screen_is_utf8(void);
void screen_size(size_t *height, size_t *width);
void screen_draw(const struct top_page *page);

enum { SCREEN_TIMEOUT = -1, SCREEN_HANGUP = -2 /* the terminal is gone */ };
/* The next key: a byte of text, or a key of top.h. Waits for at most `timeout_ms`, or without limit
 * if it is negative. A signal ends the wait. */
int screen_key(int timeout_ms);
/* The signal that has asked the program to end since screen_begin, or 0. */
int screen_signal(void);

#endif
