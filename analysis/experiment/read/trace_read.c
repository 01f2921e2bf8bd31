/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_read.c - reads a trace, which may be damaged by a killed process, a full disk or a copy.
 * Owns the list of the trace's blocks, and opens one block at a time. Called by one thread.
 *
 * trace_open lists the positions of all blocks in both files, and reads only their heads. After
 * damage, trace_open searches for the next head. Blocks are read when they are needed, and compared
 * with their checksums. A block can be read without earlier blocks. So damage costs only the blocks
 * in which it is. */
#include "experiment/read/trace_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/path.h"
#include "experiment/read/run_paths.h"
#include "base/sort.h"
#include "experiment/read/profile_check.h"

enum { MOST_DAMAGE = 1000, SEARCH = 64 << 10, MOST_RING_BLOCK = 64 << 20 };

#define fail(t, format, ...) err_fail(err, "%s: " format, (t)->path, ##__VA_ARGS__)

static bool read_at(int fd, void *to, size_t length, uint64_t at)
{
	for (size_t done = 0; done < length;) {
		ssize_t n = pread(fd, (char *)to + done, length - done, (off_t)(at + done));
		if (n == 0 || (n < 0 && errno != EINTR))
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

static uint64_t file_size(int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && st.st_size > 0 ? (uint64_t)st.st_size : 0;
}

/* -- payloads ---------------------------------------------------------------------------------- */

/* Reads and decompresses a payload into malloc'ed memory. NULL if the payload is damaged. */
static void *unpack(const struct trace *t, const struct sis_trace_segment *s, uint64_t offset)
{
	char *payload = mem_alloc((size_t)s->bytes + 1, 1), *raw = payload;
	bool good = read_at(t->fd, payload, s->bytes, offset) &&
		sis_trace_checksum(s, payload) == s->checksum;
	if (good && s->codec == SIS_TRACE_ZSTD) {
		raw = mem_alloc((size_t)s->raw_bytes + 1, 1);
		good = ZSTD_decompress(raw, s->raw_bytes, payload, s->bytes) == s->raw_bytes;
		free(payload);
	} else {
		good &= s->codec == SIS_TRACE_PLAIN && s->raw_bytes == s->bytes;
	}
	if (!good) {
		free(raw);
		return NULL;
	}
	return raw;
}

/* -- segments of the file ---------------------------------------------------------------------- */

/* Reads a segment SIS_TRACE_END or SIS_TRACE_LOST. SIS_TRACE_LOST has the counts of what was lost
 * so far. It is used if SIS_TRACE_END could not be written. */
static void take_end(struct trace *t, const struct sis_trace_segment *s, uint64_t offset)
{
	if (t->ended && s->kind == SIS_TRACE_LOST)
		return;
	char *last = s->raw_bytes >= sizeof t->end ? unpack(t, s, offset) : NULL;
	t->damaged += !last;
	t->ended |= last != NULL && s->kind == SIS_TRACE_END;
	if (last)
		memcpy(&t->end, last, sizeof t->end);
	free(last);
}

static void take_segment(struct trace *t, const struct sis_trace_segment *s, uint64_t offset)
{
	char *text;
	switch (s->kind) {
	case SIS_TRACE_BLOCK:
		*vec_push(&t->block) = (struct trace_block_position){
			.slot = s->slot,
			.codec = s->codec,
			.bytes = s->bytes,
			.raw_bytes = s->raw_bytes,
			.events = s->events,
			.serial = s->serial,
			.first = s->first,
			.last = s->last,
			.dropped = s->dropped,
			.offset = offset,
			.checksum = s->checksum,
		};
		break;
	case SIS_TRACE_BUILTIN:
	case SIS_TRACE_UNIT:
	case SIS_TRACE_VALUE:
		text = unpack(t, s, offset);
		t->damaged += !text;
		if (text)
			*vec_push(&t->text) = (struct trace_text){ s->kind, s->slot, text,
								   s->raw_bytes };
		break;
	case SIS_TRACE_LOST:
	case SIS_TRACE_END:
		take_end(t, s, offset);
		break;
	}
}

static bool is_head(const struct sis_trace_segment *s, uint64_t left)
{
	return s->magic == SIS_TRACE_SEGMENT_MAGIC && s->bytes <= SIS_TRACE_MOST_BYTES &&
		s->raw_bytes <= SIS_TRACE_MOST_BYTES && s->bytes <= left &&
		s->raw_bytes / 65536 <= s->bytes;
}

/* The position of the first possible head from `at` on; the file's size if there is none. */
static uint64_t find_head(const struct trace *t, uint64_t at, uint64_t size)
{
	static const uint32_t magic = SIS_TRACE_SEGMENT_MAGIC;
	char *bytes = mem_alloc(SEARCH, 1);
	uint64_t found = size;
	while (found == size && at + sizeof(struct sis_trace_segment) <= size) {
		size_t length = size - at < SEARCH ? size - at : SEARCH;
		if (!read_at(t->fd, bytes, length, at))
			break;
		char *found_at = memmem(bytes, length, &magic, sizeof magic);
		if (found_at)
			found = at + (uint64_t)(found_at - bytes);
		at += length - (sizeof magic - 1);
	}
	free(bytes);
	return found;
}

static void list_segments(struct trace *t)
{
	uint64_t size = file_size(t->fd), at = sizeof t->head;
	struct sis_trace_segment s;
	while (at < size && t->damaged < MOST_DAMAGE) {
		bool whole = size - at >= sizeof s && read_at(t->fd, &s, sizeof s, at);
		if (whole && is_head(&s, size - at - sizeof s)) {
			take_segment(t, &s, at + sizeof s);
			at += sizeof s + s.bytes;
			continue;
		}
		t->damaged++;
		at = find_head(t, at + 1, size);
	}
}

/* -- the ring ---------------------------------------------------------------------------------- */

static void list_ring_block(struct trace *t, const struct sis_trace_stream *s, uint64_t at,
			    uint64_t serial)
{
	struct sis_trace_block block;
	uint64_t offset = SIS_PAGE + serial % t->head.ring_blocks * (uint64_t)t->head.block_bytes;
	if (!read_at(t->ring, &block, sizeof block, at + offset) ||
	    block.magic != SIS_TRACE_BLOCK_MAGIC || block.serial != serial || block.slot != s->slot)
		return;
	uint64_t used = serial < s->filling ? block.used :
					      (uint64_t)(uintptr_t)s->next - (s->base + offset);
	if (used < sizeof block || used > t->head.block_bytes)
		return;
	*vec_push(&t->block) = (struct trace_block_position){
		.slot = s->slot,
		.in_ring = true,
		.bytes = (uint32_t)used,
		.raw_bytes = (uint32_t)used,
		.serial = serial,
		.first = block.first,
		.last = block.last,
		.dropped = block.dropped,
		.offset = at + offset,
	};
}

static void list_stream(struct trace *t, uint64_t at)
{
	struct sis_trace_stream s;
	struct sis_trace_block newest;
	size_t before = t->block.n;
	if (!read_at(t->ring, &s, sizeof s, at) || s.magic != SIS_TRACE_STREAM_MAGIC)
		return;
	uint64_t first = s.filling > t->head.ring_blocks ? s.filling - t->head.ring_blocks : 0;
	if (s.filling == UINT64_MAX)
		return;
	for (uint64_t serial = first > s.written ? first : s.written; serial <= s.filling; serial++)
		list_ring_block(t, &s, at, serial);
	if (s.dropped && s.dropped < UINT64_MAX / 2)
		t->dropped_last += s.dropped;
	/* The newest block has the number of events that were overwritten. These events are missing
	 * before the oldest block. */
	if (t->head.overwrites && t->block.n > before &&
	    read_at(t->ring, &newest, sizeof newest, t->block.at[t->block.n - 1].offset) &&
	    newest.overwritten < UINT64_MAX / 2)
		t->block.at[before].dropped += newest.overwritten;
}

static void close_ring(struct trace *t)
{
	if (t->ring >= 0)
		close(t->ring);
	t->ring = -1;
}

/* The ring is a second file. The ring exists while the process runs, and remains if the process did
 * not end regularly. */
static void list_ring(struct trace *t)
{
	const char *name = path_base(t->path);
	char *ring = mem_print("%.*s.ring", (int)(strlen(name) - strlen(".sis")), name),
	     *path = run_path_beside(t->path, ring);
	struct sis_trace_header head;
	struct err absent = { 0 };
	t->ring = run_path_open(path, NULL, &absent);
	free(path);
	free(ring);
	if (t->ring < 0 || !t->head.ring_blocks || !t->head.block_bytes ||
	    t->head.block_bytes > MOST_RING_BLOCK || !read_at(t->ring, &head, sizeof head, 0) ||
	    memcmp(&head, &t->head, sizeof head) != 0) {
		close_ring(t);
		return;
	}
	uint64_t size = file_size(t->ring),
		 stride = SIS_PAGE + (uint64_t)t->head.ring_blocks * t->head.block_bytes;
	for (uint64_t at = SIS_PAGE; at + stride <= size; at += stride)
		list_stream(t, at);
}

/* -- opening and closing a trace --------------------------------------------------------------- */

/* A block in the file comes before its copy in the ring, so that trace_open keeps the block in the
 * file. */
static int by_slot_then_serial(const void *va, const void *vb)
{
	const struct trace_block_position *a = va, *b = vb;
	return ORDER(a->slot, b->slot) ?: ORDER(a->serial, b->serial) ?: a->in_ring - b->in_ring;
}

/* Whether the header is missing or incomplete, because the process was killed after it had created
 * the file, and before it had written the header. */
static bool is_unwritten(const struct trace *t)
{
	char magic[sizeof t->head.magic];
	uint64_t size = file_size(t->fd), seen = size < sizeof magic ? size : sizeof magic;
	return size < sizeof t->head && read_at(t->fd, magic, seen, 0) &&
	       memcmp(magic, SIS_TRACE_MAGIC, seen) == 0;
}

static int check_header(struct trace *t, struct err *err)
{
	struct sis_trace_header *h = &t->head;
	if (is_unwritten(t))
		return TRACE_UNWRITTEN;
	if (!read_at(t->fd, h, sizeof *h, 0))
		return fail(t, "truncated: its header is not complete; copy the experiment again, "
			    "or remove this file");
	if (memcmp(h->magic, SIS_TRACE_MAGIC, sizeof h->magic) != 0)
		return fail(t, "not a trace of SIS; remove it from the experiment directory");
	if (h->endian == __builtin_bswap32(SIS_PROFILE_ENDIAN))
		return fail(t, "written on a machine of the other byte order; read it on such a "
			    "machine");
	if (h->endian != SIS_PROFILE_ENDIAN)
		return fail(t, "damaged header; copy the experiment again, or remove this file");
	if (h->version != SIS_TRACE_VERSION)
		return fail(t, OTHER_FORMAT, h->version, SIS_TRACE_VERSION);
	return 0;
}

static void count_ring_events(struct trace *t);

int trace_open(struct trace *t, const char *path, struct err *err)
{
	*t = (struct trace){ .path = mem_string(path), .ring = -1 };
	t->fd = run_path_open(path, NULL, err);
	int rc = t->fd < 0 ? ERR_FAILED : check_header(t, err);
	if (rc) {
		trace_release(t);
		return rc;
	}
	t->head.host[sizeof t->head.host - 1] = t->head.run_id[sizeof t->head.run_id - 1] = '\0';
	list_segments(t);
	list_ring(t);
	vec_sort(&t->block, by_slot_then_serial);
	size_t kept = 0;
	for (size_t i = 0; i < t->block.n; i++) {
		const struct trace_block_position *b = &t->block.at[i];
		if (!kept || t->block.at[kept - 1].slot != b->slot ||
		    t->block.at[kept - 1].serial != b->serial)
			t->block.at[kept++] = *b;
	}
	t->block.n = kept;
	count_ring_events(t);
	t->dropped_last += t->end.dropped;
	t->dropped = t->dropped_last;
	for (size_t i = 0; i < t->block.n; i++) {
		t->events += t->block.at[i].events;
		t->dropped += t->block.at[i].dropped;
	}
	return 0;
}

void trace_release(struct trace *t)
{
	for (size_t i = 0; i < t->text.n; i++)
		free(t->text.at[i].text);
	vec_free(&t->text);
	vec_free(&t->block);
	free(t->path);
	t->path = NULL;
	if (t->fd >= 0)
		close(t->fd);
	close_ring(t);
	t->fd = -1;
}

/* -- reading a block --------------------------------------------------------------------------- */

static void *read_file_block(const struct trace *t, const struct trace_block_position *b)
{
	const struct sis_trace_segment s = {
		.magic = SIS_TRACE_SEGMENT_MAGIC,
		.kind = SIS_TRACE_BLOCK,
		.codec = b->codec,
		.slot = b->slot,
		.bytes = b->bytes,
		.raw_bytes = b->raw_bytes,
		.events = b->events,
		.serial = b->serial,
		.first = b->first,
		.last = b->last,
		.dropped = b->dropped,
		.checksum = b->checksum,
	};
	return unpack(t, &s, b->offset);
}

/* Reads a block: its head, path and events. NULL if the block is damaged. */
static struct sis_trace_block *read_block(const struct trace *t,
					  const struct trace_block_position *b)
{
	struct sis_trace_block *block = b->in_ring ? mem_alloc((size_t)b->bytes + 1, 1) :
		read_file_block(t, b);
	bool is_read = b->in_ring ? read_at(t->ring, block, b->bytes, b->offset) : block != NULL;
	if (is_read && b->raw_bytes >= sizeof *block && block->magic == SIS_TRACE_BLOCK_MAGIC &&
	    block->serial == b->serial && block->path <= SIS_TRACE_PATH &&
	    block->path <= block->depth &&
	    b->raw_bytes - sizeof *block >= block->path * sizeof(uint32_t))
		return block;
	free(block);
	return NULL;
}

static void count_ring_events(struct trace *t)
{
	for (size_t i = 0; i < t->block.n; i++) {
		struct trace_block_position *b = &t->block.at[i];
		struct sis_trace_block *block = b->in_ring ? read_block(t, b) : NULL;
		const uint32_t *word = (uint32_t *)(block + 1);
		size_t words = block ? (b->bytes - sizeof *block) / sizeof *word : 0,
		       at = block ? block->path : 0;
		for (uint32_t n; at < words && (n = sis_trace_words(word[at])) && n <= words - at;
		     at += n)
			b->events++;
		free(block);
	}
}

/* -- events of a cursor ------------------------------------------------------------------------ */

void trace_cursor_init(struct trace_cursor *c, struct trace *t, uint32_t slot, uint64_t from,
		       uint64_t to)
{
	*c = (struct trace_cursor){ .trace = t, .resume = true };
	while (c->next < t->block.n && t->block.at[c->next].slot < slot)
		c->next++;
	while (c->next + 1 < t->block.n && t->block.at[c->next + 1].slot == slot &&
	       t->block.at[c->next + 1].first <= from)
		c->next++;
	c->end = c->next;
	while (c->end < t->block.n && t->block.at[c->end].slot == slot &&
	       t->block.at[c->end].first <= to)
		c->end++;
}

void trace_cursor_block(struct trace_cursor *c, struct trace *t, size_t block)
{
	*c = (struct trace_cursor){ .trace = t, .resume = true, .next = block, .end = block + 1 };
}

/* Opens the next block that can be read. Returns false if there is none. */
static bool next_block(struct trace_cursor *c)
{
	while (c->next < c->end) {
		const struct trace_block_position *b = &c->trace->block.at[c->next++];
		struct sis_trace_block *block = read_block(c->trace, b);
		if (!block) {
			c->trace->damaged++;
			c->resume = true;
			continue;
		}
		free(c->word);
		c->word = (uint32_t *)block;
		c->words = b->raw_bytes / sizeof(uint32_t);
		c->at = sizeof *block / sizeof(uint32_t) + block->path;
		c->resume |= !c->begun || b->serial != c->serial + 1 || b->dropped;
		c->begun = true;
		c->serial = b->serial;
		c->ticks = c->first = block->first;
		c->path = block->path;
		c->depth = block->depth;
		c->dropped = b->dropped;
		return true;
	}
	return false;
}

static bool take_resume(struct trace_cursor *c, struct trace_event *event)
{
	const struct sis_trace_block *block = (struct sis_trace_block *)c->word;
	c->resume = false;
	*event = (struct trace_event){
		.kind = TRACE_RESUME,
		.ticks = c->first,
		.path = (const uint32_t *)(block + 1),
		.paths = c->path,
		.depth = c->depth,
		.dropped = c->dropped,
	};
	return true;
}

static bool take_long(struct trace_cursor *c, struct trace_event *event, uint32_t words)
{
	const uint32_t *word = &c->word[c->at];
	c->ticks = word[1] | (uint64_t)word[2] << 32;
	*event = (struct trace_event){ .ticks = c->ticks, .id = words > 3 ? word[3] : 0 };
	switch (word[0] >> 2 & 63) {
	case SIS_TRACE_LONG_LEAVE:
		event->kind = TRACE_LEAVE;
		return true;
	case SIS_TRACE_LONG_ENTER:
		event->kind = TRACE_ENTER;
		return words > 3;
	case SIS_TRACE_LONG_VALUE:
		event->kind = TRACE_VALUE;
		if (words > 5)
			memcpy(&event->value, &word[4], sizeof event->value);
		return words > 5;
	case SIS_TRACE_LONG_STOP:
		event->kind = TRACE_STOP;
		c->resume = true; /* the next block begins with a RESUME */
		c->at = c->words;
		return true;
	}
	return false;
}

static bool take_short(struct trace_cursor *c, struct trace_event *event)
{
	uint32_t word = c->word[c->at];
	bool enters = (word & 3) == SIS_TRACE_ENTER;
	c->ticks += enters ? word >> 14 : word >> 2;
	*event = (struct trace_event){
		.kind = enters ? TRACE_ENTER : TRACE_LEAVE, .ticks = c->ticks,
		.id = enters ? word >> 2 & (SIS_TRACE_ENTER_IDS - 1) : 0,
	};
	return true;
}

bool trace_next(struct trace_cursor *c, struct trace_event *event)
{
	for (;;) {
		if ((!c->word || c->at >= c->words) && !next_block(c))
			return false;
		if (c->resume)
			return take_resume(c, event);
		if (c->at >= c->words) /* a block without events */
			continue;
		uint32_t words = sis_trace_words(c->word[c->at]);
		/* blocks of the ring have no checksums, so damage may appear only here */
		if (!words || words > c->words - c->at) {
			c->trace->damaged++;
			c->resume = true;
			c->at = c->words;
			continue;
		}
		size_t at = c->at;
		bool known = words == 1 ? take_short(c, event) : take_long(c, event, words);
		if (c->at == at)
			c->at += words;
		if (known)
			return true;
	}
}

void trace_cursor_release(struct trace_cursor *c)
{
	free(c->word);
	c->word = NULL;
}
