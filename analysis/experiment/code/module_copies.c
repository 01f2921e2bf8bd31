// SPDX-License-Identifier: BSD-3-Clause
/* module_copies.c - finds copies by the symbol table, for kept_copies.c. This runs in a process of
 * its own, which ends afterwards, so nothing is released.
 *
 * A copy has probes if it contains a gate (rtlib/sis/gate.h). Where there are no gates, its code
 * refers to routines or tables whose names contain sis__. All bytes that may be such a reference
 * count, so a copy with probes is never taken for one without.
 *
 * LIMIT: on processors other than x86-64, and in stripped files, copies of units that sisc compiled
 * are unknown. */
#include "experiment/code/module_copies.h"

#include <ctype.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sort.h"

/* -- the file ---------------------------------------------------------------------------------- */

/* Adds the gates of section sis_gates: struct sis_gate of rtlib/sis/gate_table.h. */
static void add_gates(struct module_copies *m, Elf_Scn *section, const GElf_Shdr *head)
{
	enum { ENTRY = 16 };
	Elf_Data *data = elf_rawdata(section, NULL);
	for (size_t at = 0; data && data->d_buf && at + ENTRY <= data->d_size; at += ENTRY) {
		int32_t distance;
		memcpy(&distance, (const char *)data->d_buf + at, sizeof distance);
		*vec_push(&m->gate) = head->sh_addr + at + (uint64_t)(int64_t)distance;
	}
}

static int by_number(const void *a, const void *b)
{
	return ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

static void add_sections(struct module_copies *m)
{
	size_t strings = 0;
	elf_getshdrstrndx(m->elf, &strings);
	Elf_Scn *dynamic = NULL;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(m->elf, section));) {
		GElf_Shdr head;
		const char *name = gelf_getshdr(section, &head) ?
			elf_strptr(m->elf, strings, head.sh_name) :
			NULL;
		if (!name || head.sh_type == SHT_NOBITS)
			continue;
		m->has_units |= strcmp(name, "sis_idf") == 0;
		if (head.sh_type == SHT_SYMTAB)
			m->symbols = section;
		else if (head.sh_type == SHT_DYNSYM)
			dynamic = section;
		else if (strcmp(name, "sis_gates") == 0)
			add_gates(m, section, &head);
	}
	m->shows_probes &= m->symbols != NULL;
	m->symbols = m->symbols ?: dynamic;
	vec_sort(&m->gate, by_number);
}

bool module_copies_open(struct module_copies *m, const char *path, uint64_t newest_ns)
{
	struct err ignored = { "" };
	struct stat st;
	GElf_Ehdr head;
	*m = (struct module_copies){ 0 };
	int file = file_open(path, &st, &ignored);
	if (file < 0 || (uint64_t)st.st_mtim.tv_sec * 1000000000u > newest_ns)
		return false;
	elf_version(EV_CURRENT);
	m->elf = elf_begin(file, ELF_C_READ_MMAP, NULL);
	if (!m->elf || !gelf_getehdr(m->elf, &head))
		return false;
	m->shows_probes = head.e_machine == EM_X86_64;
	m->has_fixed_addresses = head.e_type == ET_EXEC;
	add_sections(m);
	return m->symbols != NULL;
}

typedef void symbol_takes(struct module_copies *m, const GElf_Sym *symbol, const char *name,
			  void *arg);

static void each_symbol(struct module_copies *m, symbol_takes *takes, void *arg)
{
	GElf_Shdr head;
	GElf_Sym symbol;
	Elf_Data *data = elf_getdata(m->symbols, NULL);
	if (!data || !gelf_getshdr(m->symbols, &head) || !head.sh_entsize)
		return;
	for (size_t i = 0; i < data->d_size / head.sh_entsize; i++) {
		if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF)
			continue;
		const char *name = elf_strptr(m->elf, head.sh_link, symbol.st_name);
		if (name && symbol.st_value + symbol.st_size >= symbol.st_value)
			takes(m, &symbol, name, arg);
	}
}

/* -- instances of templates -------------------------------------------------------------------- */

void copied_functions_add(struct copied_functions *functions, const char *symbol)
{
	bool is_new;
	strmap_put(&functions->by_symbol, symbol, functions->symbol.n, &is_new);
	if (is_new)
		*vec_push(&functions->symbol) = mem_string(symbol);
}

