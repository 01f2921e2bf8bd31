/* SPDX-License-Identifier: BSD-3-Clause */
/* page_column.h - a column of a page's table as a block, in the form that takes the least room:
 * analysis/page/data/index.ts has the forms, data/decode.ts reads them. */
#ifndef SIS_ANALYSIS_PAGE_COLUMN_H
#define SIS_ANALYSIS_PAGE_COLUMN_H

#include <stdint.h>

#include "base/json.h"
#include "base/map.h"
#include "view/page_blocks.h"

/* what the column is in the page's memory: numbers of 64 bits (exact below 2^53), of 32 or 8 bits,
 * or texts */
enum page_type { PAGE_F64, PAGE_U32, PAGE_I32, PAGE_U8, PAGE_TEXT };

#define PAGE_UNKNOWN INT64_MIN /* in a column of PAGE_F64: a number that is not known */

/* Texts that columns share; a text column has their numbers. */
struct page_texts {
	struct strmap number;
	VEC(char *) text;
	size_t block; /* reserved for them */
};

void page_texts_init(struct page_texts *texts, struct page_blocks *blocks);
int64_t page_texts_number(struct page_texts *texts, const char *text);
/* Makes their block, and frees them. */
void page_texts_finish(struct page_texts *texts, struct page_blocks *blocks);

/* Adds the column's block, and writes what the page's index has of it. Values that the type cannot
 * have become the nearest one; `value` is changed. */
void page_column_add(struct page_blocks *blocks, const struct page_texts *texts,
		     enum page_type type, int64_t *value, size_t n, struct json *json);

#endif
