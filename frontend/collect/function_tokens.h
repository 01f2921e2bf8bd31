/* SPDX-License-Identifier: BSD-3-Clause */
// function_tokens.h - checksums of the tokens of functions, with which two builds of a program are
// compared, and which functions use which.
#ifndef SIS_FRONTEND_FUNCTION_TOKENS_H
#define SIS_FRONTEND_FUNCTION_TOKENS_H

#include "text/source_map.h"
#include "tu/tu.h"

namespace sis {

/// Fills in checksums and callees of all functions, whose extents are known.
void summarizeFunctions(sis_ast &Ast, const SourceMap &Map);

} // namespace sis

#endif
