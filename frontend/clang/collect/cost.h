/* SPDX-License-Identifier: BSD-3-Clause */
// cost.h - estimates the cost of one activation of a function or statement from its source text.
#ifndef SIS_FRONTEND_COST_H
#define SIS_FRONTEND_COST_H

#include "clang/parse/rejected.h"
#include "clang/collect/cold_paths.h"
#include "clang/collect/trip_count.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <cstdint>

namespace sis {

class CostModel {
public:
  CostModel(const clang::ASTContext &Context, const RejectedFunctions &Rejected)
      : Context(Context), Bounds(Context), Cold(Context), Rejected(Rejected) {}

  /// The cost in statements and operations; UINT32_MAX: unknown, and possibly long.
  uint32_t statement(const clang::Stmt *S) { return of(S).total(); }
  uint32_t function(const clang::FunctionDecl *F) { return callee(F).total(); }
  /// Whether the cost of F depends on functions of the program that are defined elsewhere.
  bool callsUnseen(const clang::FunctionDecl *F) { return callee(F).Unseen; }

private:
  /// The cost of a statement or function. Statements and operations are weighted by how often they
  /// are expected to be executed.
  struct Estimate {
    uint64_t Own = 0;     // statements and operations
    uint64_t Loops = 0;   // loops over arrays with an unknown trip count
    uint64_t Called = 0;  // of the functions called
    bool Unseen = false;  // always calls functions of the program that are defined elsewhere
    bool Region = false;  // always executes code with a region of its own: calls of MPI, OpenMP ...
    bool Unknown = false; // calls libraries of unknown cost, or itself

    Estimate &operator+=(const Estimate &Other);
    Estimate &times(uint64_t Factor);
    /// Turns the sum over several cases, of which one is executed, into the cost of one case.
    Estimate &oneOf(uint64_t Cases);
    uint32_t total() const;
  };

  static Estimate unknown();
  static Estimate ownRegion();
  static Estimate known(uint64_t Cost);
  Estimate of(const clang::Stmt *S);
  Estimate compute(const clang::Stmt *S);
  Estimate children(const clang::Stmt *S);
  Estimate expression(const clang::Expr *E);
  Estimate call(const clang::CallExpr *C);
  const clang::FunctionDecl *definitionOf(const clang::FunctionDecl *F) const;
  Estimate body(const clang::FunctionDecl *Definition);
  Estimate callee(const clang::FunctionDecl *F);
  bool leaves(const clang::Stmt *S, bool Nested);
  bool passesAll(const clang::Stmt *Loop);
  Estimate loop(const clang::Stmt *S);
  Estimate branch(const clang::Expr *Condition, const clang::Stmt *Then, const clang::Stmt *Else);
  Estimate unseen(const clang::FunctionDecl *F) const;
  Estimate builtin(const clang::FunctionDecl *F) const;

  const clang::ASTContext &Context;
  LoopTripCounts Bounds;
  ColdPaths Cold;
  const RejectedFunctions &Rejected;
  llvm::DenseMap<const clang::Stmt *, Estimate> Statements;
  llvm::DenseMap<const clang::Stmt *, bool> Leaving[2]; // results of leaves(), by Nested
  llvm::DenseMap<const clang::FunctionDecl *, Estimate> Functions;
  llvm::SetVector<const clang::FunctionDecl *> Open; // functions whose cost is being computed
};

} // namespace sis

#endif
