/* SPDX-License-Identifier: BSD-3-Clause */
/* sis_ast.h - the high-level instrumentation library: one translation unit, its code regions, and
 * the instrumented source that comes of marking some of them.
 *
 *   sis_ast_open -> walk sis_ast_region(i), sis_ast_directive(i)
 *                -> sis_ast_mark(i, ...)      any number
 *                -> sis_ast_emit              the source with probes
 *                -> sis_ast_close
 *
 * The only way out of frontend/; plain C, Clang stays behind it. Strings live as long as the unit.
 * Regions are numbered in source order, a region before those inside it. Nothing is edited in
 * place. sis_plan.h decides what to mark, writes the description and the declarations that probes
 * need.
 */
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

/* The binary interface of this header and sis_plan.h, which also has the numbers of tables.h in it.
 * The library's file name ends in the major number; what was compiled for another ABI is
 * refused. */
#define SIS_AST_ABI_MAJOR 1
#define SIS_AST_ABI ((uint32_t)(SIS_AST_ABI_MAJOR << 16 | SIS_REGION_TYPES))

struct sis_ast;

struct sis_ast_position { /* 1-based; as the compiler reports it (after #line) */
	const char *file;
	uint32_t line, column;
};

struct sis_ast_region {
	enum sis_region_type type;     /* the most special one: CR_FOR, CR_MPISEND, never a group */
	bool outer_loop, inner_loop;   /* loops: also CR_OUTERLOOP, CR_INNERLOOP */
	const char *name;              /* directive's NAME, function, callee, or construct@line */
	const char *function;          /* enclosing function; its own name for CR_F and CR_P */
	const char *callee;            /* calls: the routine; else "" */
	struct sis_ast_position begin, end; /* end: the last character */
	uint32_t parent;               /* innermost region around it, or SIS_AST_NONE */
	uint32_t directive;            /* CR_A: the directive that opened it, or SIS_AST_NONE */
	/* among regions of the same type and bare name in the function */
	uint32_t ordinal;
	/* ways in and out that the source shows, 1 and 1 when structured */
	uint32_t entries, exits;
	/* static estimate of one activation in statements; calls to unseen code: UINT32_MAX */
	uint32_t cost;
	bool measure_off;              /* between `measure disable` and `enable` */
	/* CR_F: of a function that the compiler shall put into its callers, whatever it takes */
	bool always_inline;
	/* CR_F: from a loop of the unit that turns often, or from a function that is */
	bool called_in_loops;
	const char *obstacle;          /* why it cannot be instrumented; NULL: it can */
};

/* A `#pragma sis` directive, parsed by form: words, not meaning (instrument/plan/select.c gives
 * them meaning). */
enum sis_ast_directive_kind {
	SIS_AST_CR_BEGIN,
	SIS_AST_CR_END,
	SIS_AST_CR_GLOBAL,
	SIS_AST_MEASURE_OFF,
	SIS_AST_MEASURE_ON,
	SIS_AST_TRACE_START,
	SIS_AST_TRACE_STOP
};
struct sis_ast_directive {
	enum sis_ast_directive_kind kind;
	struct sis_ast_position position;
	const char *name;              /* "" when it has none */
	const char *const *items;      /* region mnemonics as written, NULL-ended */
	const char *const *metrics;    /* metric and overhead mnemonics as written, NULL-ended */
	const char *condition;         /* the expression of if(...), or "" */
	const char *function;          /* "" at file scope */
	uint32_t region;               /* CR_BEGIN with a name: its CR_A region, or SIS_AST_NONE */
	uint32_t match;                /* BEGIN <-> END, OFF <-> ON: the other one */
};

enum sis_ast_severity { SIS_AST_NOTE, SIS_AST_WARNING, SIS_AST_ERROR };
typedef void sis_ast_report(void *context, enum sis_ast_severity severity,
			    const struct sis_ast_position *where, const char *message);

