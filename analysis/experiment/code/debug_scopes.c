// SPDX-License-Identifier: BSD-3-Clause
/* debug_scopes.c - finds the scopes in the DIEs of a translation unit. debug_info.c calls it for
 * units that have samples.
 *
 * dwarf_getscopes is not used, because it finds no inlined calls in the output of gcc with
 * link-time optimization. Ranges of scopes are nested. They become segments without overlap, so
 * that an address is found by bisection. If a damaged file has a range that is not nested, the
 * range is cut at the end of the scope around it. */
#include "experiment/code/debug_scopes.h"

#include <dwarf.h>

#include "base/sort.h"

enum {
	MOST_DEPTH = 512,        /* nested DIEs; deeper ones are left out */
	MOST_SCOPES = 4u << 20,
	MOST_RANGES = 16u << 20,
	MOST_ORIGINS = 8,        /* most references from a copy of a function to its original */
};

struct range { uint64_t low, high; uint32_t scope, depth; };

struct walk {
	struct debug_scopes *scopes;
	VEC(struct range) range;
};

/* -- scopes of DIEs ---------------------------------------------------------------------------- */

static uint32_t number(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value = 0;
	if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &value) != 0)
		return 0;
	return value > UINT32_MAX ? 0 : (uint32_t)value;
}

/* In DWARF 5 the unit's own file has number 0, which clang uses. libdw (0.188) takes 0 for no file,
 * as it was in older versions of DWARF. */
const char *debug_declared_file(Dwarf_Die *die)
{
	const char *file = dwarf_decl_file(die);
	Dwarf_Attribute attribute;
	Dwarf_Word value;
	Dwarf_Half version;
	Dwarf_Die unit;
	Dwarf_Files *files;
	size_t count;
	bool is_first = !file && dwarf_attr_integrate(die, DW_AT_decl_file, &attribute) &&
		dwarf_formudata(&attribute, &value) == 0 && value == 0;
	return is_first && dwarf_cu_die(attribute.cu, &unit, &version, NULL, NULL, NULL, NULL,
					NULL) && version >= 5 &&
		dwarf_getsrcfiles(&unit, &files, &count) == 0 && count ?
		dwarf_filesrc(files, 0, NULL, NULL) : file;
}

/* The original DIE of a function that was copied: inlined, outlined, or moved to another unit. */
static Dwarf_Die source_die(Dwarf_Die die)
{
	for (int i = 0; i < MOST_ORIGINS; i++) {
		Dwarf_Attribute attribute;
		Dwarf_Die next;
		if (!dwarf_attr(&die, DW_AT_abstract_origin, &attribute) ||
		    !dwarf_formref_die(&attribute, &next))
			break;
		die = next;
	}
	return die;
}

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name = NULL;
	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute))
		name = dwarf_formstring(&attribute);
	if (!name && dwarf_attr_integrate(die, DW_AT_name, &attribute))
		name = dwarf_formstring(&attribute);
	return name;
}

/* Adds a scope for the DIE, if the DIE is a function or an inlined call. Returns the scope that
 * contains the DIE's children. */
static uint32_t add_scope(struct walk *walk, Dwarf_Die *die, uint32_t parent)
{
	Dwarf_Addr base, low, high;
	int tag = dwarf_tag(die);
	bool inlined = tag == DW_TAG_inlined_subroutine;
	if ((tag != DW_TAG_subprogram && !inlined) || walk->scopes->scope.n >= MOST_SCOPES ||
	    !(dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges)))
		return parent;
	Dwarf_Die source = source_die(*die), unit;
	int line = 0;
	uint32_t id = walk->scopes->scope.n;
	parent = inlined ? parent : NONE;
	uint32_t depth = parent == NONE ? 0 : walk->scopes->scope.at[parent].depth + 1;
	*vec_push(&walk->scopes->scope) = (struct debug_scope){
		.parent = parent,
		.die = dwarf_dieoffset(die),
		.depth = depth,
		.inlined = inlined,
		.call_file = number(die, DW_AT_call_file),
		.call_line = number(die, DW_AT_call_line),
		.call_column = number(die, DW_AT_call_column),
		.function = linkage_name(die),
		.unit = dwarf_diecu(&source, &unit, NULL, NULL) ? dwarf_dieoffset(&unit) : 0,
		.declared = debug_declared_file(&source),
		.declared_line = dwarf_decl_line(&source, &line) == 0 && line > 0 ? line : 0,
	};
	for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &low, &high)) > 0;)
		if (low < high && walk->range.n < MOST_RANGES)
			*vec_push(&walk->range) = (struct range){ low, high, id, depth };
	return id;
}

static bool may_hold_scopes(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_namespace:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return true;
	default:
		return false;
	}
}

/* Visits DIEs depth first, without recursion, because the file determines the depth. */
static void walk_dies(struct walk *walk, Dwarf_Die *unit)
{
	struct { Dwarf_Die die; uint32_t scope; } stack[MOST_DEPTH];
	int depth = 0;
	stack[0].scope = NONE;
	if (dwarf_child(unit, &stack[0].die) != 0)
		return;
	while (depth >= 0) {
		Dwarf_Die *die = &stack[depth].die;
		uint32_t scope = add_scope(walk, die, stack[depth].scope);
		if (depth + 1 < MOST_DEPTH && may_hold_scopes(die) &&
		    dwarf_child(die, &stack[depth + 1].die) == 0) {
			stack[++depth].scope = scope;
			continue;
		}
		while (depth >= 0 && dwarf_siblingof(&stack[depth].die, &stack[depth].die) != 0)
			depth--;
	}
}

/* -- segments of code -------------------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
	const struct range *x = a, *y = b;
	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->scope < y->scope ? -1 : x->scope > y->scope;
}

static void add_segment(struct debug_scopes *scopes, uint64_t low, uint32_t scope)
{
	size_t n = scopes->segment.n;
	if (n && scopes->segment.at[n - 1].low == low)
		scopes->segment.at[n - 1].scope = scope;
	else
		*vec_push(&scopes->segment) = (struct debug_segment){ low, scope };
}

static void make_segments(struct walk *walk)
{
	VEC(struct range) open = { 0 };
	vec_sort(&walk->range, by_address);
	for (size_t i = 0; i <= walk->range.n; i++) {
		bool end = i == walk->range.n;
		struct range *r = end ? NULL : &walk->range.at[i];
		while (open.n && (end || open.at[open.n - 1].high <= r->low)) {
			uint64_t high = open.at[--open.n].high;
			add_segment(walk->scopes, high, open.n ? open.at[open.n - 1].scope : NONE);
		}
		if (end)
			break;
		if (open.n && r->high > open.at[open.n - 1].high)
			r->high = open.at[open.n - 1].high;
		add_segment(walk->scopes, r->low, r->scope);
		*vec_push(&open) = *r;
	}
	vec_free(&open);
}

void debug_scopes_read(struct debug_scopes *scopes, Dwarf_Die *unit)
{
	struct walk walk = { .scopes = scopes };
	*scopes = (struct debug_scopes){ 0 };
	walk_dies(&walk, unit);
	make_segments(&walk);
	vec_free(&walk.range);
}

uint32_t debug_scopes_find(const struct debug_scopes *scopes, uint64_t address)
{
	size_t low = search_first(i, 0, scopes->segment.n, scopes->segment.at[i].low <= address);
	return low ? scopes->segment.at[low - 1].scope : NONE;
}

void debug_scopes_release(struct debug_scopes *scopes)
{
	vec_free(&scopes->scope);
	vec_free(&scopes->segment);
}
