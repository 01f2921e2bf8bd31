/* SPDX-License-Identifier: BSD-3-Clause */
/* top_json.h - a look for scripts: as JSON, and as the text that node exporters read. */
#ifndef SIS_ANALYSIS_TOP_JSON_H
#define SIS_ANALYSIS_TOP_JSON_H

#include <stdio.h>

#include "live/live_run.h"

void top_json(const struct live_run *run, FILE *out);
/* In the text format of Prometheus, for the textfile collector of a node exporter. */
void top_prometheus(const struct live_run *run, FILE *out);
/* The same, to a file that always has all of one look: it is written beside it and then renamed. */
int top_prometheus_write(const struct live_run *run, const char *path, struct err *err);

#endif
