/* SPDX-License-Identifier: BSD-3-Clause */
/* ast_loader.h - the instrumentation library, which is loaded when there is something to parse. */
#ifndef SISC_AST_LOADER_H
#define SISC_AST_LOADER_H

#include "common/base.h"
#include "plan/sis_plan.h"

/* The functions of sis_ast.h and sis_plan.h that sisc needs. */
struct ast_library {
	__typeof__(sis_ast_open_for) *open;
	__typeof__(sis_ast_close) *close;
	__typeof__(sis_ast_expanded_count) *expanded_count;
	__typeof__(sis_ast_region_count) *region_count;
	__typeof__(sis_ast_region) *region;
	__typeof__(sis_ast_function_of) *function_of;
	__typeof__(sis_plan_new) *plan_new;
	__typeof__(sis_plan_free) *plan_free;
	__typeof__(sis_plan_select) *plan_select;
	__typeof__(sis_plan_acts) *plan_acts;
	__typeof__(sis_plan_measured) *plan_measured;
	__typeof__(sis_plan_choice) *plan_choice;
	__typeof__(sis_plan_leave) *plan_leave;
	__typeof__(sis_plan_explain) *plan_explain;
	__typeof__(sis_plan_source) *plan_source;
};

/* The functions of the library, which the first call loads; NULL after an error. */
const struct ast_library *sis_ast_library(struct err *err);

#endif
