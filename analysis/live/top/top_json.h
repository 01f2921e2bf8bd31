/* SPDX-License-Identifier: BSD-3-Clause */
/* top_json.h - writes a look for scripts: as JSON, and as the text that node exporters read. */
#ifndef SIS_ANALYSIS_TOP_JSON_H
#define SIS_ANALYSIS_TOP_JSON_H

#include <stdio.h>

#include "live/look/live_run.h"

void top_json(const struct live_run *run, FILE *out);
/* Writes a look in the text format of Prometheus, for the textfile collector of a node exporter. */
void top_prometheus(const struct live_run *run, FILE *out);
/* Like top_prometheus, but replaces a file. Readers always find one complete look in it, because
 * the text is written to another file, which is then renamed. */
int top_prometheus_write(const struct live_run *run, const char *path, struct err *err);

#endif
