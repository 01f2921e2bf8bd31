/* SPDX-License-Identifier: BSD-3-Clause */
/* page_tables.h - the tables of an experiment in the page. */
#ifndef SIS_ANALYSIS_PAGE_TABLES_H
#define SIS_ANALYSIS_PAGE_TABLES_H

#include "view/page_source.h"

/* Adds the blocks of all tables. Writes what the page's index has of them as an object. */
int page_tables_add(struct page_source *source, struct page_blocks *blocks, struct json *json,
		    struct err *err);

#endif
