/* SPDX-License-Identifier: BSD-3-Clause */
/* cmd_top.c - `sis-analyze top`: looks at a run while it goes on. live/look/ looks, live/top/
 * decides what is shown, live/screen/ draws. The processes of the run take no part in this. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/now.h"
#include "base/stream.h"
#include "base/terminal.h"
#include "commands/command.h"
#include "commands/option_values.h"
#include "live/look/target.h"
#include "live/screen/screen.h"
#include "live/top/top.h"
#include "live/top/top_json.h"

static const struct cli_option options[] = {
	{ "--once", NULL, "print one look and end; with --interval two looks, so that there are "
			  "rates" },
	{ "--interval", "SECONDS", "time between two looks (default: 1)" },
	{ "--prometheus", "FILE",
	  "write each look to this file, for the textfile collector of a node exporter" },
	{ NULL, NULL, NULL },
};

struct watch {
	struct context *c;
	struct live_run run;
	int64_t interval_ns;
	const char *prometheus;  /* path; NULL: no file */
	int64_t spent_ns;        /* CPU time of this process at the last look; 0: no look yet */
};

static int64_t now_ns(void)
{
	return clock_now(CLOCK_MONOTONIC);
}

/* The cost of a look is all CPU time of this process since the look before, including rows, drawing
 * and keys. So all of this is limited (live_pause_ns). */
static int look(struct watch *w, struct err *err)
{
	int rc = live_look(&w->run, err);
	int64_t spent = clock_now(CLOCK_PROCESS_CPUTIME_ID);
	if (rc == 0 && w->spent_ns)
		w->run.now.cost_ns = spent - w->spent_ns;
	w->spent_ns = spent;
	if (rc == 0 && w->prometheus)
		rc = top_prometheus_write(&w->run, w->prometheus, err);
	return rc;
}

/* -- text -------------------------------------------------------------------------------------- */

static void print_look(const struct watch *w)
{
	struct top_page page;
	top_page_init(&page, terminal_width(), true);
	top_draw_all(&w->run, w->interval_ns, &page);
	top_page_print(&page, stdout);
	top_page_release(&page);
}

/* Prints one look. With --interval, waits for a second look to have rates, unless the run has
 * ended. */
static int print_once(struct watch *w, struct err *err)
{
	if (cli_get(&w->c->cli, "--interval") && w->run.state == LIVE_RUNS) {
		sleep_ns(w->interval_ns);
		if (look(w, err))
			return ERR_FAILED;
	}
	if (w->c->format == FORMAT_JSON)
		top_json(&w->run, stdout);
	else
		print_look(w);
	return 0;
}

/* Prints one look after the other, if the terminal cannot show a screen. */
static int watch_as_text(struct watch *w, struct err *err)
{
	int rc = 0;
	while (rc == 0 && w->run.state == LIVE_RUNS) {
		print_look(w);
		putchar('\n');
		if (stream_check(stdout, "the result", err))
			return ERR_FAILED;
		sleep_ns(live_pause_ns(&w->run, w->interval_ns));
		rc = look(w, err);
	}
	return rc;
}

/* -- the screen -------------------------------------------------------------------------------- */

struct shown { /* the state while the screen is on */
	struct watch *watch;
	struct top top;
	int64_t next_ns;         /* time of the next look */
	struct err note;         /* why the last look failed */
	bool quit;
};

static void draw(struct shown *s)
{
	struct top_page page;
	size_t height, width;
	screen_size(&height, &width);
	top_page_init(&page, width, screen_is_utf8());
	top_draw(&s->top, &s->watch->run, s->note.text[0] ? s->note.text : NULL, height, &page);
	screen_draw(&page);
	top_page_release(&page);
}

/* The milliseconds until the next look, at most an hour; -1 during a pause: there is no next
 * look. */
static int timeout_of(const struct shown *s)
{
	int64_t left = s->next_ns - now_ns();
	if (s->top.paused)
		return -1;
	return left <= 0 ? 0 : left > 3600 * INT64_C(1000000000) ? 3600000 :
		(int)((left + 999999) / 1000000);
}

