/* SPDX-License-Identifier: BSD-3-Clause */
/* program.h - the graphs of values of a whole program: all blobs of section `sis_blame`
 * (schema/blame.h) in the files of a run, checked and merged.
 *
 *      units      a.c            b.c            libx.so: x.c
 *      functions  0  1  2        3  4           5  6            numbers over the whole program
 *      values     0 ......       ...            .......
 *
 * Each list covers the whole program. A function holds the ranges of its own items in these lists.
 * References are indices of lists; FLOW_NONE is none. All indices have been checked, so readers of
 * struct flow_program need no checks. Functions and objects with external linkage are merged by
 * linkage name. Functions and objects with internal linkage belong to their unit. A merged object
 * has the number that it got in the first unit. Its other members are those of its definition, or
 * of a declaration with a larger type. */
#ifndef SIS_ANALYSIS_FLOW_PROGRAM_H
#define SIS_ANALYSIS_FLOW_PROGRAM_H

#include <stdbool.h>

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "blame.h"

#define FLOW_NONE UINT32_MAX

struct flow_range { uint32_t first, n; };

struct flow_unit {
	const char *path, *directory, *checksum; /* as in the blob */
	uint32_t module;                         /* number of the file that has the unit */
	struct flow_range function;
};

struct flow_field { const char *name; uint64_t offset, size; uint32_t type; };

struct flow_type {
	const char *name;
	uint64_t size, count;    /* bytes; elements of an array, 0: not known */
	uint32_t element;        /* type of the element, pointee or result; of an integer that is a
	                          * typedef of another typedef, the other one; FLOW_NONE: none */
	struct flow_range field; /* range of program.field */
	uint8_t kind;            /* enum sis_blame_type */
};

struct flow_object {
	const char *linkage, *name; /* "": the object has no such name */
	uint32_t unit, type, file, line;
	uint32_t function;          /* of a local object: its function; of a SIS_BLAME_FUNCTION: the
	                             * function itself, if the program has its body */
	uint8_t kind, flags;        /* enum sis_blame_object, SIS_BLAME_OBJECT_* */
};

struct flow_statement {
	uint32_t file, line, column, end_line;
	uint8_t kind;               /* enum sis_blame_statement */
};

/* A position in the text that the compiler read, and the statement or group of statements there. */
struct flow_anchor {
	uint32_t file, line, column;
	uint32_t item;              /* number of the statement or group in the function */
	bool is_group;
};

struct flow_block { struct flow_range successor, controller; }; /* ranges of program.number:
                                                                 * `successor` of blocks of the
                                                                 * function, `controller` of BRANCH
                                                                 * values */

struct flow_value {
	uint8_t op;                 /* enum sis_blame_op */
	uint32_t statement, block;  /* numbers in the function */
	struct flow_range operand;  /* range of program.number, which has numbers of values;
	                             * FLOW_NONE: the operand is missing. CALL: the callee, then the
	                             * arguments */
	uint32_t object;            /* ADDRESS, DEFINE, ALLOCA: object; FORK: function; PARAMETER:
	                             * its number */
	int64_t number;             /* FIELD: offset; INDEX: stride; LOAD, STORE, MOVE, FILL: size;
	                             * CALL: column key */
};

struct flow_function {
	const char *linkage, *name;
	uint32_t unit, file, line, flags; /* SIS_BLAME_FUNCTION_* */
	uint32_t around;             /* the function that has the construct of this outlined
	                              * function */
	uint32_t result;             /* type of the function's result */
	struct flow_range parameter; /* range of program.number, which has numbers of objects */
	struct flow_range statement, anchor, block, value; /* ranges of the program's lists with
	                                                    * these names */
	struct flow_range group;     /* range of program.group */
};

struct flow_program {
	VEC(struct flow_unit) unit;
	VEC(const char *) file;      /* paths, each once */
	VEC(struct flow_type) type;
	VEC(struct flow_field) field;
	VEC(struct flow_object) object;
	VEC(struct flow_function) function;
	VEC(struct flow_statement) statement;
	VEC(struct flow_anchor) anchor;
	VEC(struct flow_range) group; /* ranges of program.number, which has numbers of statements
	                               * in the function */
	VEC(struct flow_block) block;
	VEC(struct flow_value) value;
	VEC(uint32_t) number;
	VEC(char *) warning;         /* blobs that were left out, each with its reason */
	uint32_t modules;
	/* private */
	VEC(char *) text;            /* all strings, each once */
	VEC(uint32_t) same_name;     /* the next function with the same linkage name */
	struct strmap texts, files, functions, objects;
	struct map blobs;
};

/* Adds the blobs of a program or library. A file without blobs is no error. A blob that is damaged
 * or of another version becomes a warning. Returns the number of blobs that were added. */
int flow_program_add_file(struct flow_program *program, const char *path, struct err *err);
/* The same for the bytes of a section; `where` names them in warnings. */
int flow_program_add_section(struct flow_program *program, const void *bytes, size_t size,
			     const char *where);
/* To be called after the last file: sets `function` of the objects that are functions. */
void flow_program_link(struct flow_program *program);
void flow_program_release(struct flow_program *program);

/* -- look-up ----------------------------------------------------------------------------------- */

/* The first function with a linkage name, and the next function with the same one. The linkage name
 * of a static function is its name. Static functions of different units may share a name, and a
 * unit may be compiled several times. */
uint32_t flow_function_find(const struct flow_program *program, const char *linkage);
uint32_t flow_function_next(const struct flow_program *program, uint32_t function);
/* The function that contains a value. */
uint32_t flow_function_of(const struct flow_program *program, uint32_t value);
/* For the body of a construct, the function of the source around it; for any other function, the
 * function itself. */
uint32_t flow_function_around(const struct flow_program *program, uint32_t function);
/* An operand of a value; FLOW_NONE: there is none. */
uint32_t flow_operand(const struct flow_program *program, uint32_t value, uint32_t number);
/* The function whose address the value is; FLOW_NONE: the value is not the address of a function
 * with a body. */
uint32_t flow_function_at(const struct flow_program *program, uint32_t value);
/* Whether a CALL names a function that has no body in the program. */
bool flow_calls_library(const struct flow_program *program, uint32_t call);
/* The object of the function that a CALL names; NULL: the call is through a pointer. */
const struct flow_object *flow_called_object(const struct flow_program *program, uint32_t value);
/* The *n statements of an anchor, as numbers in the function. */
const uint32_t *flow_anchor_statements(const struct flow_program *program, uint32_t function,
				       const struct flow_anchor *anchor, size_t *n);

#endif
