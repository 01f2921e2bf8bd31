/* SPDX-License-Identifier: BSD-3-Clause */
/* link: analysis -lz */
/* Columns and blocks of the page, and what stays of a call graph that is too large for it. */
#include "unit.h"

#include <zlib.h>

#include "page/view/page_column.h"
#include "page/view/page_source.h"

/* -- columns ----------------------------------------------------------------------------------- */

static size_t inflated(const struct page_block *block, unsigned char *to, size_t room)
{
	z_stream z = { .next_in = (unsigned char *)block->bytes, .avail_in = (unsigned)block->n,
		       .next_out = to, .avail_out = (unsigned)room };
	ck_assert_int_eq(inflateInit2(&z, -MAX_WBITS), Z_OK);
	ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
	inflateEnd(&z);
	return z.total_out;
}

/* The text after a key of the index. */
static const char *member_text(const char *column, const char *key)
{
	char *quoted = mem_print("\"%s\": ", key);
	const char *at = strstr(column, quoted);
	ck_assert_ptr_nonnull(at);
	at += strlen(quoted);
	free(quoted);
	return at;
}

static int64_t member(const char *column, const char *key)
{
	return strtoll(member_text(column, key), NULL, 10);
}

static void read_planes(const unsigned char *bytes, const char *column, int64_t *to,
			size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t value = 0;
		for (int64_t k = 0; k < member(column, "width"); k++)
			value |= (uint64_t)bytes[(size_t)k * n + i] << 8 * k;
		to[i] = (int64_t)(value + (uint64_t)member(column, "base"));
	}
}

static void read_deltas(const unsigned char *bytes, int64_t *to, size_t n)
{
	uint64_t last = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t folded = 0;
		int shift = 0;
		for (; *bytes & 128; shift += 7)
			folded |= (uint64_t)(*bytes++ & 127) << shift;
		folded |= (uint64_t)*bytes++ << shift;
		last += folded >> 1 ^ (0 - (folded & 1));
		to[i] = (int64_t)last;
	}
}

/* Encodes a column and reads it again. `form`: in which it must be stored; "": in any. */
static void check_column(enum page_type type, const int64_t *value, const int64_t *wanted,
			 size_t n, const char *form)
{
	enum { ROOM = 1 << 20 };
	struct page_blocks blocks = { 0 };
	char *index = NULL;
	size_t length;
	int64_t *copy = mem_alloc(n, sizeof *copy), *again = mem_alloc(n, sizeof *again);
	unsigned char *bytes = mem_alloc(ROOM, 1);
	FILE *memory = open_memstream(&index, &length);
	struct json json;
	json_init(&json, memory);
	if (n)
		memcpy(copy, value, n * sizeof *copy);
	page_column_add(&blocks, NULL, type, copy, n, &json);
	fclose(memory);
	inflated(&blocks.block.at[0], bytes, ROOM);
	ck_assert_int_eq(strncmp(member_text(index, "form") + 1, form, strlen(form)), 0);
	if (strncmp(member_text(index, "form") + 1, "plane", 5) == 0)
		read_planes(bytes, index, again, n);
	else
		read_deltas(bytes, again, n);
	for (size_t i = 0; i < n; i++)
		if (wanted[i] == PAGE_UNKNOWN)
			ck_assert_int_eq(again[i], member(index, "none"));
		else
			ck_assert_int_eq(again[i], wanted[i]);
	page_blocks_release(&blocks);
	free(index), free(copy), free(again), free(bytes);
}

#define SAME(type, ...) \
	do { \
		const int64_t list[] = { __VA_ARGS__ }; \
		check_column(type, list, list, sizeof list / sizeof *list, ""); \
	} while (0)

START_TEST(columns_are_read_again)
{
	check_column(PAGE_F64, NULL, NULL, 0, "");
	SAME(PAGE_F64, 7, 7, 7, 7);
	SAME(PAGE_F64, -5, 300, 70000, 5000000000);
	SAME(PAGE_F64, PAGE_UNKNOWN, 0, PAGE_UNKNOWN, 255);
	SAME(PAGE_F64, PAGE_UNKNOWN, PAGE_UNKNOWN);
	SAME(PAGE_F64, INT64_MIN + 2, INT64_MAX);
	SAME(PAGE_I32, -1, INT32_MAX, INT32_MIN);
}
END_TEST