struct sis_ast_options {
	const char *compiler;          /* whose include paths and predefines hold, e.g. "mpicc" */
	sis_ast_report *report;        /* directive errors and notes; NULL: none */
	void *context;
};

enum sis_ast_status {
	SIS_AST_OK = 0,
	/* clang cannot parse it, beyond bodies: compile it untouched. message says why */
	SIS_AST_UNPARSED = -1,
	/* a directive is wrong: errors were reported; do not compile */
	SIS_AST_INVALID = -2,
	SIS_AST_FAILED = -3,           /* no memory, no file, no compiler */
};

/* Parses `file` as the compiler would with `arguments` (its own, without input, -o and -c). The
 * file `-` is standard input, which must be a file that can be read from its begin; the unit's name
 * is "<stdin>" then. With -fpreprocessed among the arguments the file is the preprocessor's output,
 * and the unit's name that of the source by its first line; the emitted text is then to be compiled
 * with the probes written out, and no other macro. On SIS_AST_UNPARSED and SIS_AST_FAILED *message
 * is a one-line reason, to be freed by the caller. `abi`: the SIS_AST_ABI that the caller was
 * compiled with. */
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
 * of its (first) command in `database`, a compile_commands.json. options->compiler, if not NULL,
 * replaces the command's. A file without a command is SIS_AST_FAILED. */
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
	const char *file;              /* as it was named to the compiler */
	/* in which the compiler would run; "": the working directory */
	const char *directory;
	const char *compiler, *flags;  /* the flags in one string */
};
const struct sis_ast_unit *sis_ast_unit(const struct sis_ast *ast);

size_t sis_ast_region_count(const struct sis_ast *ast);
const struct sis_ast_region *sis_ast_region(const struct sis_ast *ast, size_t index);
size_t sis_ast_directive_count(const struct sis_ast *ast);
const struct sis_ast_directive *sis_ast_directive(const struct sis_ast *ast, size_t index);

/* Whether `inner` lies inside `outer` (a region is inside itself). */
bool sis_ast_inside(const struct sis_ast *ast, size_t inner, size_t outer);
/* Whether region `index` lies between a directive and its match; without a match: in its function,
 * or file. */
bool sis_ast_in_directive(const struct sis_ast *ast, size_t index, size_t directive);

/* The first directive from number `from` on that reaches the region and may ask for more than the
 * region of its own name; SIS_AST_NONE: none does. In logarithmic time, as sis_ast_in_directive for
 * each directive is not. */
size_t sis_ast_next_directive(const struct sis_ast *ast, size_t index, size_t from);
/* All regions within the directive's reach have numbers from *first to below *end. */
void sis_ast_directive_regions(const struct sis_ast *ast, size_t directive, size_t *first,
			       size_t *end);

/* Marks a region: probes will carry number `probe`, the caller's, dense from 0; SIS_AST_NONE: no
 * probes. It has no conditions then. */
void sis_ast_mark(struct sis_ast *ast, size_t index, uint32_t probe);

/* The marked region is measured only when if(...) of the directive says so; called for several
 * directives: of any of them. The directive begins a scope around the region, or reaches its
 * function. NULL, or why the condition cannot be evaluated there ("'n' is not visible here"). */
const char *sis_ast_condition(struct sis_ast *ast, size_t index, size_t directive);

/* The instrumented source: `prologue` first (its text must end a line), then the user's file with
 * its own line numbers. *text is malloc'ed. Conflicting edits are a bug: they fail, nothing is
 * swallowed. */
enum sis_ast_status sis_ast_emit(struct sis_ast *ast, const char *prologue, char **text,
				 size_t *length, char **message);

/* The files whose text the emitted source holds in place of their #include; after sis_ast_emit. */
size_t sis_ast_inlined_count(const struct sis_ast *ast);
const char *sis_ast_inlined(const struct sis_ast *ast, size_t index);

/* How many uses of macros the emitted source holds as text, because a probe stands inside; after
 * sis_ast_emit. */
size_t sis_ast_expanded_count(const struct sis_ast *ast);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