/* The digit of the variant in the symbol of a constructor or destructor that is an instance; NULL:
 * the symbol is of another function. C1 follows the arguments of a class template (E), or precedes
 * those of the constructor (I). */
static char *variant_of(char *symbol)
{
	for (char *at = symbol + 1; *at; at++)
		if ((*at == 'C' || *at == 'D') && at[1] && strchr("0124", at[1]) &&
		    (at[2] == 'I' || (at[2] == 'E' && at[-1] == 'E')))
			return at + 1;
	return NULL;
}

/* Adds the function whose local type describes an instance (SIS_INSTANCE_SCOPE in sis/probe.h):
 *
 *     _ZZ <function> E N 11sis__type_2 8describe E P13sis_described
 *
 * In such names, compilers write one variant of a constructor or destructor for all. */
static void add_instance(struct module_copies *m, const GElf_Sym *symbol, const char *name,
			 void *functions)
{
	static const char mark[] = "sis__type_", tail[] = "8describeEP13sis_described";
	const char *end = NULL;
	size_t length = strlen(name);
	(void)m, (void)symbol;
	if (length < sizeof tail || strncmp(name, "_ZZ", 3) != 0 ||
	    strcmp(name + length - (sizeof tail - 1), tail) != 0)
		return;
	for (const char *at = name; (at = strstr(at, mark)); at++)
		end = at;
	while (end && end > name && isdigit((unsigned char)end[-1]))
		end--;
	if (!end || end - name < 6 || strncmp(end - 2, "EN", 2) != 0)
		return;
	char *function = mem_print("_Z%.*s", (int)(end - 2 - (name + 3)), name + 3),
	     *variant = variant_of(function);
	for (const char *digit = variant ? "012" : " "; *digit; digit++) {
		if (variant)
			*variant = *digit;
		copied_functions_add(functions, function);
	}
	free(function);
}

void module_copies_add_instances(struct module_copies *m, struct copied_functions *functions)
{
	if (m->has_units)
		each_symbol(m, add_instance, functions);
}

/* -- probes in code ---------------------------------------------------------------------------- */

static int by_begin(const void *a, const void *b)
{
	return ORDER(((const struct module_range *)a)->low, ((const struct module_range *)b)->low);
}

static void add_called(struct module_copies *m, const GElf_Sym *symbol, const char *name,
		       void *unused)
{
	int type = GELF_ST_TYPE(symbol->st_info);
	(void)unused;
	if (strcmp(name, "_GLOBAL_OFFSET_TABLE_") == 0)
		m->offset_table = symbol->st_value;
	if (strstr(name, "sis__") && (type == STT_FUNC || type == STT_OBJECT))
		*vec_push(&m->called) = (struct module_range){
			symbol->st_value,
			symbol->st_value + (type == STT_OBJECT ? symbol->st_size : 1),
		};
}

static bool is_called(const struct module_copies *m, uint64_t address)
{
	const struct module_range *list = m->called.at;
	size_t after = search_first(i, 0, m->called.n, list[i].low <= address);
	return after && address < list[after - 1].high;
}

/* The code in a range of addresses; NULL: it is not all in one section. */
static const unsigned char *code_of(const struct module_copies *m, struct module_range range)
{
	for (Elf_Scn *section = NULL; (section = elf_nextscn(m->elf, section));) {
		GElf_Shdr head;
		Elf_Data *data;
		if (gelf_getshdr(section, &head) && head.sh_flags & SHF_EXECINSTR &&
		    range.low >= head.sh_addr && range.high - head.sh_addr <= head.sh_size &&
		    head.sh_type != SHT_NOBITS && (data = elf_rawdata(section, NULL)) &&
		    data->d_buf && range.high - head.sh_addr <= data->d_size)
			return (unsigned char *)data->d_buf + (range.low - head.sh_addr);
	}
	return NULL;
}

/* Whether the first four or eight of the `n` bytes at `code` may be the part of an instruction that
 * refers to what probes use. `at` is their address.
 *
 *     e8 or e9, displacement                a call or jump
 *     .. 05, displacement, 0 to 4 bytes     an operand in memory, and a number. 05: the byte ModRM,
 *                                           in which three bits name a register
 *     address                               if the file cannot be moved
 *     distance from the offset table        eight bytes; only with -mcmodel=large
 *
 * A displacement is relative to the end of the instruction. */
