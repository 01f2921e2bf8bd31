// SPDX-License-Identifier: BSD-3-Clause
// cost.cc - see cost.h. The walk of collect.h calls it; same thread. Its one idea: each statement
// and operation counts as often as it is expected to be executed: in a loop with known bounds once
// per iteration (trip_count.cc), in an if as a part of that. A call counts as the body of the
// function, if the translation unit defines it.
#include "collect/cost.h"

#include "clang/AST/Attr.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>
#include <optional>

using namespace clang;

namespace sis {

// Costs in operations that take roughly the same time.
static constexpr unsigned LoopCost = 1000; // of a loop with an unknown trip count: worth a probe
static constexpr unsigned DivisionCost = 8;
static constexpr unsigned RoundingCost = 4;        // fabs, floor, fmax: an instruction or some
static constexpr unsigned TranscendentalCost = 40; // sqrt, exp, sin
static constexpr unsigned BytesMoved = 16;         // by one or two instructions

CostModel::Estimate &CostModel::Estimate::operator+=(const Estimate &Other) {
  Known = std::min<uint64_t>(Known + Other.Known, UINT32_MAX);
  Loops = std::min<uint64_t>(Loops + Other.Loops, UINT32_MAX);
  Unseen |= Other.Unseen;
  return *this;
}

CostModel::Estimate &CostModel::Estimate::times(uint64_t Factor) {
  Known = std::min<uint64_t>(Known * std::min<uint64_t>(Factor, UINT32_MAX), UINT32_MAX);
  return *this;
}

uint32_t CostModel::Estimate::total() const {
  return Unseen ? UINT32_MAX : std::min<uint64_t>(Known + Loops * LoopCost, UINT32_MAX - 1);
}

CostModel::Estimate CostModel::children(const Stmt *S) {
  Estimate Sum;
  for (const Stmt *Child : S->children())
    Sum += of(Child);
  return Sum;
}

CostModel::Estimate CostModel::of(const Stmt *S) {
  if (!S)
    return {};
  if (const auto *E = dyn_cast<Expr>(S))
    return expression(E);
  auto Known = Statements.find(S);
  if (Known != Statements.end())
    return Known->second;
  Estimate Sum = compute(S);
  ++Sum.Known;
  Statements[S] = Sum;
  return Sum;
}

CostModel::Estimate CostModel::arms(const Stmt *Condition, Estimate Arms, uint64_t Number) {
  Arms.Known /= std::max<uint64_t>(Number, 1);
  Arms += of(Condition);
  return Arms;
}

static uint64_t cases(const SwitchStmt *Switch) {
  uint64_t Number = 0;
  for (const SwitchCase *Case = Switch->getSwitchCaseList(); Case; Case = Case->getNextSwitchCase())
    ++Number;
  return Number;
}

CostModel::Estimate CostModel::compute(const Stmt *S) {
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    Estimate Arms = of(If->getThen());
    Arms += of(If->getElse());
    return arms(If->getCond(), Arms, 2);
  }
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return arms(Switch->getCond(), of(Switch->getBody()), cases(Switch));
  if (isa<ForStmt, WhileStmt, DoStmt>(S))
    return loop(S);
  if (isa<OMPExecutableDirective>(S))
    return unseen(); // the cost is in the runtime library of OpenMP
  return children(S);
}

CostModel::Estimate CostModel::loop(const Stmt *S) {
  std::optional<TripCount> Known = Bounds.of(S);
  if (!Known) {
    Estimate Sum = children(S);
    ++Sum.Loops;
    return Sum;
  }
  const auto *For = dyn_cast<ForStmt>(S);
  Bounds.enter(*Known);
  Estimate Iteration;
  for (const Stmt *Child : S->children())
    if (!For || Child != For->getInit())
      Iteration += of(Child);
  Bounds.leave(*Known);
  Iteration.times(Known->Number);
  if (For)
    Iteration += of(For->getInit());
  return Iteration;
}

static bool isDivision(const BinaryOperator *Binary, const LoopTripCounts &Bounds) {
  BinaryOperatorKind Kind = Binary->isCompoundAssignmentOp()
                                ? BinaryOperator::getOpForCompoundAssignment(Binary->getOpcode())
                                : Binary->getOpcode();
  return (Kind == BO_Div || Kind == BO_Rem) && !Bounds.constant(Binary->getRHS());
}

