// SPDX-License-Identifier: BSD-3-Clause
// cost.cc - see cost.h. The walk of collect.h calls it; same thread. Its one idea: each statement
// and operation counts as often as it is expected to be executed: once per iteration in a loop with
// known bounds (trip_count.cc), half as often in the two arms of an if, and not at all on a cold
// path (cold_paths.cc). A call counts as the body of the function, if the translation unit defines
// the function.
//
// The estimate decides whether a function gets a region. Code that may take long may count as short
// only if it has another region. So a loop over an array or list counts as long, even under a
// condition. But a call under a condition counts as short, because the called function may have a
// region of its own.
//
// LIMIT: a search in a long list, a copy of many bytes, and a call of a library outside of the
//   system directories may take longer than estimated. If a function with such code gets no region,
//   its time counts for its caller. `sisc --sis-profile` finds such functions after a run.
#include "clang/collect/cost.h"
#include "clang/parse/functions.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "tables.h"

#include <algorithm>
#include <optional>

using namespace clang;

namespace sis {

// Costs in operations that take roughly the same time, 0.3 ns.
static constexpr unsigned LoopCost = 1000;  // of a loop over an array or list of unknown length
static constexpr unsigned SearchTrips = 16; // of a loop that stops when it has found something
static constexpr unsigned CalledCost = 120; // of the calls under a condition, at most
static constexpr unsigned UnseenCost = 100; // of a function of the program in another file
static constexpr unsigned LibraryCost = 50; // of a simple library function: malloc, strcmp
static constexpr unsigned DivisionCost = 8;
static constexpr unsigned RoundingCost = 4;        // fabs, floor, fmax: one or a few instructions
static constexpr unsigned TranscendentalCost = 40; // sqrt, exp, sin
static constexpr unsigned BytesMoved = 16;         // by one or two instructions

static uint64_t limited(uint64_t Cost) { return std::min<uint64_t>(Cost, UINT32_MAX); }

CostModel::Estimate CostModel::known(uint64_t Cost) {
  Estimate Found;
  Found.Own = Cost;
  return Found;
}

CostModel::Estimate CostModel::unknown() {
  Estimate Found;
  Found.Unknown = true;
  return Found;
}

CostModel::Estimate CostModel::ownRegion() {
  Estimate Found;
  Found.Region = true;
  return Found;
}

CostModel::Estimate &CostModel::Estimate::operator+=(const Estimate &Other) {
  Own = limited(Own + Other.Own);
  Loops = limited(Loops + Other.Loops);
  Called = limited(Called + Other.Called);
  Unseen |= Other.Unseen;
  Region |= Other.Region;
  Unknown |= Other.Unknown;
  return *this;
}

CostModel::Estimate &CostModel::Estimate::times(uint64_t Factor) {
  Own = limited(Own * limited(Factor));
  Called = limited(Called * limited(Factor));
  return *this;
}

CostModel::Estimate &CostModel::Estimate::oneOf(uint64_t Cases) {
  uint64_t Expected = Called + Region * CalledCost;
  Own /= Cases;
  Called = std::min<uint64_t>(Expected, CalledCost * Cases) / Cases;
  Unseen = Region = false;
  return *this;
}

uint32_t CostModel::Estimate::total() const {
  uint64_t Sum = Own + Loops * LoopCost + Called;
  return Unknown || Region ? UINT32_MAX : std::min<uint64_t>(Sum, UINT32_MAX - 1);
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
  ++Sum.Own;
  Statements[S] = Sum;
  return Sum;
}

/// The cost of a condition and its two arms. A cold arm costs nothing.
CostModel::Estimate CostModel::branch(const Expr *Condition, const Stmt *Then, const Stmt *Else) {
  std::optional<bool> Expected = Cold.expected(Condition);
  bool NoThen = Expected == false || Cold.isCold(Then);
  bool NoElse = Expected == true || Cold.isCold(Else);
  Estimate Sum;
  if (!NoThen)
    Sum += of(Then);
  if (!NoElse)
    Sum += of(Else);
  if (!NoThen && !NoElse)
    Sum.oneOf(2);
  Sum += of(Condition);
  return Sum;
}

CostModel::Estimate CostModel::compute(const Stmt *S) {
  if (const auto *If = dyn_cast<IfStmt>(S))
    return branch(If->getCond(), If->getThen(), If->getElse());
  if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
    Estimate Sum = of(Switch->getBody());
    uint64_t Cases = 0;
    for (const SwitchCase *C = Switch->getSwitchCaseList(); C; C = C->getNextSwitchCase())
      ++Cases;
    Sum.oneOf(std::max<uint64_t>(Cases, 1));
    Sum += of(Switch->getCond());
    return Sum;
  }
  if (isa<SwitchCase>(S) && Cold.isCold(S))
    return {};
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
    return loop(S);
  if (isa<OMPExecutableDirective>(S))
    return ownRegion(); // the cost is in the runtime library of OpenMP
  return children(S);
}

