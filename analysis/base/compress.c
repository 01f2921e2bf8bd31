/* SPDX-License-Identifier: BSD-3-Clause */
/* gzip.c - the only file that sees zlib. Owns the state of one stream; one thread for each. */
#include "export/gzip.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/mem.h"

/* Of traces of 30 to 40 million events, level 1 makes twice as much in two thirds of the time, and
 * level 9 a quarter less in three times the time. */
enum { LEVEL = 6, FORMAT_GZIP = 16 + MAX_WBITS, MEMORY = 9, ROOM = 1 << 16 };

struct gzip {
	z_stream stream;
	FILE *out;
	unsigned char compressed[ROOM];
};

static void *allocate(void *arg, unsigned count, unsigned size)
{
	(void)arg;
	return mem_alloc(count, size);
}

static void release(void *arg, void *memory)
{
	(void)arg;
	free(memory);
}

/* deflateInit2 can fail only for lack of memory, and then mem_alloc has ended the program. */
struct gzip *gzip_new(FILE *out)
{
	struct gzip *gzip = mem_alloc(1, sizeof *gzip);
	gzip->out = out;
	gzip->stream.zalloc = allocate;
	gzip->stream.zfree = release;
	deflateInit2(&gzip->stream, LEVEL, Z_DEFLATED, FORMAT_GZIP, MEMORY, Z_DEFAULT_STRATEGY);
	return gzip;
}

static void deflate_all(struct gzip *gzip, int flush)
{
	do {
		gzip->stream.next_out = gzip->compressed;
		gzip->stream.avail_out = ROOM;
		deflate(&gzip->stream, flush);
		fwrite(gzip->compressed, 1, ROOM - gzip->stream.avail_out, gzip->out);
	} while (gzip->stream.avail_out == 0);
}

void gzip_write(struct gzip *gzip, const void *bytes, size_t length)
{
	gzip->stream.next_in = (unsigned char *)bytes;
	gzip->stream.avail_in = (unsigned)length;
	deflate_all(gzip, Z_NO_FLUSH);
}

void gzip_finish(struct gzip *gzip)
{
	deflate_all(gzip, Z_FINISH);
	deflateEnd(&gzip->stream);
	free(gzip);
}
