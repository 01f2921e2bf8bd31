// SPDX-License-Identifier: BSD-3-Clause
/* debug_variables.c - finds variables by their location expressions, for debug_info.c.
 *
 *      static, thread-local    DW_OP_addr, DW_OP_const with a thread-local form: all units are
 *                              walked once, because a file has no index of them by address
 *      in a frame              DW_OP_fbreg: an offset from the frame base, which is the canonical
 *                              frame address or a register. The unwinding information gives the
 *                              distance of the register from the canonical frame address
 *
 * Lexical blocks and inlined calls without the PC are searched only if no other variable fits.
 * Variables of different blocks may share the same bytes, so a result is used only if exactly one
 * variable fits. LIMIT: arrays of variable length and memory of alloca are not found, because their
 * addresses are known only during the run. */
#include "experiment/code/debug_variables.h"

#include <dwarf.h>
#include <limits.h>
#include <string.h>

#include "base/sort.h"
#include "experiment/code/debug_scopes.h"
#include "experiment/code/debug_types.h"

enum {
	MOST_DEPTH = 512,          /* nested DIEs; deeper ones are left out */
	MOST_VARIABLES = 4u << 20,
	MOST_LOCATIONS = 4,        /* locations of a variable at one PC */
};

/* -- describing a variable --------------------------------------------------------------------- */

/* The file of a declaration, in the form of section sis_blame: relative to the directory of the
 * compilation if the file is below this directory. */
static const char *file_of(Dwarf_Die *die)
{
	Dwarf_Die unit;
	Dwarf_Attribute attribute;
	const char *file = debug_declared_file(die);
	const char *directory = dwarf_diecu(die, &unit, NULL, NULL) &&
		dwarf_attr(&unit, DW_AT_comp_dir, &attribute) ? dwarf_formstring(&attribute) : NULL;
	size_t length = directory ? strlen(directory) : 0;
	return file && length && strncmp(file, directory, length) == 0 && file[length] == '/' ?
		file + length + 1 : file;
}

static void describe(Dwarf_Die *die, const char *function, struct code_variable *variable)
{
	int line = 0;
	*variable = (struct code_variable){ .name = dwarf_diename(die), .function = function,
					    .type = debug_type_name(die), .file = file_of(die),
					    .bytes = debug_type_bytes(die) };
	if (dwarf_decl_line(die, &line) == 0 && line > 0)
		variable->line = (uint32_t)line;
}

static const char *name_of_function(Dwarf_Die *die)
{
	return dwarf_diename(die);
}

