/* SPDX-License-Identifier: BSD-3-Clause */
/* compress.c - the only file that uses zlib. A compressor owns the state of one stream; one thread
 * uses it. */
#include "base/compress.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/mem.h"

/* For traces of 30 to 40 million events, level 1 writes twice as many bytes as level 6 in two
 * thirds of the time. Level 9 writes a quarter fewer bytes than level 6 in three times the time. */
enum { LEVEL = 6, BITS_GZIP = 16 + MAX_WBITS, BITS_RAW = -MAX_WBITS, MEMORY = 9, ROOM = 1 << 16 };

struct compressor {
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
struct compressor *compress_new(FILE *out, enum compress_form form)
{
	struct compressor *c = mem_alloc(1, sizeof *c);
	c->out = out;
	c->stream.zalloc = allocate;
	c->stream.zfree = release;
	deflateInit2(&c->stream, LEVEL, Z_DEFLATED, form == COMPRESS_GZIP ? BITS_GZIP : BITS_RAW,
		     MEMORY, Z_DEFAULT_STRATEGY);
	return c;
}

static void deflate_all(struct compressor *c, int flush)
{
	do {
		c->stream.next_out = c->compressed;
		c->stream.avail_out = ROOM;
		deflate(&c->stream, flush);
		fwrite(c->compressed, 1, ROOM - c->stream.avail_out, c->out);
	} while (c->stream.avail_out == 0);
}

void compress_write(struct compressor *c, const void *bytes, size_t length)
{
	c->stream.next_in = (unsigned char *)bytes;
	c->stream.avail_in = (unsigned)length;
	deflate_all(c, Z_NO_FLUSH);
}

void compress_finish(struct compressor *c)
{
	deflate_all(c, Z_FINISH);
	deflateEnd(&c->stream);
	free(c);
}
