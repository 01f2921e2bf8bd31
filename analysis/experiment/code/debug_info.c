// SPDX-License-Identifier: BSD-3-Clause
/* debug_info.c - the units of a file by address, and the line table and scopes of each unit that
 * has samples. Only this file and the other files debug_*.c use libdw. code_reader.c calls it.
 *
 * The ranges are collected from the units themselves, because clang writes no .debug_aranges. The
 * position of an address is that of the last row of the line table at or before it, whatever the
 * flags of the row are. Rules that prefer rows with is_stmt place fewer samples correctly. */
#include "experiment/code/debug_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "base/sort.h"
#include "experiment/code/debug_scopes.h"
#include "experiment/code/debug_variables.h"

struct row {
	uint64_t address;
	const char *file;
	uint32_t line, column;
	bool end, prologue_end;
};

struct unit {
	Dwarf_Off die;
	bool read;               /* the members below are filled */
	const char *directory;   /* where relative names in the line table begin; NULL: not known */
	VEC(struct row) row;     /* sorted by address */
	Dwarf_Files *files;
	size_t file_count;
	struct debug_scopes scopes;
};

struct unit_range { uint64_t low, high; uint32_t unit; };

struct debug_info {
	Dwarf *dwarf;
	VEC(struct unit) unit;
	VEC(struct unit_range) range; /* sorted by address */
	struct debug_variables variables;
	struct debug_unwinding unwinding;
	bool has_unwinding;      /* `unwinding` is filled */
};

/* -- units and their line tables --------------------------------------------------------------- */

static int by_low(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;
	return x->low != y->low ? (x->low < y->low ? -1 : 1) : x->unit < y->unit ? -1 :
		x->unit > y->unit;
}

static void find_units(struct debug_info *info)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die die, skeleton;
	while (dwarf_get_units(info->dwarf, cu, &cu, &version, &type, &die, &skeleton) == 0) {
		Dwarf_Addr base, low, high;
		uint32_t id = info->unit.n;
		if (dwarf_tag(&die) != DW_TAG_compile_unit)
			continue;
		*vec_push(&info->unit) = (struct unit){ .die = dwarf_dieoffset(&die) };
		for (ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &low, &high)) > 0;)
			if (low < high)
				*vec_push(&info->range) = (struct unit_range){ low, high, id };
	}
	vec_sort(&info->range, by_low);
}

static struct unit *unit_at(struct debug_info *info, uint64_t address)
{
	size_t low = search_first(i, 0, info->range.n, info->range.at[i].low <= address);
	if (!low || info->range.at[low - 1].high <= address)
		return NULL;
	return &info->unit.at[info->range.at[low - 1].unit];
}

static const char *string_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attribute;
	return dwarf_attr(die, name, &attribute) ? dwarf_formstring(&attribute) : NULL;
}

static void read_rows(struct unit *u, Dwarf_Die *die)
{
	Dwarf_Lines *lines;
	size_t count;
	if (dwarf_getsrclines(die, &lines, &count) != 0)
		return;
	for (size_t i = 0; i < count; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		Dwarf_Addr address;
		int number = 0, column = 0;
		bool end = false, prologue_end = false;
		if (!line || dwarf_lineaddr(line, &address) != 0)
			continue;
		dwarf_lineno(line, &number);
		dwarf_linecol(line, &column);
		dwarf_lineendsequence(line, &end);
		dwarf_lineprologueend(line, &prologue_end);
		*vec_push(&u->row) = (struct row){
			.address = address,
			.file = dwarf_linesrc(line, NULL, NULL),
			.line = number > 0 ? number : 0,
			.column = column > 0 ? column : 0,
			.end = end,
			.prologue_end = prologue_end,
		};
	}
}

/* Reads a unit, once. False: the unit's DIE cannot be read. */
static bool read_unit(struct debug_info *info, struct unit *u)
{
	Dwarf_Die die;
	if (!dwarf_offdie(info->dwarf, u->die, &die))
		return false;
	if (u->read)
		return true;
	u->read = true;
	u->directory = string_of(&die, DW_AT_comp_dir);
	read_rows(u, &die);
	if (dwarf_getsrcfiles(&die, &u->files, &u->file_count) != 0)
		u->files = NULL;
	debug_scopes_read(&u->scopes, &die);
	return true;
}

/* -- sites of an address ----------------------------------------------------------------------- */

/* Whether the address is before the row that ends the function's prologue. clang gives the rows of
 * prologues no column, or the column of the function. */
static bool in_prologue(const struct unit *u, size_t row, uint64_t address, uint64_t entry)
{
	for (size_t i = row; i-- > 0 && u->row.at[i].address >= entry;)
		if (u->row.at[i].prologue_end)
			return false;
	for (size_t i = row; i < u->row.n && !u->row.at[i].end; i++)
		if (u->row.at[i].prologue_end)
			return u->row.at[i].address > address;
	return false;
}

static void set_unit(struct debug_info *info, Dwarf_Off unit, struct code_site *site)
{
	Dwarf_Die die;
	if (!dwarf_offdie(info->dwarf, unit, &die))
		return;
	site->unit = string_of(&die, DW_AT_name);
	site->directory = string_of(&die, DW_AT_comp_dir);
}

