/* SPDX-License-Identifier: BSD-3-Clause */
/* zstd_module.c - libsis-zstd.so: compression of the trace's blocks. Opened by trace_segment.c,
 * called under its lock; owns nothing.
 *
 * The level is the fastest one that still finds repetitions, since the program's threads may have
 * to write blocks themselves.
 */
#include "base/zstd_module.h"

#define ZSTD_STATIC_LINKING_ONLY /* contexts in the caller's memory */
#include <zstd.h>

enum { LEVEL = -1 };

static uint64_t room(void)
{
	return ZSTD_estimateCCtxSize(LEVEL);
}

static void *begin(void *memory, uint64_t bytes)
{
	return ZSTD_initStaticCCtx(memory, bytes);
}

static uint64_t compress(void *context, void *to, uint64_t bytes, const void *from, uint64_t length)
{
	size_t done = ZSTD_compressCCtx(context, to, bytes, from, length, LEVEL);
	return ZSTD_isError(done) ? 0 : done;
}

const struct sis_zstd sis_zstd = { room, begin, compress };
