/* SPDX-License-Identifier: BSD-3-Clause */
// cold_paths.h - finds statements that are hardly ever executed, because they report an error, end
// the program, or are marked as unlikely.
#ifndef SIS_FRONTEND_COLD_PATHS_H
#define SIS_FRONTEND_COLD_PATHS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace sis {

class ColdPaths {
public:
  explicit ColdPaths(const clang::ASTContext &Context) : Context(Context) {}

  /// Whether an arm of an if, or a case of a switch, is cold. Arm is NULL if the if has no such
  /// arm.
  bool isCold(const clang::Stmt *Arm);
  /// Whether the function never returns, or has the attribute cold.
  bool isCold(const clang::FunctionDecl *F);
  /// The value that a condition mostly has, as the source says with __builtin_expect.
  std::optional<bool> expected(const clang::Expr *Condition) const;

private:
  bool isCold(const clang::CallExpr *C);
  bool findCold(const clang::Stmt *Arm);
  bool neverReturns(const clang::FunctionDecl *F);

  const clang::ASTContext &Context;
  llvm::DenseMap<const clang::FunctionDecl *, bool> NeverReturns; // by canonical declaration
  llvm::DenseMap<const clang::Stmt *, bool> ColdArms;
};

} // namespace sis

#endif