static bool is_function(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* -- static and thread-local variables --------------------------------------------------------- */

/* The constant that an operation pushes. False: the operation pushes no constant. */
static bool constant_of(Dwarf_Attribute *location, const Dwarf_Op *op, uint64_t *number)
{
	Dwarf_Attribute at;
	Dwarf_Addr address;
	switch (op->atom) {
	case DW_OP_addr:
	case DW_OP_const4u:
	case DW_OP_const8u:
		*number = op->number;
		return true;
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index:
		if (dwarf_getlocation_attr(location, op, &at) != 0 ||
		    dwarf_formaddr(&at, &address) != 0)
			return false;
		*number = address;
		return true;
	default:
		return false;
	}
}

static void add_variable(struct debug_variables *v, Dwarf_Die *die, const char *function)
{
	Dwarf_Attribute location;
	Dwarf_Op *op;
	size_t n;
	uint64_t low;
	if (!dwarf_attr(die, DW_AT_location, &location) ||
	    dwarf_getlocation(&location, &op, &n) != 0 || n == 0 || n > 2 ||
	    (n == 2 && op[1].atom != DW_OP_form_tls_address &&
	     op[1].atom != DW_OP_GNU_push_tls_address) || !constant_of(&location, op, &low))
		return;
	uint64_t bytes = debug_type_bytes(die);
	if (!bytes || low + bytes < low || v->fixed.n + v->per_thread.n >= MOST_VARIABLES)
		return;
	const struct debug_variable new = { low, low + bytes, dwarf_dieoffset(die), function };
	if (n == 2)
		*vec_push(&v->per_thread) = new;
	else
		*vec_push(&v->fixed) = new;
}

/* Visits DIEs depth first, without recursion, because the file determines the depth. */
static void walk_unit(struct debug_variables *v, Dwarf_Die *unit)
{
	struct { Dwarf_Die die; const char *function; } stack[MOST_DEPTH];
	int depth = 0;
	stack[0].function = NULL;
	if (dwarf_child(unit, &stack[0].die) != 0)
		return;
	while (depth >= 0) {
		Dwarf_Die *die = &stack[depth].die;
		int tag = dwarf_tag(die);
		if (tag == DW_TAG_variable)
			add_variable(v, die, stack[depth].function);
		bool is_scope = is_function(tag) || tag == DW_TAG_lexical_block ||
			tag == DW_TAG_namespace;
		if (depth + 1 < MOST_DEPTH && is_scope &&
		    dwarf_child(die, &stack[depth + 1].die) == 0) {
			stack[depth + 1].function = is_function(tag) ? name_of_function(die) :
				stack[depth].function;
			depth++;
			continue;
		}
		while (depth >= 0 && dwarf_siblingof(&stack[depth].die, &stack[depth].die) != 0)
			depth--;
	}
}

static int by_address(const void *a, const void *b)
{
	const struct debug_variable *x = a, *y = b;
	return ORDER(x->low, y->low) ?: ORDER(x->high, y->high) ?: ORDER(x->die, y->die);
}

static const struct debug_variable *variable_at(const struct debug_variable *list, size_t n,
						uint64_t at)
{
	size_t after = search_first(i, 0, n, list[i].low <= at);
	return after && at < list[after - 1].high ? &list[after - 1] : NULL;
}

bool debug_variables_find(struct debug_variables *v, Dwarf *dwarf, bool is_thread_local,
			  uint64_t at, struct code_variable *variable)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die die, skeleton;
	while (!v->read && dwarf_get_units(dwarf, cu, &cu, &version, &type, &die, &skeleton) == 0)
		if (dwarf_tag(&die) == DW_TAG_compile_unit)
			walk_unit(v, &die);
	if (!v->read) {
		vec_sort(&v->fixed, by_address);
		vec_sort(&v->per_thread, by_address);
	}
	v->read = true;
	const struct debug_variable *found = is_thread_local ?
		variable_at(v->per_thread.at, v->per_thread.n, at) :
		variable_at(v->fixed.at, v->fixed.n, at);
	if (!found || !dwarf_offdie(dwarf, found->die, &die))
		return false;
	describe(&die, found->function, variable);
	return variable->name != NULL;
}

void debug_variables_release(struct debug_variables *v)
{
	vec_free(&v->fixed);
	vec_free(&v->per_thread);
}

/* -- variables in a frame ---------------------------------------------------------------------- */

struct frame {
	uint64_t pc;
	int64_t base;              /* distance of the frame base from the canonical frame address */
	int64_t offset;            /* offset of the access from the canonical frame address */
	bool any_block;            /* blocks without the PC are searched, too */
	Dwarf_Die found;
	const char *function;      /* the function of `found` */
	unsigned matches;          /* number of different variables that fit */
};

/* Splits an operation into a register and a constant that is added. False: the operation is of
 * another kind. */
static bool register_of(const Dwarf_Op *op, int *number, int64_t *added)
{
	*added = 0;
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		*number = op->atom - DW_OP_reg0;
		return true;
	}
	if (op->atom == DW_OP_bregx && op->number <= INT_MAX) {
		*number = (int)op->number;
		*added = (int64_t)op->number2;
		return true;
	}
	*added = (int64_t)op->number;
	*number = op->atom - DW_OP_breg0;
	return op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31;
}

