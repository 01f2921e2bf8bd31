/* SPDX-License-Identifier: BSD-3-Clause */
/* view_live.h - `sis-analyze view --live`: serves the page of a program that runs. */
#ifndef SIS_ANALYSIS_VIEW_LIVE_H
#define SIS_ANALYSIS_VIEW_LIVE_H

#include "commands/command.h"

#define LIVE_OPTIONS \
	{ "--live", NULL, "serve the page of a program while it runs, to this machine only" }, \
		{ "--interval", "SECONDS", "with --live: time between two looks (default: 1)" }, \
		{ "--port", "N", "with --live: where it is served (default: a free port)" }, \
		{ "--address", "IP", "with --live: where it is served (default: 127.0.0.1); " \
				     "0.0.0.0 is all networks of this machine" }

/* Serves the page until the user ends it; `limit`: most bytes of the page. */
int view_live(struct context *c, size_t limit, struct err *err);

#endif
