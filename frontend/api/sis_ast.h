/* SPDX-License-Identifier: BSD-3-Clause */
/* sis_ast.h - the high-level instrumentation library: it parses one translation unit, describes its
 * code regions and directives, and writes the source with probes in the regions that were marked.
 *
 *   sis_ast_open -> walk sis_ast_region(i), sis_ast_directive(i)
 *                -> sis_ast_mark(i, ...)      any number
 *                -> sis_ast_emit              the source with probes
 *                -> sis_ast_close
 *
 * This header is the only interface of frontend/. It is plain C, and Clang is not visible in it.
 * Strings live until sis_ast_close. Regions are numbered in source order, an outer region before
 * those inside it. The source file is never changed. sis_plan.h decides which regions to mark, and
 * writes the description and the declarations that probes need. */
#ifndef SIS_AST_H
#define SIS_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables.h" /* enum sis_region_type */

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

#define SIS_AST_NONE UINT32_MAX

/* The version of the binary interface: of this header, sis_plan.h, sis_plugin.h and the numbers in
 * tables.h. The library's file name ends in the major number. A caller that was compiled for
 * another version is refused. */
#define SIS_AST_ABI_MAJOR 2
#define SIS_AST_ABI ((uint32_t)(SIS_AST_ABI_MAJOR << 16 | SIS_REGION_TYPES))

struct sis_ast;

struct sis_ast_position { /* 1-based, as the compiler reports it: #line has its effect */
	const char *file;
	uint32_t line, column;
};

struct sis_ast_region {
	enum sis_region_type type;     /* the most specific: CR_FOR, CR_MPISEND; never a group */
	bool outer_loop, inner_loop;   /* loops: also CR_OUTERLOOP, CR_INNERLOOP */
	const char *name;              /* the directive's NAME, function, callee, construct@line */
	const char *function;          /* enclosing function; its own name for CR_F and CR_P */
	const char *callee;            /* calls: the called function; "": unknown, or no call */
	struct sis_ast_position begin, end; /* `end` is the last character */
	uint32_t parent;               /* innermost region around it, or SIS_AST_NONE */
	uint32_t directive;            /* that begins and names the region; SIS_AST_NONE: none */
	/* the region's number among the regions of the function with the same type and the same
	 * name; a line in the name does not count */
	uint32_t ordinal;
	/* how many ways lead in and out in the source; without jumps 1 and 1 */
	uint32_t entries, exits;
	/* estimated cost of one activation, in statements and operations. UINT32_MAX: the cost is
	 * unknown, because the region calls itself or a library, or executes code that has its own
	 * region, such as a routine of MPI. 0: the compiler replaces the call by a constant or an
	 * instruction */
	uint32_t cost;
	bool measure_off;              /* between `measure disable` and `enable` */
	bool always_inline;            /* CR_F: the function has the attribute always_inline */
	/* CR_F: a loop with many iterations calls the function, directly or through other
	 * functions, and the function does not always call functions of other files */
	bool called_in_loops;
	const char *obstacle;          /* why it can have no probe; NULL if it can */
	/* CR_F: a part of a template. Each of its instances is a region, which the runtime names */
	bool is_template;
	/* CR_F of C++: the mangled name, and the demangled one with parameters; NULL: none, as for
	 * templates */
	const char *symbol, *signature;
};

struct sis_ast_function { /* a function with a body */
	const char *name;              /* "": an OpenMP reduction, declared outside of functions */
	/* checksum of the tokens after preprocessing, from the first specifier to the end of the
	 * body, without pragmas and the values of __LINE__ and the like; 0: the text is not
	 * known */
	uint64_t checksum;
	/* numbers of the functions of this translation unit that its text names */
	const uint32_t *callees;
	size_t callee_count;
};