/// Whether a jump in S may leave the loop, other than on a cold path. Nested: S is in an inner loop
/// or switch.
bool CostModel::leaves(const Stmt *S, bool Nested) {
  if (!S || isa<ReturnStmt, GotoStmt, IndirectGotoStmt>(S))
    return S;
  if (isa<LambdaExpr>(S))
    return false;
  if (isa<BreakStmt>(S))
    return !Nested;
  // The answer is kept. Otherwise N nested loops would take N * N steps.
  if (auto Known = Leaving[Nested].find(S); Known != Leaving[Nested].end())
    return Known->second;
  bool InLoop = Nested || isa<ForStmt, WhileStmt, DoStmt, SwitchStmt, CXXForRangeStmt>(S);
  bool Leaves = llvm::any_of(S->children(), [&](const Stmt *Child) {
    return !Cold.isCold(Child) && leaves(Child, InLoop);
  });
  if (!isa<Expr>(S))
    Leaving[Nested][S] = Leaves;
  return Leaves;
}

static bool isStep(const Stmt *S) {
  const auto *Unary = dyn_cast_or_null<UnaryOperator>(S);
  return (Unary && Unary->isIncrementDecrementOp()) || isa_and_nonnull<CompoundAssignOperator>(S);
}

/// Whether the condition is typical of loops that count or follow pointers: i < n, n--, p, p != q.
/// Next: the last part of a for loop, or NULL.
static bool passesAll(const Expr *Condition, const Stmt *Next) {
  const Expr *E = Condition->IgnoreParenImpCasts();
  const auto *Until = dyn_cast<BinaryOperator>(E);
  if (!Until || !Until->isComparisonOp())
    return isStep(E) || E->getType()->isPointerType();
  const Expr *Left = Until->getLHS()->IgnoreParenImpCasts();
  return Until->isRelationalOp() || isStep(Next) || isStep(Left) ||
         Left->getType()->isPointerType();
}

/// Whether the loop passes over all elements of an array or list. Other loops end when they have
/// found something, or at the end of a string.
bool CostModel::passesAll(const Stmt *S) {
  if (const auto *For = dyn_cast<ForStmt>(S))
    return For->getCond() && sis::passesAll(For->getCond(), For->getInc()) &&
           !leaves(For->getBody(), false);
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return sis::passesAll(While->getCond(), nullptr) && !leaves(While->getBody(), false);
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(S))
    return !leaves(Range->getBody(), false);
  const auto *Do = cast<DoStmt>(S);
  return sis::passesAll(Do->getCond(), nullptr) && !leaves(Do->getBody(), false);
}

CostModel::Estimate CostModel::loop(const Stmt *S) {
  std::optional<TripCount> Known = Bounds.of(S);
  if (!Known && passesAll(S)) {
    Estimate Sum = children(S);
    ++Sum.Loops;
    return Sum;
  }
  TripCount Trips = Known.value_or(TripCount{SearchTrips});
  const auto *For = dyn_cast<ForStmt>(S);
  Bounds.enter(Trips);
  Estimate Iteration;
  for (const Stmt *Child : S->children())
    if (!For || Child != For->getInit())
      Iteration += of(Child);
  Bounds.leave(Trips);
  Iteration.times(Trips.Number);
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

/// The cost of an expression. Only operands that are evaluated count.
CostModel::Estimate CostModel::expression(const Expr *E) {
  if (isa<UnaryExprOrTypeTraitExpr, OffsetOfExpr, LambdaExpr, CXXNoexceptExpr>(E))
    return {};
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return call(Call);
  if (const auto *Generic = dyn_cast<GenericSelectionExpr>(E))
    return of(Generic->getResultExpr());
  if (const auto *Choose = dyn_cast<ChooseExpr>(E))
    return of(Choose->getChosenSubExpr());
  if (const auto *Variant = dyn_cast<PseudoObjectExpr>(E))
    return of(Variant->getSyntacticForm());
  if (const auto *Conditional = dyn_cast<ConditionalOperator>(E))
    return branch(Conditional->getCond(), Conditional->getTrueExpr(), Conditional->getFalseExpr());
  Estimate Sum = children(E);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    Sum.Own += isDivision(Binary, Bounds) ? DivisionCost : 1;
  return Sum;
}

/// How many bytes a call of memcpy, memset ... moves, if the compiler knows the number. The
/// compiler replaces such a call by instructions.
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
    Moved.Own += 1 + std::max<int64_t>(*Bytes, 0) / BytesMoved;
    return Moved;
  }
  Estimate Sum = callee(F);
  Sum.Called += Sum.Own + Sum.Loops * LoopCost;
  Sum.Own = 1;
  Sum.Loops = 0;
  if (F &&
      (identifierOf(F) == "__builtin_constant_p" || identifierOf(F).ends_with("object_size")))
    return Sum; // the argument is not evaluated
  Sum += children(C);
  return Sum;
}