START_TEST(sorted_columns_are_differences_and_noisy_ones_are_not)
{
	enum { MANY = 50000 };
	int64_t *row = mem_alloc(MANY, sizeof *row), *down = mem_alloc(MANY, sizeof *down);
	int64_t *noise = mem_alloc(MANY, sizeof *noise);
	uint64_t x = 1;
	for (int64_t i = 0; i < MANY; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		noise[i] = (int64_t)(x >> 40);
		row[i] = i / 7 * 1000;
		down[i] = (MANY - i) * 12345;
	}
	check_column(PAGE_U32, row, row, MANY, "delta");
	check_column(PAGE_F64, down, down, MANY, "delta");
	check_column(PAGE_F64, noise, noise, MANY, "plane");
	free(row), free(down), free(noise);
}
END_TEST

START_TEST(values_are_brought_into_the_type)
{
	const int64_t value[] = { -1, 300, 5 }, byte[] = { 0, 255, 5 },
		      word[] = { PAGE_UNKNOWN, INT64_MAX }, word_wanted[] = { 0, UINT32_MAX };
	check_column(PAGE_U8, value, byte, 3, "");
	check_column(PAGE_U32, word, word_wanted, 2, "");
}
END_TEST

START_TEST(blocks_are_base64)
{
	char *text = NULL;
	size_t length;
	for (size_t n = 0; n < 4; n++) {
		struct page_blocks blocks = { 0 };
		page_blocks_reserve(&blocks);
		blocks.block.at[0] = (struct page_block){ mem_string("\xff\x01Z"), n };
		FILE *memory = open_memstream(&text, &length);
		page_blocks_write(&blocks, memory);
		fclose(memory);
		static const char *const base64[] = { "", "/w==", "/wE=", "/wFa" };
		char *wanted = mem_print("<script type=\"text/plain\" id=\"block-0\">%s</script>\n",
					 base64[n]);
		ck_assert_str_eq(text, wanted);
		ck_assert_uint_ge(page_blocks_size(&blocks), length);
		page_blocks_release(&blocks);
		free(text), free(wanted);
	}
}
END_TEST

START_TEST(texts_have_one_number)
{
	struct page_blocks blocks = { 0 };
	struct page_texts texts;
	unsigned char bytes[100] = { 0 };
	page_texts_init(&texts, &blocks);
	ck_assert_int_eq(page_texts_number(&texts, "a"), 0);
	ck_assert_int_eq(page_texts_number(&texts, "\"\xff"), 1);
	ck_assert_int_eq(page_texts_number(&texts, "a"), 0);
	ck_assert_int_eq(page_texts_number(&texts, NULL), 2);
	page_texts_finish(&texts, &blocks);
	inflated(&blocks.block.at[0], bytes, sizeof bytes - 1);
	ck_assert_str_eq((char *)bytes, "[\"a\",\n\"\\\"\\ufffd\",\n\"\"]\n");
	page_blocks_release(&blocks);
}
END_TEST

/* -- reduction --------------------------------------------------------------------------------- */

/*   0 root --- 1 a --- 2 b      two units; a takes most time, then c, then b
 *          `-- 3 c                                                            */
