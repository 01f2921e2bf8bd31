/* SPDX-License-Identifier: BSD-3-Clause */
/* region_text.h - the names of regions, from the description of their unit (JSON,
 * schema/idf.schema.json). */
#ifndef SIS_REGION_TEXT_H
#define SIS_REGION_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

/* A region as its description says. Longer texts are cut. */
struct sis_region_text {
	char name[1024], function[1024], file[4096];
	char type[64];
	bool is_call, outer_loop, inner_loop;
};

/* A walk through the regions of a description, in their order. */
struct sis_region_texts { const char *at, *end; };

struct sis_region_texts sis__region_texts(const char *description, size_t length);
/* Fills `region` with the next one. False: there is none. */
bool sis__region_texts_next(struct sis_region_texts *walk, struct sis_region_text *region);

/* The value of the first member of this name, `"KEY":` included; NULL: there is none. */
const char *sis__description_find(const char *description, size_t length, const char *key);
/* Copies a JSON string that begins at `at`, as much of it as there is room for. */
void sis__description_copy(char *out, size_t size, const char *at, const char *end);

#pragma GCC visibility pop
#endif
