// SPDX-License-Identifier: BSD-3-Clause
// trip_count.cc - see trip_count.h. cost.cc and frequency.cc call it; same thread. Its one idea:
// bounds are constants, or sums of constants and counters of enclosing loops. A counter counts as
// the middle of its values. A loop that halves or doubles its variable counts as 16 iterations.
#include "clang/collect/trip_count.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace sis {

static constexpr unsigned GeometricTrips = 16; // iterations of bisections in some 2^16 elements

bool runsOnce(const Stmt *S) {
  const auto *Do = dyn_cast<DoStmt>(S);
  const auto *Never = Do ? dyn_cast<IntegerLiteral>(Do->getCond()->IgnoreParenImpCasts()) : nullptr;
  return Never && Never->getValue() == 0;
}

/// Also returns no value if the value has more than 40 bits, so that results of operations fit into
/// 64 bits.
std::optional<int64_t> LoopTripCounts::constant(const Expr *E) const {
  Expr::EvalResult Result;
  if (!E || E->isValueDependent() || !E->EvaluateAsInt(Result, Context))
    return std::nullopt;
  const llvm::APSInt &Value = Result.Val.getInt();
  if ((Value.isSigned() ? Value.getSignificantBits() : Value.getActiveBits()) > 40)
    return std::nullopt;
  return Value.getExtValue();
}

static const ValueDecl *variable(const Expr *E) {
  const auto *Reference = dyn_cast_or_null<DeclRefExpr>(E ? E->IgnoreParenImpCasts() : nullptr);
  return Reference ? Reference->getDecl() : nullptr;
}

/// The value of a bound of a loop. The value has at most 40 bits, too.
std::optional<int64_t> LoopTripCounts::value(const Expr *E) const {
  if (std::optional<int64_t> Constant = constant(E))
    return Constant;
  auto Known = Middles.find(variable(E));
  if (Known != Middles.end())
    return Known->second;
  const auto *Sum = dyn_cast_or_null<BinaryOperator>(E ? E->IgnoreParenImpCasts() : nullptr);
  if (!Sum || !Sum->isAdditiveOp())
    return std::nullopt;
  std::optional<int64_t> Left = value(Sum->getLHS()), Right = value(Sum->getRHS());
  if (!Left || !Right)
    return std::nullopt;
  int64_t Value = Sum->getOpcode() == BO_Add ? *Left + *Right : *Left - *Right;
  return std::abs(Value) >> 40 ? std::nullopt : std::optional<int64_t>(Value);
}

/// The first value of the loop's variable. Sets Counter to that variable.
std::optional<int64_t> LoopTripCounts::firstValue(const ForStmt *For,
                                                  const ValueDecl *&Counter) const {
  if (const auto *Declared = dyn_cast_or_null<DeclStmt>(For->getInit())) {
    const auto *Variable =
        Declared->isSingleDecl() ? dyn_cast<VarDecl>(Declared->getSingleDecl()) : nullptr;
    Counter = Variable;
    return value(Variable ? Variable->getInit() : nullptr);
  }
  const auto *Assigned = dyn_cast_or_null<BinaryOperator>(For->getInit());
  if (!Assigned || Assigned->getOpcode() != BO_Assign)
    return std::nullopt;
  Counter = variable(Assigned->getLHS());
  return value(Assigned->getRHS());
}

/// The amount by which one iteration changes the loop's variable.
std::optional<int64_t> LoopTripCounts::stepOf(const Expr *Next, const ValueDecl *Counter) const {
  if (const auto *Unary = dyn_cast_or_null<UnaryOperator>(Next))
    if (Unary->isIncrementDecrementOp() && variable(Unary->getSubExpr()) == Counter)
      return Unary->isIncrementOp() ? 1 : -1;
  const auto *Added = dyn_cast_or_null<CompoundAssignOperator>(Next);
  if (!Added ||
      !Added->isAdditiveOp(BinaryOperator::getOpForCompoundAssignment(Added->getOpcode())) ||
      variable(Added->getLHS()) != Counter)
    return std::nullopt;
  std::optional<int64_t> By = constant(Added->getRHS());
  if (By && Added->getOpcode() == BO_SubAssign)
    By = -*By;
  return By;
}

/// The trip count of a loop with a known first value, bound and step.
std::optional<TripCount> LoopTripCounts::counted(const ForStmt *For) const {
  const auto *Until = For ? dyn_cast_or_null<BinaryOperator>(For->getCond()) : nullptr;
  const ValueDecl *Counter = nullptr;
  if (!Until || !Until->isComparisonOp() || Until->getOpcode() == BO_EQ)
    return std::nullopt;
  std::optional<int64_t> First = firstValue(For, Counter), End = value(Until->getRHS());
  if (!First || !End || !Counter || variable(Until->getLHS()) != Counter)
    return std::nullopt;
  std::optional<int64_t> Step = stepOf(For->getInc(), Counter);
  if (!Step || !*Step)
    return std::nullopt;
  int64_t Distance = *Step > 0 ? *End - *First : *First - *End, Stride = std::abs(*Step);
  if (Until->getOpcode() == BO_LE || Until->getOpcode() == BO_GE)
    ++Distance;
  uint64_t Number = Distance <= 0 ? 0 : (Distance + Stride - 1) / Stride;
  return TripCount{Number, Counter, *First + (Number ? int64_t(Number - 1) / 2 : 0) * *Step};
}

