/* SPDX-License-Identifier: BSD-3-Clause */
// trip_count.h - estimates the number of iterations of a loop from its source text.
#ifndef SIS_FRONTEND_TRIP_COUNT_H
#define SIS_FRONTEND_TRIP_COUNT_H

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <optional>

namespace sis {

struct TripCount {
  uint64_t Number = 0;
  const clang::ValueDecl *Counter = nullptr; // the variable that the loop counts with
  int64_t Middle = 0;                        // the middle of its values
};

class LoopTripCounts {
public:
  explicit LoopTripCounts(const clang::ASTContext &Context) : Context(Context) {}

  /// The estimate for a loop; no value if the number of iterations is unknown.
  std::optional<TripCount> of(const clang::Stmt *Loop) const;

  /// The caller calls enter before its queries about the loop's body, and leave after them. During
  /// these queries, the loop's counter counts as the middle of its values.
  void enter(const TripCount &Loop);
  void leave(const TripCount &Loop);

  /// The value of a constant expression; no value if E is not constant.
  std::optional<int64_t> constant(const clang::Expr *E) const;

private:
  std::optional<int64_t> value(const clang::Expr *E) const;
  std::optional<int64_t> firstValue(const clang::ForStmt *For,
                                    const clang::ValueDecl *&Counter) const;
  std::optional<int64_t> stepOf(const clang::Expr *Next, const clang::ValueDecl *Counter) const;
  std::optional<TripCount> counted(const clang::ForStmt *For) const;
  bool isGeometric(const clang::Stmt *Loop) const;

  const clang::ASTContext &Context;
  llvm::DenseMap<const clang::ValueDecl *, int64_t> Middles; // of counters of the loops around
};

/// Whether S is do ... while (0), as in macros.
bool runsOnce(const clang::Stmt *S);

} // namespace sis

#endif