/* A `#pragma sis` directive. Its words are kept as written; sis_plan_select interprets them. */
enum sis_ast_directive_kind {
	SIS_AST_CR_BEGIN,
	SIS_AST_CR_END,
	SIS_AST_CR_GLOBAL,
	SIS_AST_MEASURE_OFF,
	SIS_AST_MEASURE_ON,
	SIS_AST_TRACE_START,
	SIS_AST_TRACE_STOP,
	SIS_AST_BUDGET,     /* of the program; condition: percent; "0": off */
	SIS_AST_BLAME_POINT /* the function around the directive, or the next one */
};
struct sis_ast_directive {
	enum sis_ast_directive_kind kind;
	struct sis_ast_position position;
	const char *name;              /* "" when it has none */
	const char *const *items;      /* region mnemonics as written, NULL-ended */
	const char *const *metrics;    /* metric and overhead mnemonics as written, NULL-ended */
	const char *condition;         /* the expression of if(...), or "" */
	const char *function;          /* "" at file scope */
	uint32_t region;               /* CR_BEGIN with a name: the region, or SIS_AST_NONE */
	uint32_t match;                /* BEGIN <-> END, OFF <-> ON: the other directive */
	/* positions of the name, of each item and of each metric */
	struct sis_ast_position name_position;
	const struct sis_ast_position *item_positions, *metric_positions;
};

enum sis_ast_severity { SIS_AST_NOTE, SIS_AST_WARNING, SIS_AST_ERROR };
typedef void sis_ast_report(void *context, enum sis_ast_severity severity,
			    const struct sis_ast_position *where, const char *message);

struct sis_ast_options {
	const char *compiler;          /* its include directories and macros are used: "mpicc" */
	sis_ast_report *report;        /* gets errors in directives, and notes; may be NULL */
	void *context;
	/* the emitted source has a section `sis_blame`: what each function computes (blame.h). If
	 * that is not possible, a note says why */
	bool blame;
};

enum sis_ast_status {
	SIS_AST_OK = 0,
	/* clang cannot parse the file, although the compiler may; *message says why. (Errors that
	 * are all in bodies of functions give SIS_AST_OK, and obstacles.) */
	SIS_AST_UNPARSED = -1,
	/* a directive is wrong; the errors were reported */
	SIS_AST_INVALID = -2,
	SIS_AST_FAILED = -3,           /* no file, compiler or memory; another SIS_AST_ABI */
};

/* Parses `file` as the compiler would with `arguments` (its own, without input, -o and -c).
 *
 * The file `-` is standard input, which must be a file that can be read from its begin;
 * sis_ast_unit names it "<stdin>". With -fpreprocessed among the arguments, the file is the output
 * of a preprocessor, and sis_ast_unit has the name that its first line gives. In this case the
 * macros of the probes, and only these macros, must be expanded before the emitted text is
 * compiled.
 *
 * On SIS_AST_UNPARSED and SIS_AST_FAILED *message is a reason in one line, which the caller frees.
 * `abi`: the SIS_AST_ABI that the caller was compiled with. */
enum sis_ast_status sis_ast_open_for(uint32_t abi, struct sis_ast **out, const char *file,
				     const char *const *arguments, size_t argument_count,
				     const struct sis_ast_options *options, char **message);
static inline enum sis_ast_status sis_ast_open(struct sis_ast **out, const char *file,
					       const char *const *arguments, size_t argument_count,
					       const struct sis_ast_options *options,
					       char **message)
{
	return sis_ast_open_for(SIS_AST_ABI, out, file, arguments, argument_count, options,
				message);
}
/* The same for a file that a build system has compiled: directory, compiler and arguments are those
 * of its (first) command in `database`, a compile_commands.json. If options->compiler is not NULL,
 * it replaces the command's compiler. If the file has no command, the result is SIS_AST_FAILED. */
enum sis_ast_status sis_ast_open_command_for(uint32_t abi, struct sis_ast **out, const char *file,
					     const char *database,
					     const struct sis_ast_options *options, char **message);