namespace {

/// How a loop changes the variables of its condition.
class LoopUpdates {
public:
  LoopUpdates(const LoopTripCounts &Bounds, const Stmt *Condition) : Bounds(Bounds) {
    gather(Condition);
  }

  bool any() const { return !Variables.empty(); }
  bool geometric() const { return Scaled && !Stepped && Left; }
  /// InCondition: S is in the condition of the loop. There only changes of a variable count, not
  /// quotients.
  void visit(const Stmt *S, bool InCondition = false);

private:
  void gather(const Stmt *S);
  bool mentions(const Stmt *S) const;

  const LoopTripCounts &Bounds;
  llvm::SmallPtrSet<const ValueDecl *, 4> Variables;
  bool Scaled = false;  // a variable is divided or multiplied, or its half is taken
  bool Stepped = false; // a constant is added to a variable or subtracted from it
  /// How many nodes may still be visited. Loops with more nodes do not count as geometric. The
  /// limit bounds the time, because an outer loop contains the nodes of all loops inside it.
  unsigned Left = 2000;
};

} // namespace

void LoopUpdates::gather(const Stmt *S) {
  if (const auto *Reference = dyn_cast_or_null<DeclRefExpr>(S))
    if (isa<VarDecl>(Reference->getDecl()) && Reference->getType()->isIntegerType())
      Variables.insert(Reference->getDecl());
  if (S)
    for (const Stmt *Child : S->children())
      gather(Child);
}

bool LoopUpdates::mentions(const Stmt *S) const {
  if (const auto *Reference = dyn_cast_or_null<DeclRefExpr>(S))
    return Variables.count(Reference->getDecl());
  if (S)
    for (const Stmt *Child : S->children())
      if (mentions(Child))
        return true;
  return false;
}

static bool halves(BinaryOperatorKind Kind, std::optional<int64_t> By) {
  return By && ((Kind == BO_Div && *By >= 2) || (Kind == BO_Shr && *By >= 1));
}

void LoopUpdates::visit(const Stmt *S, bool InCondition) {
  if (!S || Stepped || !Left) // the result is known
    return;
  --Left;
  if (const auto *Unary = dyn_cast<UnaryOperator>(S))
    Stepped |= Unary->isIncrementDecrementOp() && Variables.count(variable(Unary->getSubExpr()));
  if (const auto *Compound = dyn_cast<CompoundAssignOperator>(S)) {
    BinaryOperatorKind Kind = BinaryOperator::getOpForCompoundAssignment(Compound->getOpcode());
    std::optional<int64_t> By = Bounds.constant(Compound->getRHS());
    bool Ours = Variables.count(variable(Compound->getLHS()));
    bool Doubles = By && ((Kind == BO_Mul && *By >= 2) || (Kind == BO_Shl && *By >= 1));
    Scaled |= Ours && (halves(Kind, By) || Doubles);
    Stepped |= Ours && By && BinaryOperator::isAdditiveOp(Kind);
  } else if (const auto *Binary = dyn_cast<BinaryOperator>(S)) {
    Scaled |= !InCondition && halves(Binary->getOpcode(), Bounds.constant(Binary->getRHS())) &&
              mentions(Binary->getLHS());
  }
  for (const Stmt *Child : S->children())
    visit(Child, InCondition);
}

/// For example: while (low < high) { middle = (low + high) / 2; ...
///              for (n = 1; n < count; n *= 2)
bool LoopTripCounts::isGeometric(const Stmt *Loop) const {
  const auto *For = dyn_cast<ForStmt>(Loop);
  const auto *While = dyn_cast<WhileStmt>(Loop);
  const auto *Do = dyn_cast<DoStmt>(Loop);
  const Expr *Condition = For     ? For->getCond()
                          : While ? While->getCond()
                          : Do    ? Do->getCond()
                                  : nullptr;
  LoopUpdates Seen(*this, Condition);
  if (!Seen.any())
    return false;
  Seen.visit(Condition, true);
  if (For)
    Seen.visit(For->getInc());
  Seen.visit(For ? For->getBody() : While ? While->getBody() : Do->getBody());
  return Seen.geometric();
}

std::optional<TripCount> LoopTripCounts::of(const Stmt *Loop) const {
  if (runsOnce(Loop))
    return TripCount{1};
  if (std::optional<TripCount> Counted = counted(dyn_cast<ForStmt>(Loop)))
    return Counted;
  if (isGeometric(Loop))
    return TripCount{GeometricTrips};
  return std::nullopt;
}

void LoopTripCounts::enter(const TripCount &Loop) {
  if (Loop.Counter)
    Middles[Loop.Counter] = Loop.Middle;
}

void LoopTripCounts::leave(const TripCount &Loop) {
  if (Loop.Counter)
    Middles.erase(Loop.Counter);
}

} // namespace sis
