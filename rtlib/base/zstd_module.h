/* SPDX-License-Identifier: BSD-3-Clause */
/* zstd_module.h - the functions of libsis-zstd.so, for trace_segment.c and unify.c. These functions
 * allocate no memory, so that a bare thread (bare_thread.h) may call them. */
#ifndef SIS_ZSTD_MODULE_H
#define SIS_ZSTD_MODULE_H

#include <stdint.h>

struct sis_zstd {
	uint64_t (*room)(int level); /* bytes of memory that compressing takes */
	/* Makes a context in `memory`, which stays the caller's. Returns NULL if `memory` is too
	 * small. */
	void *(*begin)(void *memory, uint64_t bytes);
	/* Compresses `length` bytes. Returns the compressed size; 0: the result did not fit, or
	 * compressing failed. Only one thread at a time may use a context. */
	uint64_t (*compress)(void *context, void *to, uint64_t room, const void *from,
			     uint64_t length, int level);
};
extern __attribute__((visibility("default"))) const struct sis_zstd sis_zstd;

#endif