static inline enum sis_ast_status sis_ast_open_command(struct sis_ast **out, const char *file,
						       const char *database,
						       const struct sis_ast_options *options,
						       char **message)
{
	return sis_ast_open_command_for(SIS_AST_ABI, out, file, database, options, message);
}

void sis_ast_close(struct sis_ast *ast);

struct sis_ast_unit { /* what was parsed */
	const char *file;              /* the name that the compiler was given */
	/* the directory in which the compiler would run; "": the working directory */
	const char *directory;
	const char *compiler, *flags;  /* the flags in one string */
	const char *language;          /* "C", "C++" */
};
const struct sis_ast_unit *sis_ast_unit(const struct sis_ast *ast);

/* What the compiler calls itself, with its version and target: "gcc 12.2.0 x86_64-linux-gnu". */
const char *sis_ast_compiler(const struct sis_ast *ast);

size_t sis_ast_region_count(const struct sis_ast *ast);
const struct sis_ast_region *sis_ast_region(const struct sis_ast *ast, size_t index);
size_t sis_ast_function_count(const struct sis_ast *ast);
const struct sis_ast_function *sis_ast_function(const struct sis_ast *ast, size_t index);
/* The number of the function that holds region `index`. */
size_t sis_ast_function_of(const struct sis_ast *ast, size_t index);
size_t sis_ast_directive_count(const struct sis_ast *ast);
const struct sis_ast_directive *sis_ast_directive(const struct sis_ast *ast, size_t index);

/* Whether the clauses of OpenMP allow that the region has the overhead: OADD_PRIV and OADD_RED need
 * clauses. For other overheads the result is true. */
bool sis_ast_may_have(const struct sis_ast *ast, size_t index, enum sis_overhead overhead);

/* Whether `inner` lies inside `outer` (a region is inside itself). */
bool sis_ast_inside(const struct sis_ast *ast, size_t inner, size_t outer);
/* Whether region `index` lies between a directive and its match. For a directive without a match:
 * whether the region lies in the directive's function or, if the directive is outside of functions,
 * in the directive's file. */
bool sis_ast_in_directive(const struct sis_ast *ast, size_t index, size_t directive);

/* The first directive from number `from` on that reaches the region and may request more than the
 * region that it names; SIS_AST_NONE if there is none. Takes logarithmic time; calling
 * sis_ast_in_directive for each directive takes linear time. */
size_t sis_ast_next_directive(const struct sis_ast *ast, size_t index, size_t from);
/* All regions within the directive's reach have numbers in [*first, *end). */
void sis_ast_directive_regions(const struct sis_ast *ast, size_t directive, size_t *first,
			       size_t *end);

/* Marks a region, and removes its conditions. `probe` is the number of its probes: the caller
 * numbers the marked regions from 0 without gaps. SIS_AST_NONE: the region gets no probes. */
void sis_ast_mark(struct sis_ast *ast, size_t index, uint32_t probe);

/* Adds a condition to a marked region: the if(...) of a directive. A region with conditions is
 * measured only if at least one of them holds. The directive begins a scope around the region, or
 * reaches its function. Returns NULL, or why the condition cannot be evaluated there ("'n' is not
 * visible here"). */
const char *sis_ast_condition(struct sis_ast *ast, size_t index, size_t directive);

/* The instrumented source: `prologue`, which must end with a line end, then the user's file with
 * its own line numbers. *text is malloc'ed. The result is SIS_AST_FAILED if edits conflict, which
 * is a bug of the library. */
enum sis_ast_status sis_ast_emit(struct sis_ast *ast, const char *prologue, char **text,
				 size_t *length, char **message);

/* The files that the emitted source contains as text instead of including them. Called after
 * sis_ast_emit. */
size_t sis_ast_inlined_count(const struct sis_ast *ast);
const char *sis_ast_inlined(const struct sis_ast *ast, size_t index);

/* How many uses of macros are expanded in the emitted source, because a probe is inside. Called
 * after sis_ast_emit. */
size_t sis_ast_expanded_count(const struct sis_ast *ast);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
