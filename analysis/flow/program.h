/* SPDX-License-Identifier: BSD-3-Clause */
/* program.h - the graphs of values of a whole program: all blobs of section `sis_blame`
 * (schema/blame.h) in the files of a run, checked and merged.
 *
 *      units      a.c            b.c            libx.so: x.c
 *      functions  0  1  2        3  4           5  6            numbers over the whole program
 *      values     0 ......       ...            .......
 *
 * All lists are over the whole program; functions, blocks and so on hold a range of their list.
 * Everything is a number, FLOW_NONE for nothing, and every number is in its list: readers of
 * struct flow_program need not check. Objects with external linkage and functions are merged by
 * linkage name; those with internal linkage belong to their unit. The number of an object that was
 * merged is that of its definition, or of the first declaration. */
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
	uint32_t module;                         /* number of the file that was added */
	struct flow_range function;
	uint32_t version;                        /* of the blob: SIS_BLAME_VERSION, or older */
};

struct flow_field { const char *name; uint64_t offset, size; uint32_t type; };

struct flow_type {
	const char *name;
	uint64_t size, count;    /* bytes; elements of an array, 0: unknown */
	uint32_t element;        /* type of element, pointee or result; of an integer, the typedef
	                          * that its typedef names; FLOW_NONE: none */
	struct flow_range field; /* of program.field */
	uint8_t kind;            /* enum sis_blame_type */
};

struct flow_object {
	const char *linkage, *name; /* "": none */
	uint32_t unit, type, file, line;
	uint32_t function;          /* of a local object; of a FUNCTION: the function, if it has a
	                             * body in the program */
	uint8_t kind, flags;        /* enum sis_blame_object, SIS_BLAME_OBJECT_* */
};

struct flow_statement {
	uint32_t file, line, column, end_line;
	uint8_t kind;               /* enum sis_blame_statement */
};

/* A position in the text that the compiler read, and what is there: one statement of the function,
 * or a group of several. */
struct flow_anchor {
	uint32_t file, line, column;
	uint32_t item;              /* statement, or group of the function */
	bool is_group;
};

struct flow_block { struct flow_range successor, controller; }; /* of program.number: blocks of the
                                                                 * function; values (BRANCH) */

struct flow_value {
	uint8_t op;                 /* enum sis_blame_op */
	uint32_t statement, block;  /* of the function */
	struct flow_range operand;  /* of program.number: values; CALL: callee, then arguments.
	                             * FLOW_NONE: none */
	uint32_t object;            /* ADDRESS, DEFINE, ALLOCA: object; FORK: function; PARAMETER:
	                             * its number */
	int64_t number;             /* FIELD: offset; INDEX: stride; LOAD, STORE, MOVE, FILL: size;
	                             * CALL: column key */
};

struct flow_function {
	const char *linkage, *name;
	uint32_t unit, file, line, flags; /* SIS_BLAME_FUNCTION_* */
	uint32_t around;             /* function whose construct this outlined one is */
	uint32_t result;             /* type */
	struct flow_range parameter; /* of program.number: objects */
	struct flow_range statement, anchor, block, value; /* of the lists of these names */
	struct flow_range group;     /* of program.group */
};

struct flow_program {
	VEC(struct flow_unit) unit;
	VEC(const char *) file;      /* paths; each once */
	VEC(struct flow_type) type;
	VEC(struct flow_field) field;
	VEC(struct flow_object) object;
	VEC(struct flow_function) function;
	VEC(struct flow_statement) statement;
	VEC(struct flow_anchor) anchor;
	VEC(struct flow_range) group; /* of program.number: statements of the function */
	VEC(struct flow_block) block;
	VEC(struct flow_value) value;
	VEC(uint32_t) number;
	VEC(char *) warning;         /* blobs that were left out, each with its reason */
	uint32_t modules;
	/* private */
	VEC(char *) text;            /* every string once */
	VEC(uint32_t) same_name;     /* the next function with the same linkage name */
	struct strmap texts, files, functions, objects;
	struct map blobs;
};

/* Adds the blobs of a program or library. A file without any is no error; damaged blobs and newer
 * versions become warnings. Returns the number of blobs that were added. */
int flow_program_add_file(struct flow_program *program, const char *path, struct err *err);
/* The same for the bytes of a section; `where` is for warnings. */
int flow_program_add_section(struct flow_program *program, const void *bytes, size_t size,
			     const char *where);
/* After the last file: joins the objects of functions with the functions. */
void flow_program_link(struct flow_program *program);
void flow_program_release(struct flow_program *program);

/* -- look-up ----------------------------------------------------------------------------------- */

/* The first function with a linkage name (of a static function: its name), and the next one with
 * the same: statics of different units, or units that were compiled several times. */
uint32_t flow_function_find(const struct flow_program *program, const char *linkage);
uint32_t flow_function_next(const struct flow_program *program, uint32_t function);
/* The function in which a value is. */
uint32_t flow_function_of(const struct flow_program *program, uint32_t value);
/* The function of the source around a body of a construct; of any other function, itself. */
uint32_t flow_function_around(const struct flow_program *program, uint32_t function);
/* An operand of a value; FLOW_NONE: none. */
uint32_t flow_operand(const struct flow_program *program, uint32_t value, uint32_t number);
/* The function whose address a value is; FLOW_NONE: it is no function with a body. */
uint32_t flow_function_at(const struct flow_program *program, uint32_t value);
/* Whether a CALL calls a function without a body by name. */
bool flow_calls_library(const struct flow_program *program, uint32_t call);
/* The object whose address a CALL calls; NULL: it calls through a pointer. */
const struct flow_object *flow_called_object(const struct flow_program *program, uint32_t value);
/* The number of a path as the line table has it. FLOW_NONE: no unit has it. */
uint32_t flow_file_find(const struct flow_program *program, const char *path);
/* The anchors of a function at a position; column 0: all of the line. n is 0 if there is none. */
struct flow_range flow_anchors_at(const struct flow_program *program, uint32_t function,
				  uint32_t file, uint32_t line, uint32_t column);
/* The statements of an anchor: numbers in the function. The caller reads *n of them. */
const uint32_t *flow_anchor_statements(const struct flow_program *program, uint32_t function,
				       const struct flow_anchor *anchor, size_t *n);

#endif
