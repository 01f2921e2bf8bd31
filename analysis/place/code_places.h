/* SPDX-License-Identifier: BSD-3-Clause */
/* code_places.h - addresses of a program or library -> functions and positions in the source, by
 * its debug information; and addresses of data -> variables.
 *
 * The file is read in a process of its own with limits on memory and time. Debug information is
 * complex, the libraries that read it are not made for hostile files, and a few bytes can unpack to
 * many. If that process fails, the addresses have no place, and the import goes on. */
#ifndef SIS_ANALYSIS_CODE_PLACES_H
#define SIS_ANALYSIS_CODE_PLACES_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "place/place.h"

/* The file that was mapped, as the run recorded it. */
struct code_module {
	const char *path;
	const unsigned char *build_id;
	size_t build_id_bytes;     /* 0: it had none; then ... */
	uint64_t size, mtime_ns;   /* ... the file's size and time are compared; 0: not known */
	const char *debug_folder;  /* of separate debug files; NULL: /usr/lib/debug */
};

struct code_address {
	uint64_t at;               /* as in the file's program headers */
	bool after_call;           /* a return address: the place is that of the call before it */
};

/* A position in the source; of an address that is in inlined calls, one for each of them. */
struct code_site {
	const char *function;      /* linkage name; NULL: not known */
	const char *unit, *directory; /* of the translation unit that defines the function */
	const char *file;          /* of the line table; NULL */
	const char *file_directory; /* where a relative name of it begins; NULL: it is in `file` */
	uint32_t line, column;     /* 0: the compiler gave none */
	bool prologue;             /* before the function's first statement */
};

enum code_data_kind { CODE_STATIC, CODE_THREAD_LOCAL, CODE_FRAME };

/* The offset in a frame is not known: only its function is asked for. */
#define CODE_SOMEWHERE INT64_MIN

/* Memory that a sample is of. */
struct code_data {
	enum code_data_kind kind;
	uint64_t at;               /* STATIC: as in the file's program headers; FRAME: a PC */
	bool after_call;           /* FRAME: `at` is a return address */
	int64_t offset;            /* THREAD_LOCAL: from the thread pointer; FRAME: from the
	                            * canonical frame address */
};

/* The type of data without a name that cannot be written, such as the numbers in expressions. */
#define CODE_CONSTANT "constant"

struct code_variable {
	const char *name;          /* NULL: no variable is known there */
	const char *function;      /* that it is local to, or whose frame it is; NULL: none */
	const char *type;          /* NULL: not known */
	const char *file;          /* of its declaration; NULL: not known */
	uint32_t line;
	uint64_t bytes;
};

struct code_place {
	enum placed_reason reason; /* PLACED_OK: there are sites */
	uint32_t first, count;     /* code_places.site[first ...], innermost first */
	const char *symbol;        /* function of the symbol table; NULL */
	const char *callee;        /* of a return address: what the call names; NULL */
};

struct code_places {
	VEC(struct code_place) place; /* one for each address, in their order */
	VEC(struct code_site) site;
	VEC(struct code_variable) variable; /* one for each of `data`, in their order */
	char *text;                /* that the names point to */
	size_t text_bytes;
};

/* What is asked about a module. */
struct code_questions {
	const struct code_address *address;
	size_t addresses;
	const struct code_data *data;
	size_t datas;
};

/* Places for all addresses: with reasons if the file cannot tell. And the variables of all data.
 * Fails only if this process can do no more. */
int code_places_find(struct code_places *places, const struct code_module *module,
		     const struct code_questions *questions, struct err *err);
void code_places_release(struct code_places *places);

#endif
