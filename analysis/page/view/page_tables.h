/* SPDX-License-Identifier: BSD-3-Clause */
/* page_tables.h - the tables of an experiment in the page. */
#ifndef SIS_ANALYSIS_PAGE_TABLES_H
#define SIS_ANALYSIS_PAGE_TABLES_H

#include "page/view/page_source.h"

/* Adds the blocks of all tables. Writes their entry of the page's index, which is an object. */
int page_tables_add(struct page_source *source, struct page_blocks *blocks, struct json *json,
		    struct err *err);

#endif
