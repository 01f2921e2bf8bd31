/* SPDX-License-Identifier: BSD-3-Clause */
/* zstd_module.h - what libsis-zstd.so offers trace_segment.c. Its functions allocate no memory, so
 * that a bare thread (bare_thread.h) may call them. */
#ifndef SIS_ZSTD_MODULE_H
#define SIS_ZSTD_MODULE_H

#include <stdint.h>

struct sis_zstd {
	uint64_t (*room)(void); /* bytes of memory that compressing takes */
	/* A context in this memory; NULL: it is too small. It stays the caller's. */
	void *(*begin)(void *memory, uint64_t bytes);
	/* Compresses `length` bytes. Returns the size, 0: it did not fit, or failed. One caller at
	 * a time. */
	uint64_t (*compress)(void *context, void *to, uint64_t room, const void *from,
			     uint64_t length);
};
extern __attribute__((visibility("default"))) const struct sis_zstd sis_zstd;

#endif
