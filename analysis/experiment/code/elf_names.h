/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_names.h - what an ELF file says without debug information: its build id, the functions and
 * variables of its symbol tables, and the function that a call instruction calls. */
#ifndef SIS_ANALYSIS_ELF_NAMES_H
#define SIS_ANALYSIS_ELF_NAMES_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

struct elf_symbol { uint64_t low, high; const char *name; };
struct elf_slot { uint64_t address; const char *name; };
struct elf_text { uint64_t address, bytes; const unsigned char *at; };

struct elf_names {
	VEC(struct elf_symbol) symbol; /* functions, sorted by address */
	VEC(struct elf_symbol) object; /* static variables, sorted by address */
	VEC(struct elf_symbol) tls;    /* thread-local variables, sorted by offset in the
	                                * thread-local data */
	VEC(struct elf_slot) slot;     /* slots of the global offset table, sorted by address */
	VEC(struct elf_text) text;     /* sections with instructions */
	VEC(uint64_t) start;           /* begins of functions in .eh_frame_hdr, sorted */
	bool x86_64;
	bool has_table;                /* the file has .symtab: it is not stripped */
};

/* Adds the names of `elf`, which point into the memory of `elf`. */
void elf_names_add(struct elf_names *names, Elf *elf);
/* To be called after the last elf_names_add. */
void elf_names_sort(struct elf_names *names);
/* The name of the function at an address; NULL: no symbol covers the address. */
const char *elf_names_symbol(const struct elf_names *names, uint64_t address);
/* Where the function at an address begins, by the unwinding table; 0: not known. A file without
 * symbols has this table, too. */
uint64_t elf_names_start(const struct elf_names *names, uint64_t address);
/* The variable at a static address, and the variable at an offset in the thread-local data; NULL:
 * there is none. */
const struct elf_symbol *elf_names_object(const struct elf_names *names, uint64_t address);
const struct elf_symbol *elf_names_thread_local(const struct elf_names *names, uint64_t at);
/* The name of the function that the instruction before the return address `after` calls. NULL: the
 * call is through a pointer, or the function is not known. */
const char *elf_names_callee(const struct elf_names *names, uint64_t after);
/* The bytes of the build id, which belong to `elf`. NULL: there is no build id. */
const unsigned char *elf_build_id(Elf *elf, size_t *bytes);

#endif