static int step(struct shown *s, struct err *err)
{
	int key = screen_key(timeout_of(s));
	if (key == SCREEN_HANGUP) {
		s->quit = true;
		return 0;
	}
	enum top_action action = TOP_NOTHING;
	if (key >= 0)
		action = top_key(&s->top, &s->watch->run, key);
	s->quit = action == TOP_QUIT;
	if (action != TOP_LOOK && (s->top.paused || now_ns() < s->next_ns))
		return 0;
	/* If a look fails, the next one may succeed, unless the run is gone. */
	struct watch *w = s->watch;
	s->note = (struct err){ 0 };
	int rc = look(w, &s->note);
	top_refresh(&s->top, &w->run);
	s->next_ns = now_ns() + live_pause_ns(&w->run, s->top.interval_ns);
	return rc && w->run.state == LIVE_GONE ? err_fail(err, "%s", s->note.text) : 0;
}

static int watch_on_screen(struct watch *w, bool *quit, struct err *err)
{
	struct shown s = { .watch = w };
	int rc = 0;
	top_init(&s.top, w->interval_ns);
	top_refresh(&s.top, &w->run);
	s.next_ns = now_ns() + live_pause_ns(&w->run, w->interval_ns);
	while (rc == 0 && w->run.state == LIVE_RUNS && !s.quit && !screen_signal()) {
		draw(&s);
		rc = step(&s, err);
	}
	int number = screen_signal();
	screen_end();
	top_release(&s.top);
	*quit = s.quit;
	if (number)
		raise(number); /* the signal now ends the program, as it would without a screen */
	return rc;
}

/* -- the command ------------------------------------------------------------------------------- */

/* Prints the report after the run has ended, as `sis-analyze report DIR` does. */
static int report(struct watch *w, struct err *err)
{
	struct context *c = w->c;
	if (c->cli.argument.n == 0)
		*vec_push(&c->cli.argument) = NULL;
	c->cli.argument.at[0] = w->run.directory;
	terminal_page_begin();
	return cmd_report.run(c, err);
}

static int run_top(struct context *c, struct err *err)
{
	struct watch w = { .c = c, .prometheus = cli_get(&c->cli, "--prometheus") };
	char *directory;
	if (c->format == FORMAT_CSV)
		return err_usage(err, "top: there is no --csv; use --once --json");
	if (c->format == FORMAT_JSON && !cli_get(&c->cli, "--once"))
		return err_usage(err, "top: --json prints one look; write --once --json");
	int rc = select_pause(&c->cli, "top", &w.interval_ns, err);
	rc = rc ? rc :
		    live_target_choose(&directory, c->cli.argument.n ? c->cli.argument.at[0] : NULL,
				       err);
	if (rc)
		return rc;
	live_keep_memory();
	live_attach(&w.run, directory);
	free(directory);
	rc = look(&w, err);
	if (rc == 0 && cli_get(&c->cli, "--once")) {
		rc = print_once(&w, err);
	} else if (rc == 0) {
		bool quit = false;
		rc = screen_begin() ? watch_on_screen(&w, &quit, err) : watch_as_text(&w, err);
		rc = rc || quit ? rc : report(&w, err);
	}
	live_detach(&w.run);
	return rc;
}

const struct command cmd_top = {
	"top",
	"[DIR | PID]",
	"Show a program while it runs: overheads, worst regions, threads",
	"DIR is the directory of a run, PID one of its processes; without them, the newest run in\n"
	"the working directory is shown. It covers all processes that write into the directory, of\n"
	"all hosts if it is on a shared file system. The processes take no part: top reads the\n"
	"files that they have mapped, at any time and as often as it wants. Times are up to now;\n"
	"what a thread is in goes on. The column `probe` says how long ago each thread passed its\n"
	"last probe; numbers of threads on other hosts are so old.\n"
	"Keys: Tab o r u lists; Enter into a row, Esc back; s sort; / n N search; p pause; + -\n"
	"interval; h help; q quit. When the program ends, its report follows. Where the terminal\n"
	"cannot show pages (TERM=dumb, a pipe), looks are printed one after the other.\n"
	"Looks take at most 3 % of one processor: if one takes long, the next one is later.\n"
	"Example: sis-analyze top --once --json sis-prog-20261101-120000-77",
	options,
	1,
	run_top,
};
