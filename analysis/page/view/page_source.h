/* SPDX-License-Identifier: BSD-3-Clause */
/* page_source.h - the data of an experiment from which the tables of the page are written: its call
 * graph, and the ids by which other rows of the repository name its nodes and units. */
#ifndef SIS_ANALYSIS_PAGE_SOURCE_H
#define SIS_ANALYSIS_PAGE_SOURCE_H

#include "base/map.h"
#include "answers/query/call_graph.h"
#include "page/view/page_column.h"
#include "page/view/page_differences.h"
#include "page/view/page_files.h"
#include "page/view/page_open.h"
#include "page/view/page_trace.h"

struct page_source {
	struct repo *repo;
	int64_t experiment;
	struct call_graph graph;
	/* from ids to rows: of the graph's nodes, units and regions, and of table communicator */
	struct map node, unit, region, communicator;
	uint32_t *source_node; /* of each node: itself, or its nearest ancestor in the source */
	int64_t *error_ns;     /* error of each cell's exclusive time; 0: the time is exact */
	/* numbers of cells, parts and values in the order of the page: by node, then unit */
	uint32_t *cell, *part, *value;
	size_t nodes, cells;   /* how many there were before page_source_reduce */
	struct page_files files;
	struct page_differences differences; /* empty unless the page has other runs, too */
	struct page_trace trace; /* its `exists` is false if the run has no trace */
	/* Of each unit of a program that runs: how long it has been in its current node. A negative
	 * time is not known. NULL if the program does not run. */
	int64_t *since_ns;
	page_open_list open;     /* only while tables are written */
	struct page_texts texts; /* only while tables are written */
	struct strmap overhead; /* rows of the overhead tree, by name */
};

int page_source_load(struct page_source *source, struct repo *repo, int64_t experiment,
		     struct err *err);
void page_source_release(struct page_source *source);
/* Orders the rows again, after the graph has changed. */
void page_source_order(struct page_source *source);

/* Leaves out nodes, those with the least time first, until at most this part of the cells is left.
 * The root always stays. The time of a left-out node is added to the nearest node above that
 * stays. */
void page_source_reduce(struct page_source *source, double part);

#endif
