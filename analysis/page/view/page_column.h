/* SPDX-License-Identifier: BSD-3-Clause */
/* page_column.h - writes a column of a page's table as a block, in the form that takes the least
 * room. analysis/page/web/data/index.ts describes the forms, data/decode.ts reads them. */
#ifndef SIS_ANALYSIS_PAGE_COLUMN_H
#define SIS_ANALYSIS_PAGE_COLUMN_H

#include <stdint.h>

#include "base/json.h"
#include "base/map.h"
#include "page/view/page_blocks.h"

/* The type of the column's array in the browser: numbers of 64 bits (exact below 2^53), of 32 or 8
 * bits, or texts. */
enum page_type { PAGE_F64, PAGE_U32, PAGE_I32, PAGE_U8, PAGE_TEXT };

#define PAGE_UNKNOWN INT64_MIN /* in a column of PAGE_F64: a number that is not known */

/* Texts that all text columns share. A text column contains the numbers of texts. */
struct page_texts {
	struct strmap number;
	VEC(char *) text;
	size_t block; /* reserved for the texts */
};

void page_texts_init(struct page_texts *texts, struct page_blocks *blocks);
int64_t page_texts_number(struct page_texts *texts, const char *text);
/* Makes the block of the texts, and frees them. */
void page_texts_finish(struct page_texts *texts, struct page_blocks *blocks);

/* Adds the column's block, and writes the column's entry of the page's index. Values outside of the
 * type's range become the nearest one inside, also in `value` itself. */
void page_column_add(struct page_blocks *blocks, const struct page_texts *texts,
		     enum page_type type, int64_t *value, size_t n, struct json *json);

#endif
