/* SPDX-License-Identifier: BSD-3-Clause */
/* compress.h - compresses bytes on their way to a file, with zlib. */
#ifndef SIS_ANALYSIS_COMPRESS_H
#define SIS_ANALYSIS_COMPRESS_H

#include <stddef.h>
#include <stdio.h>

enum compress_form {
	COMPRESS_GZIP,
	COMPRESS_RAW, /* deflate without a header; browsers call this deflate-raw */
};

struct compressor;

/* Begins to compress bytes for `out`. The caller checks errors of `out`. */
struct compressor *compress_new(FILE *out, enum compress_form form);
void compress_write(struct compressor *compressor, const void *bytes, size_t length);
/* Writes the bytes that are still in the compressor and frees it; `out` stays open. */
void compress_finish(struct compressor *compressor);

#endif
