/* SPDX-License-Identifier: BSD-3-Clause */
/* run_modules.h - the programs and libraries of a run, and the places and variables at the
 * addresses in them that samples have. Processes of one program share a module, so each file is
 * read once. */
#ifndef SIS_ANALYSIS_RUN_MODULES_H
#define SIS_ANALYSIS_RUN_MODULES_H

#include "base/map.h"
#include "experiment/code/code_places.h"
#include "experiment/read/stacks_read.h"

/* The path of the module that has the functions which programs generated. */
#define RUN_MODULE_GENERATED "jit"

struct run_module {
	char *path;
	unsigned char id[32];
	size_t id_length;
	uint64_t file_bytes, file_mtime_ns;
	VEC(struct code_address) address;
	struct map by_address;     /* (address, after_call) -> index of `address` */
	VEC(struct code_data) data;
	struct map by_data;        /* (kind and address, offset) -> index of `data` */
	struct code_places places; /* a place for each address, a variable for each data */
};

/* The build id of a module's file or, without one, its size and time. The caller frees it. */
char *run_module_identity(const struct run_module *module);

/* Where a PC or data is. If `module` is NONE, the module is not known, and `reason` says why.
 * `address` is an index of the module's list `address` for a PC, and of its list `data` for data.
 * NONE: the data is in the module, and its variable cannot be known. */
struct run_address { uint32_t module, address; enum placed_reason reason; };

/* The address to which a call returns, and the function that it executes. */
struct run_call { struct run_address from, body; };

struct run_modules {
	VEC(struct run_module) module;
	struct strmap by_name;     /* build id (or size and time) and path -> module */
	uint32_t generated;        /* the module of generated functions; 0: there is none */
	/* for each process that was added: where each of its PCs is */
	VEC(struct run_address *) process;
	VEC(struct run_address *) access; /* for each process, where each of its accesses is */
	VEC(struct run_call *) call; /* for each process, where each profile.call is */
};

/* run_modules_add notes all PCs and accesses of a process, which gets the next number, and the
 * calls of its profile (NULL: it has none). After the last process, run_modules_find reads the
 * files and finds the places. The names of generated functions are those of `stacks`. */
void run_modules_add(struct run_modules *m, const struct stacks *stacks,
		     const struct profile *profile);
int run_modules_find(struct run_modules *m, struct err *err);
void run_modules_release(struct run_modules *m);

/* The place of a PC; NULL: the PC's module is not known. */
static inline const struct code_place *run_modules_place(const struct run_modules *m,
							 const struct run_address *at)
{
	return at->module == NONE ? NULL :
		&m->module.at[at->module].places.place.at[at->address];
}

#endif
