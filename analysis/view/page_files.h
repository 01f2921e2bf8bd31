/* SPDX-License-Identifier: BSD-3-Clause */
/* page_files.h - the files of a program's source that have regions, and their lines, if the page
 * may have them. */
#ifndef SIS_ANALYSIS_PAGE_FILES_H
#define SIS_ANALYSIS_PAGE_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "repository/repository.h"
#include "source/source.h"

struct page_file {
	char *path;         /* as regions name it */
	const char *state;  /* "embedded", or why its text is not in the page */
	struct source text; /* no lines unless it is embedded */
};
struct page_line { uint32_t file; const char *text; };
struct page_files {
	VEC(struct page_file) file; /* by path */
	VEC(struct page_line) line; /* by file, then in their order; into the texts */
	size_t bytes;               /* of the texts */
};

/* The files of an experiment. embed: with the texts of those that are still as they were compiled
 * (source/source.h), up to `most` bytes of text in all. */
int page_files_load(struct page_files *files, struct repo *repo, int64_t experiment, bool embed,
		    size_t most, struct err *err);
void page_files_release(struct page_files *files);

#endif
