/* SPDX-License-Identifier: BSD-3-Clause */
// statements.h - the leaf statements of each function, and the tokens that belong to each of them.
//
// A leaf statement is an expression statement, a declarator with its initialiser, a return, the
// init, condition or increment of a control statement, a jump, or a directive of OpenMP. Each token
// belongs to the innermost leaf statement around it. All tokens of a use of a macro have one
// position, so the statements of such a use count as one statement.
#ifndef SIS_FRONTEND_STATEMENTS_H
#define SIS_FRONTEND_STATEMENTS_H

#include "clang/text/flat_text.h"
#include "tu/blame_unit.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

#include <deque>

namespace sis {

/// The statements of a function, or of the body of an OpenMP construct that becomes a function.
struct StatementTable {
  const clang::FunctionDecl *Decl;
  bool Outlined = false; // the body of a construct
  bool Task = false;     // the body of a task
  bool Point = false;    // the function is a blame point by `#pragma sis blame`
  clang::SourceLocation Begin;
  std::vector<BlameStatement> Statements; // 0 is the entry, 1 the exit
  std::vector<BlameAnchor> Anchors;       // by position in the source
  std::vector<std::vector<uint32_t>> Groups;

  /// The statement at a position in the source; NoStatement: the line has no anchor at or before
  /// the column.
  uint32_t at(unsigned Line, unsigned Column) const;
  /// Whether a token of a statement has exactly that position.
  bool has(unsigned Line, unsigned Column) const;
  static constexpr uint32_t NoStatement = UINT32_MAX;

  std::map<std::pair<unsigned, unsigned>, uint32_t> ByPosition;
};

/// The statements of all functions with a body. An outlined body follows its function.
/// Directives has the directives of the file, in order.
std::deque<StatementTable> findStatements(const clang::ASTContext &Context, const FlatText &Flat,
                                          const std::vector<Directive> &Directives,
                                          BlameUnit &Unit);

} // namespace sis

#endif
