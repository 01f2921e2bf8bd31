/* ast_loader.h - the frontend library, loaded when there is something to parse. */
#ifndef SISC_AST_LOADER_H
#define SISC_AST_LOADER_H

#include "../frontend/sis_ast.h"
#include "base.h"

/* The functions of sis_ast.h under their own names without prefix. */
struct ast_library {
	__typeof__(sis_ast_open) *open;
	__typeof__(sis_ast_close) *close;
	__typeof__(sis_ast_region_count) *region_count;
	__typeof__(sis_ast_region) *region;
	__typeof__(sis_ast_directive_count) *directive_count;
	__typeof__(sis_ast_directive) *directive;
	__typeof__(sis_ast_inside) *inside;
	__typeof__(sis_ast_in_directive) *in_directive;
	__typeof__(sis_ast_mark) *mark;
	__typeof__(sis_ast_emit) *emit;
	__typeof__(sis_ast_inlined_count) *inlined_count;
	__typeof__(sis_ast_inlined) *inlined;
};

/* Loads it on the first call. NULL: error. */
const struct ast_library *sis_ast_library(struct err *err);

#endif