/* The canonical frame address at the PC, as a register plus a constant. False: it is not known. */
static bool unwound(Dwarf_CFI *cfi, uint64_t pc, int *number, int64_t *added)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *op = NULL;
	size_t n = 0;
	bool found = cfi && dwarf_cfi_addrframe(cfi, pc, &frame) == 0 &&
		dwarf_frame_cfa(frame, &op, &n) == 0 && n == 1 && register_of(op, number, added);
	free(frame);
	return found;
}

/* Finds the distance of the frame base from the canonical frame address. False: the distance is not
 * known. */
static bool find_base(struct frame *f, const struct debug_unwinding *unwinding,
		      Dwarf_Die *function)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *op;
	size_t n;
	int base, cfa;
	int64_t base_added, cfa_added;
	if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) ||
	    dwarf_getlocation_addr(&attribute, f->pc, &op, &n, 1) != 1 || n != 1)
		return false;
	f->base = 0;
	if (op->atom == DW_OP_call_frame_cfa)
		return true;
	if (!register_of(op, &base, &base_added) ||
	    (!unwound(unwinding->of_code, f->pc, &cfa, &cfa_added) &&
	     !unwound(unwinding->of_debug, f->pc, &cfa, &cfa_added)) || base != cfa)
		return false;
	f->base = base_added - cfa_added;
	return true;
}

static bool covers(const struct frame *f, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *op[MOST_LOCATIONS];
	size_t length[MOST_LOCATIONS];
	if (!dwarf_attr(die, DW_AT_location, &attribute))
		return false;
	int n = dwarf_getlocation_addr(&attribute, f->pc, op, length, MOST_LOCATIONS);
	uint64_t bytes = n > 0 ? debug_type_bytes(die) : 0;
	for (int i = 0; i < n && bytes <= INT64_MAX; i++) {
		int64_t low, in;
		if (length[i] == 1 && op[i]->atom == DW_OP_fbreg &&
		    !__builtin_add_overflow((int64_t)op[i]->number, f->base, &low) &&
		    !__builtin_sub_overflow(f->offset, low, &in) && in >= 0 && in < (int64_t)bytes)
			return true;
	}
	return false;
}

static bool may_enter(const struct frame *f, Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	return (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
		(f->any_block || dwarf_haspc(die, f->pc) > 0);
}

static void take_match(struct frame *f, Dwarf_Die *die, const char *function)
{
	const char *name = dwarf_diename(die), *before = f->matches ? dwarf_diename(&f->found) : "";
	if (!name || (before && strcmp(name, before) == 0))
		return;
	f->found = *die;
	f->function = function;
	f->matches++;
}

static void walk_function(struct frame *f, Dwarf_Die *function)
{
	struct { Dwarf_Die die; const char *function; } stack[MOST_DEPTH];
	int depth = 0;
	stack[0].function = name_of_function(function);
	if (dwarf_child(function, &stack[0].die) != 0)
		return;
	while (depth >= 0) {
		Dwarf_Die *die = &stack[depth].die;
		int tag = dwarf_tag(die);
		if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && covers(f, die))
			take_match(f, die, stack[depth].function);
		if (depth + 1 < MOST_DEPTH && may_enter(f, die) &&
		    dwarf_child(die, &stack[depth + 1].die) == 0) {
			stack[depth + 1].function = tag == DW_TAG_inlined_subroutine ?
				name_of_function(die) : stack[depth].function;
			depth++;
			continue;
		}
		while (depth >= 0 && dwarf_siblingof(&stack[depth].die, &stack[depth].die) != 0)
			depth--;
	}
}

bool debug_variables_in_frame(const struct debug_unwinding *unwinding, Dwarf_Die *function,
			      uint64_t pc, int64_t offset, struct code_variable *variable)
{
	struct frame f = { .pc = pc, .offset = offset };
	if (!find_base(&f, unwinding, function))
		return false;
	walk_function(&f, function);
	if (!f.matches) {
		f.any_block = true;
		walk_function(&f, function);
	}
	if (f.matches != 1)
		return false;
	describe(&f.found, f.function, variable);
	return true;
}