static void make_source(struct page_source *s)
{
	static const struct { uint32_t parent, end; } node[] = {
		{ GRAPH_NONE, 4 }, { 0, 3 }, { 1, 3 }, { 0, 4 } };
	static const int64_t excl[] = { 1, 100, 10, 50 };
	*s = (struct page_source){ 0 };
	for (uint32_t i = 0; i < 4; i++) {
		*vec_push(&s->graph.node) = (struct graph_node){
			.id = 10 + i, .parent = node[i].parent, .end = node[i].end,
			.path = mem_string("") };
		map_put(&s->node, 10 + i, 0, i, NULL);
	}
	for (uint32_t pu = 0; pu < 2; pu++)
		for (uint32_t i = 0; i < 4; i++) {
			const struct graph_key at = { pu, i, 0 };
			*vec_push(&s->graph.cell) = (struct graph_cell){
				.at = at, .calls = 1, .excl_ns = excl[i] };
			*vec_push(&s->graph.part) = (struct graph_part){ at, excl[i] };
		}
	s->source_node = mem_alloc(4, sizeof *s->source_node);
	s->error_ns = mem_alloc(8, sizeof *s->error_ns);
	s->error_ns[2] = 3; /* of b in unit 0 */
}

START_TEST(nodes_with_little_time_count_for_their_callers)
{
	struct page_source s;
	make_source(&s);
	page_source_reduce(&s, 0.76); /* six of eight cells */
	ck_assert_uint_eq(s.graph.node.n, 3);
	ck_assert_uint_eq(s.graph.node.at[1].end, 2);
	ck_assert_uint_eq(s.graph.node.at[2].id, 13);
	ck_assert_uint_eq(s.graph.node.at[2].parent, 0);
	ck_assert_uint_eq(map_get(&s.node, 12, 0), 1);
	ck_assert_uint_eq(map_get(&s.node, 13, 0), 2);
	ck_assert_uint_eq(s.graph.cell.n, 6);
	ck_assert_int_eq(s.graph.cell.at[1].excl_ns, 110);
	ck_assert_int_eq(s.error_ns[1], 3);
	ck_assert_int_eq(s.graph.cell.at[2].excl_ns, 50);
	ck_assert_uint_eq(s.graph.part.n, 6);
	ck_assert_int_eq(s.graph.part.at[1].ns, 110);
	ck_assert_uint_eq(s.cell[1], 3); /* node 0 of unit 1 is the second row of the page */
	page_source_release(&s);
}
END_TEST

START_TEST(the_root_stays)
{
	struct page_source s;
	make_source(&s);
	page_source_reduce(&s, 0);
	ck_assert_uint_eq(s.graph.node.n, 1);
	ck_assert_uint_eq(s.graph.part.n, 2);
	ck_assert_int_eq(s.graph.part.at[0].ns, 161);
	ck_assert_int_eq(s.graph.cell.at[1].excl_ns, 161);
	page_source_release(&s);
}
END_TEST

START_TEST(the_innermost_open_node_of_each_unit)
{
	static const size_t open[] = { 0, 1, 2, 4, 7 }; /* cells: root, a, b; root, c of unit 1 */
	struct page_source s;
	page_open_list list = { 0 };
	make_source(&s);
	for (size_t i = 0; i < sizeof open / sizeof *open; i++)
		s.graph.cell.at[open[i]].open = true;
	page_open_find(&list, &s.graph);
	ck_assert_uint_eq(list.n, 2);
	ck_assert_uint_eq(list.at[0].unit, 0);
	ck_assert_uint_eq(list.at[0].node, 2);
	ck_assert_uint_eq(list.at[1].unit, 1);
	ck_assert_uint_eq(list.at[1].node, 3);
	vec_free(&list);
	page_source_release(&s);
}
END_TEST

START_TEST(a_unit_that_is_in_no_region_is_not_open)
{
	struct page_source s;
	page_open_list list = { 0 };
	make_source(&s);
	s.graph.cell.at[4].open = true; /* the root of unit 1 */
	page_open_find(&list, &s.graph);
	ck_assert_uint_eq(list.n, 0);
	page_source_release(&s);
}
END_TEST

UNIT_MAIN("page", columns_are_read_again,
	  sorted_columns_are_differences_and_noisy_ones_are_not,
	  values_are_brought_into_the_type, blocks_are_base64, texts_have_one_number,
	  nodes_with_little_time_count_for_their_callers, the_root_stays,
	  the_innermost_open_node_of_each_unit, a_unit_that_is_in_no_region_is_not_open)
