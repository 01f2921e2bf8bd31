/* SPDX-License-Identifier: BSD-3-Clause */
/* zstd_module.c - libsis-zstd.so: compression of the trace's blocks. Opened by trace_file.c,
 * called by who has its lock.
 *
 * The level is the fastest that still finds what repeats: a thread that writes for itself pays for
 * it.
 */
#include "base/zstd_module.h"

#include <unistd.h>
#include <zstd.h>

enum { LEVEL = -1 };

static ZSTD_CCtx *context;
static pid_t owner; /* a forked child has the parent's, perhaps half used */

uint64_t sis_zstd_compress(void *to, uint64_t room, const void *from, uint64_t length)
{
	if (!context || owner != getpid()) {
		context = ZSTD_createCCtx();
		owner = getpid();
	}
	size_t done = context ? ZSTD_compressCCtx(context, to, room, from, length, LEVEL) : 0;
	return ZSTD_isError(done) ? 0 : done;
}