/// The definition of F. With _FORTIFY_SOURCE, glibc defines inline functions that check the
/// arguments of its routines and call them. Such a definition does not count: a call of the inline
/// function costs as much as the routine.
const FunctionDecl *CostModel::definitionOf(const FunctionDecl *F) const {
  const FunctionDecl *Definition = F ? F->getDefinition() : nullptr;
  bool Checks = Definition && Definition->hasAttr<ArtificialAttr>() &&
                Context.getSourceManager().isInSystemHeader(Definition->getLocation());
  return Checks ? nullptr : Definition;
}

/// The cost of a built-in function.
CostModel::Estimate CostModel::builtin(const FunctionDecl *F) const {
  unsigned Builtin = F->getBuiltinID();
  const Builtin::Context &All = Context.BuiltinInfo;
  if (All.isConstWithoutErrnoAndExceptions(Builtin) || All.isConstWithoutExceptions(Builtin))
    return known(TranscendentalCost);
  if (All.isConst(Builtin))
    return known(RoundingCost);
  if (identifierOf(F).starts_with("__builtin_"))
    return known(0);
  const char *Header = All.getHeaderName(Builtin);
  return Header && !StringRef(Header).starts_with("stdio") ? known(LibraryCost) : unknown();
}

/// Whether the function has a body that is not parsed (parse_tu.cc): it has no loop.
static bool isSkipped(const FunctionDecl *F) {
  const FunctionDecl *Definition = F->getDefinition();
  return Definition && Definition->hasSkippedBody();
}

/// The cost of a function that a library or another file of the program defines. F is NULL if it is
/// not known which function is called.
CostModel::Estimate CostModel::unseen(const FunctionDecl *F) const {
  const sis_routine_info *Routine =
      F && F->isExternC() ? sis_routine_by_name(identifierOf(F).str().c_str()) : nullptr;
  if (Routine && Routine->type != CR_ALLOC && Routine->type != CR_MEM)
    return ownRegion(); // by default, calls of MPI and of I/O are regions
  if (F && F->getBuiltinID())
    return builtin(F);
  if (F && Context.getSourceManager().isInSystemHeader(F->getLocation()))
    return F->hasAttr<ConstAttr>() || F->hasAttr<PureAttr>() || isSkipped(F) ? known(LibraryCost)
                                                                              : unknown();
  Estimate Found;
  Found.Called = UnseenCost;
  Found.Unseen = true;
  return Found;
}

/// The cost of a function that this translation unit defines. If a function calls itself, its
/// outermost call may take long, even if the inner calls are short.
CostModel::Estimate CostModel::body(const FunctionDecl *Definition) {
  const FunctionDecl *Key = Definition->getCanonicalDecl();
  auto Known = Functions.find(Key);
  if (Known != Functions.end())
    return Known->second;
  if (Open.count(Key))
    return Open.back() == Key ? unknown() : unseen(nullptr);
  Open.insert(Key);
  Estimate Sum = of(Definition->getBody());
  Open.pop_back();
  return Functions[Key] = Sum;
}

/// The cost of a function.
CostModel::Estimate CostModel::callee(const FunctionDecl *F) {
  const FunctionDecl *Definition = definitionOf(F);
  if (Definition && Rejected.count(Definition))
    return unknown(); // Clang dropped an unknown part of it
  return Definition && Definition->getBody() ? body(Definition) : unseen(F);
}

} // namespace sis
