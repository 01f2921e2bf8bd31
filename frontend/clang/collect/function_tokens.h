/* SPDX-License-Identifier: BSD-3-Clause */
// function_tokens.h - checksums of the tokens of functions, by which two builds of a program are
// compared, and the callees of each function.
#ifndef SIS_FRONTEND_FUNCTION_TOKENS_H
#define SIS_FRONTEND_FUNCTION_TOKENS_H

#include "clang/text/source_map.h"
#include "tu/tu.h"

namespace sis {

/// Fills in the checksums and callees of all functions. Their extents must be known.
void summarizeFunctions(sis_ast &Ast, const SourceMap &Map);

} // namespace sis

#endif