/* The number of the row after that of the address; 0: the address has no row. */
static size_t row_after(const struct unit *u, uint64_t address)
{
	size_t row = search_first(i, 0, u->row.n, u->row.at[i].address <= address);
	return row && u->row.at[row - 1].end ? 0 : row;
}

static void set_row(const struct unit *u, uint64_t address, uint64_t entry, struct code_site *site)
{
	size_t row = row_after(u, address);
	if (!row)
		return;
	const struct row *r = &u->row.at[row - 1];
	site->file = r->file;
	site->file_directory = u->directory;
	site->line = r->line;
	site->column = r->column;
	site->prologue = entry && !r->column && in_prologue(u, row, address, entry);
}

/* A function that the compiler made, such as the body of a parallel region, is declared nowhere.
 * Its place is that of its first instruction. */
static void set_declared(const struct unit *u, const struct debug_scope *scope, uint64_t entry,
			 struct code_site *site)
{
	size_t row = entry && !scope->declared_line ? row_after(u, entry) : 0;
	site->declared = row ? u->row.at[row - 1].file : scope->declared;
	site->declared_line = row ? u->row.at[row - 1].line : scope->declared_line;
}

uint32_t debug_info_sites(struct debug_info *info, uint64_t address, struct code_site *site)
{
	struct unit *u = unit_at(info, address);
	uint32_t n = 0;
	if (!u || !read_unit(info, u))
		return 0;
	uint32_t id = debug_scopes_find(&u->scopes, address);
	site[0] = (struct code_site){ 0 };
	if (id == NONE) {
		set_unit(info, u->die, &site[0]);
		set_row(u, address, 0, &site[0]);
		return 1;
	}
	Dwarf_Die die;
	Dwarf_Addr entry;
	if (u->scopes.scope.at[id].inlined ||
	    !dwarf_offdie(info->dwarf, u->scopes.scope.at[id].die, &die) ||
	    dwarf_lowpc(&die, &entry) != 0)
		entry = 0;
	set_row(u, address, entry, &site[0]);
	for (; id != NONE && n < DEBUG_INFO_DEPTH; n++) {
		const struct debug_scope *scope = &u->scopes.scope.at[id];
		site[n].function = scope->function;
		set_declared(u, scope, entry, &site[n]);
		set_unit(info, scope->unit ? scope->unit : u->die, &site[n]);
		id = scope->parent;
		if (id == NONE || n + 1 == DEBUG_INFO_DEPTH)
			continue;
		site[n + 1] = (struct code_site){
			.file = u->files && scope->call_file < u->file_count ?
				dwarf_filesrc(u->files, scope->call_file, NULL, NULL) :
				NULL,
			.file_directory = u->directory,
			.line = scope->call_line,
			.column = scope->call_column,
		};
	}
	return n;
}

/* -- variables --------------------------------------------------------------------------------- */

bool debug_info_variable(struct debug_info *info, bool is_thread_local, uint64_t at,
			 struct code_variable *variable)
{
	return debug_variables_find(&info->variables, info->dwarf, is_thread_local, at, variable);
}

bool debug_info_frame(struct debug_info *info, Elf *elf, uint64_t pc, int64_t offset,
		      struct code_variable *variable)
{
	struct unit *u = unit_at(info, pc);
	Dwarf_Die die;
	if (!u || !read_unit(info, u))
		return false;
	/* the function that has the code, without inlined calls */
	uint32_t id = debug_scopes_find(&u->scopes, pc);
	while (id != NONE && u->scopes.scope.at[id].parent != NONE)
		id = u->scopes.scope.at[id].parent;
	if (id == NONE || !dwarf_offdie(info->dwarf, u->scopes.scope.at[id].die, &die))
		return false;
	variable->function = u->scopes.scope.at[id].function;
	if (!info->has_unwinding) {
		info->unwinding.of_code = dwarf_getcfi_elf(elf);
		info->unwinding.of_debug = dwarf_getcfi(info->dwarf);
	}
	info->has_unwinding = true;
	return debug_variables_in_frame(&info->unwinding, &die, pc, offset, variable);
}

/* -- opening and closing ----------------------------------------------------------------------- */

struct debug_info *debug_info_new(int file)
{
	Dwarf *dwarf = dwarf_begin(file, DWARF_C_READ);
	if (!dwarf)
		return NULL;
	struct debug_info *info = mem_alloc(1, sizeof *info);
	info->dwarf = dwarf;
	find_units(info);
	if (info->range.n)
		return info;
	debug_info_free(info);
	return NULL;
}

void debug_info_free(struct debug_info *info)
{
	if (!info)
		return;
	for (size_t i = 0; i < info->unit.n; i++) {
		vec_free(&info->unit.at[i].row);
		debug_scopes_release(&info->unit.at[i].scopes);
	}
	vec_free(&info->unit);
	vec_free(&info->range);
	debug_variables_release(&info->variables);
	if (info->unwinding.of_code)
		dwarf_cfi_end(info->unwinding.of_code);
	dwarf_end(info->dwarf);
	free(info);
}
