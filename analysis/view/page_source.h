/* SPDX-License-Identifier: BSD-3-Clause */
/* page_source.h - an experiment as the tables of the page are written from it: its call graph, and
 * what identifies its nodes and units in other rows of the repository. */
#ifndef SIS_ANALYSIS_PAGE_SOURCE_H
#define SIS_ANALYSIS_PAGE_SOURCE_H

#include "base/map.h"
#include "query/call_graph.h"
#include "view/page_column.h"
#include "view/page_differences.h"
#include "view/page_files.h"
#include "view/page_open.h"
#include "view/page_trace.h"

struct page_source {
	struct repo *repo;
	int64_t experiment;
	struct call_graph graph;
	/* by id: rows of the graph's nodes, units and regions, rows of table communicator */
	struct map node, unit, region, communicator;
	uint32_t *source_node; /* of each node: it, or the nearest ancestor in the source */
	int64_t *error_ns;     /* of the exclusive time of each cell; 0: it is exact */
	/* cells, parts and values in the order of the page: by node, then unit */
	uint32_t *cell, *part, *value;
	size_t nodes, cells;   /* before page_source_reduce */
	struct page_files files;
	struct page_differences differences; /* empty unless the page has other runs, too */
	struct page_trace trace; /* does not exist: the run has none */
	/* of each unit of a program that runs: for how long it has been where it is, negative: not
	 * known; NULL: it does not run */
	int64_t *since_ns;
	page_open_list open;     /* while tables are written */
	struct page_texts texts; /* while tables are written */
	struct strmap overhead; /* rows of the overhead tree, by name */
};

int page_source_load(struct page_source *source, struct repo *repo, int64_t experiment,
		     struct err *err);
void page_source_release(struct page_source *source);
/* Makes the order of rows again, after the graph changed. */
void page_source_order(struct page_source *source);

/* Leaves out nodes, those with the least time first, until at most this part of the cells is left
 * (and the root). Their time becomes that of the nearest node above that stays. */
void page_source_reduce(struct page_source *source, double part);

#endif
