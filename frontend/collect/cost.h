/* SPDX-License-Identifier: BSD-3-Clause */
// cost.h - estimates the cost of one activation of a function or statement from its source text.
#ifndef SIS_FRONTEND_COST_H
#define SIS_FRONTEND_COST_H

#include "parse/rejected.h"
#include "collect/trip_count.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>

namespace sis {

class CostModel {
public:
  CostModel(const clang::ASTContext &Context, const RejectedFunctions &Rejected)
      : Context(Context), Bounds(Context), Rejected(Rejected) {}

  /// The cost in statements and operations; UINT32_MAX: unknown.
  uint32_t statement(const clang::Stmt *S) { return of(S).total(); }
  uint32_t function(const clang::FunctionDecl *F) { return callee(F).total(); }

private:
  struct Estimate {
    uint64_t Known = 0;  // statements and operations, weighted by the expected number of executions
    uint64_t Loops = 0;  // loops with an unknown trip count
    bool Unseen = false; // there are calls of unknown cost

    Estimate &operator+=(const Estimate &Other);
    Estimate &times(uint64_t Factor);
    uint32_t total() const;
  };

  static Estimate unseen() { return {0, 0, true}; }
  Estimate of(const clang::Stmt *S);
  Estimate compute(const clang::Stmt *S);
  Estimate children(const clang::Stmt *S);
  Estimate expression(const clang::Expr *E);
  Estimate call(const clang::CallExpr *C);
  const clang::FunctionDecl *definitionOf(const clang::FunctionDecl *F) const;
  Estimate callee(const clang::FunctionDecl *F);
  Estimate loop(const clang::Stmt *S);
  Estimate arms(const clang::Stmt *Condition, Estimate Arms, uint64_t Number);

  const clang::ASTContext &Context;
  LoopTripCounts Bounds;
  const RejectedFunctions &Rejected;
  llvm::DenseMap<const clang::Stmt *, Estimate> Statements;
  llvm::DenseMap<const clang::FunctionDecl *, Estimate> Functions;
};

} // namespace sis

#endif
