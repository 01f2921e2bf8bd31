/* SPDX-License-Identifier: BSD-3-Clause */
/* idf_read.h - reads descriptions (schema/idf.schema.json): the regions of a translation unit. */
#ifndef SIS_ANALYSIS_IDF_READ_H
#define SIS_ANALYSIS_IDF_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "tables.h"

struct region {
	char *key;       /* identity across builds */
	char *name;
	enum sis_region_type type;
	char *file, *function; /* "" for regions that the runtime adds */
	char *path;      /* absolute path of the file; NULL: unknown (experiment/model/regions.c) */
	uint32_t line_start, column_start, line_end, column_end;
	char *metrics;   /* selected metrics, separated by commas */
	/* tokens: checksum of its function's tokens; build: compiler and flags of its translation
	 * unit (idf.schema.json); NULL: not recorded */
	char *tokens, *build;
	char *language;  /* of its translation unit; NULL or "": unknown */
	const struct sis_routine_info *routine; /* of a call: the library routine; NULL: unknown */
	char *callee;    /* of a call: name of the routine; else NULL */
	/* names of the variables in a construct's reductions, separated by blanks; NULL: none */
	char *reductions;
	char *symbol;    /* of a function of C++: the mangled name; NULL: none, as for templates */
	/* index, in its translation unit, of the innermost region around it; -1: none */
	int32_t parent;
	uint32_t entries, exits; /* 0: not recorded */
	bool outer_loop, inner_loop;
	bool conditional; /* only measured if a condition of a directive holds */
	bool by_hand;    /* the program named the region while it executed the region */
	bool redistributes; /* a row that a user added says so (repository/import/import.c) */
};

struct idf_file { char *file, *checksum; }; /* file: as regions name it; checksum: "" if unknown */

struct idf_tu {
	char *source, *directory, *compiler, *flags, *sisc, *checksum;
	VEC(struct idf_file) file; /* files other than `source` that have regions */
	VEC(struct region) region;
};

/* Reads one translation unit. `where` names the file in messages. On failure `tu` needs no
 * release. */
int idf_read(struct idf_tu *tu, const char *json, size_t length, const char *where,
	     struct err *err);
/* Adds translation units to the list. The text `json` describes a program, or a single translation
 * unit. */
typedef VEC(struct idf_tu) idf_tus;
int idf_read_program(idf_tus *tus, const char *json, size_t length, const char *where,
		     struct err *err);
void idf_release(struct idf_tu *tu);
void region_release(struct region *region);

#endif
