/* SPDX-License-Identifier: BSD-3-Clause */
/* region_text.h - the names of regions, from the description of their unit (JSON,
 * schema/idf.schema.json). */
#ifndef SIS_REGION_TEXT_H
#define SIS_REGION_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)

/* The texts of a region in the description of its unit. Longer texts are cut. */
struct sis_region_text {
	char name[1024], function[1024], file[4096];
	char symbol[1024], signature[1024]; /* of a function of C++ */
	char pattern[1024]; /* of an instance: the name of the template; else "" */
	char type[64];
	bool is_call, outer_loop, inner_loop;
};

/* The state of a walk through the regions of a description, in their order. */
struct sis_region_texts { const char *at, *end; };

struct sis_region_texts sis__region_texts(const char *description, size_t length);
/* Copies the texts of the walk's next region into `region`. Returns false after the last region, or
 * if the description has no list of regions. */
bool sis__region_texts_next(struct sis_region_texts *walk, struct sis_region_text *region);

/* Finds the value of the first member with this name. `key` is the name with its quotes and the
 * colon: `"NAME":`. NULL: there is no such member. */
const char *sis__description_find(const char *description, size_t length, const char *key);
/* Copies as much as fits of the JSON string that begins at `at`. */
void sis__description_copy(char *out, size_t size, const char *at, const char *end);

#pragma GCC visibility pop
#endif
