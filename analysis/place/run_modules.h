/* SPDX-License-Identifier: BSD-3-Clause */
/* run_modules.h - the programs and libraries of a run, and what is at the addresses that were
 * sampled or accessed in them. Processes of one program share its module, so each file is read
 * once. */
#ifndef SIS_ANALYSIS_RUN_MODULES_H
#define SIS_ANALYSIS_RUN_MODULES_H

#include "base/map.h"
#include "place/code_places.h"
#include "read/stacks_read.h"

struct run_module {
	char *path;
	unsigned char id[32];
	size_t id_length;
	uint64_t file_bytes, file_mtime_ns;
	VEC(struct code_address) address;
	struct map by_address;     /* (address, after_call) -> index */
	VEC(struct code_data) data;
	struct map by_data;        /* (kind and place, offset) -> index */
	struct code_places places; /* one for each address and each data */
};

/* Where a PC is; module NONE: see `reason`. Or where data is: `address` is an index of the module's
 * data, NONE: it is in the module, and no variable can be known. */
struct run_address { uint32_t module, address; enum placed_reason reason; };

struct run_modules {
	VEC(struct run_module) module;
	struct strmap by_name;     /* path and build id */
	/* for each process that was added: of each of its PCs */
	VEC(struct run_address *) process;
	VEC(struct run_address *) access; /* of each of its accesses */
};

/* Notes all PCs and accesses of a process, which gets the next number. Then, after the last
 * process, what is there. */
void run_modules_add(struct run_modules *m, const struct stacks *stacks);
int run_modules_find(struct run_modules *m, struct err *err);
void run_modules_release(struct run_modules *m);

/* What is at a PC; NULL: its address says that nothing is. */
static inline const struct code_place *run_modules_place(const struct run_modules *m,
							 const struct run_address *at)
{
	return at->module == NONE ? NULL :
		&m->module.at[at->module].places.place.at[at->address];
}

#endif
