// SPDX-License-Identifier: BSD-3-Clause
/* debug_types.c - finds the names and sizes of types, for debug_variables.c. Types have the names
 * that they have in blobs of section sis_blame (frontend/clang/blame/symbols.cc), except that
 * arrays have their lengths. */
#include "experiment/code/debug_types.h"

#include <dwarf.h>
#include <stdbool.h>

#include "base/buf.h"

enum { MOST_DEPTH = 20, MOST_QUALIFIERS = 64 };

/* The type of a DIE. False: the DIE has no type, which means void. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;
	return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
		dwarf_formref_die(&attribute, type);
}

static bool is_structure(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
		tag == DW_TAG_enumeration_type;
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
		tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/* The type of a DIE without qualifiers, and without typedefs of a structure that has a name. False:
 * the type is void. */
static bool plain_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Die under;
	if (!type_of(die, type))
		return false;
	for (int i = 0; i < MOST_QUALIFIERS; i++) {
		bool has_type = type_of(type, &under);
		bool structure = dwarf_tag(type) == DW_TAG_typedef && has_type &&
			is_structure(&under) && dwarf_diename(&under);
		if (!is_qualifier(dwarf_tag(type)) && !structure)
			return true;
		if (!has_type)
			return false;
		*type = under;
	}
	return false;
}

static void print_dimensions(struct buf *text, Dwarf_Die *array)
{
	Dwarf_Attribute at;
	Dwarf_Word n;
	Dwarf_Die range;
	if (dwarf_child(array, &range) != 0)
		return;
	do {
		if (dwarf_tag(&range) != DW_TAG_subrange_type)
			continue;
		if (dwarf_attr(&range, DW_AT_count, &at) && dwarf_formudata(&at, &n) == 0)
			buf_print(text, "[%llu]", (unsigned long long)n);
		else if (dwarf_attr(&range, DW_AT_upper_bound, &at) &&
			 dwarf_formudata(&at, &n) == 0)
			buf_print(text, "[%llu]", (unsigned long long)n + 1);
		else
			buf_print(text, "[]");
	} while (dwarf_siblingof(&range, &range) == 0);
}

static void print_named(struct buf *text, const char *keyword, Dwarf_Die *type)
{
	const char *name = dwarf_diename(type);
	buf_print(text, "%s%s", keyword, name ? name : *keyword ? "{...}" : "?");
}

/* Prints the name of a DIE's type. */
static void print_type(struct buf *text, Dwarf_Die *of, int depth)
{
	Dwarf_Die type;
	if (depth > MOST_DEPTH || !plain_type_of(of, &type)) {
		buf_print(text, "void");
		return;
	}
	switch (dwarf_tag(&type)) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
		print_type(text, &type, depth + 1);
		buf_print(text, text->at[text->length - 1] == '*' ? "*" : " *");
		break;
	case DW_TAG_array_type:
		print_type(text, &type, depth + 1);
		print_dimensions(text, &type);
		break;
	case DW_TAG_subroutine_type:
		print_type(text, &type, depth + 1);
		buf_print(text, " ()");
		break;
	case DW_TAG_structure_type:
		print_named(text, "struct ", &type);
		break;
	case DW_TAG_union_type:
		print_named(text, "union ", &type);
		break;
	case DW_TAG_enumeration_type:
		print_named(text, "enum ", &type);
		break;
	default:
		print_named(text, "", &type);
	}
}

char *debug_type_name(Dwarf_Die *variable)
{
	struct buf text = { 0 };
	print_type(&text, variable, 0);
	return buf_take(&text);
}

uint64_t debug_type_bytes(Dwarf_Die *variable)
{
	Dwarf_Die type, plain;
	Dwarf_Word bytes;
	if (!type_of(variable, &type) || dwarf_peel_type(&type, &plain) != 0 ||
	    dwarf_aggregate_size(&plain, &bytes) != 0)
		return 0;
	return bytes;
}
