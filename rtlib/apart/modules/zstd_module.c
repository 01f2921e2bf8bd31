/* SPDX-License-Identifier: BSD-3-Clause */
/* zstd_module.c - libsis-zstd.so: compresses the blocks of traces for trace_segment.c, and the
 * profiles in the file of all ranks for unify.c. trace_segment.c opens this library and calls it
 * under a lock.
 */
#include "base/zstd_module.h"

#define ZSTD_STATIC_LINKING_ONLY /* contexts in the caller's memory */
#include <zstd.h>

static uint64_t room(int level)
{
	return ZSTD_estimateCCtxSize(level);
}

static void *begin(void *memory, uint64_t bytes)
{
	return ZSTD_initStaticCCtx(memory, bytes);
}

static uint64_t compress(void *context, void *to, uint64_t bytes, const void *from, uint64_t length,
			 int level)
{
	size_t done = ZSTD_compressCCtx(context, to, bytes, from, length, level);
	return ZSTD_isError(done) ? 0 : done;
}

const struct sis_zstd sis_zstd = { room, begin, compress };
