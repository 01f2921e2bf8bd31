/* SPDX-License-Identifier: BSD-3-Clause */
/* code_places.h - finds functions and source positions for code addresses of a program or library
 * by its debug information, and variables for addresses of data.
 *
 * The file is read in a process of its own with limits on memory and time. Debug information is
 * complex, the libraries that read it are not made for hostile files, and compressed sections can
 * become very large. If that process fails, the addresses have no place, and the import goes on. */
#ifndef SIS_ANALYSIS_CODE_PLACES_H
#define SIS_ANALYSIS_CODE_PLACES_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"

/* Why an address has no place. For a sample, blame/place/ takes the reason of its innermost PC in
 * the program's own file or, if there is none, of its innermost PC. */
enum placed_reason {
	PLACED_OK,
	PLACED_NO_STACK,    /* the sample has no PC */
	PLACED_ANONYMOUS,   /* the PC is in memory without a file: generated code */
	PLACED_KERNEL,      /* the PC is in code of the kernel: vdso, vsyscall */
	PLACED_REUSED,      /* several modules had this address, at different times */
	PLACED_NO_FILE,     /* the module's file is gone or cannot be read */
	PLACED_CHANGED,     /* the module's file has changed since the run */
	PLACED_STRIPPED,    /* no symbols and no debug information */
	PLACED_NO_DEBUG,    /* no debug information, in the module or at this PC */
	PLACED_BAD_DEBUG,   /* damaged debug information */
	PLACED_NO_BLAME,    /* there is debug information, but the unit was not built with
	                     * --sis-blame */
	PLACED_NO_FUNCTION, /* the unit's blob does not have the function */
	PLACED_REASONS
};

/* The file of a module, as the run recorded it. */
struct code_module {
	const char *path;
	const unsigned char *build_id;
	size_t build_id_bytes;     /* 0: the file had none; then ... */
	uint64_t size, mtime_ns;   /* ... the file's size and time are compared; 0: not known */
	const char *debug_folder;  /* where separate debug files are; NULL: /usr/lib/debug */
};

struct code_address {
	uint64_t at;               /* virtual address as in the file's program headers */
	bool after_call;           /* `at` is a return address: the place is that of the call before
	                            * it */
};

/* A position in the source. An address inside of inlined calls has a site for each of them. */
struct code_site {
	const char *function;      /* linkage name; NULL: not known */
	const char *unit, *directory; /* path and directory of the translation unit that defines the
	                               * function */
	const char *file;          /* name of the file in the line table; NULL: not known */
	const char *file_directory; /* where a relative `file` begins; NULL: `file` is complete */
	uint32_t line, column;     /* 0: the compiler gave none */
	bool prologue;             /* the address is before the function's first statement */
	const char *declared;      /* path of the file that declares the function, relative to
	                            * `directory` or absolute; NULL: not known */
	uint32_t declared_line;    /* 0: not known */
};

enum code_data_kind { CODE_STATIC, CODE_THREAD_LOCAL, CODE_FRAME };

/* As the offset of a CODE_FRAME: the offset is not known, and only the function of the frame is
 * wanted. */
#define CODE_SOMEWHERE INT64_MIN

/* Memory that samples access. */
struct code_data {
	enum code_data_kind kind;
	uint64_t at;               /* STATIC: address as in the file's program headers;
	                            * FRAME: a PC */
	bool after_call;           /* FRAME: `at` is a return address */
	int64_t offset;            /* THREAD_LOCAL: from the thread pointer; FRAME: from the
	                            * canonical frame address */
};

/* The `type` of read-only data without a name, such as the numbers in expressions. */
#define CODE_CONSTANT "constant"

struct code_variable {
	const char *name;          /* NULL: no variable is known there */
	const char *function;      /* the function to which the variable is local, or whose frame it
	                            * is in; NULL: none */
	const char *type;          /* type of the variable; NULL: not known */
	const char *file;          /* the file that declares the variable; NULL: not known */
	uint32_t line;
	uint64_t bytes;
};

struct code_place {
	enum placed_reason reason; /* PLACED_OK: there are sites */
	uint32_t first, count;     /* code_places.site[first ...], innermost first */
	uint64_t start;            /* where the function begins, by the unwinding table; 0: not
	                            * known */
	const char *symbol;        /* the function that the symbol table names; NULL: none */
	const char *callee;        /* of a return address: the function that the call names; NULL:
	                            * not known */
};

struct code_places {
	VEC(struct code_place) place; /* a place for each address, in the order of the addresses */
	VEC(struct code_site) site;
	VEC(struct code_variable) variable; /* a variable for each data, in the order of the data */
	char *text;                /* the answer of the reading process, to which all names point */
};

/* The addresses and data for which a module's file is read. */
struct code_questions {
	const struct code_address *address;
	size_t addresses;
	const struct code_data *data;
	size_t datas;
};

/* Finds the places of all addresses and the variables of all data. An address without a place gets
 * a reason. Fails only if this process cannot continue. */
int code_places_find(struct code_places *places, const struct code_module *module,
		     const struct code_questions *questions, struct err *err);
void code_places_release(struct code_places *places);

#endif
