/* SPDX-License-Identifier: BSD-3-Clause */
/* page_files.h - the source files that have regions, and their lines if the page may contain
 * source text. */
#ifndef SIS_ANALYSIS_PAGE_FILES_H
#define SIS_ANALYSIS_PAGE_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "repository/database/repository.h"
#include "answers/source/source.h"

struct page_file {
	char *path;         /* as regions name it */
	const char *state;  /* "embedded", or why its text is not in the page */
	struct source text; /* has no lines unless the file is embedded */
};
struct page_line { uint32_t file; const char *text; };
struct page_files {
	VEC(struct page_file) file; /* by path */
	VEC(struct page_line) line; /* by file and number; points into the texts */
	size_t bytes;               /* size of all texts */
};

/* Loads the files of an experiment. If `embed`, also loads the text of each file that has not
 * changed since it was compiled (answers/source/source.h), up to `most` bytes in all. */
int page_files_load(struct page_files *files, struct repo *repo, int64_t experiment, bool embed,
		    size_t most, struct err *err);
void page_files_release(struct page_files *files);

#endif
