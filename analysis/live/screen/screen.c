/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.c - draws pages and reads keys by ncurses (screen.h). Owns the terminal between
 * screen_begin and screen_end. Called by one thread.
 *
 * ncurses handles SIGTSTP, and changes of the terminal's size, which it reports as a key. If a
 * signal asks the program to end, the handler keeps only its number, so that the caller can restore
 * the terminal first. ncurses takes the character set from the user's locale. Numbers are written
 * as in the C locale. */
#include "live/screen/screen.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/terminal.h"
#include "live/top/top.h"

static SCREEN *screen;
static volatile sig_atomic_t signal_number;
static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
enum { ENDINGS = sizeof ending / sizeof *ending };
static struct sigaction action_before[ENDINGS];
static chtype attributes[TOP_STYLES];

/* -- begin and end ----------------------------------------------------------------------------- */

static void keep_signal(int number)
{
	signal_number = number;
}

static void restore_actions(void)
{
	for (int i = 0; i < ENDINGS; i++)
		sigaction(ending[i], &action_before[i], NULL);
}

static chtype colour(short pair, short foreground, chtype without)
{
	if (!has_colors() || getenv("NO_COLOR") || init_pair(pair, foreground, -1) == ERR)
		return without;
	return (chtype)COLOR_PAIR(pair);
}

static void choose_attributes(void)
{
	if (has_colors()) {
		start_color();
		use_default_colors();
	}
	attributes[STYLE_TITLE] = A_BOLD;
	attributes[STYLE_HEAD] = A_UNDERLINE;
	attributes[STYLE_DIM] = A_DIM;
	attributes[STYLE_CURSOR] = A_REVERSE;
	attributes[STYLE_MATCH] = A_BOLD | colour(1, COLOR_CYAN, A_UNDERLINE);
	attributes[STYLE_LOW] = colour(2, COLOR_BLUE, A_NORMAL);
	attributes[STYLE_MIDDLE] = colour(3, COLOR_YELLOW, A_NORMAL);
	attributes[STYLE_HIGH] = A_BOLD | colour(4, COLOR_RED, A_NORMAL);
	attributes[STYLE_WARNING] = A_BOLD;
}

bool screen_begin(void)
{
	if (!terminal_is_capable() || !isatty(STDIN_FILENO))
		return false;
	for (int i = 0; i < ENDINGS; i++) /* before ncurses sets its own actions */
		sigaction(ending[i], NULL, &action_before[i]);
	setlocale(LC_CTYPE, "");
	screen = newterm(NULL, stdout, stdin);
	if (!screen) {
		restore_actions();
		setlocale(LC_CTYPE, "C");
		return false;
	}
	/* This handler replaces those of ncurses, which end the program. A signal that was ignored
	 * (nohup) stays ignored. */
	struct sigaction action = { .sa_handler = keep_signal };
	sigemptyset(&action.sa_mask);
	signal_number = 0;
	for (int i = 0; i < ENDINGS; i++)
		if (action_before[i].sa_handler != SIG_IGN)
			sigaction(ending[i], &action, NULL);
	atexit(screen_end); /* for the case that the program ends for lack of memory */
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(50);
	curs_set(0);
	choose_attributes();
	return true;
}

void screen_end(void)
{
	if (!screen)
		return;
	endwin();
	delscreen(screen);
	screen = NULL;
	setlocale(LC_CTYPE, "C");
	restore_actions();
}

int screen_signal(void)
{
	return signal_number;
}

/* -- pages ------------------------------------------------------------------------------------- */

bool screen_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void screen_size(size_t *height, size_t *width)
{
	/* ncurses misses a change of the size that comes immediately after another one */
	struct winsize size;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col &&
	    is_term_resized(size.ws_row, size.ws_col))
		resizeterm(size.ws_row, size.ws_col);
	*height = LINES > 0 ? (size_t)LINES : 1;
	*width = COLS > 0 ? (size_t)COLS : 1;
}

void screen_draw(const struct top_page *page)
{
	erase();
	for (size_t y = 0; y < page->line.n; y++) {
		const struct top_line *line = &page->line.at[y];
		move((int)y, 0);
		for (size_t k = 0; k < line->span.n; k++) {
			attrset((int)attributes[line->span.at[k].style]);
			addstr(line->span.at[k].text);
		}
	}
	attrset(A_NORMAL);
	refresh();
}

/* -- keys -------------------------------------------------------------------------------------- */

static int key_of(int key)
{
	switch (key) {
	case KEY_UP: return TOP_UP;
	case KEY_DOWN: return TOP_DOWN;
	case KEY_PPAGE: return TOP_PAGE_UP;
	case KEY_NPAGE: return TOP_PAGE_DOWN;
	case KEY_HOME: return TOP_HOME;
	case KEY_END: return TOP_END;
	case KEY_ENTER: case '\r': case '\n': return TOP_ENTER;
	case KEY_BACKSPACE: case '\b': case 0x7f: return TOP_BACK;
	case '\033': return TOP_ESCAPE;
	case KEY_RESIZE: return TOP_RESIZE;
	case '\f': /* Ctrl-L */
		clearok(stdscr, TRUE);
		return TOP_RESIZE;
	default: return key;
	}
}

int screen_key(int timeout_ms)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	int key = getch(); /* ncurses may already have read several keys */
	if (key != ERR)
		return key_of(key);
	if (signal_number)
		return SCREEN_TIMEOUT;
	int ready = poll(&input, 1, timeout_ms);
	key = getch(); /* a change of the size interrupts poll */
	if (key != ERR)
		return key_of(key);
	/* if input is ready, but there is no key, the input has ended */
	return ready > 0 && !signal_number ? SCREEN_HANGUP : SCREEN_TIMEOUT;
}
