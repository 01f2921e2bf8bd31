/* SPDX-License-Identifier: BSD-3-Clause */
/* blame.h - section `sis_blame`: what each translation unit computes, as graphs of values.
 *
 * sisc --sis-blame puts one blob per translation unit into the section, and the linker puts the
 * blobs one after the other. sis-analyze reads them from the program and its libraries.
 *
 *      +---------------------------+
 *      | struct sis_blame_header   |  at a multiple of 8 bytes; zero bytes may precede it
 *      +---------------------------+
 *      | payload, `stored` bytes   |  zstd, or plain if packed is 0
 *      +---------------------------+
 *
 * The payload is a sequence of unsigned numbers in LEB128 ("n"), signed numbers as zigzag in LEB128
 * ("z"), and strings (n length, then bytes). A "ref" is an n: an index + 1 in the list with this
 * name, or 0 for none. A list is an n count, then its items.
 *
 *   unit        string path of the source, string directory of the compilation,
 *               string sis_checksum of the unit's description (hexadecimal; may be empty)
 *   strings     list of strings; "s" below is an index in this list
 *   files       list of s: paths as they appear in the line table (DW_AT_name of the file)
 *   types       list: n kind (enum sis_blame_type), s name, n size in bytes,
 *               ref type (element, pointee, or return type; of an integer, the typedef that its
 *               typedef names), n count (elements; 0: unknown; of a pointer, 1: it is a reference),
 *               list of fields: s name, n byte offset, n byte size, ref type
 *   objects     list: n kind (enum sis_blame_object), s linkage name, s source name, ref type,
 *               ref file, n line, ref function (of a local object), n flags (SIS_BLAME_OBJECT_*)
 *   functions   list:
 *     s linkage name, s source name, n flags (SIS_BLAME_FUNCTION_*), ref file, n line,
 *     ref function (whose construct an outlined function is), ref type (return type),
 *     list of parameters: ref object
 *     statements  list: n kind (enum sis_blame_statement), ref file, n line, n column of its
 *                 begin in the user's source, n line of its end; statement 0 is the entry,
 *                 statement 1 the exit
 *     anchors     list, ordered by (file, line, column): z file, z line, z column (each the
 *                 difference to the anchor before), n statement or group:
 *                 2 * statement, or 2 * group + 1. Positions are those of the text that the
 *                 compiler reads, so they are those of the line table
 *     groups      list: list of statements. A macro use with several statements
 *     blocks      list: list of successors (n block), list of controllers (ref value: a BRANCH
 *                 that decides whether the block runs; by post-dominators). Block 0 is the entry
 *     values      list, in the order of the blocks and of the instructions in them:
 *                 n op (enum sis_blame_op), n statement, z block (difference to the value
 *                 before), then the operands of the op
 *
 * A reader must check every index. A blob that is damaged or has another version is left out, with
 * a warning that names it. */
#ifndef SIS_SCHEMA_BLAME_H
#define SIS_SCHEMA_BLAME_H
#include <stdint.h>

#define SIS_BLAME_SECTION "sis_blame"
#define SIS_BLAME_MAGIC "SISBLAME"
#define SIS_BLAME_VERSION 2

struct sis_blame_header {
	char magic[8];     /* SIS_BLAME_MAGIC, without its NUL */
	uint32_t version;  /* SIS_BLAME_VERSION */
	uint32_t packed;   /* 1: the payload is compressed with zstd */
	uint64_t size;     /* bytes of header, payload and padding: a multiple of 8 */
	uint64_t stored;   /* bytes of the payload as stored */
	uint64_t plain;    /* bytes of the payload after decompression */
	uint64_t checksum; /* sis_fnv of the stored payload (fnv.h) */
};

enum sis_blame_type {
	SIS_BLAME_VOID, SIS_BLAME_INTEGER, SIS_BLAME_REAL, SIS_BLAME_POINTER, SIS_BLAME_ARRAY,
	SIS_BLAME_STRUCT, SIS_BLAME_UNION, SIS_BLAME_FUNCTION_TYPE, SIS_BLAME_OTHER_TYPE,
	SIS_BLAME_TYPES
};

