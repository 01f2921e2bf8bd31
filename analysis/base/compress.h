/* SPDX-License-Identifier: BSD-3-Clause */
/* gzip.h - bytes that are compressed on their way to a file. Behind it is zlib. */
#ifndef SIS_ANALYSIS_GZIP_H
#define SIS_ANALYSIS_GZIP_H

#include <stddef.h>
#include <stdio.h>

struct gzip;

/* The caller checks errors of `out`. */
struct gzip *gzip_new(FILE *out);
void gzip_write(struct gzip *gzip, const void *bytes, size_t length);
/* Writes what is left and frees it; `out` stays open. */
void gzip_finish(struct gzip *gzip);

#endif
