/* SPDX-License-Identifier: BSD-3-Clause */
/* page.c - makes a page of experiments, within its limit, and writes it. Owns its blocks and its
 * index. Called by one thread. */
#include "page/view/page.h"

#include <stdlib.h>
#include <string.h>

#include "page/view/page_template.h"

/* -- the parts of the file --------------------------------------------------------------------- */

static void put_title(const void *arg, FILE *out)
{
	fputs("<title>", out);
	html_put(((const struct page *)arg)->title, out);
	fputs("</title>\n", out);
}

/* The policy lets a live page ask its server for newer data. */
static void put_connect(const void *arg, FILE *out)
{
	if (((const struct page *)arg)->live)
		fputs("connect-src 'self';\n", out);
}

static void put_report(const void *arg, FILE *out)
{
	fputs("<h1>", out);
	html_put(((const struct page *)arg)->title, out);
	fputs("</h1>\n<pre>", out);
	html_put(((const struct page *)arg)->report, out);
	fputs("</pre>\n", out);
}

/* In JSON, < occurs only within strings. It is escaped there, so that it cannot begin a tag. */
static void put_index(const struct page *page, FILE *out)
{
	fputs("<script type=\"application/json\" id=\"index\">", out);
	for (size_t i = 0; i < page->index_length; i++)
		if (page->index[i] == '<')
			fputs("\\u003c", out);
		else
			putc(page->index[i], out);
	fputs("</script>\n", out);
}

static void put_blocks(const void *arg, FILE *out)
{
	const struct page *page = arg;
	put_index(page, out);
	page_blocks_write(&page->blocks, out);
}

void page_write(const struct page *page, FILE *out)
{
	static const struct page_insert insert[] = {
		{ "connect", put_connect },
		{ "title", put_title },
		{ "report", put_report },
		{ "blocks", put_blocks },
		{ NULL, NULL },
	};
	page_template_write(insert, page, out);
}

void page_write_data(const struct page *page, FILE *out)
{
	fputs("{\"index\":", out);
	fwrite(page->index, 1, page->index_length, out);
	fputs(",\"blocks\":[", out);
	for (size_t i = 0; i < page->blocks.block.n; i++) {
		fputs(i ? ",\n\"" : "\"", out);
		page_block_write(&page->blocks.block.at[i], out);
		putc('"', out);
	}
	fputs("]}\n", out);
}

/* -- keeping the page within its limit --------------------------------------------------------- */

/* Bytes of the page without its blocks. */
static size_t rest_size(const struct page *page)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	if (!memory)
		return 0;
	put_title(page, memory);
	put_report(page, memory);
	put_index(page, memory);
	fclose(memory);
	free(text);
	return page_template_size() + size;
}

static void forget_data(struct page *page)
{
	page_blocks_release(&page->blocks);
	mem_free((void **)&page->index);
}

static int encode(struct page *page, struct repo *repo, struct err *err)
{
	forget_data(page);
	FILE *memory = open_memstream(&page->index, &page->index_length);
	if (!memory)
		return err_fail(err, "out of memory; analyze on a machine with more");
	int rc = page_index_write(page, repo, memory, err);
	fclose(memory);
	return rc;
}

/* Sets the note that says how many nodes the page still has. */
static void note_nodes(struct page_experiment *e, size_t limit)
{
	static const char what[] = "call paths";
	struct page_left_out *note = NULL;
	for (size_t i = 0; i < e->left_out.n; i++)
		if (strcmp(e->left_out.at[i].what, what) == 0)
			note = &e->left_out.at[i];
	if (!note) {
		note = vec_push(&e->left_out);
		note->what = mem_string(what);
		note->rule = mem_print("Those with the least time were left out until the page had "
				       "at most %.1f MB (--limit). Their time counts for their "
				       "callers.", (double)limit / 1e6);
	}
	note->kept = (int64_t)e->source.graph.node.n;
	note->all = (int64_t)e->source.nodes;
}

/* Leaves out nodes of all experiments, so that at most this part of their cells stays. Returns
 * false if nothing could be left out. */
static bool reduce(struct page *page, double part)
{
	bool changed = false;
	for (size_t i = 0; i < page->experiment.n; i++) {
		struct page_experiment *e = &page->experiment.at[i];
		size_t nodes = e->source.graph.node.n;
		page_source_reduce(&e->source, part);
		if (e->source.graph.node.n < nodes) {
			note_nodes(e, page->limit);
			changed = true;
		}
	}
	return changed;
}

int page_make(struct page *page, struct repo *repo, size_t *excess, struct err *err)
{
	/* The size is assumed to be proportional to the number of cells. But fewer cells may
	 * compress less well. */
	const double careful = 0.95;
	for (;;) {
		if (encode(page, repo, err))
			return ERR_FAILED;
		size_t blocks = page_blocks_size(&page->blocks), rest = rest_size(page),
		       size = rest + blocks;
		*excess = size > page->limit ? size - page->limit : 0;
		if (!*excess)
			return 0;
		double room = page->limit > rest ? (double)(page->limit - rest) : 0;
		if (!reduce(page, careful * room / (double)blocks))
			return 0;
	}
}

void page_release(struct page *page)
{
	for (size_t i = 0; i < page->experiment.n; i++) {
		struct page_experiment *e = &page->experiment.at[i];
		page_source_release(&e->source);
		for (size_t k = 0; k < e->document.n; k++)
			free(e->document.at[k].name), free(e->document.at[k].json);
		for (size_t k = 0; k < e->left_out.n; k++)
			free(e->left_out.at[k].what), free(e->left_out.at[k].rule);
		vec_free(&e->document), vec_free(&e->left_out);
	}
	for (size_t k = 0; k < page->document.n; k++)
		free(page->document.at[k].name), free(page->document.at[k].json);
	vec_free(&page->experiment), vec_free(&page->document);
	forget_data(page);
	free(page->title), free(page->report);
}
