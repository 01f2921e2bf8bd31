/* SPDX-License-Identifier: BSD-3-Clause */
/* zstd_module.c - libsis-zstd.so: compression of the trace's blocks. Opened by trace_file.c, called
 * under its lock.
 *
 * The level is the fastest one that still finds repetitions, since the program's threads may have
 * to write blocks themselves.
 */
#include "base/zstd_module.h"

#include <unistd.h>
#include <zstd.h>

enum { LEVEL = -1 };

static ZSTD_CCtx *context;
static pid_t owner; /* the context's: a forked child makes its own */

uint64_t sis_zstd_compress(void *to, uint64_t room, const void *from, uint64_t length)
{
	if (!context || owner != getpid()) {
		context = ZSTD_createCCtx();
		owner = getpid();
	}
	size_t done = context ? ZSTD_compressCCtx(context, to, room, from, length, LEVEL) : 0;
	return ZSTD_isError(done) ? 0 : done;
}
