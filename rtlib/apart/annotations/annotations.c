/* SPDX-License-Identifier: BSD-3-Clause */
/* annotations.c - the regions of annotations, and which of them are open. Called by any thread of
 * the program.
 *
 * A region of an annotation is a region of sis/sis.h (adapters/user_api/user_region.c), which finds
 * a known name without a lock. An interface tells that its innermost annotation ends, but not which
 * one this is. So each thread has a stack of open annotations, for all owners together. If the
 * annotation that ends is not the last one of the stack, those behind it go on (overlap.c).
 *
 * This library does not need libsis.so: its references to the runtime are weak. So it can be
 * opened in a process without a runtime, and there does nothing.
 */
#include "apart/annotations/annotations.h"
#include "measure/core/overlap.h"

#include <stdint.h>
#include <string.h>

#pragma GCC visibility push(default)
extern __typeof__(sis_hand_region) sis_hand_region __attribute__((__weak__));
extern __typeof__(sis_hand_begun) sis_hand_begun __attribute__((__weak__));
extern __typeof__(sis_hand_value) sis_hand_value __attribute__((__weak__));
extern __typeof__(sis__annotation_enter) sis__annotation_enter __attribute__((__weak__));
extern __typeof__(sis__annotation_leave) sis__annotation_leave __attribute__((__weak__));
void sis__text(const char *kind, const char *format, ...) __attribute__((__weak__));
#pragma GCC visibility pop

enum { NAME = 500 /* bytes, without the NUL */, NAMES = 1000, DEPTH = 128 };

struct open { /* an annotation that has begun */
	const void *owner;
	struct sis_region *region; /* NULL: it was not entered */
};
static __thread struct {
	uint32_t depth; /* elements of `at` in use */
	uint32_t more; /* annotations that began when `at` was full */
	struct open at[DEPTH];
} open;

bool sis__annotations_are_measured(void)
{
	return sis_hand_region && sis_hand_begun && sis_hand_value && sis__annotation_enter &&
		sis__annotation_leave && sis__text;
}

/* -- names ------------------------------------------------------------------------------------- */

/* Appends as much of `from` as there is room for, without a part of a character of UTF-8. */
static size_t append(char *name, size_t length, const char *from)
{
	size_t n = strnlen(from, NAME - length + 1);
	if (n > NAME - length) {
		n = NAME - length;
		while (n > 0 && ((unsigned char)from[n] & 0xc0) == 0x80)
			n--;
	}
	memcpy(name + length, from, n);
	return length + n;
}

/* A program may make names without end. Names beyond NAMES share a region. */
static const struct sis_region *region_of(struct sis_place *place)
{
	static uint32_t names; /* relaxed: some names more or less do not matter */
	static struct sis_place others = { "other annotations", "", "", 0, NULL };
	const struct sis_region *region = sis_hand_begun(place);
	if (region)
		return region;
	if (__atomic_load_n(&names, __ATOMIC_RELAXED) >= NAMES) {
		region = __atomic_load_n(&others.known, __ATOMIC_ACQUIRE); /* by sis_hand_region */
		return region ? region : sis_hand_region(&others);
	}
	region = sis_hand_region(place);
	if (region)
		__atomic_fetch_add(&names, 1, __ATOMIC_RELAXED);
	return region;
}

struct sis_region *sis__annotation(const char *domain, const char *name)
{
	char whole[NAME + 1];
	struct sis_place place = { whole, "", "", 0, NULL };
	size_t length = 0;
	if (!sis__annotations_are_measured())
		return NULL;
	if (domain && *domain) {
		length = append(whole, 0, domain);
		length = append(whole, length, "/");
	}
	length = append(whole, length, name && *name ? name : "unnamed");
	whole[length] = '\0';
	return (struct sis_region *)region_of(&place); /* probes only read the region */
}

/* -- what is no region ------------------------------------------------------------------------- */

static void count(struct sis_counted *what)
{
	static bool is_told;
	if (!sis__annotations_are_measured())
		return;
	if (!__atomic_exchange_n(&is_told, true, __ATOMIC_RELAXED)) /* only one thread tells */
		sis__text("warning",
			  "some annotations of the program are no regions: they need not be nested "
			  "in their thread, are nested too deeply, or end without having begun; "
			  "`regions --values` has their numbers");
	sis_hand_value(what, 1);
}

void sis__annotation_without_region(void)
{
	static struct sis_counted annotations = { "annotations_without_region", 0 };
	count(&annotations);
}

/* -- what is open ------------------------------------------------------------------------------ */

void sis__annotation_begin(const void *owner, struct sis_region *region)
{
	if (open.depth == DEPTH) {
		open.more++;
		sis__annotation_without_region();
		return;
	}
	bool is_on = region && region->id != SIS_ID_OFF;
	open.at[open.depth++] = (struct open){ owner, is_on ? region : NULL };
	if (is_on)
		sis__annotation_enter(region);
}

void sis__annotation_end(const void *owner)
{
	static struct sis_counted ends = { "annotation_ends_without_begin", 0 };
	uint32_t i = open.depth;
	if (open.more) { /* taken as the end of one of these */
		open.more--;
		return;
	}
	while (i > 0 && open.at[i - 1].owner != owner)
		i--;
	if (i == 0) {
		count(&ends);
		return;
	}
	struct open ended = open.at[--i];
	open.depth--;
	memmove(&open.at[i], &open.at[i + 1], (open.depth - i) * sizeof ended);
	if (ended.region)
		sis__annotation_leave(ended.region);
}
