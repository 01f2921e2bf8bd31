/* SPDX-License-Identifier: BSD-3-Clause */
/* page_column.c - chooses the form of a column and encodes it. Owns nothing. Called by one thread.
 *
 * Numbers have one of two forms. `plane` has the difference of each row to the smallest value:
 * first the lowest byte of each difference, then the second byte of each, and so on. `delta` has
 * the difference of each row to the row before. Sorted columns are smaller as delta, noisy columns
 * are smaller as plane. A part of the rows is compressed in both forms to find the smaller one. */
#include "page/view/page_column.h"

#include <stdbool.h>
#include <stdlib.h>

enum { TRIAL = 1 << 15 }; /* number of rows with which the forms are tried */

enum page_form { FORM_PLANE, FORM_DELTA, FORM_TEXT };

static const char *const form_name[] = { "plane", "delta", "text" };

static const struct {
	const char *name;
	int64_t least, most;
} type_info[] = {
	[PAGE_F64] = { "f64", INT64_MIN + 2, INT64_MAX },
	[PAGE_U32] = { "u32", 0, UINT32_MAX },
	[PAGE_I32] = { "i32", INT32_MIN, INT32_MAX },
	[PAGE_U8] = { "u8", 0, UINT8_MAX },
	[PAGE_TEXT] = { "text", 0, UINT32_MAX },
};

struct bytes { unsigned char *at; size_t n; };

/* The base that is subtracted from the numbers of a column, and the bytes of each difference. */
struct range {
	int64_t base;
	int width;
	bool has_unknown; /* numbers that are not known are stored as `base` */
};

/* -- texts ------------------------------------------------------------------------------------- */

void page_texts_init(struct page_texts *texts, struct page_blocks *blocks)
{
	*texts = (struct page_texts){ .block = page_blocks_reserve(blocks) };
}

int64_t page_texts_number(struct page_texts *texts, const char *text)
{
	bool is_new;
	uint32_t number = strmap_put(&texts->number, text ? text : "", (uint32_t)texts->text.n,
				     &is_new);
	if (is_new)
		*vec_push(&texts->text) = mem_string(text);
	return number;
}

void page_texts_finish(struct page_texts *texts, struct page_blocks *blocks)
{
	char *list = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&list, &length);
	struct json json;
	json_init(&json, memory);
	json_open(&json, '[');
	for (size_t i = 0; i < texts->text.n; i++) {
		json_string(&json, texts->text.at[i]);
		free(texts->text.at[i]);
	}
	json_close(&json, ']');
	fclose(memory);
	page_blocks_set(blocks, texts->block, list, length);
	free(list);
	strmap_free(&texts->number);
	vec_free(&texts->text);
}

/* -- numbers ----------------------------------------------------------------------------------- */

/* Limits the values to the type's range, and gives all unknown values one number that no known
 * value has. */
static struct range settle(enum page_type type, int64_t *value, size_t n)
{
	struct range range = { .base = n ? INT64_MAX : 0 };
	int64_t most = INT64_MIN;
	for (size_t i = 0; i < n; i++) {
		if (value[i] == PAGE_UNKNOWN && type == PAGE_F64) {
			range.has_unknown = true;
			continue;
		}
		if (value[i] < type_info[type].least)
			value[i] = type_info[type].least;
		else if (value[i] > type_info[type].most)
			value[i] = type_info[type].most;
		range.base = value[i] < range.base ? value[i] : range.base;
		most = value[i] > most ? value[i] : most;
	}
	range.base -= range.has_unknown;
	for (size_t i = 0; range.has_unknown && i < n; i++)
		value[i] = value[i] == PAGE_UNKNOWN ? range.base : value[i];
	for (uint64_t all = (uint64_t)most - (uint64_t)range.base; most > range.base && all;
	     all >>= 8)
		range.width++;
	return range;
}

/* Encodes numbers with seven bits in a byte, the lowest first. A set top bit says that more bytes
 * follow. If `delta`, the numbers are differences to the value before: 0, -1, 1, -2 ... are written
 * as 0, 1, 2, 3 ...; otherwise they are the values themselves. */
static struct bytes variable_bytes(const int64_t *value, size_t n, bool delta)
{
	enum { MOST = 10 };
	struct bytes bytes = { mem_alloc(n, MOST), 0 };
	unsigned char *to = bytes.at;
	for (size_t i = 0; i < n; i++) {
		uint64_t step = (uint64_t)value[i] -
			(i && delta ? (uint64_t)value[i - 1] : 0);
		uint64_t folded = step << 1 ^ (step >> 63 ? ~(uint64_t)0 : 0);
		uint64_t left = delta ? folded : step;
		for (; left >= 128; left >>= 7)
			*to++ = (unsigned char)(left | 128);
		*to++ = (unsigned char)left;
	}
	bytes.n = (size_t)(to - bytes.at);
	return bytes;
}

static struct bytes encoded(enum page_form form, const struct range *range, const int64_t *value,
			    size_t n)
{
	if (form != FORM_PLANE)
		return variable_bytes(value, n, form == FORM_DELTA);
	struct bytes bytes = { mem_alloc(n, (size_t)range->width), 0 };
	for (int k = 0; k < range->width; k++)
		for (size_t i = 0; i < n; i++)
			bytes.at[bytes.n++] = (unsigned char)(((uint64_t)value[i] -
				(uint64_t)range->base) >> 8 * k);
	return bytes;
}

static size_t trial(enum page_form form, const struct range *range, const int64_t *value, size_t n)
{
	struct bytes bytes = encoded(form, range, value, n);
	size_t size = page_blocks_trial(bytes.at, bytes.n);
	free(bytes.at);
	return size;
}

/* Chooses the form that is smaller for some rows from the middle of the column. */
static enum page_form choose_form(const struct range *range, const int64_t *value, size_t n)
{
	size_t rows = n < TRIAL ? n : TRIAL, first = (n - rows) / 2;
	if (range->width == 0)
		return FORM_PLANE;
	return trial(FORM_DELTA, range, value + first, rows) <
			trial(FORM_PLANE, range, value + first, rows) ?
		FORM_DELTA :
		FORM_PLANE;
}

void page_column_add(struct page_blocks *blocks, const struct page_texts *texts,
		     enum page_type type, int64_t *value, size_t n, struct json *json)
{
	struct range range = settle(type, value, n);
	enum page_form form = type == PAGE_TEXT ? FORM_TEXT : choose_form(&range, value, n);
	struct bytes bytes = encoded(form, &range, value, n);
	json_open(json, '{');
	json_field_integer(json, "block", (int64_t)page_blocks_add(blocks, bytes.at, bytes.n));
	json_field_string(json, "form", form_name[form]);
	json_field_string(json, "type", type_info[type].name);
	if (form == FORM_PLANE) {
		json_field_integer(json, "base", range.base);
		json_field_integer(json, "width", range.width);
	} else if (form == FORM_TEXT) {
		json_field_integer(json, "texts", (int64_t)texts->block);
	}
	if (range.has_unknown)
		json_field_integer(json, "none", range.base);
	json_close(json, '}');
	free(bytes.at);
}