enum sis_blame_object {
	SIS_BLAME_GLOBAL,   /* external linkage, even if it is only declared; merged by linkage
	                     * name */
	SIS_BLAME_STATIC,   /* internal linkage, also a static local variable */
	SIS_BLAME_LOCAL,    /* automatic variable or parameter */
	SIS_BLAME_FUNCTION, /* a function whose address is used; the linkage name says which */
	SIS_BLAME_CONSTANT, /* string literal, constant compound literal */
	SIS_BLAME_UNNAMED,  /* memory without a name: temporaries, alloca */
	SIS_BLAME_OBJECTS
};
#define SIS_BLAME_OBJECT_PARAMETER 1u
#define SIS_BLAME_OBJECT_THREAD_LOCAL 2u
#define SIS_BLAME_OBJECT_PRIVATE 4u /* an OpenMP construct's private copy of the variable with the
                                     * same source name in the function around the construct */
#define SIS_BLAME_OBJECT_CONST 8u
#define SIS_BLAME_OBJECT_THIS 16u /* the pointer `this` of a method */

#define SIS_BLAME_FUNCTION_STATIC 1u
#define SIS_BLAME_FUNCTION_VARIADIC 2u
#define SIS_BLAME_FUNCTION_OUTLINED 4u /* body of an OpenMP parallel construct */
#define SIS_BLAME_FUNCTION_TASK 8u     /* body of an OpenMP task */
#define SIS_BLAME_FUNCTION_POINT 16u   /* #pragma sis blame: a blame point */
#define SIS_BLAME_FUNCTION_NO_BODY 32u /* could not be analysed; a warning of sisc says why */

enum sis_blame_statement {
	SIS_BLAME_ENTRY, SIS_BLAME_EXIT,
	SIS_BLAME_EXPRESSION, /* expression statement */
	SIS_BLAME_DECLARATOR, /* declarator of a variable, with its initialiser */
	SIS_BLAME_RETURN_STATEMENT,
	SIS_BLAME_INIT, SIS_BLAME_CONDITION, SIS_BLAME_INCREMENT, /* of a control statement */
	SIS_BLAME_CONSTRUCT, /* a directive of OpenMP */
	SIS_BLAME_JUMP,      /* goto, break, continue, label, asm */
	SIS_BLAME_STATEMENTS
};

/* The operands of each op. They are refs to values of the same function unless said otherwise. A
 * value stands for its result. Scalar locals whose address is not taken are not in memory: each
 * assignment is a DEFINE, and a MEET joins the assignments that may reach a use. */
enum sis_blame_op {
	SIS_BLAME_PARAMETER, /* n number of the parameter */
	SIS_BLAME_ADDRESS,   /* ref object */
	SIS_BLAME_LITERAL,   /* no operands: constants, null, undefined values */
	SIS_BLAME_FIELD,     /* base pointer, z constant offset in bytes. Offset 0 is the first
	                      * member of a structure; the pointer to the structure is no FIELD */
	SIS_BLAME_INDEX,     /* base pointer, index, n stride in bytes */
	SIS_BLAME_LOAD,      /* address, n size */
	SIS_BLAME_STORE,     /* address, value, n size */
	SIS_BLAME_MOVE,      /* destination address, source address, n size (0: unknown) */
	SIS_BLAME_FILL,      /* destination address, value, n size (0: unknown) */
	SIS_BLAME_COMPUTE,   /* list of operands: arithmetic, conversion, comparison, select */
	SIS_BLAME_MEET,      /* list of operands: phi */
	SIS_BLAME_DEFINE,    /* ref object, value */
	SIS_BLAME_CALL,      /* callee (an ADDRESS of a function, or any value), list of arguments,
	                      * n column key: the anchor's column of the call, 0: unknown */
	SIS_BLAME_BRANCH,    /* condition */
	SIS_BLAME_RETURN,    /* the value that is returned; may be missing */
	SIS_BLAME_ASSEMBLY,  /* list of operands: inline assembly that may change memory, which
	                      * reads and writes through its pointers. Other assembly is a COMPUTE,
	                      * and a STORE for each output in memory */
	SIS_BLAME_ALLOCA,    /* size; ref object: memory of alloca or of a VLA */
	SIS_BLAME_FORK,      /* ref function, list of arguments: runs an outlined function or a
	                      * task */
	SIS_BLAME_OPS
};
#endif
