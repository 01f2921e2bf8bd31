/* SPDX-License-Identifier: BSD-3-Clause */
/* module_copies.h - which copies of functions the file of a program or library has, and whether
 * they have probes. To be called in a process of its own (reader_process.h). */
#ifndef SIS_ANALYSIS_MODULE_COPIES_H
#define SIS_ANALYSIS_MODULE_COPIES_H

#include <libelf.h>
#include <stdbool.h>

#include "base/map.h"
#include "base/mem.h"

/* The functions that are regions, by their symbols. */
struct copied_functions {
	struct strmap by_symbol;   /* index of `symbol` */
	VEC(const char *) symbol;
};

enum copy_probes { COPY_NONE, COPY_WITH_PROBES, COPY_WITHOUT_PROBES, COPY_UNKNOWN };

/* The module's copy of a function. */
struct module_copy {
	enum copy_probes probes;   /* COPY_NONE: it has no copy */
	bool is_exported;          /* other modules use it, unless an earlier one exports one */
};

struct module_range { uint64_t low, high; };

struct module_copies {
	Elf *elf;
	Elf_Scn *symbols;          /* the symbol table or, if there is none, the dynamic one */
	bool has_units;            /* sisc compiled a part of it */
	/* probes can be recognised: the file is for a known processor, and is not stripped */
	bool shows_probes;
	bool has_fixed_addresses;  /* it cannot be moved, so its code contains addresses */
	uint64_t offset_table;     /* address of its global offset table; 0: not known */
	VEC(uint64_t) gate;        /* sorted */
	VEC(struct module_range) called; /* what probes refer to, sorted */
	VEC(struct module_copy) copy;    /* one for each function */
};

/* Opens the file. Returns false if it cannot be read, or is newer than the time. */
bool module_copies_open(struct module_copies *m, const char *path, uint64_t newest_ns);
/* Adds the functions that are instances of templates with probes. */
void module_copies_add_instances(struct module_copies *m, struct copied_functions *functions);
/* Fills `copy`. */
void module_copies_find(struct module_copies *m, const struct copied_functions *functions);
/* Adds a function, unless it is there. */
void copied_functions_add(struct copied_functions *functions, const char *symbol);

#endif