/// Only what is evaluated counts.
CostModel::Estimate CostModel::expression(const Expr *E) {
  if (isa<UnaryExprOrTypeTraitExpr, OffsetOfExpr>(E))
    return {};
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return call(Call);
  if (const auto *Generic = dyn_cast<GenericSelectionExpr>(E))
    return of(Generic->getResultExpr());
  if (const auto *Choose = dyn_cast<ChooseExpr>(E))
    return of(Choose->getChosenSubExpr());
  if (const auto *Variant = dyn_cast<PseudoObjectExpr>(E))
    return of(Variant->getSyntacticForm());
  if (const auto *Conditional = dyn_cast<ConditionalOperator>(E)) {
    Estimate Arms = of(Conditional->getTrueExpr());
    Arms += of(Conditional->getFalseExpr());
    return arms(Conditional->getCond(), Arms, 2);
  }
  Estimate Sum = children(E);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    Sum.Known += isDivision(Binary, Bounds) ? DivisionCost : 1;
  return Sum;
}

/// How many bytes a call of memcpy, memset ... moves, if the compiler knows the number. Then it
/// replaces the call by instructions.
static std::optional<int64_t> bytesMoved(const FunctionDecl *F, const CallExpr *C,
                                         const LoopTripCounts &Bounds) {
  switch (F ? F->getMemoryFunctionKind() : 0) {
  case Builtin::BImemcpy:
  case Builtin::BImemmove:
  case Builtin::BImemset:
  case Builtin::BImemcmp:
    return C->getNumArgs() == 3 ? Bounds.constant(C->getArg(2)) : std::nullopt;
  default:
    return std::nullopt;
  }
}

CostModel::Estimate CostModel::call(const CallExpr *C) {
  const FunctionDecl *F = C->getDirectCallee();
  if (F && F->isNoReturn() && !F->getDefinition())
    return {}; // ends the activation: exit, or the routine of a failed assertion
  if (std::optional<int64_t> Bytes = bytesMoved(F, C, Bounds)) {
    Estimate Moved = children(C);
    Moved.Known += 1 + std::max<int64_t>(*Bytes, 0) / BytesMoved;
    return Moved;
  }
  Estimate Sum = callee(F);
  ++Sum.Known;
  if (F && F->getIdentifier() &&
      (F->getName() == "__builtin_constant_p" || F->getName().ends_with("object_size")))
    return Sum; // the argument is not evaluated
  Sum += children(C);
  return Sum;
}

/// The function's body. With _FORTIFY_SOURCE glibc defines inline functions that only check the
/// arguments of its routines; these count as the routines.
const FunctionDecl *CostModel::definitionOf(const FunctionDecl *F) const {
  const FunctionDecl *Definition = F ? F->getDefinition() : nullptr;
  bool Checks = Definition && Definition->hasAttr<ArtificialAttr>() &&
                Context.getSourceManager().isInSystemHeader(Definition->getLocation());
  return Checks ? nullptr : Definition;
}

/// The cost of a function. Without a body it is known only for a library's function whose value
/// depends on its arguments alone.
CostModel::Estimate CostModel::callee(const FunctionDecl *F) {
  Estimate Sum;
  const FunctionDecl *Definition = definitionOf(F);
  if (Definition && Rejected.count(Definition))
    return unseen(); // Clang dropped an unknown part of it
  if (Definition && Definition->getBody()) {
    auto [Known, IsNew] = Functions.try_emplace(Definition->getCanonicalDecl(),
                                                unseen()); // the cost in a recursive call
    if (!IsNew)
      return Known->second;
    Sum = of(Definition->getBody());
    return Functions[Definition->getCanonicalDecl()] = Sum;
  }
  unsigned Builtin = F ? F->getBuiltinID() : 0;
  if (!Builtin)
    return unseen();
  if (Context.BuiltinInfo.isConstWithoutErrnoAndExceptions(Builtin) ||
      Context.BuiltinInfo.isConstWithoutExceptions(Builtin))
    Sum.Known = TranscendentalCost;
  else if (Context.BuiltinInfo.isConst(Builtin))
    Sum.Known = RoundingCost;
  else if (!F->getName().starts_with("__builtin_"))
    return unseen();
  return Sum;
}

} // namespace sis
