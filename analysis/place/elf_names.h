/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_names.h - what an ELF file says without debug information: its build id, the functions and
 * variables of its symbol tables, and what a call instruction calls. */
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
	VEC(struct elf_symbol) symbol; /* functions, by address */
	VEC(struct elf_symbol) object; /* static variables, by address */
	VEC(struct elf_symbol) tls;    /* thread-local ones, by place in the thread-local data */
	VEC(struct elf_slot) slot;     /* of the global offset table, by address */
	VEC(struct elf_text) text;     /* sections with instructions */
	bool x86_64;
	bool has_table;                /* .symtab: it is not stripped */
};

/* Adds what `elf` says. The names point into it. */
void elf_names_add(struct elf_names *names, Elf *elf);
/* After the last file. */
void elf_names_sort(struct elf_names *names);
void elf_names_release(struct elf_names *names);
/* NULL: none covers the address. */
const char *elf_names_symbol(const struct elf_names *names, uint64_t address);
/* The variable at a static address, and at a place in the thread-local data; NULL: none. */
const struct elf_symbol *elf_names_object(const struct elf_names *names, uint64_t address);
const struct elf_symbol *elf_names_thread_local(const struct elf_names *names, uint64_t at);
/* The name of what is called by the instruction before the return address. NULL: a call through a
 * pointer, or not known. */
const char *elf_names_callee(const struct elf_names *names, uint64_t after);
/* The build id: its bytes, which belong to `elf`. NULL: there is none. */
const unsigned char *elf_build_id(Elf *elf, size_t *bytes);

#endif
