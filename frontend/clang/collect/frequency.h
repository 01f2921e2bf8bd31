/* SPDX-License-Identifier: BSD-3-Clause */
// frequency.h - which functions are called in loops of their translation unit.
#ifndef SIS_FRONTEND_FREQUENCY_H
#define SIS_FRONTEND_FREQUENCY_H

#include "clang/collect/trip_count.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace sis {

class CallFrequency {
public:
  explicit CallFrequency(const clang::ASTContext &Context);

  /// Whether a loop with many iterations calls F, directly or through other functions.
  bool inLoops(const clang::FunctionDecl *F) const { return Frequent.count(F->getCanonicalDecl()); }

  /// Whether the translation unit defines main.
  bool hasMain() const { return HasMain; }

private:
  void visit(const clang::Stmt *S, bool InLoop);

  LoopTripCounts Loops;
  bool HasMain = false;
  const clang::FunctionDecl *Caller = nullptr;
  llvm::DenseSet<const clang::FunctionDecl *> Frequent;
  llvm::DenseMap<const clang::FunctionDecl *, llvm::SmallVector<const clang::FunctionDecl *, 4>>
      Calls; // outside of loops
};

} // namespace sis

#endif
