// SPDX-License-Identifier: BSD-3-Clause
/* elf_names.c - reads symbols, slots and calls of an ELF file, for code_reader.c.
 *
 * A call of another library's routine goes through a slot of the global offset table, either
 * directly or through a stub that jumps through the slot. The relocation of the slot names the
 * routine:
 *
 *      call f@plt   -> stub:  jmp *slot    relocation of the slot: f
 *      call *slot                          (-fno-plt)
 *
 * LIMIT: calls are decoded for x86-64 only. On other processors, a callee without a frame of its
 * own is not named. */
#include "experiment/code/elf_names.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

enum { MOST_SYMBOLS = 8u << 20 };

/* -- reading tables of symbols and slots ------------------------------------------------------- */

static void add_symbols(struct elf_names *names, Elf *elf, Elf_Scn *section, const GElf_Shdr *head)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = data && head->sh_entsize ? data->d_size / head->sh_entsize : 0;
	count = count < MOST_SYMBOLS ? count : MOST_SYMBOLS;
	for (size_t i = 0; i < count; i++) {
		GElf_Sym symbol;
		if (!gelf_getsym(data, i, &symbol) || symbol.st_shndx == SHN_UNDEF)
			continue;
		const char *name = elf_strptr(elf, head->sh_link, symbol.st_name);
		uint64_t low = symbol.st_value, high = low + symbol.st_size;
		int type = GELF_ST_TYPE(symbol.st_info);
		if (!name || !*name || high < low)
			continue;
		if (type == STT_FUNC || type == STT_GNU_IFUNC)
			*vec_push(&names->symbol) = (struct elf_symbol){ low, high, name };
		else if (type == STT_OBJECT)
			*vec_push(&names->object) = (struct elf_symbol){ low, high, name };
		else if (type == STT_TLS)
			*vec_push(&names->tls) = (struct elf_symbol){ low, high, name };
	}
}

/* Adds the slots that a section of relocations fills with addresses of routines. */
static void add_slots(struct elf_names *names, Elf *elf, Elf_Scn *section, const GElf_Shdr *head)
{
	GElf_Shdr symbols_head;
	Elf_Scn *symbols = elf_getscn(elf, head->sh_link);
	Elf_Data *data = elf_getdata(section, NULL);
	if (!symbols || !data || !head->sh_entsize || !gelf_getshdr(symbols, &symbols_head) ||
	    symbols_head.sh_type != SHT_DYNSYM)
		return;
	Elf_Data *table = elf_getdata(symbols, NULL);
	for (size_t i = 0; table && i < data->d_size / head->sh_entsize; i++) {
		GElf_Rela rela;
		GElf_Sym symbol;
		if (names->slot.n >= MOST_SYMBOLS || !gelf_getrela(data, i, &rela) ||
		    !gelf_getsym(table, GELF_R_SYM(rela.r_info), &symbol))
			continue;
		int type = GELF_R_TYPE(rela.r_info);
		const char *name = type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ?
			elf_strptr(elf, symbols_head.sh_link, symbol.st_name) :
			NULL;
		if (name && *name)
			*vec_push(&names->slot) = (struct elf_slot){ rela.r_offset, name };
	}
}

/* Adds the begins of functions from a section .eh_frame_hdr. Its table has pairs of 32-bit numbers
 * relative to the section: begin of a function, and its description. Linkers make no other form. */
static void add_starts(struct elf_names *names, Elf_Scn *section, const GElf_Shdr *head)
{
	enum { BEGIN = 12, PAIR = 8, VERSION = 1, UDATA4 = 3, DATAREL_SDATA4 = 0x3b };
	Elf_Data *data = elf_rawdata(section, NULL);
	const unsigned char *at = data ? data->d_buf : NULL;
	uint32_t count;
	if (!at || data->d_size < BEGIN || at[0] != VERSION || at[2] != UDATA4 ||
	    at[3] != DATAREL_SDATA4)
		return;
	memcpy(&count, at + 8, sizeof count);
	if (count > (data->d_size - BEGIN) / PAIR)
		return;
	for (uint32_t i = 0; i < count; i++) {
		int32_t distance;
		memcpy(&distance, at + BEGIN + (size_t)PAIR * i, sizeof distance);
		*vec_push(&names->start) = head->sh_addr + (uint64_t)(int64_t)distance;
	}
}

void elf_names_add(struct elf_names *names, Elf *elf)
{
	size_t strings = 0;
	elf_getshdrstrndx(elf, &strings);
	GElf_Ehdr header;
	if (!gelf_getehdr(elf, &header))
		return;
	names->x86_64 |= header.e_machine == EM_X86_64;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr head;
		Elf_Data *data;
		if (!gelf_getshdr(section, &head) || head.sh_type == SHT_NOBITS)
			continue;
		names->has_table |= head.sh_type == SHT_SYMTAB;
		const char *name = elf_strptr(elf, strings, head.sh_name);
		if (name && strcmp(name, ".eh_frame_hdr") == 0)
			add_starts(names, section, &head);
		if (head.sh_type == SHT_SYMTAB || head.sh_type == SHT_DYNSYM)
			add_symbols(names, elf, section, &head);
		else if (head.sh_type == SHT_RELA)
			add_slots(names, elf, section, &head);
		else if (head.sh_flags & SHF_EXECINSTR && (data = elf_rawdata(section, NULL)) &&
			 data->d_buf && data->d_size)
			*vec_push(&names->text) = (struct elf_text){
				head.sh_addr, data->d_size, data->d_buf,
			};
	}
}