static bool refers_to_called(const struct module_copies *m, const unsigned char *code, uint64_t n,
			     uint64_t at)
{
	int32_t number;
	uint64_t far = 0;
	memcpy(&number, code, sizeof number);
	if (n >= sizeof far && m->offset_table)
		memcpy(&far, code, sizeof far);
	uint64_t distance = (uint64_t)(int64_t)number, target = at + sizeof number + distance;
	if ((m->has_fixed_addresses && is_called(m, distance)) ||
	    (far && is_called(m, m->offset_table + far)))
		return true;
	if (code[-1] == 0xe8 || code[-1] == 0xe9)
		return is_called(m, target);
	return (code[-1] & 0xc7) == 0x05 &&
		(is_called(m, target) || is_called(m, target + 1) || is_called(m, target + 2) ||
		 is_called(m, target + 4));
}

static enum copy_probes probes_in(const struct module_copies *m, struct module_range range)
{
	size_t gate = search_first(i, 0, m->gate.n, m->gate.at[i] < range.low);
	if (gate < m->gate.n && m->gate.at[gate] < range.high)
		return COPY_WITH_PROBES;
	if (!m->has_units)
		return COPY_WITHOUT_PROBES;
	const unsigned char *code = m->shows_probes ? code_of(m, range) : NULL;
	for (uint64_t at = range.low + 1; code && at + 4 <= range.high; at++)
		if (refers_to_called(m, code + (at - range.low), range.high - at, at))
			return COPY_WITH_PROBES;
	return code ? COPY_WITHOUT_PROBES : COPY_UNKNOWN;
}

/* -- copies ------------------------------------------------------------------------------------ */

/* Whether the name is that of a function which only its own unit knows: it is static (L before its
 * name), or in an anonymous namespace. Other units may have functions of the same name. */
static bool is_of_one_unit(const char *name)
{
	const char *at = name + strlen("_Z");
	if (strstr(name, "_GLOBAL__N_"))
		return true;
	while (*at) {
		if (*at == 'L')
			return true;
		if (isdigit((unsigned char)*at)) { /* the length of a part of the name */
			char *part;
			unsigned long length = strtoul(at, &part, 10);
			at = length < strlen(part) ? part + length : "";
		} else if (*at == 'S' && at[1]) { /* St, Sa ...; S_ and S0_ come later */
			at += 2;
		} else if (strchr("ZNrVKRO", *at)) {
			at++;
		} else {
			break;
		}
	}
	return false;
}

/* Takes a function of the table if it is a copy: the linker could keep another one. The compiler
 * may have divided it: NAME.cold, NAME.part.0. */
static void take_copy(struct module_copies *m, const GElf_Sym *symbol, const char *name, void *arg)
{
	const struct copied_functions *functions = arg;
	int bind = GELF_ST_BIND(symbol->st_info), visibility = GELF_ST_VISIBILITY(symbol->st_other);
	if (GELF_ST_TYPE(symbol->st_info) != STT_FUNC || strncmp(name, "_Z", 2) != 0 ||
	    bind == STB_GLOBAL || (bind == STB_LOCAL && is_of_one_unit(name)))
		return;
	size_t length = strcspn(name, ".");
	char *whole = name[length] ? mem_print("%.*s", (int)length, name) : NULL;
	uint32_t function = strmap_get(&functions->by_symbol, whole ?: name);
	free(whole);
	if (function == MAP_NONE)
		return;
	struct module_copy *copy = &m->copy.at[function];
	struct module_range range = { symbol->st_value, symbol->st_value + symbol->st_size };
	enum copy_probes probes = probes_in(m, range);
	if (copy->probes != COPY_WITH_PROBES && (!name[length] || probes == COPY_WITH_PROBES))
		copy->probes = probes;
	copy->is_exported |= !name[length] && bind != STB_LOCAL &&
		(visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

void module_copies_find(struct module_copies *m, const struct copied_functions *functions)
{
	if (m->has_units)
		each_symbol(m, add_called, NULL);
	vec_sort(&m->called, by_begin);
	vec_alloc(&m->copy, functions->symbol.n);
	each_symbol(m, take_copy, (void *)functions);
}
