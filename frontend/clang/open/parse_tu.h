/* SPDX-License-Identifier: BSD-3-Clause */
// parse_tu.h - opens a translation unit: queries the compiler, parses, collects the regions.
#ifndef SIS_FRONTEND_PARSE_TU_H
#define SIS_FRONTEND_PARSE_TU_H

#include "clang/text/directive.h"

#include "llvm/ADT/ArrayRef.h"

namespace sis {

sis_ast_status parseTu(sis_ast &Ast, const std::string &Compiler,
                       llvm::ArrayRef<std::string> Arguments, bool Blame,
                       Reporter &Report, std::string &Why);

} // namespace sis

#endif
