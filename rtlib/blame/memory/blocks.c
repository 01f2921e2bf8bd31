/* SPDX-License-Identifier: BSD-3-Clause */
/* blocks.c - an index of address ranges. Called by threads that allocate and free, under the lock
 * of allocations.c, and by the handler of the samples' signal, without the lock.
 *
 * The ranges of each kind are a treap: a search tree by address, which is also a heap by the nodes'
 * priorities. A node's priority is a hash of its number, and so practically random. So the tree is
 * balanced on the average, and changes are short loops without recursion. Nodes are never unmapped
 * while other threads may read. A reader that comes during a change may follow wrong links. But it
 * reads only nodes and takes a bounded number of steps, and the seqlock tells it to ignore the
 * result.
 *
 *      root ----> node 5: [400, 500)          priority of 5 > priorities of 2 and 9
 *                 /            \
 *      node 2: [100, 180)    node 9: [800, 820)
 *
 * The filter counts blocks of malloc by a hash of their begin. If memory that is not recorded is
 * freed, its counter is nearly always zero, so that the tree need not be searched.
 */
#include "base/seqlock.h"
#include "blame/memory/blocks.h"

#include <string.h>
#include <sys/mman.h>

enum { KINDS = 2, CHUNK_NODES = 1 << 16, CHUNKS = SIS_BLOCKS_MOST / CHUNK_NODES, MOST_STEPS = 256 };
enum { FILTER_BITS = 20, FILTER_BYTES = (1 << FILTER_BITS) * sizeof(uint16_t) };

/* A block in the tree: 40 bytes. Writers and readers use the seqlock. */
struct node {
	uint64_t begin, end, ticks;
	uint32_t of, is_part;
	uint32_t left, right;      /* numbers of nodes; 0: none */
};

static struct node *chunks[CHUNKS];
static uint32_t roots[KINDS];      /* index: kind - 1 */
/* `used`: number of nodes that have ever been in use; `unused`: first node of the list of free ones
 */
static uint32_t used = 1, unused;
static uint64_t version;           /* the seqlock's */
static uint16_t *filter;           /* NULL: there are no blocks */

/* -- nodes ------------------------------------------------------------------------------------- */

static struct node *node_at(uint32_t number)
{
	return &chunks[number / CHUNK_NODES][number % CHUNK_NODES];
}

static uint32_t priority(uint32_t number)
{
	number = (number ^ number >> 16) * 0x85ebca6bu;
	number = (number ^ number >> 13) * 0xc2b2ae35u;
	return number ^ number >> 16;
}

