/* SPDX-License-Identifier: BSD-3-Clause */
/* idf_read.h - instrumentation descriptions (schema/idf.schema.json): what a unit's regions are. */
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
	char *file, *function; /* "" for what the runtime adds itself */
	char *path;      /* absolute one of the file; NULL: unknown (regions.c) */
	uint32_t line_start, column_start, line_end, column_end;
	char *metrics;   /* asked for, comma-separated */
	const struct sis_routine_info *routine; /* the library routine called; NULL */
	char *callee;    /* the routine called, known or not; NULL */
	int32_t parent;  /* place in its unit of the innermost one around it; -1: none */
	uint32_t entries, exits; /* 0: not said */
	bool outer_loop, inner_loop;
	bool by_hand;    /* named by the program while it ran, and only if it came there */
};

struct idf_file { char *file, *checksum; }; /* file: as regions name it; checksum: "" if unknown */

struct idf_tu {
	char *source, *directory, *compiler, *flags, *sisc, *checksum;
	uint32_t unasked[SIS_REGION_TYPES]; /* calls of library routines that nobody asked for */
	VEC(struct idf_file) file; /* that regions lie in, other than source */
	VEC(struct region) region;
};

/* `where` names the file in messages. On failure `unit` needs no release. */
int idf_read(struct idf_tu *tu, const char *json, size_t length, const char *where,
	     struct err *err);
/* The same for a program: its units, or the one unit that the text is, are added to the list. */
typedef VEC(struct idf_tu) idf_tus;
int idf_read_program(idf_tus *tus, const char *json, size_t length, const char *where,
		     struct err *err);
void idf_release(struct idf_tu *tu);
void region_release(struct region *region);

#endif