/* The order of symbols. symbol_before takes the last symbol at an address. So longer symbols come
 * later, and symbols of one length come in the reverse order of their names. A library's own names
 * for its functions (__clock_gettime) come before those that programs use. */
static int by_address(const void *a, const void *b)
{
	const struct elf_symbol *x = a, *y = b;
	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->high != y->high)
		return x->high < y->high ? -1 : 1;
	if ((x->name[0] == '_') != (y->name[0] == '_'))
		return x->name[0] == '_' ? -1 : 1;
	return -strcmp(x->name, y->name);
}

static int slot_by_address(const void *a, const void *b)
{
	const struct elf_slot *x = a, *y = b;
	return x->address < y->address ? -1 : x->address > y->address;
}

static int start_by_address(const void *a, const void *b)
{
	return ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

void elf_names_sort(struct elf_names *names)
{
	vec_sort(&names->start, start_by_address);
	vec_sort(&names->symbol, by_address);
	vec_sort(&names->object, by_address);
	vec_sort(&names->tls, by_address);
	vec_sort(&names->slot, slot_by_address);
}

/* -- looking up an address --------------------------------------------------------------------- */

/* The last symbol that begins at or before the address. */
static const struct elf_symbol *symbol_before(const struct elf_symbol *list, size_t n,
					      uint64_t address)
{
	size_t after = search_first(i, 0, n, list[i].low <= address);
	return after ? &list[after - 1] : NULL;
}

const char *elf_names_symbol(const struct elf_names *names, uint64_t address)
{
	const struct elf_symbol *symbol = symbol_before(names->symbol.at, names->symbol.n, address);
	/* symbols of assembler code often have no size: then only their first address is certain */
	return symbol && (address < symbol->high || address == symbol->low) ? symbol->name : NULL;
}

uint64_t elf_names_start(const struct elf_names *names, uint64_t address)
{
	size_t after = search_first(i, 0, names->start.n, names->start.at[i] <= address);
	return after ? names->start.at[after - 1] : 0;
}

const struct elf_symbol *elf_names_object(const struct elf_names *names, uint64_t address)
{
	const struct elf_symbol *symbol = symbol_before(names->object.at, names->object.n, address);
	return symbol && address < symbol->high ? symbol : NULL;
}

const struct elf_symbol *elf_names_thread_local(const struct elf_names *names, uint64_t at)
{
	const struct elf_symbol *symbol = symbol_before(names->tls.at, names->tls.n, at);
	return symbol && at < symbol->high ? symbol : NULL;
}

static const char *slot_name(const struct elf_names *names, uint64_t address)
{
	struct elf_slot key = { address, NULL };
	const struct elf_slot *slot = names->slot.n ?
		bsearch(&key, names->slot.at, names->slot.n, sizeof key, slot_by_address) :
		NULL;
	return slot ? slot->name : NULL;
}

/* The `count` bytes of instructions at an address; NULL: they are not all in one section. */
static const unsigned char *code_at(const struct elf_names *names, uint64_t address, uint64_t count)
{
	for (size_t i = 0; i < names->text.n; i++) {
		const struct elf_text *text = &names->text.at[i];
		if (address >= text->address && address - text->address < text->bytes &&
		    text->bytes - (address - text->address) >= count)
			return text->at + (address - text->address);
	}
	return NULL;
}

/* The target of a displacement, which is relative to the end of the instruction. */
static uint64_t target(uint64_t end, const unsigned char *displacement)
{
	int32_t distance;
	memcpy(&distance, displacement, sizeof distance);
	return end + (uint64_t)(int64_t)distance;
}

/* The name of the slot through which a stub jumps. The stub may have an endbr64 or a prefix before
 * the jump. */
static const char *stub_name(const struct elf_names *names, uint64_t address)
{
	for (uint64_t at = address; at < address + 6; at++) {
		const unsigned char *code = code_at(names, at, 6);
		if (code && code[0] == 0xff && code[1] == 0x25)
			return slot_name(names, target(at + 6, code + 2));
	}
	return NULL;
}

const char *elf_names_callee(const struct elf_names *names, uint64_t after)
{
	const unsigned char *code;
	if (!names->x86_64)
		return NULL;
	if (after >= 6 && (code = code_at(names, after - 6, 6)) && code[0] == 0xff &&
	    code[1] == 0x15)
		return slot_name(names, target(after, code + 2));
	if (after < 5 || !(code = code_at(names, after - 5, 5)) || code[0] != 0xe8)
		return NULL;
	uint64_t callee = target(after, code + 1);
	const char *name = elf_names_symbol(names, callee);
	return name ? name : stub_name(names, callee);
}

/* -- build id ---------------------------------------------------------------------------------- */

const unsigned char *elf_build_id(Elf *elf, size_t *bytes)
{
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr head;
		GElf_Nhdr note;
		size_t name, content;
		Elf_Data *data;
		if (!gelf_getshdr(section, &head) || head.sh_type != SHT_NOTE ||
		    !(data = elf_getdata(section, NULL)))
			continue;
		for (size_t at = 0; at < data->d_size &&
		     (at = gelf_getnote(data, at, &note, &name, &content)) > 0;) {
			if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
			    memcmp((char *)data->d_buf + name, "GNU", 4) != 0)
				continue;
			*bytes = note.n_descsz;
			return (unsigned char *)data->d_buf + content;
		}
	}
	return NULL;
}