static void *map(uint64_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

static uint32_t new_node(void)
{
	uint32_t number = unused;
	if (number) {
		unused = node_at(number)->left;
		return number;
	}
	if (used == SIS_BLOCKS_MOST)
		return 0;
	struct node **chunk = &chunks[used / CHUNK_NODES];
	if (!*chunk)
		SIS_SET(*chunk, map(CHUNK_NODES * sizeof(struct node)));
	return *chunk ? used++ : 0;
}

/* -- the tree ---------------------------------------------------------------------------------- */

static void split(uint32_t tree, uint64_t begin, uint32_t *left, uint32_t *right)
{
	while (tree) {
		struct node *node = node_at(tree);
		if (node->begin < begin) {
			SIS_SET(*left, tree);
			left = &node->right;
			tree = *left;
		} else {
			SIS_SET(*right, tree);
			right = &node->left;
			tree = *right;
		}
	}
	SIS_SET(*left, 0);
	SIS_SET(*right, 0);
}

static uint32_t *link_of(uint16_t kind, uint64_t begin)
{
	uint32_t *link = &roots[kind - 1];
	while (*link && node_at(*link)->begin != begin)
		link = begin < node_at(*link)->begin ? &node_at(*link)->left
						      : &node_at(*link)->right;
	return link;
}

/* Returns the last node that begins before `end`, if it overlaps the range; 0: there is no such
 * node. */
static uint32_t overlapping(uint16_t kind, uint64_t begin, uint64_t end)
{
	uint32_t found = 0;
	for (uint32_t at = roots[kind - 1]; at;) {
		bool before = node_at(at)->begin < end;
		found = before ? at : found;
		at = before ? node_at(at)->right : node_at(at)->left;
	}
	return found && node_at(found)->end > begin ? found : 0;
}

/* -- the filter -------------------------------------------------------------------------------- */

static uint64_t filter_index(uint64_t address)
{
	return address * 0x9e3779b97f4a7c15u >> (64 - FILTER_BITS);
}

/* A counter that has reached its largest value stays there. */
static void count(const struct sis_block *block, int change)
{
	if (block->kind != SIS_MEMORY_HEAP)
		return;
	uint16_t *here = &filter[filter_index(block->begin)];
	if (*here != UINT16_MAX)
		SIS_SET(*here, (uint16_t)(*here + change));
}

bool sis__blocks_may_begin(uint64_t address)
{
	const uint16_t *counts = SIS_GET(filter);
	return counts && SIS_GET(counts[filter_index(address)]) != 0;
}

/* -- changes ----------------------------------------------------------------------------------- */

static struct sis_block block_of(uint16_t kind, const struct node *node)
{
	return (struct sis_block){ .begin = node->begin, .end = node->end, .ticks = node->ticks,
				   .of = node->of, .kind = kind,
				   .is_part = (uint16_t)node->is_part };
}

/* `number` is the number of a node that the caller has taken for the block. */
static void add_node(uint32_t number, const struct sis_block *block)
{
	struct node *node = node_at(number);
	uint64_t before = sis__seqlock_write_begin(&version);
	SIS_SET(node->begin, block->begin);
	SIS_SET(node->end, block->end);
	SIS_SET(node->ticks, block->ticks);
	SIS_SET(node->of, block->of);
	SIS_SET(node->is_part, block->is_part);
	uint32_t *link = &roots[block->kind - 1];
	while (*link && priority(*link) > priority(number)) {
		struct node *at = node_at(*link);
		link = node->begin < at->begin ? &at->left : &at->right;
	}
	split(*link, node->begin, &node->left, &node->right);
	SIS_SET(*link, number);
	sis__seqlock_write_end(&version, before);
	count(block, 1);
}

bool sis__blocks_add(const struct sis_block *block)
{
	if (!filter)
		SIS_SET(filter, map(FILTER_BYTES));
	uint32_t number = filter ? new_node() : 0;
	if (number)
		add_node(number, block);
	return number != 0;
}

static void take_node(uint32_t *link, struct sis_block *taken, uint16_t kind)
{
	*taken = block_of(kind, node_at(*link));
	uint64_t before = sis__seqlock_write_begin(&version);
	/* the node's two subtrees are merged and replace the node */
	uint32_t number = *link, left = node_at(number)->left, right = node_at(number)->right;
	while (left && right) {
		if (priority(left) > priority(right)) {
			SIS_SET(*link, left);
			link = &node_at(left)->right;
			left = *link;
		} else {
			SIS_SET(*link, right);
			link = &node_at(right)->left;
			right = *link;
		}
	}
	SIS_SET(*link, left ? left : right);
	SIS_SET(node_at(number)->left, unused);
	unused = number;
	sis__seqlock_write_end(&version, before);
	count(taken, -1);
}

bool sis__blocks_take(uint16_t kind, uint64_t begin, struct sis_block *taken)
{
	uint32_t *link = link_of(kind, begin);
	if (!*link)
		return false;
	take_node(link, taken, kind);
	return true;
}

bool sis__blocks_take_in(uint16_t kind, uint64_t begin, uint64_t end, struct sis_block *taken)
{
	uint32_t number = begin < end ? overlapping(kind, begin, end) : 0;
	if (number)
		take_node(link_of(kind, node_at(number)->begin), taken, kind);
	return number != 0;
}

bool sis__blocks_cut(uint16_t kind, uint64_t begin, uint64_t end, struct sis_block *taken)
{
	uint32_t number = begin < end ? overlapping(kind, begin, end) : 0;
	if (!number)
		return false;
	struct node *node = node_at(number);
	struct sis_block whole = block_of(kind, node);
	if (whole.begin >= begin && whole.end <= end) {
		take_node(link_of(kind, whole.begin), taken, kind);
		return true;
	}
	*taken = whole;
	taken->is_part = 1;
	taken->begin = whole.begin < begin ? begin : whole.begin;
	taken->end = whole.end > end ? end : whole.end;
	uint64_t before = sis__seqlock_write_begin(&version);
	if (whole.begin < begin)
		SIS_SET(node->end, begin);
	else /* the node keeps its place in the order of blocks */
		SIS_SET(node->begin, end);
	sis__seqlock_write_end(&version, before);
	if (whole.begin < begin && whole.end > end) {
		/* the rest after the hole; it is lost if there is no free node for it */
		struct sis_block rest = whole;
		rest.begin = end;
		rest.is_part = 1;
		number = new_node();
		if (number)
			add_node(number, &rest);
	}
	return true;
}

bool sis__blocks_has_around(const struct sis_block *block)
{
	uint32_t number = overlapping(SIS_MEMORY_MAPPING, block->begin, block->end);
	return number && node_at(number)->begin <= block->begin &&
	       node_at(number)->end >= block->end;
}

void sis__blocks_clear(void)
{
	for (int i = 0; i < CHUNKS; i++)
		if (chunks[i])
			munmap(chunks[i], CHUNK_NODES * sizeof(struct node));
	if (filter)
		munmap(filter, FILTER_BYTES);
	memset(chunks, 0, sizeof chunks);
	memset(roots, 0, sizeof roots);
	filter = NULL;
	used = 1;
	unused = 0;
	version = 0;
}

/* -- a look ------------------------------------------------------------------------------------ */

/* Returns the node of a link, or NULL if the link leads to no node: while another thread changes
 * links, a link may be wrong. */
static struct node *node_seen(uint32_t number)
{
	struct node *chunk = number && number < SIS_BLOCKS_MOST
				     ? SIS_GET(chunks[number / CHUNK_NODES]) : NULL;
	return chunk ? &chunk[number % CHUNK_NODES] : NULL;
}

static bool find_block(uint16_t kind, uint64_t address, struct sis_block *found)
{
	struct node *node = node_seen(SIS_GET(roots[kind - 1])), *last = NULL;
	for (int steps = 0; node && steps < MOST_STEPS; steps++) {
		bool before = SIS_GET(node->begin) <= address;
		last = before ? node : last;
		node = node_seen(before ? SIS_GET(node->right) : SIS_GET(node->left));
	}
	if (!last || SIS_GET(last->end) <= address)
		return false;
	*found = (struct sis_block){ .begin = SIS_GET(last->begin), .end = SIS_GET(last->end),
				     .ticks = SIS_GET(last->ticks), .of = SIS_GET(last->of),
				     .kind = kind, .is_part = (uint16_t)SIS_GET(last->is_part) };
	return true;
}

enum sis_block_found sis__blocks_find(uint64_t address, struct sis_block *found)
{
	uint64_t begin = sis__seqlock_read_begin(&version);
	bool has = find_block(SIS_MEMORY_HEAP, address, found) ||
		   find_block(SIS_MEMORY_MAPPING, address, found);
	if (!sis__seqlock_read_end(&version, begin))
		return SIS_BLOCK_BUSY;
	return has ? SIS_BLOCK_FOUND : SIS_BLOCK_NONE;
}
