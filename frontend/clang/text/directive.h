/* SPDX-License-Identifier: BSD-3-Clause */
// directive.h - reads `#pragma sis`, and matches begin with end.
#ifndef SIS_FRONTEND_DIRECTIVE_H
#define SIS_FRONTEND_DIRECTIVE_H

#include "clang/text/source_map.h"

#include "clang/Lex/Preprocessor.h"

namespace sis {

/// Passes on messages about directives, and records whether one of them was an error.
struct Reporter {
  sis_ast_report *Call;
  void *Context;
  bool Failed = false;

  void operator()(sis_ast_severity Severity, const sis_ast_position &Where,
                  const std::string &Text) {
    Failed |= Severity == SIS_AST_ERROR;
    if (Call)
      Call(Context, Severity, &Where, Text.c_str());
  }
};

/// Registers the handler; each directive of the user's files is appended to Ast.Directives.
void handleDirectives(clang::Preprocessor &PP, sis_ast &Ast, const FlatText &Flat, Recorder &Seen,
                      Reporter &Report);

/// Whether the directive neither begins a pair nor ends one.
bool isAlone(sis_ast_directive_kind Kind);

/// Connects begin with end and disable with enable. Reports directives without a partner.
void matchDirectives(sis_ast &Ast, Reporter &Report);

} // namespace sis

#endif
