// trip_count.h - how often a loop turns, by its text alone.
#ifndef SIS_FRONTEND_TRIP_COUNT_H
#define SIS_FRONTEND_TRIP_COUNT_H

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <optional>

namespace sis {

struct TripCount {
  uint64_t Number = 0;
  const clang::ValueDecl *Counter = nullptr; // of a loop that counts
  int64_t Middle = 0;                        // of its values
};

class LoopTripCounts {
public:
  explicit LoopTripCounts(const clang::ASTContext &Context) : Context(Context) {}

  /// Nothing: nobody knows.
  std::optional<TripCount> of(const clang::Stmt *Loop) const;

  /// Around what is asked of the loop's body: there its counter is known by its middle.
  void enter(const TripCount &Loop);
  void leave(const TripCount &Loop);

  /// Nothing if it is no constant.
  std::optional<int64_t> constant(const clang::Expr *E) const;

private:
  std::optional<int64_t> value(const clang::Expr *E) const;
  std::optional<int64_t> firstValue(const clang::ForStmt *For, const clang::ValueDecl *&Counter) const;
  std::optional<int64_t> stepOf(const clang::Expr *Next, const clang::ValueDecl *Counter) const;
  std::optional<TripCount> counted(const clang::ForStmt *For) const;
  bool isGeometric(const clang::Stmt *Loop) const;

  const clang::ASTContext &Context;
  llvm::DenseMap<const clang::ValueDecl *, int64_t> Middles; // of the counters of the loops around
};

/// do ... while (0), as macros have it.
bool runsOnce(const clang::Stmt *S);

} // namespace sis

#endif
